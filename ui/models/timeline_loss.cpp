// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline.h"

#include <algorithm>
#include <bit>
#include <utility>

/// What is not seen for a while. A hold on several independent servers is seen as long as one of them shows it: each is
/// lost and found on its own, and a loss is told when it is over, so that it may turn out late that none was seen.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

using End = TimelineSpan::End;
using Unseen = TimelineLane::Unseen;

constexpr std::size_t GapsKept = 1'024;

/// It was not seen on any server.
struct Hole {
    WallTime from;
    WallTime to = TimelineSpan::Open;
    WallTime until = TimelineSpan::Open; // of the gap of the server that shows it again; open: none is told
    bool isOver = false; // on each of its servers; else some were out of sight
    std::optional<TimelineMark> ended{}; // how, if it is over and that was told
    std::optional<Certainty> began{}; // that another one begins behind it; absent: it may be the same
    std::uint64_t hidden = 0; // the servers that are out of sight still when it is seen again

    End end() const { return ended ? endOf(ended->kind) : End::NotSeen; }
    Certainty certainty() const { return ended ? ended->certainty : Certainty::Seen; }
};

/// From then on, on that server.
std::optional<WallTime> unseenFrom(const std::vector<Unseen> &unseen, std::uint64_t node, WallTime at)
{
    std::optional<WallTime> first;
    for (const Unseen &part : unseen)
        if ((part.node & node) != 0 && part.again > at)
            first = std::min(first.value_or(TimelineSpan::Open), std::max(part.from, at));
    return first;
}

/// When it is seen again there, and until when the gap before that was.
std::pair<WallTime, WallTime> seenFrom(const std::vector<Unseen> &unseen, std::uint64_t node, WallTime at)
{
    std::pair seen(at, TimelineSpan::Open);
    for (bool goesOn = true; goesOn;) {
        goesOn = false;
        for (const Unseen &part : unseen) {
            if ((part.node & node) == 0 || part.from > seen.first || part.again < seen.first)
                continue;
            const bool isLonger = part.again > seen.first;
            goesOn = goesOn || isLonger;
            seen = { part.again, isLonger ? part.until : std::min(seen.second, part.until) };
        }
    }
    return seen;
}

/// Where it may be then, though it is not seen there.
std::uint64_t hiddenOn(std::uint64_t nodes, const std::vector<Unseen> &unseen, WallTime at)
{
    std::uint64_t hidden = 0;
    for (const Unseen &part : unseen) {
        if (part.from > at || part.again <= at)
            continue;
        hidden |= part.node & nodes;
        nodes &= part.isAway ? ~part.node : ~std::uint64_t{ 0 };
    }
    return hidden & nodes;
}

/// How it ended then on the last of its servers; absent: nothing told.
std::optional<TimelineMark> endAt(const std::vector<Unseen> &unseen, WallTime at)
{
    const auto isLast = [at](const Unseen &part) { return part.ended && part.from == at; };
    const auto last = std::ranges::find_if(unseen, isLast);
    return last == unseen.end() ? std::nullopt : last->ended;
}

/// That it began anew then on each server that shows it again; absent: it may have been there before.
std::optional<Certainty> beginAt(const std::vector<Unseen> &unseen, WallTime at)
{
    std::optional<Certainty> began;
    for (const Unseen &part : unseen) {
        if (part.again != at)
            continue;
        if (!part.began)
            return std::nullopt;
        began = part.began;
    }
    return began;
}

std::optional<Hole> firstHole(std::uint64_t nodes, const std::vector<Unseen> &unseen, WallTime from)
{
    if (nodes == 0 || unseen.empty())
        return std::nullopt;
    const auto each = [nodes](const auto &visit) {
        for (std::uint64_t rest = nodes; rest != 0; rest &= rest - 1)
            visit(std::uint64_t{ 1 } << static_cast<unsigned>(std::countr_zero(rest)));
    };
    WallTime at = from;
    for (WallTime before = WallTime::min(); before < at && at < TimelineSpan::Open;) {
        before = at;
        each([&](std::uint64_t node) { at = unseenFrom(unseen, node, at).value_or(TimelineSpan::Open); });
    }
    if (at == TimelineSpan::Open)
        return std::nullopt;
    std::pair end(TimelineSpan::Open, TimelineSpan::Open);
    each([&](std::uint64_t node) { end = std::min(end, seenFrom(unseen, node, at)); });
    Hole hole{ at, end.first, end.second };
    hole.isOver = hiddenOn(nodes, unseen, hole.from) == 0;
    hole.ended = hole.isOver ? endAt(unseen, hole.from) : std::nullopt;
    if (hole.to != TimelineSpan::Open) {
        hole.began = beginAt(unseen, hole.to);
        hole.hidden = hiddenOn(nodes, unseen, hole.to);
    }
    return hole;
}

