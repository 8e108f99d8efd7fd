// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/support/event_store.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockui {

/// A hold, or a wait in a queue, as far as it was seen.
struct TimelineSpan {
    static constexpr lockcore::WallTime Open = lockcore::WallTime::max();
    enum class End : std::uint8_t {
        None, // it goes on
        Released,
        Expired,
        ForceReleased,
        Deleted,
        Acquired, // of a wait: the lock was got
        Left, // of a wait: the queue was left without it
        TimedOut,
        NotSeen, // nothing could be seen from then on
    };

    lockcore::WallTime from; // that it was so: not its beginning where that was not seen
    lockcore::WallTime to = Open;
    std::uint32_t owner = 0;
    std::int32_t depth = 1; // the most that it was held by re-entry
    End end = End::None;
    bool beginSeen = false;
    bool beginInferred = false;
    bool endInferred = false;
};

/// A time during which a hold was held more than once.
struct TimelineDepth {
    lockcore::WallTime from;
    lockcore::WallTime to = TimelineSpan::Open;
    std::int64_t depth = 2;
};

/// Free permits of a semaphore, or a latch's count, from a moment on.
struct TimelineStep {
    static constexpr std::int64_t NotKnown = -1;

    lockcore::WallTime at;
    std::int64_t value = NotKnown;
};

/// What is marked as a moment: a hold ran out, or was ended by others.
struct TimelineMark {
    lockcore::WallTime at;
    lockcore::monitor::EventKind kind = lockcore::monitor::EventKind::Expired;
    std::uint32_t owner = 0; // zero: nobody's
    bool inferred = false;
};

/// A time during which nothing of some servers was seen.
struct TimelineGap {
    lockcore::WallTime from;
    lockcore::WallTime to;
    std::string node; // empty: of all

    bool operator==(const TimelineGap &) const = default;
};

/// Spans of which none overlaps another: who shares a lock stands in rows of their own.
struct TimelineRow {
    std::vector<TimelineSpan> spans; // by time
    std::vector<TimelineDepth> depths; // of these
};

/// One lock.
struct TimelineLane {
    lockcore::LockName lock; // empty: the place is free
    std::optional<lockcore::synchronizers::Kind> kind;
    std::vector<std::string> nodes; // that told of it; the last is where it is, if it is on one at a time
    std::vector<TimelineRow> holds;
    std::vector<TimelineRow> waits;
    std::vector<TimelineStep> steps;
    std::vector<TimelineMark> marks;
    std::int64_t most = 0; // of `steps`
    std::int64_t ends = 0; // holds that ran out or were forced
    lockcore::Millis waited{ 0 }; // all waits that are over
    lockcore::WallTime lastChange;
    bool incomplete = false; // there were more at once than are drawn

    /// Who holds or waits now, as far as is known.
    struct Under {
        std::uint32_t owner = 0;
        std::uint32_t row = 0;
        std::uint64_t nodes = 0; // a bit each: the same hold may be on several
        bool adopted = false; // from a snapshot: the event that belongs to it may be told later
    };
    std::vector<Under> holding;
    std::vector<Under> waiting;
    /// Held or waited when sight was lost: goes on where that is seen.
    struct Lost {
        std::uint32_t owner = 0;
        lockcore::WallTime until; // of the time that was not seen
        std::int64_t depth = 1;
    };
    std::vector<Lost> lostHolds;
    std::vector<Lost> lostWaits;
};

/// What happened to each lock over time, from events and from who holds now. No span leads through a time that was not
/// seen. The same hold on several servers is one.
/// Cost: an event costs two hashes, plus what is behind it in its lane where it comes late; memory is bounded by what
/// `forgetBefore` is told, and by the number of lanes and rows.
class Timeline {
public:
    using LaneId = std::uint32_t;
    static constexpr std::size_t MostLanes = 20'000; // beyond it those go that have been at rest for the longest
    static constexpr std::uint32_t MostRows = 128; // of a lane

