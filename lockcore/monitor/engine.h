// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/channel_list.h"
#include "lockcore/monitor/counter_hints.h"
#include "lockcore/monitor/discovery.h"
#include "lockcore/monitor/engine_io.h"
#include "lockcore/monitor/listeners.h"
#include "lockcore/monitor/lock_registry.h"
#include "lockcore/monitor/mapped_queues.h"
#include "lockcore/monitor/non_lock_keys.h"
#include "lockcore/monitor/notification_throttle.h"
#include "lockcore/monitor/rate_meter.h"
#include "lockcore/monitor/read_queue.h"
#include "lockcore/monitor/subscriber_count.h"
#include "lockcore/monitor/unlock_trace.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockcore::monitor {

/// Decides what to read of one server, and concludes from the answers what the locks are and what happened to them.
/// Thread: any (no shared state).
class Engine {
public:
    explicit Engine(EngineSettings settings);
    Engine(const Engine &) = delete; // its parts refer to its settings
    Engine &operator=(const Engine &) = delete;

    /// The time must never run backwards.
    std::vector<EngineAction> handle(const EngineInput &input, Now now);

private:
    void on(const input::SourceUp &up);
    void on(const input::SourceDown &down);
    void on(const input::KeysChanged &changed);
    void on(const input::EverythingChanged &);
    void on(const input::DatabasesSwapped &);
    void readEverythingAgain();
    void on(const input::MessageHeard &message);
    void on(const input::PageScanned &page);
    void on(const input::LocksRead &read);
    void on(const input::WorkFailed &failed);
    void on(const input::SubscribersCounted &counted);
    void on(const input::ChannelsListed &listed);
    void on(const input::FeedChanged &changed);
    void on(const input::ChangedByUs &changed);
    void on(const input::SlotsKept &kept);
    void on(const input::LocksArrived &arrived);
    void on(const input::LockClaimed &claimed);
    void on(const input::ClaimsAnswered &answered);
    void on(const input::FactsChanged &facts);
    void on(const input::ClockChanged &);
    void on(const input::DatabasesSeen &seen);
    void on(const input::RefreshRequested &);
    void on(const input::SnapshotRequested &);
    void on(const input::AttendanceChanged &change);
    void on(const input::TimerFired &) { }

    void keyChanged(const std::string &key, int times);
    void nameChanged(const LockName &name, int times = 1);
    bool isOfInterest(const LockName &name) const;
    void readChanged(const LockName &name, int times = 1);
    bool rereadsWith(const input::FeedChanged &changed) const;
    FeedReason feedReason() const;
    bool isTold(const LockName &name) const;
    void readUntold(const input::FeedChanged &changed, bool readBefore, const FeedScope &before);
    void rereadUntold(const FeedScope &before);
    void forgetAbsence(const FeedScope &toldBefore);
    void reportGap(MonoTime since, std::string formerMaster = {});
    bool isSeenButForUnread() const;
    bool isToldFirst(const input::EverythingChanged &changed);
    void reportOfServer(EventKind kind, std::optional<Millis> length);
    void rereadSome();
    Look lookSince(MonoTime sentAt) const;
    bool sharesWithDatabases() const;
    void enter(const LockName &name, const synchronizers::LockReading *reading, ReadReason reason, Look look);
    void enterClaimed(const LockName &name, const synchronizers::LockReading *reading, ReadReason reason, Look look);
    bool isQueueOfAnother(const LockName &name, const synchronizers::LockReading *reading, ReadReason reason);
    void disjoin(const LockName &queue, const synchronizers::LockReading *reading);
    void lookForHiddenWaiters();
    std::int64_t hiddenWaiters(const LockName &name, const synchronizers::LockReading *reading);
    bool awaitsList(const synchronizers::LockReading &queue);
    void readUnclaimed();
    void lookForQueueOfNamed();
    void readLock(const LockName &name);
    bool isKnownForALock(const synchronizers::LockReading &reading) const;
    void lookAtWaitedLocks();
    bool isWaitedFor(const LockName &name, ReadReason reason) const;
    bool isMeant(const LockName &name) const;
    void enterKnown(const LockName &name, const synchronizers::LockReading *reading, const Look &look);
    std::optional<synchronizers::LockReading> judgeCounter(
        const LockName &name, const synchronizers::LockReading *reading) const;
    void readKnown(const LockName &name);
    void isElsewhere(const LockName &name);
    void isUnread(const LockName &name);
    bool isNamed(const LockName &name) const;
    void learnKind(const LockName &name, synchronizers::CounterHint hint);
    void mayNotRead(const LockName &name);
    void forgetUnreadable();
    void readAll();
    void lookedAround();
    void workOnline();
    SubscriberCount::AllChannels channelsOfAll() const;
    std::vector<LockName> namesToHearOf() const;
    void updatePhase();
    void reportEvents();
    Millis publishEvery() const;
    void publishIfDue();
    void armTimer();
    template <typename Change>
    void changeStatus(Change change)
    {
        const auto before = m_status;
        change(m_status);
        m_statusChanged = m_statusChanged || m_status != before;
    }