void addUnseen(std::vector<Unseen> &unseen, std::uint64_t nodes, const TimelineGap &gap)
{
    for (; nodes != 0; nodes &= nodes - 1) {
        const std::uint64_t node = std::uint64_t{ 1 } << static_cast<unsigned>(std::countr_zero(nodes));
        const auto isStill = [&](const Unseen &part) { return part.node == node && part.again == TimelineSpan::Open; };
        if (const auto still = std::ranges::find_if(unseen, isStill); still != unseen.end()) {
            still->until = std::max(still->until, gap.to); // not seen again before that gap
            still->endIsTold = still->endIsTold && !gap.node.empty();
        } else {
            addUnseen(unseen, { .node = node, .from = gap.from, .until = gap.to, .endIsTold = !gap.node.empty() });
        }
    }
}

void hatch(TimelineLane &lane, WallTime from, WallTime to)
{
    const TimelineGap time{ from, to, {} };
    if (from < to && std::ranges::find(lane.unsure, time) == lane.unsure.end()) // another one's, too
        lane.unsure.push_back(time);
}

std::int64_t most(const TimelineRow &row, WallTime from, WallTime to)
{
    std::int64_t depth = 1;
    for (auto it = row.depths.rbegin(); it != row.depths.rend() && it->to > from; ++it)
        if (it->from < to)
            depth = std::max(depth, it->depth);
    return depth;
}

/// What is open in the row was not seen in that time, or was over.
void split(TimelineRow &row, const Hole &hole)
{
    std::vector<TimelineDepth> depths;
    for (; !row.depths.empty() && row.depths.back().to > hole.from; row.depths.pop_back()) {
        const TimelineDepth &each = row.depths.back();
        if (each.to > hole.to && (!hole.began || each.from >= hole.to))
            depths.push_back({ std::max(each.from, hole.to), each.to, each.depth });
        if (each.from < hole.from)
            depths.push_back({ each.from, hole.from, each.depth });
    }
    row.depths.insert(row.depths.end(), depths.rbegin(), depths.rend());
    TimelineSpan after = row.spans.back();
    after.from = hole.to;
    after.beginSeen = hole.began.has_value();
    after.beginInferred = hole.began == Certainty::Inferred;
    TimelineSpan &before = row.spans.back();
    before.to = hole.from;
    before.end = hole.end();
    before.endCertainty = hole.certainty();
    for (TimelineSpan *span : { &before, &after })
        span->depth = static_cast<std::int32_t>(std::min<std::int64_t>(span->depth, most(row, span->from, span->to)));
    if (before.from == before.to && !hole.ended)
        row.spans.pop_back();
    row.spans.push_back(after);
}

} // namespace

/// Which of the lane's servers are lost.
std::uint64_t Timeline::bitsOf(const TimelineLane &lane, const TimelineGap &gap) const
{
    if (gap.node.empty() || m_locksMove)
        return concerns(gap, lane) ? ~OwnBit : 0;
    const auto place = std::ranges::find(lane.nodes, gap.node);
    return place == lane.nodes.end() ? 0 : bitOfPlace(static_cast<std::size_t>(place - lane.nodes.begin()));
}

/// Where it is hidden, also by servers that are not back yet.
std::vector<TimelineLane::Unseen> Timeline::unseenOf(const TimelineLane &lane, const Under &under) const
{
    auto unseen = under.unseen;
    for (const TimelineGap &gap : m_unseen)
        if (const auto node = m_locksMove ? 0 : bitsOf(lane, gap); node != 0)
            unseen.push_back({ .node = node, .from = gap.from });
    return unseen;
}

/// Of what no server told but our own client, nothing is lost before all servers are.
std::optional<WallTime> Timeline::unseenSince(const TimelineLane &lane, std::size_t row, bool isWait) const
{
    const auto &open = isWait ? lane.waiting : lane.holding;
    const auto it = std::ranges::find(open, row, &Under::row);
    if (it != open.end() && !m_locksMove && (it->nodes & ~OwnBit) != 0) {
        const auto unseen = unseenOf(lane, *it);
        WallTime from = (isWait ? lane.waits : lane.holds)[row].spans.back().from;
        while (const auto hole = firstHole((it->nodes | it->gone) & ~OwnBit, unseen, from)) {
            if (hole->to == TimelineSpan::Open)
                return hole->from;
            from = hole->to;
        }
    }
    return unseenSince(lane);
}

