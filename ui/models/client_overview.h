// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/text/client_names.h"

#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui {

using KnownLock = std::shared_ptr<const lockcore::monitor::LockState>;

/// Something that it did.
struct LifeSign {
    lockcore::MonoTime at;
    bool isInferred = false; // that it was this is the likeliest explanation; that it did something is seen

    bool operator==(const LifeSign &) const = default;
};

/// What was seen of a client that only a running one does. That there is nothing does not mean that it is gone: a hold
/// with a fixed lease needs no word from its client.
struct LifeSigns {
    std::optional<LifeSign> renewed; // at last, a hold that it has for itself
    std::optional<LifeSign> maybeRenewed; // one that it shares: it was this client or another holder
    std::optional<LifeSign> took; // at last, a lock that it still holds
    std::optional<LifeSign> counted; // at last, a hold more or less of what it has for itself
    std::optional<TimeHeard> heard; // at last, a command with its id, when a person asked for that
    bool listens = false; // for its turn in a queue that is seen: it has a connection

    bool lookAlive(lockcore::MonoTime now) const;
};

struct ClientHold {
    KnownLock lock;
    lockcore::monitor::Holder hold;
    bool isShared = false; // other clients hold it too
};

struct ClientWait {
    KnownLock lock;
    lockcore::monitor::Waiter waiter;
    int place = 0; // in the queue, from 1
};

/// All that is known of one client: only what Redis tells is in it. Who waits stands in queues of fair locks alone.
struct ClientOverview {
    std::vector<ClientHold> holds;
    std::vector<ClientWait> waits;
    LifeSigns signs; // where it is seen
    LifeSigns pastSigns; // on servers that are lost while others are watched
    std::optional<lockcore::MonoTime>
        pastAt; // when the last of what it has there was seen; absent: it has nothing there
    std::int64_t blocked = 0; // who wait for what it holds, as far as they are counted
    bool isBlockedAtLeast = false;
    std::int64_t anonymous = 0; // other locks that somebody waits for whom Redis does not name: it may be this client
};

/// Cost: one look at each lock.
ClientOverview clientOverview(const lockcore::monitor::Snapshot &snapshot, const std::string &client);

/// The signs of life that these locks have of it, but for what was heard.
LifeSigns lifeSigns(const std::vector<KnownLock> &locks, const std::string &client);

/// The moment that is told of.
struct ToldMoment {
    lockcore::MonoTime at;
    bool isPast = false; // nothing has been seen since
};

/// In whole sentences; empty: there is no recent sign.
QStringList lifeTexts(const LifeSigns &signs, const ToldMoment &moment);

/// That the client looks alive, and why; empty: it does not.
QString aliveText(
    const std::string &client, const std::vector<KnownLock> &locks, const ClientNames &names, const ToldMoment &moment);

} // namespace lockui
