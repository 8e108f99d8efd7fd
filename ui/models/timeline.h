// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/wait_count.h"
#include "ui/lab/free_play.h"
#include "ui/models/timeline_lane.h"
#include "ui/support/event_store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockui {

/// What happened to each lock over time, from events and from who holds now. No span leads through a time that was not
/// seen. The same hold on several servers is one.
/// Cost: an event costs two hashes, plus what is behind it in its lane where it comes late; memory is bounded by what
/// `forgetBefore` is told, and by the number of lanes and rows.
class Timeline {
public:
    using LaneId = std::uint32_t;
    static constexpr std::size_t MostLanes = 20'000; // beyond it those go that have been at rest for the longest
    static constexpr std::size_t ClientColors = 10;

    void clear(); // another server
    /// Another moment of a recording: all events since then are told now, and how many waited.
    void restart(lockcore::WallTime knownFrom, lockcore::WallTime countedFrom);
    /// Whether a lock is on one of the servers at a time and may move to another, or on several at once. To be told
    /// before what happened on them.
    void lookAtServers(const lockcore::monitor::Snapshot &snapshot);
    void add(const lockcore::monitor::Event &event);
    void countWaits(const lockcore::monitor::WaitCount &waits); // or that one waits of whom it is known
    /// As it is now: its kind, its permits, and who in its queue is a ghost. Once it is gone nothing tells that any
    /// more.
    void tellState(const lockcore::monitor::LockState &lock);
    bool isBehind(const EventStore &store) const
    {
        return m_next < store.shownEnd() || m_nextWait < store.waits().shownEnd()
            || m_corrections < store.corrected().size();
    }
    void catchUp(const EventStore &store); // with what was heard since the last time; older than it keeps goes
    /// Who holds and waits: what no event told, and what goes on after a time that was not seen.
    /// Cost: looks at every lock only after a new beginning.
    void observe(const lockcore::monitor::Snapshot &snapshot);
    /// Who of our own clients waits where nothing in Redis tells so, and who of them has got what it waited for.
    using OwnClient = lab::HandHold;
    void setOwnClients(const std::vector<OwnClient> &clients, lockcore::WallTime at);
    void forgetBefore(lockcore::WallTime moment);

    /// Nothing is known before; absent: nothing is known.
    std::optional<lockcore::WallTime> knownFrom() const { return m_knownFrom; }
    /// How many waited is not known before, where that is only counted; absent: as far back as all else.
    std::optional<lockcore::WallTime> countedFrom() const { return m_countedFrom; }
    std::size_t laneCount() const { return m_lanes.size(); } // free places included
    std::size_t usedLaneCount() const { return m_laneIds.size(); }
    const TimelineLane &lane(LaneId id) const { return m_lanes[id]; }
    std::optional<LaneId> laneOf(const lockcore::LockName &lock) const;
    const lockcore::OwnerId &owner(std::uint32_t id) const { return m_owners[id].id; }
    /// Below ClientColors. Those who hold or wait at once differ as long as there are free ones, and then still those
    /// who follow each other in one lane; a client keeps its own.
    std::uint32_t clientColor(std::uint32_t owner) const { return m_owners[owner].color; }
    const std::vector<TimelineGap> &gaps() const { return m_gaps; } // by their ends
    /// Concerns all that the lane's lock is on; else only a part of it.
    bool isWhole(const TimelineGap &gap, const TimelineLane &lane) const;
    bool concerns(const TimelineGap &gap, const TimelineLane &lane) const;
    /// Nothing tells who waits for it, but how many do.
    static bool isCounted(const TimelineLane &lane)
    {
        return lane.kind ? lane.kind != lockcore::synchronizers::Kind::Fair : lane.waits.empty();
    }
    /// Since when nothing of it has been seen; absent: it is.
    std::optional<lockcore::WallTime> unseenSince(const TimelineLane &lane) const;
    /// Likewise of what goes on in that row of its holds, or waits: others may be seen on other servers.
    std::optional<lockcore::WallTime> unseenSince(const TimelineLane &lane, std::size_t row, bool isWait) const;
    /// Times that go on, in which one of its servers is not seen.
    std::vector<TimelineGap> unseenParts(const TimelineLane &lane) const;
    /// Times after a gap in which it was not seen yet whether what was held before is held still, in no order.
    std::vector<TimelineGap> unsureTimes(const TimelineLane &lane) const;
    /// From its beginning on, where a recording tells of it though it was before.
    static TimelineSpan wholeOf(const TimelineLane &lane, const TimelineSpan &span, bool isWait);
    std::uint64_t lanesRevision() const { return m_lanesRevision; } // other locks, or a wait where there was none
    std::uint64_t ownersRevision() const { return m_ownersRevision; } // their numbers are other ones
    bool hasDroppedLanes() const { return m_droppedAt.has_value(); }
    bool sharesChannels() const { return m_sharesChannels; } // who is counted may wait for a lock in another database

private:
    struct Owner {
        lockcore::OwnerId id;
        std::uint32_t color = 0;
    };
    struct OwnerHash {
        std::size_t operator()(const lockcore::OwnerId &owner) const
        {
            const std::hash<std::string> hash;
            return hash(owner.client) * 1'099'511'628'211U + hash(owner.thread);
        }
    };
    using Under = TimelineLane::Under;
    using Lost = TimelineLane::Lost;
    using Unseen = TimelineLane::Unseen;

