// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/counter_recognition.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockcore::monitor {

/// What messages and subscribers tell of numbers: which of them are semaphores, and which are latches.
/// Source: Redisson: the getChannelName of RedissonSemaphore and RedissonCountDownLatch.
class CounterHints {
public:
    /// A message on one of their channels.
    void heard(const LockName &name, synchronizers::CounterHint hint, MonoTime now);
    struct Named {
        LockName name;
        bool isNew = false; // was not listed before, or is not any more
    };
    /// Takes in the channels that have subscribers now; returns the names that this concerns.
    std::vector<Named> listed(const std::vector<ChannelState> &channels, MonoTime now);
    /// It has been read: what was heard before it was asked for has served.
    void used(const LockName &name, MonoTime askedAt);

    synchronizers::CounterHint of(const LockName &name) const;
    /// Clients subscribed to it at the last list, if that is not older; absent: none. Of `a` and `{a}`, which have one
    /// channel between them, it is `a`.
    std::optional<std::int64_t> waiting(const LockName &name, MonoTime since) const;

private:
    struct Heard {
        synchronizers::CounterHint hint;
        MonoTime at;
    };
    struct Listed {
        synchronizers::CounterHint hint;
        std::int64_t clients = 0;
        bool first = true; // of the names that have the channel
    };
    std::unordered_map<LockName, Heard> m_heard;
    std::unordered_map<LockName, Listed> m_listed;
    MonoTime m_listedAt;
};

/// What a channel tells of the names it may belong to; none for the channels of locks.
synchronizers::CounterHint counterHintOf(std::string_view channel);

/// What a number is taken for as long as its key is there, once it has been recognised.
synchronizers::CounterKinds kindsSeen(const LockState *state);

} // namespace lockcore::monitor
