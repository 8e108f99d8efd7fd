// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/hold_sight.h"
#include "ui/support/event_store.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

/// What the events before one tell of it, and all of a lock tell of that: by short walks back through those that are
/// kept.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int LongestWalk = 64; // back to what an owner did before, and among what others did meanwhile
constexpr int MostOfOne = 1'024; // a busy lock is handed on some times a second, and 90 s are shown
constexpr std::size_t MostGaps = 64;

bool begins(EventKind kind) { return kind == EventKind::Acquired; }

bool goesOn(EventKind kind)
{
    return kind == EventKind::Renewed || kind == EventKind::Reentered || kind == EventKind::PartlyReleased;
}

bool tellsOfNumber(EventKind kind) { return kind == EventKind::PermitsChanged || kind == EventKind::CountChanged; }

bool canBeShared(const EventStore::Record &record)
{
    return record.lockKind == static_cast<std::uint8_t>(synchronizers::Kind::ReadWrite);
}

bool tellsOfHold(EventKind kind) { return begins(kind) || kind == EventKind::Appeared || goesOn(kind); }

} // namespace

KnownSince EventStore::sinceOf(Place place) const
{
    const Record &record = this->record(place);
    const auto known = m_sinces.find(place);
    const bool isBegin = begins(record.kind) || record.kind == EventKind::Queued;
    return known != m_sinces.end() ? known->second : KnownSince{ record.at, isBegin };
}

std::optional<EventStore::Place> EventStore::beforeOfOwner(Place place) const
{
    const TextTable::Id owner = record(place).owner;
    auto before = beforeOfLock(place);
    for (int steps = 0; before && steps < LongestWalk; ++steps, before = beforeOfLock(*before))
        if (record(*before).owner == owner)
            return before;
    return std::nullopt;
}

/// The one before it of the same lock, owner and server: of independent servers each has a hold of its own.
std::optional<EventStore::Place> EventStore::beforeThere(Place place) const
{
    auto before = beforeOfOwner(place);
    for (int steps = 0; before && record(*before).node != record(place).node; ++steps, before = beforeOfOwner(*before))
        if (steps == LongestWalk || (endsHold(record(*before).kind) && !m_areCopies))
            return std::nullopt;
    return before;
}

bool EventStore::wasSeenBetween(Place from, Place to) const { return !seenAgain(from, to, WallTime::max()); }

/// When its server was seen again after the last gap between these that was over by then; absent: there is none.
std::optional<WallTime> EventStore::seenAgain(Place from, Place to, WallTime until) const
{
    const std::uint16_t node = record(to).node;
    for (auto gap = m_gaps.rbegin(); gap != m_gaps.rend() && *gap > from; ++gap)
        if (*gap < to && (record(*gap).node == 0 || record(*gap).node == node) && record(*gap).at <= until)
            return record(*gap).at;
    return std::nullopt;
}

EventContext EventStore::contextOf(Place place) const
{
    const Record &record = this->record(place);
    EventContext context;
    if (record.runLength > 1) {
        context.times = record.runLength;
        context.over = lengthOfRun(place);
    }
    context.isOwnDeed = isOwnDeed(place);
    context.linesUpAgain = leftQueue(record.kind) ? linesUpAgain(place) : isLinedUpAgain(place);
    if (m_areCopies && endsHold(record.kind) && record.owner != TextTable::None)
        context.copies = isHeldElsewhere(place) ? Copies::OthersHold : Copies::LastOne;
    const bool isKeyGone = record.kind == EventKind::Deleted
        || (record.kind == EventKind::Expired && context.copies == Copies::OthersHold);
    if (isKeyGone || leftQueue(record.kind))
        if (const auto upheaval = upheavalBefore(event(place)))
            context.upheaval = upheaval->kind;
    context.wasUnseen = isKeyGone && unseenUntil(place).has_value();
    const bool isTurn = record.kind == EventKind::Acquired || leftQueue(record.kind);
    if (record.owner == TextTable::None)
        context.countBefore = countBefore(place);
    else if (isTurn)
        context.waited = waitedUntil(place);
    else if (endsHold(record.kind))
        context.held = heldUntil(place);
    return context;
}