    bool isUp() const { return m_up; }
    bool isOurs(const LockName &name) const;
    bool wasEverSeen() const { return m_wasUp || m_adopted; }
    WorkId newId() { return WorkId{ ++m_lastId }; }

    EngineSettings m_settings;
    const std::string m_node;
    Now m_now;
    std::vector<EngineAction> m_actions;
    std::vector<Event> m_events;

    LockRegistry m_registry;
    ReadQueue m_reads;
    NonLockKeys m_nonLockKeys;
    LatchMemory m_latches;
    Discovery m_discovery;
    SubscriberCount m_subscribers;
    ChannelList m_channels;
    WaitedLocks m_waited;
    CounterHints m_hints;
    MappedQueues m_mapped;
    /// Of free names: it is not known that they are another's. New ones are not shown before a list of that time.
    std::unordered_map<LockName, std::optional<MonoTime>> m_unclaimedQueues;
    std::set<LockName> m_regrouped; // their queues turned out to be another's, or theirs: nobody came or left
    std::map<LockName, std::vector<OwnerId>>
        m_stray; // who listened for it at the last list, without a place in a queue
    std::map<LockName, std::vector<OwnerId>> m_hidden; // of these, who waits in a queue that was not found
    RateMeter m_rates;
    NotificationThrottle m_throttle;

    SourceStatus m_status;
    bool m_statusChanged = true;
    bool m_up = false;
    bool m_wasUp = false; // ever
    bool m_hearsUnlocks = false;
    bool m_rereads = false; // the known locks in turn, since no feed tells of all their changes
    FeedReason m_feedReason; // as it was told
    std::string m_runId; // empty: we may not know it
    bool m_isAlone = false; // as of FactsChanged
    std::vector<bool> m_slots; // that are ours; empty: all
    struct Claim { // what was read, to be entered when others have told what they know
        std::optional<synchronizers::LockReading> reading;
        ReadReason reason;
        Look look;
    };
    std::map<LockName, Claim> m_claims;
    std::vector<LockName> m_newClaims;
    std::unordered_set<LockName> m_claimed; // ours, but another node has them it says
    std::map<LockName, MonoTime> m_passing; // not ours and no longer here; until when another node may claim them
    struct Announced {
        std::optional<MonoTime> at; // for the first time; absent: a look has heeded that
        MonoTime last;
        int times = 0;
    };
    std::unordered_map<LockName, Announced> m_announced; // what is to be read since we were told that it changed
    std::map<LockName, MonoTime> m_unreadable; // shown, but we may look no longer; forgotten then
    std::set<LockName> m_unread; // locks, or asked for by name, that are too large to be read
    bool m_uncounted = false; // we may not ask who waits
    bool m_adopted = false; // locks of another server, before this one was seen
    std::string m_formerMaster; // whose locks were, until the first gap is over
    struct Emptied {
        std::int64_t announced = 0;
        std::int64_t counted = 0;
    };
    Emptied m_emptied; // the whole database, as was told in one way and not yet in the other
    FeedScope m_scope; // of the feed
    FeedScope m_sweptScope; // of this much all was told since a sweep, as far as m_scope still has it
    MonoTime m_scopeSince; // no sweep that began before proves anything of what m_scope has more
    std::vector<LockName> m_toReread; // in this round
    std::uint64_t m_lastId = 0;
    std::uint64_t m_revision = 0;
    MonoTime m_toldSince; // of changes, without a break
    MonoTime m_gapEnd; // of the last one that was told
    MonoTime m_lastEventAt;
    std::optional<MonoTime> m_othersHadKeysAt; // other databases, when they were seen last
    MonoTime m_rereadAt;
    MonoTime m_countAt;
    std::optional<MonoTime> m_countFreeAt; // the clients that waited for what has become free
    MonoTime m_readsHeldUntil; // after a read failed
    std::optional<MonoTime> m_publishedAt;
    std::optional<MonoTime> m_armedFor;
};

} // namespace lockcore::monitor
