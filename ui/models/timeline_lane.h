// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the timeline knows of one lock, and what all its parts do with the rows of it.
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
    bool isOwn = false; // a wait that only our own client told of, no queue
    bool isGhost = false; // a place in a queue whose client was last seen not to listen for its turn
    lockcore::monitor::Certainty endCertainty = lockcore::monitor::Certainty::Seen;
};

/// What an event of that kind tells of the hold or wait that it ends.
inline TimelineSpan::End endOf(lockcore::monitor::EventKind kind)
{
    using lockcore::monitor::EventKind;
    switch (kind) {
    case EventKind::Expired:
        return TimelineSpan::End::Expired;
    case EventKind::ForceReleased:
        return TimelineSpan::End::ForceReleased;
    case EventKind::Deleted:
        return TimelineSpan::End::Deleted;
    case EventKind::Dequeued:
        return TimelineSpan::End::Left;
    case EventKind::WaiterTimedOut:
        return TimelineSpan::End::TimedOut;
    default:
        return TimelineSpan::End::Released;
    }
}

/// A time during which a hold was held more than once.
struct TimelineDepth {
    lockcore::WallTime from;
    lockcore::WallTime to = TimelineSpan::Open;
    std::int64_t depth = 2;
};

/// Of a hold or a wait that stood when a recording began: since when, as far as its monitor knew.
struct TimelineSince {
    std::uint32_t owner = 0;
    bool isWait = false;
    lockcore::WallTime from; // of its span
    lockcore::monitor::KnownSince since;
};

/// A time in which so many clients waited, as far as is counted: who they are nothing tells.
struct TimelineCount {
    lockcore::WallTime from;
    lockcore::WallTime to = TimelineSpan::Open;
    std::int64_t count = 0;
};

/// Free permits of a semaphore, or what a latch is still to be counted down, from a moment on.
struct TimelineStep {
    // Fewer permits than none may be free.
    static constexpr std::int64_t NotKnown = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t Gone = NotKnown + 1; // its key: there are no permits, and a latch is open

    lockcore::WallTime at;
    std::int64_t value = NotKnown;
    std::int64_t all = NotKnown; // permits, free and in use, where Redis tells that
};

/// The permits of a semaphore of which Redis tells how many are in use: events tell of the free ones alone.
struct TimelinePermits {
    lockcore::WallTime readAt;
    std::int64_t free = 0;
    std::int64_t all = 0;
};

/// What is marked as a moment: a hold ran out, or was ended by others.
struct TimelineMark {
    lockcore::WallTime at;
    lockcore::monitor::EventKind kind = lockcore::monitor::EventKind::Expired;
    std::uint32_t owner = 0; // zero: nobody's
    lockcore::monitor::Certainty certainty = lockcore::monitor::Certainty::Seen;
};

inline TimelineMark markOf(const lockcore::monitor::Event &event, std::uint32_t owner)
{
    return { event.at, event.kind, owner, event.certainty };
}

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

inline constexpr std::uint32_t MostTimelineRows = 128; // of a lane

/// A time in which holds overlap, each at least with one of the others: they share the height of the lane then.
struct TimelineSharing {
    lockcore::WallTime from;
    lockcore::WallTime to = TimelineSpan::Open;
    std::bitset<MostTimelineRows> rows; // in which these are
};

/// One lock.
struct TimelineLane {
    bool isUsed = false; // else the place is free
    lockcore::LockName lock;
    std::optional<lockcore::synchronizers::Kind> kind;
    bool isSurelySemaphore = false; // of a semaphore; else it may be another counter: its key alone does not tell
    std::vector<std::string> nodes; // that told of it; the last is where it is, if it is on one at a time
    std::vector<TimelineRow> holds;
    std::vector<TimelineSharing> sharing; // by time; a hold in none of these is alone, in the first row
    std::vector<TimelineRow> waits;
    std::vector<TimelineSince> sinces;
    std::vector<TimelineCount> counted; // waits, by time, without those of our own clients
    std::int64_t toldCount = 0; // the last count, with those
    lockcore::WallTime toldAt;
    std::optional<lockcore::WallTime> countLostUntil; // the last of these was lost from sight until then
    std::vector<TimelineStep> steps;
    std::vector<TimelineMark> marks;
    std::int64_t most = 0; // of `steps`
    std::int64_t mostInAll = 0; // likewise
    std::optional<TimelinePermits> permits; // as they were read last
    std::int64_t ends = 0; // holds that ran out or were forced
    lockcore::WallTime lastChange;
    lockcore::WallTime keptFrom; // what was before was not seen, or dropped for want of room
    bool isDropped = false; // it had no room for a while: of what was before `keptFrom`
    bool incomplete = false; // there were more at once than are drawn