EventContext EventStore::contextOfOne(Place place) const
{
    EventContext context = contextOf(place);
    context.times = 1;
    context.over.reset();
    return context;
}

/// On another one of independent servers, by the same owner or by what may be the same: a RedissonRedLock has a client
/// for each server, and an id with it.
bool EventStore::isHeldElsewhere(Place end) const
{
    const Event ended = event(end);
    std::set<std::pair<std::uint16_t, TextTable::Id>> over; // by server and owner
    auto before = beforeOfLock(end);
    for (int steps = 0; before && steps < LongestWalk; ++steps, before = beforeOfLock(*before)) {
        const Record &told = record(*before);
        if (told.node == record(end).node || told.owner == TextTable::None
            || event(*before).owner->thread != ended.owner->thread)
            continue;
        if (endsHold(told.kind))
            over.insert({ told.node, told.owner });
        else if (tellsOfHold(told.kind) && !over.contains({ told.node, told.owner }))
            return true;
    }
    return false;
}

/// Absent: the clock was set back in it.
std::optional<SeenTime> EventStore::lengthOfRun(Place place) const
{
    const Record &last = record(place);
    const bool isKept = place - last.runBegin >= m_first;
    const WallTime began = isKept ? record(place - last.runBegin).at : m_records.front().at;
    if (last.at < began)
        return std::nullopt;
    return SeenTime{ last.at - began, isKept ? SeenTime::Exact : SeenTime::AtLeast };
}

/// Of what nobody holds as a whole.
std::optional<std::int64_t> EventStore::countBefore(Place place) const
{
    const auto before = beforeOfLock(place);
    const bool isKnown = before && record(*before).kind == record(place).kind && record(*before).hasCount
        && record(*before).node == record(place).node && wasSeenBetween(*before, place);
    return isKnown ? std::optional(record(*before).count) : std::nullopt;
}

/// Both are concluded from one look: its client may have waited on all the time.
bool EventStore::isLinedUpAgain(Place queued) const
{
    const Record &told = record(queued);
    if (told.kind != EventKind::Queued || told.certainty != Certainty::Inferred)
        return false;
    const auto before = beforeThere(queued);
    return before && leftQueue(record(*before).kind) && record(*before).at == told.at;
}

bool EventStore::linesUpAgain(Place left) const
{
    const Record &told = record(left);
    const Place last = std::min(end(), left + LongestWalk);
    for (Place after = left + 1; after < last && record(after).at == told.at; ++after)
        if (record(after).lock == told.lock && record(after).owner == told.owner && record(after).node == told.node)
            return isLinedUpAgain(after);
    return false;
}

/// It is said only where all of that time was seen.
std::optional<SeenTime> EventStore::waitedUntil(Place place) const
{
    const auto from = beforeThere(place);
    const Record &turn = record(place);
    if (!from || record(*from).at > turn.at || seenAgain(*from, place, turn.at))
        return std::nullopt;
    const Record &begin = record(*from);
    if (begin.kind != EventKind::FoundQueued && begin.kind != EventKind::Queued)
        return std::nullopt;
    const KnownSince since = sinceOf(*from);
    const bool isSeen = begin.certainty == Certainty::Seen && turn.certainty == Certainty::Seen;
    return SeenTime{ turn.at - since.at,
        !since.exact || isLinedUpAgain(*from) ? SeenTime::AtLeast
            : isSeen                          ? SeenTime::Exact
                                              : SeenTime::About };
}

/// Since when nothing was seen of it before an end that is concluded; absent: it was seen.
std::optional<WallTime> EventStore::unseenUntil(Place place) const
{
    const Record &end = record(place);
    if (end.certainty == Certainty::Seen)
        return std::nullopt;
    const auto last = end.owner == TextTable::None ? beforeOfLock(place) : beforeOfOwner(place);
    const bool wasSeenHere = last && record(*last).node == end.node;
    return unseenBefore(end.at, m_nodes[end.node], wasSeenHere ? record(*last).at : WallTime::min());
}