/// What was held when sight was lost is known to have been held until then. That it goes on is still to be seen.
void Timeline::addGap(const Event &event)
{
    const TimelineGap gap{ event.at - event.ttl.value_or(Millis(0)), event.at, event.node };
    m_gaps.push_back(gap);
    if (m_gaps.size() > GapsKept) { // a time would seem to be seen whose gaps are forgotten
        const auto first = m_gaps.begin() + GapsKept / 4;
        m_gapsKnownFrom = std::max(m_gapsKnownFrom, std::prev(first)->to);
        m_gaps.erase(m_gaps.begin(), first);
        m_knownFrom = std::max(m_knownFrom.value_or(m_gapsKnownFrom), m_gapsKnownFrom);
    }
    const auto isOver
        = [&](const TimelineGap &still) { return (gap.node.empty() || still.node == gap.node) && still.from < gap.to; };
    std::erase_if(m_unseen, isOver);
    for (TimelineLane &lane : m_lanes) {
        if (lane.isUsed && losesOf(gap, lane))
            lose(lane, gap, gap.node.empty() ? ~std::uint64_t{ 0 } : nodeBit(lane, gap.node));
    }
    m_resumes = true;
}

namespace {

/// What was not seen again before the next gap.
void loseLonger(TimelineLane &lane, const TimelineGap &gap, std::uint64_t nodes)
{
    for (auto *list : { &lane.lostHolds, &lane.lostWaits })
        for (TimelineLane::Lost &lost : *list) {
            if ((lost.nodes & nodes) == 0)
                continue;
            lost.endIsTold = lost.endIsTold && !gap.node.empty();
            addUnseen(lost.unseen, lost.nodes & nodes, gap);
            if (lost.isPast)
                lost.until = std::max(lost.until, gap.to);
            const bool mayBeSeen = (lost.nodes & ~nodes) != 0; // on another one
            if (mayBeSeen || lost.seenOver != TimelineSpan::Open || lost.until >= gap.to)
                continue;
            if (gap.from > lost.until)
                lane.unsure.push_back({ lost.until, gap.from, {} });
            lost.until = gap.to;
        }
}

} // namespace

void Timeline::lose(TimelineLane &lane, const TimelineGap &gap, std::uint64_t nodes)
{
    nodes &= ~OwnBit;
    const auto loseOf = [&](Under &each, bool isWait) {
        const std::uint64_t lost = each.nodes & nodes;
        if (lost == 0 || openSpan(isWait ? lane.waits : lane.holds, each).from >= gap.to)
            return false;
        findInLooks(lane, each.unseen, gap.from);
        addUnseen(each.unseen, lost, gap);
        findInLooks(lane, each.unseen, gap.to - SameMoment); // on others: what had ended by then is told
        return breakOff(lane, each, isWait);
    };
    goOnUntil(lane, gap.from, nodes);
    loseLonger(lane, gap, nodes);
    if (isWhole(gap, lane)) {
        countOnFromLook(lane, gap.from);
        loseCounts(lane, gap);
        cutOwnWaits(lane, gap);
    }
    std::erase_if(lane.holding, [&](Under &each) { return loseOf(each, false); });
    endSharing(lane);
    std::erase_if(lane.waiting, [&](Under &each) { return loseOf(each, true); });
    if (!lane.steps.empty() && lane.steps.back().value != TimelineStep::NotKnown && isWhole(gap, lane))
        addStep(lane, gap.from, TimelineStep::NotKnown);
    m_resumes = true;
}

/// Gaps that are known already when a snapshot shows that it was there.
void Timeline::losePast(TimelineLane &lane, std::uint32_t owner, bool isWait)
{
    auto &open = isWait ? lane.waiting : lane.holding;
    const auto it = ofOwner(open, owner);
    if (it == open.end())
        return;
    const WallTime from = openSpan(isWait ? lane.waits : lane.holds, *it).from;
    for (const TimelineGap &gap : m_gaps)
        if (gap.to > from)
            addUnseen(it->unseen, it->nodes & bitsOf(lane, gap), gap);
    m_resumes = m_resumes || !it->unseen.empty();
}

/// What had ended by a look would have been told of before that: it was there still.
void Timeline::findInLooks(const TimelineLane &lane, std::vector<Unseen> &unseen, WallTime before) const
{
    for (Unseen &part : unseen) {
        if (part.again != TimelineSpan::Open || part.until == TimelineSpan::Open || !part.endIsTold)
            continue;
        if (const auto look = firstLook(nodesOf(lane, part.node), part.until); look && *look < before)
            part.again = *look;
    }
}