    /// A time in which one of the servers of a hold or wait did not show it.
    struct Unseen {
        std::uint64_t node = 0; // its bit
        lockcore::WallTime from;
        lockcore::WallTime until = TimelineSpan::Open; // of the gap, once that is told
        lockcore::WallTime again = TimelineSpan::Open; // seen there again, or seen to be over
        bool endIsTold = true; // as of `Lost`
        bool isAway = false; // it was over there, or not there yet; else the server was out of sight
        std::optional<TimelineMark> ended{}; // over there: how, if that was told
        std::optional<lockcore::monitor::Certainty> began{}; // that it began there anew; absent: it was there again
    };
    /// Who holds or waits now, as far as is known.
    struct Under {
        std::uint32_t owner = 0;
        std::uint32_t row = 0;
        std::uint64_t nodes = 0; // a bit each: the same hold may be on several
        bool adopted = false; // from a snapshot: the event that belongs to it may be told later
        std::uint64_t gone = 0; // where it is not any more
        std::vector<Unseen> unseen{}; // since its span began
    };
    std::vector<Under> holding;
    std::vector<Under> waiting;
    /// Held or waited when sight was lost: goes on where that is seen.
    struct Lost {
        std::uint32_t owner = 0;
        std::uint64_t nodes = 0; // where it was until then
        lockcore::WallTime until; // of the time that was not seen
        std::int64_t depth = 1;
        lockcore::WallTime seenOver = TimelineSpan::Open; // by then it had ended
        bool endIsTold = true; // if it had ended by the next look; not where a recording paused
        std::vector<Unseen> unseen{};
        bool isPast = false; // it began anew elsewhere since: it is drawn only where it is seen there again
    };
    std::vector<Lost> lostHolds;
    std::vector<Lost> lostWaits;
    std::vector<TimelineGap> unsure; // whether it was held or waited for was seen only at the end
};

/// How many permits there were in all at the last step, if it is what was read; and at those before it, if there were
/// as many before them.
inline void tellPermits(TimelineLane &lane)
{
    if (!lane.permits || lane.steps.empty())
        return;
    TimelineStep &last = lane.steps.back();
    const auto &[readAt, free, all] = *lane.permits;
    if (last.value != free || last.at > readAt || last.all != TimelineStep::NotKnown)
        return;
    last.all = all;
    lane.mostInAll = std::max(lane.mostInAll, all);
    const auto isTold = [](const TimelineStep &step) { return step.all != TimelineStep::NotKnown; };
    const auto before = std::find_if(std::next(lane.steps.rbegin()), lane.steps.rend(), isTold);
    if (before == lane.steps.rend() || before->all != all)
        return;
    for (auto step = std::next(lane.steps.rbegin()); step != before; ++step)
        if (step->value != TimelineStep::NotKnown && step->value != TimelineStep::Gone)
            step->all = all;
}

