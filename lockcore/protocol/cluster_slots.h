// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/protocol/reply.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::protocol {

constexpr int SlotCount = 16384; // of every cluster

/// The cluster slot of a key, 0 to 16383: that of its hash tag `{…}` if it has one that is not empty.
int keySlot(std::string_view key);

struct NodeAddress {
    std::string host;
    std::uint16_t port = 0;

    auto operator<=>(const NodeAddress &) const = default;
};

struct SlotRange {
    int first = 0;
    int last = 0;
    NodeAddress master;
    std::vector<NodeAddress> replicas;

    bool operator==(const SlotRange &) const = default;
};

/// Reads the reply to CLUSTER SLOTS. A node that announces no host is where `askedHost` is.
/// Errors: protocol/malformed-reply; also when there are more masters than any cluster has: each costs its clients
///         connections. Redis recommends at most 1,000 nodes.
constexpr std::size_t MostMasters = 1'000;
[[nodiscard]] Result<std::vector<SlotRange>> parseClusterSlots(const Reply &reply, const std::string &askedHost);

/// Reads `host` and a port as text, as sentinels and redirections tell them.
std::optional<NodeAddress> nodeAddress(std::string_view host, std::string_view port);

} // namespace lockcore::protocol
