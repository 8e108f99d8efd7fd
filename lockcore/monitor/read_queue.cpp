// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/read_queue.h"

#include <algorithm>

namespace lockcore::monitor {

void ReadQueue::enqueue(const LockName &name, ReadReason reason)
{
    const auto [waiting, isNew] = m_waiting.try_emplace(name, reason);
    if (!isNew && waiting->second <= reason)
        return;
    if (!isNew && waiting->second == ReadReason::Swept)
        --m_sweptLeft;
    if (reason == ReadReason::Swept)
        ++m_sweptLeft;
    waiting->second = reason;
    m_lines[static_cast<std::size_t>(reason)].push_back(name);
}

void ReadQueue::add(const LockName &name, ReadReason reason)
{
    if (!m_reading.contains(name))
        return enqueue(name, reason);
    const auto [again, isNew] = m_again.try_emplace(name, reason);
    if (!isNew)
        again->second = std::min(again->second, reason);
}

/// One place is kept for what changed, whatever a sweep has found.
bool ReadQueue::mayTake(ReadReason reason, SweptReads swept) const
{
    if (reason != ReadReason::Swept || m_underWay.size() >= MostUnderWay)
        return m_underWay.size() < MostUnderWay;
    const std::size_t most = swept == SweptReads::NotNow ? 0 : swept == SweptReads::OneBatch ? 1 : MostUnderWay - 1;
    return m_sweptUnderWay < most;
}

bool ReadQueue::isWorthATrip(ReadReason reason, SweptReads swept, MonoTime now)
{
    if (reason != ReadReason::Swept)
        return !waitsForOthers(reason, now);
    if (line(reason).empty())
        return true;
    if (swept == SweptReads::FullBatches && line(reason).size() < BatchSize && ++m_waits <= MostWaits)
        return false;
    m_waits = 0;
    return true;
}

bool ReadQueue::waitsForOthers(ReadReason reason, MonoTime now) const
{
    const auto waiting = line(reason).size();
    return waiting > 0 && waiting < BatchSize && m_tripsUntil - TripsAtOnce * TripEvery > now;
}

std::optional<MonoTime> ReadQueue::next(MonoTime now) const
{
    if (!waitsForOthers(ReadReason::Known, now) && !waitsForOthers(ReadReason::Announced, now))
        return std::nullopt;
    return m_tripsUntil - TripsAtOnce * TripEvery;
}

std::optional<action::ReadLocks> ReadQueue::take(WorkId id, MonoTime now, SweptReads swept)
{
    for (const auto reason : { ReadReason::Known, ReadReason::Announced, ReadReason::Swept }) {
        auto &line = m_lines[static_cast<std::size_t>(reason)];
        if (!mayTake(reason, swept))
            return std::nullopt;
        if (!isWorthATrip(reason, swept, now))
            continue;
        Batch batch;
        while (!line.empty() && batch.size() < BatchSize) {
            const auto waiting = m_waiting.find(line.front());
            if (waiting != m_waiting.end() && waiting->second == reason) {
                m_reading.insert(line.front());
                batch.emplace_back(std::move(line.front()), reason);
                m_waiting.erase(waiting);
            }
            line.pop_front();
        }
        if (batch.empty())
            continue;
        action::ReadLocks read{ .read = id, .names = {} };
        for (const auto &entry : batch)
            read.names.push_back(entry.first);
        if (reason == ReadReason::Swept)
            ++m_sweptUnderWay;
        else
            m_tripsUntil = std::max(m_tripsUntil, now) + TripEvery;
        m_underWay.emplace(static_cast<std::uint64_t>(id), std::move(batch));
        return read;
    }
    return std::nullopt;
}

std::optional<ReadQueue::Batch> ReadQueue::finish(WorkId id)
{
    auto node = m_underWay.extract(static_cast<std::uint64_t>(id));
    if (node.empty())
        return std::nullopt;
    auto batch = std::move(node.mapped());
    if (batch.front().second == ReadReason::Swept) {
        --m_sweptUnderWay;
        m_sweptLeft -= batch.size();
    }
    for (const auto &[name, reason] : batch) {
        m_reading.erase(name);
        if (const auto again = m_again.extract(name))
            enqueue(name, again.mapped());
    }
    return batch;
}

void ReadQueue::clear() { *this = {}; }

} // namespace lockcore::monitor
