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

void ReadQueue::moveTo(Batch &batch, ReadReason reason)
{
    auto &names = m_lines[static_cast<std::size_t>(reason)];
    while (!names.empty() && batch.size() < BatchSize) {
        const auto waiting = m_waiting.find(names.front());
        if (waiting != m_waiting.end() && waiting->second == reason) {
            m_reading.insert(names.front());
            batch.emplace_back(std::move(names.front()), reason);
            m_waiting.erase(waiting);
        }
        names.pop_front();
    }
}

bool ReadQueue::waitsForOthers(MonoTime now) const
{
    const std::size_t changed = lengthOf(ReadReason::Known) + lengthOf(ReadReason::Announced);
    return changed > 0 && changed < BatchSize && now < m_nextTrip;
}

std::optional<MonoTime> ReadQueue::next(MonoTime now) const
{
    return waitsForOthers(now) ? std::optional(m_nextTrip) : std::nullopt;
}

/// Who made no trip for a while may make several at once.
ReadQueue::Batch ReadQueue::takeChanged(MonoTime now)
{
    Batch batch;
    if (waitsForOthers(now))
        return batch;
    moveTo(batch, ReadReason::Known);
    moveTo(batch, ReadReason::Announced);
    if (!batch.empty() && batch.size() < BatchSize)
        m_nextTrip = std::clamp(m_nextTrip, now - TripsAtOnce * TripEvery, now) + TripEvery;
    return batch;
}

/// One place is kept for what changed, whatever a sweep has found.
ReadQueue::Batch ReadQueue::takeSwept(SweptReads swept)
{
    Batch batch;
    const std::size_t most = swept == SweptReads::NotNow ? 0 : swept == SweptReads::OneBatch ? 1 : MostUnderWay - 1;
    const std::size_t waiting = lengthOf(ReadReason::Swept);
    if (waiting == 0 || m_sweptUnderWay >= most)
        return batch;
    if (swept == SweptReads::FullBatches && waiting < BatchSize && ++m_waits <= MostWaits)
        return batch;
    m_waits = 0;
    moveTo(batch, ReadReason::Swept);
    m_sweptUnderWay += batch.empty() ? 0 : 1;
    return batch;
}

std::optional<action::ReadLocks> ReadQueue::take(WorkId id, MonoTime now, SweptReads swept)
{
    if (m_underWay.size() >= MostUnderWay)
        return std::nullopt;
    Batch batch = takeChanged(now);
    if (batch.empty())
        batch = takeSwept(swept);
    if (batch.empty())
        return std::nullopt;
    action::ReadLocks read{ .read = id, .names = {} };
    for (const auto &entry : batch)
        read.names.push_back(entry.first);
    m_underWay.emplace(static_cast<std::uint64_t>(id), std::move(batch));
    return read;
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
