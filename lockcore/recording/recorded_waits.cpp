// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recorded_waits.h"

#include "lockcore/recording/recording_database.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace lockcore::recording {

using namespace monitor;

RecordedWaits::RecordedWaits(RecordingDatabase &database)
    : m_database(database)
    , m_replayed(database.hasNumberedFields())
{
}

/// Whether what was read goes on to that moment, or is the shortest way there.
bool RecordedWaits::leadsTo(MonoTime from) const
{
    if (!m_reached || from < m_since)
        return false;
    const auto whole = from > *m_reached
        ? m_database.number("SELECT max(at) FROM frame WHERE whole = 1 AND at <= ?", { number(from) })
        : std::nullopt;
    return !whole || toTime(*whole) <= *m_reached;
}

void RecordedWaits::begin(MonoTime from)
{
    const auto whole = m_database.number("SELECT max(at) FROM frame WHERE whole = 1 AND at <= ?", { number(from) });
    m_reached = whole ? toTime(*whole) - MonoTime::duration(1) : MonoTime::min();
    m_since = MonoTime::min();
    forgetBefore(from);
    m_isWhole = m_isBroken = false;
}

/// The oldest whole frame from which it is not too far to that moment; the beginning, if from `after` it is not.
MonoTime RecordedWaits::earliestBefore(MonoTime to, MonoTime after)
{
    QSqlQuery *frames
        = m_database.run("SELECT at, whole, length(data) FROM frame WHERE at <= ? AND at > ? ORDER BY at DESC",
            { number(to), number(after) });
    MonoTime earliest = MonoTime::min();
    int count = 0;
    qint64 bytes = 0;
    while (frames != nullptr && frames->next()) {
        bytes += frames->value(2).toLongLong();
        const bool isTooFar = ++count > MostFrames || bytes > MostBytes;
        if (isTooFar && earliest != MonoTime::min()) {
            frames->finish();
            return earliest;
        }
        if (frames->value(1).toBool())
            earliest = toTime(frames->value(0).toLongLong());
    }
    return MonoTime::min();
}

void RecordedWaits::read(MonoTime from, MonoTime to)
{
    m_left.clear();
    const MonoTime earliest = earliestBefore(to, leadsTo(from) ? *m_reached : MonoTime::min());
    from = std::max(from, earliest);
    if (!leadsTo(from) || *m_reached < earliest)
        begin(from);
    if (to <= *m_reached)
        return;
    QSqlQuery *frames
        = m_database.run("SELECT at, whole, data, before, sum FROM frame WHERE at > ? AND at <= ? ORDER BY at",
            { number(*m_reached), number(to) });
    if (frames == nullptr)
        return;
    while (frames->next())
        take(valuesOf(*frames, 4), frames->value(4));
    m_reached = to;
    frames->finish();
    if (m_isBroken)
        forgetBefore(to);
}

/// Nothing leads there from what was counted before.
void RecordedWaits::forgetBefore(MonoTime moment)
{
    visitWaitChanges(
        m_locks, {}, [this](const LockName &lock, std::int64_t) { m_left.push_back({ .lock = lock, .at = {} }); });
    for (const auto &[who, standing] : m_standings)
        m_left.push_back({ .lock = who.first, .at = {}, .owner = who.second });
    m_since = std::max(m_since, moment);
    m_atFirst.clear();
    m_changes.clear();
    m_locks = {};
    m_knownWaits.reset();
    m_standings.clear();
}

void RecordedWaits::take(const QVariantList &row, const QVariant &sum)
{
    const MonoTime at = toTime(row[0].toLongLong());
    const bool isWhole = row[1].toBool();
    const bool follows = isWhole || (m_isWhole && (!m_database.hasSums() || row[3].toLongLong() == m_sum));
    m_sum = sum.toLongLong();
    if (!follows) { // it tells what changed in what could not be read
        m_isWhole = false;
        m_isBroken = true;
        return;
    }
    const MonoTime before = m_replayed.frameAt();
    const QByteArray data = row[2].toByteArray();
    const std::string_view frame(data.constData(), static_cast<std::size_t>(data.size()));
    m_isWhole = m_database.isIntact(row, sum)
        && (isWhole ? m_replayed.start(frame, at) : m_replayed.add(frame, at)).has_value();
    if (!m_isWhole) {
        m_isBroken = true;
        return;
    }
    if (std::exchange(m_isBroken, false))
        forgetBefore(at);
    const bool isSameLine = !isWhole || m_standings.empty() || !beginsSession(before, at);
    visitChanges(isSameLine, [&](const WaitCount &change) {
        if (at <= m_since)
            m_atFirst.take(change);
        else
            m_changes.push_back({ at, change });
    });
    for (; m_changes.size() > Most; m_changes.pop_front()) {
        m_atFirst.take(m_changes.front().count);
        m_since = m_changes.front().at;
    }
}

