// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::protocol {

/// A replica that follows its master, as the master knows it.
struct ReplicaInfo {
    std::string host;
    std::uint16_t port = 0;
    std::chrono::seconds lag{ 0 }; // since it was last heard of

    bool operator==(const ReplicaInfo &) const = default;
};

/// What a server says of itself in INFO. Empty or zero where it did not say.
struct ServerInfo {
    std::string version; // `7.0.15`
    int major = 0;
    int minor = 0;
    std::string mode; // standalone, sentinel, cluster
    std::string role; // master, slave
    std::string runId; // changes when the server restarts
    /// A replica: since it heard of its master, or since they lost each other. Whole seconds.
    std::optional<std::chrono::seconds> behindMaster = {};
    std::vector<ReplicaInfo> replicas = {}; // a master's
    std::set<int> databases = {}; // that have keys

    bool atLeast(int wantedMajor, int wantedMinor) const
    {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }
    bool operator==(const ServerInfo &) const = default;
};

/// Reads the text of INFO; unknown lines are skipped.
ServerInfo parseServerInfo(std::string_view info);

} // namespace lockcore::protocol