    void clear(); // another server
    void restart(lockcore::WallTime knownFrom); // another moment of a recording: all events since then are told now
    /// Whether a lock is on one of the servers at a time and may move to another, or on several at once. To be told
    /// before what happened on them.
    void lookAtServers(const lockcore::monitor::Snapshot &snapshot);
    void add(const lockcore::monitor::Event &event);
    bool isBehind(const EventStore &store) const { return m_next < store.shownEnd(); }
    void catchUp(const EventStore &store); // with what was heard since the last time; older than it keeps goes
    /// Who holds and waits: what no event told, and what goes on after a time that was not seen.
    /// Cost: looks at every lock only after a new beginning.
    void observe(const lockcore::monitor::Snapshot &snapshot);
    /// Who of our own clients waits where nothing in Redis tells so, and who of them has got what it waited for.
    struct OwnClient {
        lockcore::LockName lock;
        lockcore::OwnerId owner;
        bool waits = false; // false: it holds
    };
    void setOwnClients(const std::vector<OwnClient> &clients, lockcore::WallTime at);
    void forgetBefore(lockcore::WallTime moment);

    /// Nothing is known before; absent: nothing is known.
    std::optional<lockcore::WallTime> knownFrom() const { return m_knownFrom; }
    std::size_t laneCount() const { return m_lanes.size(); } // free places included
    const TimelineLane &lane(LaneId id) const { return m_lanes[id]; }
    std::optional<LaneId> laneOf(const lockcore::LockName &lock) const;
    const lockcore::OwnerId &owner(std::uint32_t id) const { return m_owners[id].id; }
    std::uint32_t clientNumber(std::uint32_t owner) const { return m_owners[owner].client; } // in order of appearance
    const std::vector<TimelineGap> &gaps() const { return m_gaps; } // by their ends
    /// Concerns all that the lane's lock is on; else only a part of it.
    bool isWhole(const TimelineGap &gap, const TimelineLane &lane) const;
    bool concerns(const TimelineGap &gap, const TimelineLane &lane) const;
    /// Since when nothing of it has been seen; absent: it is.
    std::optional<lockcore::WallTime> unseenSince(const TimelineLane &lane) const;
    std::uint64_t lanesRevision() const { return m_lanesRevision; } // other locks, or a wait where there was none
    std::uint64_t ownersRevision() const { return m_ownersRevision; } // their numbers are other ones
    bool hasDroppedLanes() const { return m_droppedLanes; }

private:
    struct Owner {
        lockcore::OwnerId id;
        std::uint32_t client = 0;
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

    TimelineLane &laneFor(const lockcore::LockName &lock);
    std::uint32_t ownerNumber(const lockcore::OwnerId &owner);
    std::uint64_t nodeBit(TimelineLane &lane, const std::string &node);
    bool isPlaceOf(const TimelineLane &lane, const std::string &node) const; // of all that is held and waited for now
    std::optional<lockcore::WallTime> goneUntil(const TimelineLane &lane, lockcore::WallTime since) const;
    void beginHold(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node, std::int64_t depth);
    void beginWait(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node);
    void setDepth(TimelineLane &lane, const Under &hold, lockcore::WallTime at, std::int64_t depth);
    void goOn(TimelineLane &lane, const lockcore::monitor::Event &event, std::uint32_t owner, std::uint64_t node);
    void endHold(TimelineLane &lane, const lockcore::monitor::Event &event, std::uint32_t owner, std::uint64_t node);
    void endWait(TimelineLane &lane, std::uint32_t owner, lockcore::WallTime at, TimelineSpan::End end, bool inferred);
    void addGap(const lockcore::monitor::Event &event);
    void lose(TimelineLane &lane, const TimelineGap &gap, std::uint64_t nodes);
    void moveTo(TimelineLane &lane, const std::string &node);
    void addStep(TimelineLane &lane, lockcore::WallTime at, std::int64_t value);
    void addMark(TimelineLane &lane, const lockcore::monitor::Event &event, std::uint32_t owner);
    void adopt(const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockState &lock);
    void resume(const lockcore::monitor::Snapshot &snapshot);
    void dropLanes();
    void dropOwners();

