// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>

namespace lockcore {

/// The name of a lock as it stands in Redis: bytes, not necessarily UTF-8.
using LockName = std::string;

/// Who holds or waits: a client instance and a thread of it.
/// Thread is text since ports of Redisson write other things than a decimal number.
struct OwnerId {
    std::string client; // a Redisson client's UUID
    std::string thread;

    auto operator<=>(const OwnerId &) const = default;
};

/// As it stands in Redis: `client:thread`; what is written otherwise is all client.
inline std::string toString(const OwnerId &owner)
{
    std::string text = owner.client;
    if (!owner.thread.empty())
        text.append(1, ':').append(owner.thread);
    return text;
}

/// Hash slots of a cluster, both ends included.
struct SlotSpan {
    int first = 0;
    int last = 0;

    bool operator==(const SlotSpan &) const = default;
};

/// Names a request made to a service; unique within the process.
/// Not std::uint64_t: where that is `unsigned long`, Qt cannot stream it and refuses it in signals.
enum class CommandId : unsigned long long {};

} // namespace lockcore
