// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/engine_io.h"
#include "lockcore/monitor/lock_registry.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockcore::monitor {

/// Asks in turn how many clients are subscribed to the unlock channels of the locks shown: so many channels each time.
/// Source: Redis: PUBSUB NUMSUB and SHARDNUMSUB.
class SubscriberCount {
public:
    /// The channels that anybody is subscribed to.
    struct AllChannels {
        const std::vector<ChannelState> *listed = nullptr; // by name; null: there may be others
        MonoTime askedAt; // not later than they were listed
    };

    /// The channels of the next locks; empty: there are none. Of very many locks only those have their turn that
    /// somebody waits for or may wait for: what all channels do not tell of has no waiters.
    action::CountSubscribers take(LockRegistry &registry, const AllChannels &all, MonoTime now);
    /// It was waited for until it became free: whether it still is, is the question.
    void askSoon(const LockName &name);
    /// The channels of those that are still free.
    action::CountSubscribers takeFree(const LockRegistry &registry, MonoTime now);
    void counted(const input::SubscribersCounted &answer, LockRegistry &registry);
    void clear();

private:
    struct Listener {
        LockName lock; // that is waited for there
        std::optional<OwnerId> waiter; // fair locks: it has this channel of its own
    };
    struct Asked {
        MonoTime at;
        std::vector<Listener> listeners;
    };
    action::CountSubscribers takeOfAll(const LockList &locks, MonoTime now);
    action::CountSubscribers takeOfThoseToCount(LockRegistry &registry, const AllChannels &all, MonoTime now);
    void ask(action::CountSubscribers &count, std::string channel, MonoTime at, Listener listener);
    void ask(action::CountSubscribers &count, const LockState &lock, MonoTime now);

    std::unordered_map<std::string, Asked> m_asked; // by channel
    std::unordered_set<LockName> m_soon;
    std::optional<LockName> m_lastLock; // absent: begin with the first, whose name may be empty
    MonoTime m_toldListOf; // all channels, asked for then
};

} // namespace lockcore::monitor
