// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recorded_waits.h"

#include "lockcore/recording/recording_database.h"

#include <algorithm>
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
    m_since = from;
    m_atFirst.clear();
    m_changes.clear();
    m_locks = {};
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
    while (frames->next()) {
        QVariantList row;
        for (int column = 0; column < 4; ++column)
            row.append(frames->isNull(column) ? QVariant() : frames->value(column));
        take(row, frames->value(4));
    }
    m_reached = to;
    frames->finish();
    if (m_isBroken)
        forgetBefore(to);
}

/// Nothing leads there from what was counted before.
void RecordedWaits::forgetBefore(MonoTime moment)
{
    m_since = std::max(m_since, moment);
    m_atFirst.clear();
    m_changes.clear();
    m_locks = {};
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
    visitWaitChanges(m_locks, m_replayed.locks(), [&](const LockName &lock, std::int64_t count) {
        const WaitCount counted{ lock, count, m_replayed.wall() };
        if (at <= m_since)
            set(m_atFirst, counted);
        else
            m_changes.push_back({ at, counted });
    });
    m_locks = m_replayed.locks();
    for (; m_changes.size() > Most; m_changes.pop_front()) {
        set(m_atFirst, m_changes.front().count);
        m_since = m_changes.front().at;
    }
}

void RecordedWaits::set(Counts &counts, const WaitCount &count)
{
    if (count.count > 0)
        counts[count.lock] = count.count;
    else
        counts.erase(count.lock);
}

std::map<LockName, std::int64_t> RecordedWaits::at(MonoTime moment) const
{
    Counts counts = m_atFirst;
    for (auto change = m_changes.begin(); change != m_changes.end() && change->at <= moment; ++change)
        set(counts, change->count);
    return counts;
}

std::vector<WaitCount> RecordedWaits::changes(MonoTime after, MonoTime to) const
{
    std::vector<WaitCount> changes;
    const auto first = std::ranges::upper_bound(m_changes, after, {}, &Change::at);
    for (auto change = first; change != m_changes.end() && change->at <= to; ++change)
        changes.push_back(change->count);
    return changes;
}

} // namespace lockcore::recording
