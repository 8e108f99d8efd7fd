// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/deadline_timer.h"
#include "lockcore/client/lock_request.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockcore::client {

struct HoldKey {
    LockTarget target;
    std::string thread;

    bool operator==(const HoldKey &) const = default;
    /// What a thread holds under one name lies together: the server may count it in one place.
    std::strong_ordering operator<=>(const HoldKey &other) const;
};

/// Where the server counts these holds. Holds of several targets may be counted in one place: a lock entered as a spin
/// lock too, and objects of one group.
std::string placeOf(const HoldKey &key);

/// Each hold of a reader has a time to live of its own on the server; all other holds of one owner share theirs, which
/// is what the last acquire or release has set.
inline bool lastsApart(const HoldKey &key) { return key.target.mode == synchronizers::HoldMode::Read; }

/// How long after it was taken or renewed a lock without a lease is renewed.
inline Millis renewalPeriod(const LockClientOptions &options)
{
    return std::max(Millis(1), options.renewEvery.value_or(options.watchdogTimeout / 3));
}

/// Names what is held by one thread from the first acquire to the last release; never used again.
enum class HoldId : std::uint64_t {};

/// What an owner who has entered several times has got with one of these entries.
struct HoldLease {
    std::optional<Millis> time; // absent: the watchdog's
    MonoTime sureUntil; // from then on this lease may have run out
};

struct Hold {
    HoldId id{};
    std::vector<HoldLease> leases; // one for each hold, the newest last
    Millis newestLease{ 0 }; // of the holds with a lease
    int releasing = 0; // releases under way: until they are answered nobody knows what Redis counts
    std::vector<Millis> beingSet; // leases, by requests that are not answered

    // the watchdog's
    MonoTime looksAt; // when the watchdog looks at this hold again
    bool isAsked = false; // a renewal is under way
    bool isUnconfirmed = false; // and the owner knows
    int failures = 0; // since the last renewal

    bool isRenewed() const { return hasNoLease(leases.size()); }
    bool staysRenewed() const; // whatever the releases under way do
    bool hasNoLease(std::size_t holds) const; // some of the oldest so many
    /// From then on the hold may have run out, whether or not the releases under way have been carried out.
    MonoTime sureUntil() const;
};

/// What this client holds as far as it knows, and when the watchdog looks at it. A lock with a fixed lease may be gone
/// already.
class HoldTable {
public:
    using Entry = std::pair<const HoldKey, Hold>;

    HoldTable()
        : m_looks([this](std::uint64_t id) { m_look(HoldId(id)); })
    {
    }

    void acquired(const HoldKey &key, std::optional<Millis> lease, MonoTime sureUntil);
    /// A renewal by the watchdog, which never shortens, was sent then and has been answered.
    void renewed(Entry &entry, Millis lease, MonoTime sent);
    /// All leases of this hold last until then, however long they were before.
    void leaseSet(Entry &entry, MonoTime sureUntil);
    /// All leases may end then: nobody knows whether the request that sets them has been carried out.
    void leaseMayBeSet(Entry &entry, MonoTime sureUntil);
    /// The lease is being set, also to less, by a request sent now; that request is over, one way or another.
    void settingBegins(const HoldKey &key, Millis lease, MonoTime now);
    void settingEnds(const HoldKey &key, Millis lease);
    /// One hold is given back, and the server counts so many in the place. Fewer than are known: the others are gone
    /// too.
    void released(const HoldKey &key, std::int64_t left);
    void dropNewest(const HoldKey &key);
    /// The server counts so many fewer in the place than are known, as when earlier leases ran out: it counts no more.
    void ranOut(const HoldKey &key, std::int64_t fewer);
    void forget(const HoldKey &key);
    void clear();

    std::int64_t count(const HoldKey &key) const;
    /// How many the server may count in the place of this hold, as far as is known here.
    synchronizers::HoldsKnown known(const HoldKey &key) const;
    /// What a release that leaves holds sets the time to live to.
    Millis leaseAfterRelease(const HoldKey &key, Millis watchdogTimeout) const;
    /// The time to live that all holds together need.
    Millis leaseNeeded(const HoldKey &key, Millis watchdogTimeout) const;

    /// `sureUntil`: where holds share their time to live, those that stay last so long.
    void releaseBegins(const HoldKey &key, MonoTime sureUntil);
    void releaseEnds(const HoldKey &key);

    Entry *find(const HoldKey &key);
    Entry *find(HoldId id);
    /// `look` is called for a hold when the time that lookAt() has set for it comes; each call replaces that time.
    void whenToLook(std::function<void(HoldId)> look) { m_look = std::move(look); }
    void lookAt(Entry &entry, MonoTime at);
    /// The holds whose time comes until then, the earliest first; `look` is not called for them.
    std::vector<HoldId> takeLooks(MonoTime until);
    void stopLooking() { m_looks.pause(); } // until lookAt() is called again
    std::vector<HoldId> renewed() const;

private:
    using Holds = std::map<HoldKey, Hold>;
    void erase(Holds::iterator hold);
    void drop(const HoldKey &key, std::int64_t holds);
    bool isOfThread(Holds::const_iterator hold, const HoldKey &key) const
    {
        return hold != m_holds.end() && hold->first.target.name == key.target.name && hold->first.thread == key.thread;
    }

    Holds m_holds;
    std::unordered_map<std::uint64_t, Entry *> m_byId;
    std::function<void(HoldId)> m_look = [](HoldId) {};
    DeadlineTimer m_looks;
    std::uint64_t m_lastId = 0;
};

/// Turns at one place. A try tells the server how often its thread is known to hold the lock, and so does a request
/// that gives back holds nobody knows of. That number is right only while no other try or release that changes it is
/// under way. So the requests to one place, see placeOf(), have their turns one after the other: each is sent once the
/// answer to the one before is here.
class HoldTurns {
public:
    enum class Rank { First, Last }; // among the tasks that wait for their turn

    /// Calls `go`, at once or when the turn comes; end() is to follow.
    void take(const std::string &place, Rank rank, std::function<void()> go);
    void end(const std::string &place);
    bool isTaken(const std::string &place) const { return m_waiting.contains(place); }

private:
    std::unordered_map<std::string, std::deque<std::function<void()>>> m_waiting; // by place, where one has its turn
};

} // namespace lockcore::client
