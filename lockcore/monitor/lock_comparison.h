// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/evidence.h"
#include "lockcore/monitor/lease_judgement.h"
#include "lockcore/monitor/lock_record.h"
#include "lockcore/monitor/queue_change.h"
#include "lockcore/synchronizers/catalog.h"

#include <optional>
#include <utility>
#include <vector>

namespace lockcore::monitor {

/// What one look changed.
struct LockChange {
    std::vector<Event> events;
    bool changed = false; // the record has a new state
    bool lookAgain = false; // gone without a reason: it may be heard in a moment; nothing was concluded yet
};

/// One comparison of a record with a reading: the work of enter(). What holds did in between, and how certain that is,
/// is in `hold_conclusions.cpp`. Errors: none. Thread: that of the record.
class LockComparison {
public:
    /// With what the next look needs nothing more will be heard of what this one leaves unexplained.
    LockComparison(LockRecord &record, const LockName &name, const synchronizers::LockReading *reading,
        const Look &look, const std::optional<NeededNext> &next)
        : m_record(record)
        , m_before(record.state.get())
        , m_reading(reading)
        , m_look(look)
        , m_final(next.has_value())
        , m_evidence(record.aside().trace, look.askedAt, next)
        , m_tolerance(ClockTolerance + look.uncertainty + record.uncertainty)
        , m_next(m_before ? *m_before : LockState{})
    {
        m_next.name = name;
    }

    LockChange run();

private:
    static constexpr Millis ClockTolerance{ 20 };

    bool describe();
    void describeKeys();
    std::pair<Holder, std::optional<Millis>> describeHolder(const synchronizers::HolderReading &reading) const;
    bool endHolds(const std::vector<Holder> &before, const std::vector<synchronizers::HolderReading> &readings);
    void explainDecrements(
        const std::vector<Holder> &before, const std::vector<synchronizers::HolderReading> &readings);
    void takenBy(std::int64_t clients);
    bool compareHolders();
    bool wasFreed() const;
    bool isOfAnotherTime() const;
    HoldCourse continueHold(const Holder &before, Holder &after, std::optional<Millis> ttl);
    bool mayBeAnother(const Holder &before, const Holder &after) const;
    bool isNotDue(const Holder &before, const Holder &after) const;
    bool roseEarly(const Holder &before, const Holder &after) const;
    HoldCourse heldOtherwise(const Holder &before, const Holder &after);
    HoldCourse endsOrNot(const Holder &after);
    bool isToldOf() const { return !m_before || tellsOfReleases(m_before->kind); } // when it is released
    bool mayBeToldSoon() const { return m_look.exact && !m_look.sharesChannel && !m_final && isToldOf(); }
    bool mayBeOurs() const; // an action of ours, which is not known yet to be done
    bool readsOtherwise(const Holder &writer) const;
    void beginHold(Holder &holder, Certainty certainty);
    void beginExpired(Holder &holder);
    bool endHold(const Holder &holder);
    bool endSilently(const Holder &holder);
    void released(const Holder &holder);
    HoldCourse extended(const Holder &before, Holder &after);
    HoldCourse notExtended(const Holder &before, Holder &after);
    bool tellsNobodyOfItsEnd(const Holder &holder) const;
    bool wasLeaseSetAlone() const;
    HoldCourse takenAgain(const Holder &before, Holder &after, EventKind end = EventKind::Released);
    HoldCourse takenOnceMore(const Holder &after);
    void learn(const Holder &holder, bool leftLatch);
    bool leavesLatches(const Holder &holder) const;
    bool leavesNoLatches(const Holder &holder) const;
    bool wasHeld() const { return m_before && !m_before->holders.empty(); }
    bool wasHeldByOne() const { return m_before && m_before->holders.size() == 1; }
    Certainty unlessBlind() const { return m_record.blind || m_look.untold ? Certainty::Inferred : Certainty::Seen; }
    Millis clockSetSince(const LockState &before) const;
    bool compareNumbers();
    bool endCounter(std::int64_t number);
    void reportNumber(EventKind kind, std::optional<std::int64_t> number, Certainty certainty);
    void tellOfPassingReaders();
    void lookAtQueue();
    void tellOfQueue(const std::vector<synchronizers::WaiterReading> &readings, const QueueLook &look);
    void finish();
    void report(EventKind kind, const Holder *holder, Certainty certainty);
    std::optional<MonoTime> measured(std::optional<Millis> ttl, std::optional<MonoTime> known);
    bool jumpedUp(std::optional<MonoTime> before, std::optional<MonoTime> after) const;

    LockRecord &m_record;
    const LockState *m_before;
    const synchronizers::LockReading *m_reading;
    const Look &m_look;
    const bool m_final;
    Evidence m_evidence;
    const Millis m_tolerance;
    Millis m_uncertainty{ 0 }; // of the least certain time to live that is shown
    LockState m_next;
    LockChange m_change;
    bool m_missesMessage = false; // of a release
    bool m_unclear = false; // what was heard may belong to this look or to the next one
    bool m_wasForced = false; // by us
    bool m_wasLeaseSet = false; // by us
    HoldChanges m_holds;
};

/// Enters what a look said (null: there is no such lock) and concludes what happened since the look before. What was
/// left unexplained then is concluded first, by what has been heard since.
LockChange enter(LockRecord &record, const LockName &name, const synchronizers::LockReading *reading, const Look &look);

} // namespace lockcore::monitor