/// What is another one in the frame that was read last than in the one before.
template <typename Visit>
void RecordedWaits::visitChanges(bool isSameLine, Visit visit)
{
    const WallTime now = m_replayed.wall();
    visitWaitChanges(m_locks, m_replayed.locks(),
        [&](const LockName &lock, std::int64_t count) { visit({ .lock = lock, .count = count, .at = now }); });
    m_locks = m_replayed.locks();
    if (m_knownWaits == m_replayed.knownWaits())
        return;
    m_knownWaits = m_replayed.knownWaits();
    Standings next = standings(isSameLine);
    const auto isIn = [](const Standings &list, const Standings::value_type &each) {
        const auto same = list.find(each.first);
        return same != list.end() && same->second.since == each.second.since;
    };
    for (const auto &each : m_standings) {
        if (isIn(next, each))
            continue;
        const auto &[lock, owner] = each.first;
        WaitCount over{ .lock = lock, .count = 0, .at = now, .owner = owner };
        if (const auto again = next.find(each.first); again != next.end())
            over.at = std::min(now, again->second.wall);
        else
            over.got = hasGot(lock, owner, each.second.since);
        visit(over);
    }
    for (const auto &each : next) {
        const auto &[lock, owner] = each.first;
        const WallTime since = each.second.wall;
        if (!isIn(m_standings, each))
            visit({ .lock = lock, .count = 1, .at = since, .owner = owner, .since = since });
    }
    m_standings = std::move(next);
}

bool RecordedWaits::beginsSession(MonoTime frameBefore, MonoTime frame)
{
    return m_database
               .number("SELECT count(*) FROM session WHERE first > ? AND first <= ?",
                   { number(frameBefore), number(frame) })
               .value_or(0)
        > 0;
}

/// In another session what goes on stands elsewhere on the time line: a little, if the wall clock was set meanwhile.
RecordedWaits::Standings RecordedWaits::standings(bool isSameLine) const
{
    constexpr std::chrono::seconds Little{ 1 };
    Standings standings;
    if (!m_knownWaits)
        return standings;
    for (const KnownWait &wait : *m_knownWaits) {
        const auto before = m_standings.find({ wait.lock, wait.owner });
        const auto difference = before == m_standings.end() ? MonoTime::duration::max()
                                                            : std::chrono::abs(wait.since - before->second.since);
        if (difference == MonoTime::duration(0) || (!isSameLine && difference < Little))
            standings.insert(*before);
        else
            standings.emplace(std::pair(wait.lock, wait.owner),
                Standing{ wait.since,
                    m_replayed.wall() + std::chrono::duration_cast<Millis>(wait.since - m_replayed.frameAt()) });
    }
    return standings;
}

/// Whoever waits holds nothing.
std::optional<bool> RecordedWaits::hasGot(const LockName &name, const OwnerId &owner, MonoTime since) const
{
    const auto &known = m_replayed.knownHolds();
    const auto isIts = [&](const KnownHold &hold) { return hold.lock == name && hold.owner == owner; };
    const auto lock = m_locks.find(name);
    const auto holds
        = [&](const Holder &holder) { return holder.owner == owner && holder.since.at >= since && !holder.expired; };
    if ((known && std::ranges::any_of(*known, isIts)) || (lock && std::ranges::any_of(lock->holders, holds)))
        return true;
    return known ? std::optional(false) : std::nullopt;
}

std::vector<WaitCount> RecordedWaits::at(MonoTime moment, WallTime wall) const
{
    if (m_changes.empty() || m_changes.front().at > moment)
        return m_atFirst.at(wall);
    WaitCountState counts = m_atFirst;
    for (auto change = m_changes.begin(); change != m_changes.end() && change->at <= moment; ++change)
        counts.take(change->count);
    return counts.at(wall);
}

std::vector<WaitCount> RecordedWaits::changes(MonoTime after, MonoTime to, WallTime since) const
{
    std::vector<WaitCount> changes;
    if (m_since > after && m_since <= to) {
        const std::vector<WaitCount> then = at(m_since, since);
        std::set<std::pair<LockName, std::optional<OwnerId>>> waits;
        for (const WaitCount &wait : then)
            waits.emplace(wait.lock, wait.owner);
        for (WaitCount left : m_left) {
            if (waits.contains({ left.lock, left.owner }))
                continue;
            left.at = since;
            changes.push_back(std::move(left));
        }
        changes.insert(changes.end(), then.begin(), then.end());
        after = m_since;
    }
    const auto first = std::ranges::upper_bound(m_changes, after, {}, &Change::at);
    for (auto change = first; change != m_changes.end() && change->at <= to; ++change)
        changes.push_back(change->count);
    return changes;
}

} // namespace lockcore::recording
