// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/lock_record.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstddef>
#include <optional>

namespace lockcore::monitor {

bool isSameHold(const Holder &holder, const synchronizers::HolderReading &reading);

/// The deadline that stood in Redis; absent: there was none, or it is not known closely enough.
std::optional<synchronizers::ServerMoment> deadlineIn(const synchronizers::LockReading *reading, const Look &look);
std::optional<synchronizers::ServerMoment> deadlineIn(const LockRecord &record);
bool isOther(const synchronizers::ServerMoment &oneDeadline, const synchronizers::ServerMoment &another);

/// An unlock was told of a lock that stood still all the time: that was another lock of its name, in another database
/// or under a name that is not looked at.
bool tellsOfAStranger(const LockRecord &record, const synchronizers::LockReading *reading, const Look &look);

/// It was told that a database was emptied, and the lock has the deadline that it had before: it was another one.
bool outlivedFlush(const LockRecord &record, const synchronizers::LockReading &reading, const Look &look);

/// What the look after one will take to explain what it found.
struct NeededNext {
    std::size_t messages = 0;
    std::size_t latches = 0;
    std::size_t latchesBefore = 0; // that the look before needs for certain
};

/// `before`: the lock as it was known when a look left something unexplained. `reading`, `look`: the one after that.
NeededNext neededNext(
    const LockState *before, const Unexplained &left, const synchronizers::LockReading *reading, const Look &look);

/// What may explain what one look found: what was heard before its question, and once the look after it is known also
/// what was heard later, without what that needs.
class Evidence {
public:
    Evidence(const UnlockTrace &trace, MonoTime askedAt, const std::optional<NeededNext> &next);

    bool hadMessage() const { return m_messages > 0; }
    bool hadLatch() const { return m_latches > 0; }
    /// More was heard, which may belong to this look or to the next one.
    bool isOpen() const { return m_isOpen; }
    std::optional<MonoTime> releasedAt() const { return m_releasedAt; } // the first release

    std::size_t messages() const { return m_messages; }
    std::size_t latches() const { return m_latches; }
    std::size_t latchesLeft() const { return m_latches - m_latchesUsed; }
    void useLatches(std::size_t count) { m_latchesUsed += count < latchesLeft() ? count : latchesLeft(); }
    void useMessage() { m_messagesUsed = hadMessage() ? 1 : 0; } // there is one for all holds that ended at once
    std::size_t messagesUsed() const { return m_messagesUsed; }
    std::size_t latchesUsed() const { return m_latchesUsed; }

private:
    std::size_t m_messages;
    std::size_t m_latches;
    std::size_t m_messagesUsed = 0;
    std::size_t m_latchesUsed = 0;
    bool m_isOpen;
    std::optional<MonoTime> m_releasedAt;
};

} // namespace lockcore::monitor