    TimelineLane &laneFor(const lockcore::LockName &lock, lockcore::WallTime at);
    std::uint32_t ownerNumber(const lockcore::OwnerId &owner, const TimelineLane &lane); // seen there
    std::uint32_t freeColor(const TimelineLane &there) const;
    std::uint64_t nodeBit(TimelineLane &lane, const std::string &node);
    bool isPlaceOf(const TimelineLane &lane, const std::string &node) const; // of all that is held and waited for now
    bool losesOf(const TimelineGap &gap, const TimelineLane &lane) const; // something that is held or waited for now
    std::optional<TimelineSpan> untilLost(
        const TimelineLane &lane, const TimelineSpan &span, lockcore::WallTime began) const;
    std::optional<lockcore::WallTime> goneUntil(const TimelineLane &lane, lockcore::WallTime since) const;
    /// The lowest that is free from then on; absent: there are too many.
    static std::optional<std::uint32_t> freeRow(
        std::vector<TimelineRow> &rows, lockcore::WallTime from, std::uint32_t owner);
    static void addHold(TimelineLane &lane, std::uint32_t row, const TimelineSpan &span);
    void beginHold(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node, std::int64_t depth);
    void beginWait(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node);
    void setDepth(TimelineLane &lane, const Under &hold, lockcore::WallTime at, std::int64_t depth);
    void hideBeforeFound(TimelineLane &lane, const lockcore::monitor::Event &event);
    void goOn(TimelineLane &lane, const lockcore::monitor::Event &event, std::uint32_t owner, std::uint64_t node);
    void endHold(TimelineLane &lane, const lockcore::monitor::Event &event, std::uint32_t owner, std::uint64_t node);
    void endWait(TimelineLane &lane, std::uint32_t owner, lockcore::WallTime at, TimelineSpan::End end,
        lockcore::monitor::Certainty certainty, bool isGhost = false);
    void addFoundWait(TimelineLane &lane, std::uint32_t owner, lockcore::WallTime at, TimelineSpan::End end,
        lockcore::monitor::Certainty certainty, bool isGhost);
    void correctEnd(const lockcore::monitor::Event &event);
    void addGap(const lockcore::monitor::Event &event);
    void lose(TimelineLane &lane, const TimelineGap &gap, std::uint64_t nodes);
    bool isOnOthers(
        TimelineLane &lane, const lockcore::monitor::Event &end, std::uint32_t owner, std::uint64_t node, bool isWait);
    std::uint64_t bitsOf(const TimelineLane &lane, const TimelineGap &gap) const;
    void findInLooks(const TimelineLane &lane, std::vector<Unseen> &unseen, lockcore::WallTime before) const;
    std::vector<Unseen> unseenOf(const TimelineLane &lane, const Under &under) const;
    bool breakOff(TimelineLane &lane, Under &under, bool isWait);
    bool breakOffOf(TimelineLane &lane, std::uint32_t owner, bool isWait);
    void resumeParts(
        TimelineLane &lane, const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockState *lock);
    void losePast(TimelineLane &lane, std::uint32_t owner, bool isWait);
    void moveTo(TimelineLane &lane, const std::string &node);
    void tellOfAll(TimelineLane &lane, const lockcore::monitor::Event &event);
    void addStep(TimelineLane &lane, lockcore::WallTime at, std::int64_t value);
    static void addMark(TimelineLane &lane, const TimelineMark &mark);
    void adopt(const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockState &lock);
    std::vector<std::string> nodesOf(const TimelineLane &lane, std::uint64_t nodes) const;
    std::uint64_t nodesWith(
        TimelineLane &lane, const lockcore::monitor::LockState &lock, const lockcore::OwnerId &owner, bool isWait);
    std::uint64_t nodesLookedAt(const TimelineLane &lane, const Lost &lost, lockcore::WallTime look) const;
    std::optional<lockcore::WallTime> firstLook(const std::vector<std::string> &nodes, lockcore::WallTime moment) const;
    std::optional<lockcore::WallTime> lastLookBefore(const TimelineLane &lane, lockcore::WallTime moment) const;
    std::optional<lockcore::WallTime> lookAfter(const lockcore::monitor::Snapshot &snapshot,
        const std::vector<std::string> &nodes, lockcore::WallTime moment) const;
    std::optional<lockcore::WallTime> seenAgain(const lockcore::monitor::Snapshot &snapshot,
        const lockcore::monitor::LockState &lock, lockcore::WallTime moment,
        const std::function<bool(const lockcore::monitor::LockState &)> &isMeant = {}) const;
    void goOnFromLook(TimelineLane &lane, std::uint32_t owner, lockcore::WallTime before, std::uint64_t nodes);
    std::int64_t othersTold(const TimelineLane &lane) const;
    void showCount(TimelineLane &lane, std::int64_t count, lockcore::WallTime at);
    void recount(TimelineLane &lane);
    void beginOwnWait(const lockcore::monitor::WaitCount &wait);
    void endOwnWait(const lockcore::monitor::WaitCount &end);
    void correctOwnEnd(
        TimelineLane &lane, std::uint32_t owner, lockcore::WallTime acquired, lockcore::monitor::Certainty certainty);
    void loseCounts(TimelineLane &lane, const TimelineGap &gap);
    static void cutOwnWaits(TimelineLane &lane, const TimelineGap &gap);
    void countWaitsUntil(const WaitCounts &waits, lockcore::WallTime end);
    void beginCountsAnew(const WaitCounts &waits);
    void goOnUntil(TimelineLane &lane, lockcore::WallTime before, std::uint64_t nodes);
    void countOnFromLook(TimelineLane &lane, lockcore::WallTime before);
    void seeOver(const TimelineLane &lane, Lost &lost, const lockcore::monitor::Snapshot &snapshot);
    void resumeLost(TimelineLane &lane, const lockcore::monitor::Snapshot &snapshot,
        const lockcore::monitor::LockState &lock, bool isWait);
    void adoptLate(const lockcore::monitor::Snapshot &snapshot);
    void resume(const lockcore::monitor::Snapshot &snapshot);
    void dropLanes(lockcore::WallTime at);
    void dropOwners();

