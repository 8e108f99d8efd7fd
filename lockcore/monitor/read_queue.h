// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/monitor/engine_io.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lockcore::monitor {

/// Why a name is read, most urgent first.
enum class ReadReason : std::uint8_t {
    Known, // a lock in the registry changed, or is due
    Announced, // a key that is no known lock changed
    Swept, // found by a sweep
};

/// How what a sweep has found is read: while it finds more, a few names wait a little for others.
enum class SweptReads : std::uint8_t { AtOnce, FullBatches, OneBatch, NotNow };

/// What is to be read: each name once, in batches, a few of them under way. A name that changes while it is being read
/// is read again afterwards. What changed is read at once, until that is much: then a few milliseconds' changes go
/// together, since each trip wakes the server and us. What is new goes with what is known.
class ReadQueue {
public:
    using Batch = std::vector<std::pair<LockName, ReadReason>>;

    void add(const LockName &name, ReadReason reason);
    /// The next batch to send, if one may be sent now.
    std::optional<action::ReadLocks> take(WorkId id, MonoTime now, SweptReads swept = SweptReads::AtOnce);
    std::optional<MonoTime> next(MonoTime now) const; // when what waits for others may be taken
    /// The names of a batch that was answered; absent: it was given up before.
    std::optional<Batch> finish(WorkId id);
    void clear();

    std::size_t sweptLeft() const { return m_sweptLeft; } // waiting or under way

private:
    static constexpr std::size_t BatchSize = 50;
    static constexpr std::size_t MostUnderWay = 3;
    static constexpr int MostWaits = 10;
    static constexpr Millis TripEvery{ 4 };
    static constexpr int TripsAtOnce = 10;

    std::size_t lengthOf(ReadReason reason) const { return m_lines[static_cast<std::size_t>(reason)].size(); }
    bool waitsForOthers(MonoTime now) const;
    Batch takeChanged(MonoTime now);
    Batch takeSwept(SweptReads swept);
    void moveTo(Batch &batch, ReadReason reason);
    void enqueue(const LockName &name, ReadReason reason);

    std::array<std::deque<LockName>, 3> m_lines; // by reason; may hold names that moved to a more urgent line
    std::unordered_map<LockName, ReadReason> m_waiting;
    std::unordered_set<LockName> m_reading;
    std::unordered_map<LockName, ReadReason> m_again; // changed while being read
    std::unordered_map<std::uint64_t, Batch> m_underWay;
    MonoTime m_nextTrip = MonoTime::min(); // from then on one of less than a batch may go; a full one may at any time
    int m_waits = 0; // of the few names that a sweep has found
    std::size_t m_sweptUnderWay = 0; // batches
    std::size_t m_sweptLeft = 0; // names
};

} // namespace lockcore::monitor