/// One gap may begin where another ended.
std::optional<WallTime> EventStore::unseenBefore(WallTime end, const std::string &node, WallTime seenAt) const
{
    std::optional<WallTime> since;
    for (auto place = m_gaps.rbegin(); place != m_gaps.rend(); ++place) {
        const Record &gap = record(*place);
        const bool isMeant = gap.hasTtl && concerns(gap, node);
        if (gap.at + NoticedSoon < since.value_or(end) || gap.at <= seenAt)
            break;
        if (isMeant && gap.at - Millis(gap.ttl) <= since.value_or(end))
            since = gap.at - Millis(gap.ttl);
    }
    return since;
}

std::optional<SeenTime> EventStore::heldUntil(Place place) const
{
    const Record &end = record(place);
    const auto unseenSince = unseenUntil(place);
    const WallTime until = unseenSince.value_or(end.at);
    const auto since = heldSince(place, until);
    if (!since || since->at > until)
        return std::nullopt;
    const auto sureness = !since->isBegin || unseenSince                          ? SeenTime::AtLeast
        : since->certainty == Certainty::Seen && end.certainty == Certainty::Seen ? SeenTime::Exact
                                                                                  : SeenTime::About;
    return SeenTime{ until - since->at, sureness };
}

/// A hold that goes on over a gap without anything told of it is the same one: its deadline was.
std::optional<EventStore::HeldSince> EventStore::heldSince(Place end, WallTime until) const
{
    Place after = end; // of the same hold, as is what was told before it
    std::optional<HeldSince> since;
    auto from = beforeThere(after);
    for (int steps = 0; from && steps < LongestWalk; ++steps, from = beforeThere(after)) {
        const Record &told = record(*from);
        const auto again = seenAgain(*from, after, until);
        if (!tellsOfHold(told.kind) || (again && after != end && record(after).certainty != Certainty::Seen))
            return since; // it is of another hold, or may be
        if (again && (!told.hasTtl || !record(after).hasTtl))
            return HeldSince{ *again };
        if (told.at > until)
            return since; // the clock was set back
        if (!goesOn(told.kind)) {
            const KnownSince known = sinceOf(*from);
            return HeldSince{ known.at, known.exact, told.certainty };
        }
        const bool isRunKept = told.runBegin != 0 && *from - told.runBegin >= m_first;
        after = isRunKept ? *from - told.runBegin : *from; // past the renewals between
        since = HeldSince{ record(after).at };
    }
    const WallTime begin = m_since && !m_dropped ? *m_since : m_records.front().at;
    return begin < until && stoodBefore(after, until) ? HeldSince{ begin } : since;
}

/// Of a hold that ends its beginning was told: if not after what is kept begins, then before. Where others held it
/// meanwhile, that is not so sure.
bool EventStore::stoodBefore(Place place, WallTime until) const
{
    auto before = beforeOfLock(place);
    for (int steps = 0; before && steps < LongestWalk; ++steps, before = beforeOfLock(*before))
        if (record(*before).owner == record(place).owner || tellsOfHold(record(*before).kind)
            || endsHold(record(*before).kind))
            return false;
    return !before && std::ranges::none_of(m_gaps, [&](Place gap) {
        return gap < place && concerns(record(gap), m_nodes[record(place).node]) && record(gap).at <= until;
    });
}

/// Who joins others, or reads what it writes, does not take the lock over.
std::vector<Event> EventStore::beginningsOf(const LockName &lock) const
{
    std::vector<Place> places;
    auto newest = newestShownOf(lock);
    for (int steps = 0; newest && steps < MostOfOne; ++steps, newest = beforeOfLock(*newest))
        if (tellsOfHold(record(*newest).kind) || endsHold(record(*newest).kind))
            places.push_back(*newest);
    using Holder = std::pair<TextTable::Id, std::uint16_t>; // on that server
    std::map<Holder, int> holds;
    for (const Place place : places) // the oldest last: whether the first that is told of it begins it
        holds[{ record(place).owner, record(place).node }] = begins(record(place).kind) ? 0 : 1;
    std::ranges::reverse(places);
    std::vector<Event> beginnings;
    for (const Place place : places) {
        const Record &told = record(place);
        int &own = holds[{ told.owner, told.node }];
        if (begins(told.kind)) {
            const auto isHeldThere
                = [&told](const auto &each) { return each.second > 0 && each.first.second == told.node; };
            if (!canBeShared(told) || std::ranges::none_of(holds, isHeldThere))
                beginnings.push_back(event(place));
            ++own;
        } else {
            own = endsHold(told.kind) ? std::max(0, own - 1) : std::max(1, own);
        }
    }
    return beginnings;
}