    std::vector<TimelineLane> m_lanes;
    std::vector<LaneId> m_freeLanes;
    std::unordered_map<lockcore::LockName, LaneId> m_laneIds;
    std::vector<Owner> m_owners{ 1 }; // the first is nobody
    std::unordered_map<lockcore::OwnerId, std::uint32_t, OwnerHash> m_ownerIds;
    std::unordered_map<std::string, std::uint32_t> m_clients; // their colours
    std::uint32_t m_nextColor = 0; // by turns, but for those in use
    std::vector<OwnClient> m_ownWaits;
    std::vector<TimelineGap> m_gaps;
    std::map<std::string, std::vector<lockcore::WallTime>> m_looks; // as the store has them
    std::vector<TimelineGap> m_unseen; // still: they have no end
    std::optional<lockcore::WallTime> m_allUnseenSince; // likewise, of all servers; absent: one is seen
    std::optional<lockcore::WallTime> m_knownFrom;
    std::optional<lockcore::WallTime> m_countedFrom;
    lockcore::WallTime m_gapsKnownFrom; // those before are forgotten
    EventStore::Place m_next = 0; // of the store
    WaitCounts::Place m_nextWait = 0; // of its counts
    std::unordered_map<lockcore::LockName, lockcore::monitor::WaitCount> m_uncounted; // of locks that have no lane
    std::size_t m_corrections = 0; // of the store, that were looked at
    std::uint64_t m_lanesRevision = 0;
    std::uint64_t m_ownersRevision = 0;
    EventStore::Place m_forgotten = 0; // up to there what the store dropped was forgotten here, too
    std::size_t m_ownersAfterDrop = 0;
    bool m_locksMove = false; // from one server to another; else they are on several at once
    std::vector<std::string> m_servers; // that have locks
    bool m_someMoved = false; // locks of servers that are not among them any more
    bool m_adopted = false;
    bool m_resumes = false; // something was lost from sight and may go on
    bool m_sharesChannels = false;
    std::optional<lockcore::WallTime> m_droppedAt; // the last time that lanes had no room; absent: all had
    std::vector<lockcore::LockName> m_unadopted; // of which only an event was heard since their lane was dropped
};

} // namespace lockui