/// What is told twice in it is the same: by a snapshot, and by the event that belongs to it.
inline constexpr lockcore::Millis SameMoment{ 1'000 };

/// Among those who told of a hold or wait: no server, but our own clients.
inline constexpr std::uint64_t OwnBit = std::uint64_t{ 1 } << 63U;

/// Likewise: the server that stands there among the lane's. Those far behind share one.
constexpr std::uint64_t bitOfPlace(std::size_t place)
{
    constexpr std::size_t Last = 62;
    return std::uint64_t{ 1 } << std::min(place, Last);
}

template <typename List>
auto ofOwner(List &list, std::uint32_t owner)
{
    return std::ranges::find_if(list, [owner](const auto &one) { return one.owner == owner; });
}

/// Drops those that were over first, where there are many: what hid it then is not known any more.
inline void addUnseen(std::vector<TimelineLane::Unseen> &unseen, const TimelineLane::Unseen &part)
{
    constexpr std::size_t Most = 256; // of one hold
    const auto isOver = [](const TimelineLane::Unseen &each) { return each.again != TimelineSpan::Open; };
    if (unseen.size() >= Most)
        if (const auto first = std::ranges::find_if(unseen, isOver); first != unseen.end())
            unseen.erase(first);
    unseen.push_back(part);
}

/// As that span tells; `from`: of the one that is drawn.
inline void seeThere(TimelineLane::Under &under, std::uint64_t node, const TimelineSpan &span, lockcore::WallTime from)
{
    using lockcore::monitor::Certainty;
    const auto began
        = span.beginSeen ? std::optional(span.beginInferred ? Certainty::Inferred : Certainty::Seen) : std::nullopt;
    for (TimelineLane::Unseen &part : under.unseen) {
        const bool isOver = part.until == TimelineSpan::Open ? span.from >= part.from : span.from >= part.until;
        if ((part.node & node) != 0 && part.again == TimelineSpan::Open && isOver) {
            part.again = span.from;
            part.began = began;
        }
    }
    const std::uint64_t joined = node & ~under.nodes & ~under.gone;
    if (joined != 0 && span.from > from + SameMoment)
        addUnseen(under.unseen,
            { .node = joined, .from = lockcore::WallTime::min(), .again = span.from, .isAway = true, .began = began });
    under.nodes |= node;
    under.gone &= ~node;
}

/// It is over on that server, as was told or only seen.
inline void endThere(
    TimelineLane::Under &under, std::uint64_t node, lockcore::WallTime at, const std::optional<TimelineMark> &ended)
{
    for (TimelineLane::Unseen &part : under.unseen)
        if ((part.node & node) != 0 && part.again == TimelineSpan::Open)
            part.again = std::max(part.from, at);
    addUnseen(under.unseen, { .node = node, .from = at, .isAway = true, .ended = ended });
    under.gone |= node;
    under.nodes &= ~node;
}

/// Where nothing hides it.
inline std::uint64_t seenOn(const TimelineLane::Under &under)
{
    std::uint64_t nodes = under.nodes;
    for (const TimelineLane::Unseen &part : under.unseen)
        if (part.again == TimelineSpan::Open)
            nodes &= ~part.node;
    return nodes;
}

/// Of which these servers may tell something.
template <typename List>
auto lostOf(List &list, std::uint32_t owner, std::uint64_t nodes)
{
    return std::ranges::find_if(list, [=](const TimelineLane::Lost &lost) {
        return lost.owner == owner && (!lost.isPast || (lost.nodes & nodes) != 0);
    });
}

/// It was seen then what became of it.
inline std::optional<TimelineLane::Lost> findAgain(TimelineLane &lane, std::vector<TimelineLane::Lost> &list,
    std::uint32_t owner, lockcore::WallTime at, std::uint64_t nodes = ~std::uint64_t{ 0 })
{
    const auto found = lostOf(list, owner, nodes);
    if (found == list.end())
        return std::nullopt;
    std::optional lost = std::move(*found);
    list.erase(found);
    if (const auto to = std::min(at, lost->seenOver); to > lost->until)
        lane.unsure.push_back({ lost->until, to, {} });
    return lost;
}

/// Goes on from then, which is all that is known of it if it was lost before.
inline TimelineLane::Under begun(
    const TimelineSpan &span, std::uint32_t row, std::uint64_t node, std::optional<TimelineLane::Lost> lost)
{
    TimelineLane::Under under{ span.owner, row };
    if (lost && !span.beginSeen) {
        under.nodes = lost->nodes;
        under.unseen = std::move(lost->unseen);
    }
    seeThere(under, node, span, span.from);
    std::erase_if(under.unseen,
        [&](const TimelineLane::Unseen &part) { return part.again <= span.from || (part.node & under.nodes) == 0; });
    return under;
}

inline TimelineSpan &openSpan(std::vector<TimelineRow> &rows, const TimelineLane::Under &under)
{
    return rows[under.row].spans.back();
}

/// What is open in the row ends.
inline void close(std::vector<TimelineRow> &rows, const TimelineLane::Under &under, lockcore::WallTime at,
    TimelineSpan::End end, lockcore::monitor::Certainty certainty)
{
    TimelineSpan &span = openSpan(rows, under);
    span.to = std::max(span.from, at);
    span.end = end;
    span.endCertainty = certainty;
    auto &depths = rows[under.row].depths;
    if (!depths.empty() && depths.back().to == TimelineSpan::Open)
        depths.back().to = std::max(depths.back().from, span.to);
}

/// Nobody holds it any more, if that is so.
inline void endSharing(TimelineLane &lane)
{
    if (!lane.holding.empty() || lane.sharing.empty() || lane.sharing.back().to != TimelineSpan::Open)
        return;
    TimelineSharing &last = lane.sharing.back();
    last.to = last.from;
    for (const TimelineRow &row : lane.holds)
        if (!row.spans.empty())
            last.to = std::max(last.to, row.spans.back().to);
}

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

} // namespace lockui