namespace {

/// What is open in that row, of these servers.
TimelineLane::Lost lostOn(const TimelineRow &row, const TimelineLane::Under &under, std::uint64_t nodes, WallTime until)
{
    const bool isDeep = !row.depths.empty() && row.depths.back().to == TimelineSpan::Open;
    TimelineLane::Lost lost{ .owner = under.owner, .nodes = nodes, .until = until };
    lost.depth = isDeep ? row.depths.back().depth : 1;
    for (const Unseen &part : under.unseen) {
        if ((part.node & nodes) == 0)
            continue;
        lost.endIsTold = lost.endIsTold && (part.again != TimelineSpan::Open || part.endIsTold);
        lost.unseen.push_back(part);
    }
    return lost;
}

} // namespace

/// Leaves out the times in which none of its servers showed it. Whether nothing goes on: it is over, or lost still.
bool Timeline::breakOff(TimelineLane &lane, Under &under, bool isWait)
{
    auto &rows = isWait ? lane.waits : lane.holds;
    auto &losts = isWait ? lane.lostWaits : lane.lostHolds;
    const auto next = [&] {
        const std::uint64_t nodes = (under.nodes | under.gone) & ~OwnBit;
        return firstHole(nodes, unseenOf(lane, under), openSpan(rows, under).from);
    };
    while (auto hole = next()) {
        const bool isStill = hole->to == TimelineSpan::Open;
        if (isStill && (hole->isOver ? under.nodes != 0 : hole->until == TimelineSpan::Open))
            return false; // since then it is not seen
        const WallTime until = std::max(hole->from, std::min(hole->until, hole->to));
        const auto servers = static_cast<std::size_t>(std::popcount((under.nodes | under.gone) & ~OwnBit));
        const bool isOnAll = !m_locksMove && lane.nodes.size() > 1 && servers >= lane.nodes.size();
        if (isOnAll && !hole->isOver) // else others are seen
            hatch(lane, hole->from, until);
        if (hole->ended && !isWait && hole->ended->kind != EventKind::Released) {
            hole->ended->owner = under.owner; // its number may be another one by now
            addMark(lane, *hole->ended);
        }
        if (isStill) {
            if (!hole->isOver)
                losts.push_back(lostOn(rows[under.row], under, under.nodes & ~OwnBit, until));
            m_resumes = m_resumes || !hole->isOver;
            close(rows, under, hole->from, hole->end(), hole->certainty());
            return true;
        }
        if (!hole->isOver)
            hatch(lane, until, hole->to);
        if (const auto hidden = hole->began ? under.nodes & hole->hidden : 0; hidden != 0) {
            for (std::uint64_t rest = hidden; rest != 0; rest &= rest - 1) { // each tells by itself what it has still
                losts.push_back(lostOn(rows[under.row], under, rest & ~(rest - 1), hole->to));
                losts.back().seenOver = hole->to;
                losts.back().isPast = true;
            }
            under.nodes &= ~hidden;
            m_resumes = true;
        }
        split(rows[under.row], *hole);
        std::erase_if(under.unseen, [&](const Unseen &part) {
            return part.again <= hole->to || (part.node & (under.nodes | under.gone)) == 0;
        });
    }
    return false;
}

/// Whether nothing of that client goes on.
bool Timeline::breakOffOf(TimelineLane &lane, std::uint32_t owner, bool isWait)
{
    auto &open = isWait ? lane.waiting : lane.holding;
    const auto it = ofOwner(open, owner);
    if (it == open.end() || !breakOff(lane, *it, isWait))
        return false;
    open.erase(it);
    endSharing(lane);
    return true;
}

/// It ended on one of its servers: whether others have it still, or had when they were lost.
bool Timeline::isOnOthers(TimelineLane &lane, const Event &end, std::uint32_t owner, std::uint64_t node, bool isWait)
{
    auto &losts = isWait ? lane.lostWaits : lane.lostHolds;
    if (const auto lost = lostOf(losts, owner, node); lost != losts.end() && (lost->nodes & ~node) != 0) {
        lost->nodes &= ~node;
        std::erase_if(lost->unseen, [&](const Unseen &part) { return (part.node & ~node) == 0; });
        return true;
    }
    auto &open = isWait ? lane.waiting : lane.holding;
    const auto it = ofOwner(open, owner);
    if (it == open.end() || (it->nodes & ~node & ~OwnBit) == 0)
        return false;
    if ((it->nodes & node) == 0) {
        findAgain(lane, losts, owner, end.at, node);
        return true;
    }
    endThere(*it, it->nodes & node, end.at, markOf(end, owner));
    breakOffOf(lane, owner, isWait);
    return true;
}

} // namespace lockui