std::optional<WallTime> EventStore::freeSince(const LockName &lock, WallTime taken) const
{
    constexpr Millis Same{ 200 }; // between an event and what was read then
    bool isBegun = false;
    auto place = newestShownOf(lock);
    for (int steps = 0; place && steps < MostOfOne; ++steps, place = beforeOfLock(*place)) {
        const Record &it = record(*place);
        if (it.at < taken - Same && !isBegun)
            return std::nullopt;
        if (isBegun && endsHold(it.kind))
            return it.at;
        const bool isJoined = begins(it.kind) && canBeShared(it) && it.at >= taken - Same; // by the one after it
        if (isBegun && tellsOfHold(it.kind) && !isJoined)
            return std::nullopt; // others held it still
        isBegun = isBegun || (begins(it.kind) && it.at <= taken + Same);
    }
    const auto looks = m_looks.find({});
    if (place || !isBegun || looks == m_looks.end() || looks->second.front() > taken)
        return std::nullopt;
    const WallTime first = looks->second.front();
    return m_dropped ? std::max(m_records.front().at, first) : first; // else that had found it
}

std::vector<Event> EventStore::gapsOf(const std::string &node) const
{
    std::vector<Event> gaps;
    const std::size_t from = m_gaps.size() > MostGaps ? m_gaps.size() - MostGaps : 0;
    for (std::size_t i = from; i < m_gaps.size(); ++i) {
        const Record &gap = record(m_gaps[i]);
        if (gap.hasTtl && concerns(gap, node))
            gaps.push_back(event(m_gaps[i]));
    }
    return gaps;
}

std::optional<Event> EventStore::endOf(const LockName &lock) const
{
    auto place = newestShownOf(lock);
    for (int steps = 0; place && steps < MostOfOne; ++steps, place = beforeOfLock(*place)) {
        if (endsHold(record(*place).kind))
            return event(*place);
        if (begins(record(*place).kind))
            return std::nullopt;
    }
    return std::nullopt;
}

bool EventStore::wentOnAfter(const LockName &lock, WallTime seen) const
{
    auto place = newestShownOf(lock);
    for (int steps = 0; place && steps < MostOfOne; ++steps, place = beforeOfLock(*place)) {
        const Record &told = record(*place);
        if (told.at <= seen)
            return false;
        if (tellsOfHold(told.kind) || tellsOfNumber(told.kind) || told.kind == EventKind::Queued)
            return true;
    }
    return false;
}

std::optional<Event> EventStore::upheavalBefore(const Event &end) const
{
    for (auto place = m_upheavals.rbegin(); place != m_upheavals.rend(); ++place) {
        const Record &upheaval = record(*place);
        if (upheaval.at + NoticedSoon < end.at)
            break;
        if (upheaval.at <= end.at && m_nodes[upheaval.node] == end.node)
            return wasThereAfter(*place, end) ? std::nullopt : std::optional(event(*place));
    }
    return std::nullopt;
}

/// Something of its lock was seen between the upheaval and the end, on the same server: what ended was not gone with
/// it. What others did since tells nothing of a place in a queue.
bool EventStore::wasThereAfter(Place upheaval, const Event &end) const
{
    const auto tellsOfIt = [&](const Record &told, Place place) {
        if (leftQueue(end.kind))
            return (told.kind == EventKind::Queued || told.kind == EventKind::FoundQueued)
                && event(place).owner == end.owner;
        return tellsOfHold(told.kind) || tellsOfNumber(told.kind);
    };
    bool isBefore = false;
    auto place = newestOf(end.lock);
    for (int steps = 0; place && *place > upheaval && steps < LongestWalk; ++steps, place = beforeOfLock(*place)) {
        const Record &told = record(*place);
        if (isBefore && m_nodes[told.node] == end.node && tellsOfIt(told, *place))
            return true;
        isBefore = isBefore || event(*place) == end;
    }
    return false;
}

} // namespace lockui