    std::vector<TimelineLane> m_lanes;
    std::vector<LaneId> m_freeLanes;
    std::unordered_map<lockcore::LockName, LaneId> m_laneIds;
    std::vector<Owner> m_owners{ 1 }; // the first is nobody
    std::unordered_map<lockcore::OwnerId, std::uint32_t, OwnerHash> m_ownerIds;
    std::unordered_map<std::string, std::uint32_t> m_clients;
    std::vector<OwnClient> m_ownWaits;
    std::vector<TimelineGap> m_gaps;
    std::vector<TimelineGap> m_unseen; // still: they have no end
    std::optional<lockcore::WallTime> m_knownFrom;
    lockcore::WallTime m_gapsKnownFrom; // those before are forgotten
    EventStore::Place m_next = 0; // of the store
    std::uint64_t m_lanesRevision = 0;
    std::uint64_t m_ownersRevision = 0;
    EventStore::Place m_forgotten = 0; // up to there what the store dropped was forgotten here, too
    std::size_t m_ownersAfterDrop = 0;
    bool m_locksMove = false; // from one server to another; else they are on several at once
    std::vector<std::string> m_servers; // that have locks
    bool m_someMoved = false; // locks of servers that are not among them any more
    bool m_adopted = false;
    bool m_resumes = false; // something was lost from sight and may go on
    bool m_droppedLanes = false;
};

/// How time lies on pixels.
struct TimeScale {
    double from = 0; // milliseconds since 1970, at the left edge
    double perPixel = 100;
    int width = 0;

    double pixel(lockcore::WallTime at) const { return (double(at.time_since_epoch().count()) - from) / perPixel; }
    lockcore::WallTime timeAt(double pixel) const;
};

/// The first that ends later than that, by a search that begins at `begin` and is short when it is near.
template <typename Spans>
std::size_t firstEndingAfter(const Spans &spans, lockcore::WallTime at, std::size_t begin = 0)
{
    std::size_t step = 1;
    std::size_t low = begin;
    std::size_t high = begin;
    while (high < spans.size() && spans[high].to <= at) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    high = std::min(high, spans.size());
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (spans[middle].to <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Visits what is to be seen of them, from left to right: `visit(left, right, first, last)` in whole pixels, for one
/// span, or for all of [first, last) where several fall into one pixel. Each span has at least a part of a pixel, and
/// no piece overlaps another. Nothing is shown beyond `now`. After a piece it goes on at `nextOf` the first free pixel.
/// Cost: a short search for each pixel at most, however many spans there are.
template <typename Spans, typename Visit, typename NextOf = std::identity>
void visitPieces(const Spans &spans, const TimeScale &scale, lockcore::WallTime now, Visit visit, NextOf nextOf = {})
{
    int x = nextOf(0);
    std::size_t i = firstEndingAfter(spans, scale.timeAt(x));
    const double end = std::min<double>(scale.width, scale.pixel(now)); // nothing is known beyond
    while (i < spans.size() && x < end && spans[i].from <= now) {
        const double begin = scale.pixel(spans[i].from);
        if (begin >= scale.width)
            break;
        const int left = std::max(x, static_cast<int>(begin));
        const double until = std::min<double>(scale.pixel(std::min(spans[i].to, now)), scale.width);
        const int right = std::max(left + 1, static_cast<int>(std::lround(until)));
        std::size_t next = i + 1;
        if (right == left + 1)
            next = std::max(next, firstEndingAfter(spans, scale.timeAt(right), next));
        visit(left, right, i, next);
        x = nextOf(right);
        i = next;
        if (i < spans.size() && scale.pixel(std::min(spans[i].to, now)) <= x) // it lies in a pixel that is taken
            i = firstEndingAfter(spans, scale.timeAt(x), i);
    }
}

} // namespace lockui
