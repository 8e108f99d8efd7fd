// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/incident_lives.h"
#include "ui/lab/incident_source.h"
#include "ui/lab/scenario.h"

#include <QCoreApplication>
#include <QStringList>
#include <map>
#include <set>
#include <string>
#include <tl/expected.hpp>

namespace lockui::lab {

struct IncidentText {
    Q_DECLARE_TR_FUNCTIONS(IncidentText)
};

/// Goes through an incident event by event, and tells the steps by which clients do the same.
class IncidentTeller {
public:
    IncidentTeller(const Incident &incident, const IncidentChoice &choice);

    tl::expected<Scenario, QString> tell();

private:
    struct Held {
        lockcore::OwnerId owner;
        std::optional<lockcore::synchronizers::HoldMode> mode;
        std::int64_t depth = 1;
    };
    struct Queued {
        lockcore::OwnerId owner;
        std::size_t step = 0; // by which it waits
        lockcore::Millis toldAt{ 0 }; // so long after the beginning of the scenario
    };
    struct Taking {
        std::optional<lockcore::synchronizers::HoldMode> mode;
        std::optional<lockcore::Millis> lease;
        QStringList notes;
    };

    bool isChosen(const lockcore::monitor::Event &event) const;
    lockcore::synchronizers::Kind kindOf(const lockcore::LockName &lock) const;
    std::shared_ptr<const lockcore::monitor::Snapshot> snapshotAt(lockcore::WallTime at) const;
    std::optional<lockcore::synchronizers::HoldMode> modeOfTaken(const lockcore::monitor::Event &event) const;
    std::optional<Held> takeHold(const lockcore::monitor::Event &event);

    std::vector<std::shared_ptr<const lockcore::monitor::LockState>> looksAt(
        const lockcore::LockName &lock, lockcore::WallTime at) const;
    /// Whether that hold has to be over before this one can begin.
    static bool conflicts(
        const Held &hold, const lockcore::OwnerId &owner, std::optional<lockcore::synchronizers::HoldMode> mode);
    std::optional<lockcore::OwnerId> whoHoldsItToo(const lockcore::LockName &lock, const lockcore::OwnerId &owner,
        std::optional<lockcore::synchronizers::HoldMode> mode, lockcore::WallTime at) const;
    bool leavesOutSecond(const lockcore::LockName &lock, const lockcore::OwnerId &owner,
        std::optional<lockcore::synchronizers::HoldMode> mode, lockcore::WallTime at);
    void noteEndless(const lockcore::LockName &lock, const lockcore::OwnerId &owner,
        std::optional<lockcore::synchronizers::HoldMode> mode, lockcore::WallTime at, QStringList &notes) const;
    QStringList otherNames() const;

    void tellBefore();
    void tellEarlierHolds();
    void tellEvent(std::size_t index);
    void tellTaken(std::size_t index);
    void tellReentered(const lockcore::monitor::Event &event);
    void tellReleased(std::size_t index);
    bool waitsElsewhere(std::size_t index) const;
    void tellExpired(std::size_t index);
    void tellForced(const lockcore::monitor::Event &event, QStringList notes);
    void tellQueued(const lockcore::monitor::Event &event);
    void tellFoundQueued(const lockcore::monitor::Event &event);
    void tellLeftQueue(std::size_t index);
    void tellPassedAhead(std::size_t index);
    std::optional<lockcore::monitor::EventKind> nextInSameLook(
        const lockcore::LockName &lock, const lockcore::OwnerId &owner, std::size_t after) const;
    void serve(const lockcore::LockName &lock, const Queued &waiter, lockcore::WallTime at);
    void passThrough(const lockcore::LockName &lock, const Queued &waiter, lockcore::WallTime at);
    void tellUnseen(const lockcore::monitor::Event &event);
    void tellFates(std::size_t index);
    void tellEnd();

    void take(
        const lockcore::LockName &lock, const lockcore::OwnerId &owner, lockcore::WallTime at, const Taking &taking);
    void unlock(const lockcore::LockName &lock, const Held &hold, lockcore::WallTime at, Outcome outcome,
        const QStringList &notes);
    void makeRoom(const lockcore::LockName &lock, const lockcore::OwnerId &owner,
        std::optional<lockcore::synchronizers::HoldMode> mode, lockcore::WallTime at);
    void wait(const lockcore::LockName &lock, const lockcore::OwnerId &owner, lockcore::WallTime at,
        const QStringList &notes);
    void giveUp(const Queued &waiter, const QString &note);
    void addNote(std::size_t step, const QString &note);
    lockcore::Millis leaseThatRunsOut(lockcore::Millis lease) const;
    static QString whyItsLease(bool ranOut, bool endWasSeen);
    static std::optional<lockcore::Millis> longLease(
        lockcore::Millis ttl, lockcore::Millis held, bool isDead, QStringList &notes);
    bool isRenewed(const lockcore::LockName &lock, const lockcore::OwnerId &owner, std::size_t after) const;
    std::optional<lockcore::Millis> leaseOfHold(std::size_t begin, QStringList &notes) const;
    std::optional<lockcore::Millis> leaseOfBefore(
        const lockcore::monitor::LockState &lock, const lockcore::OwnerId &owner, QStringList &notes) const;
    std::optional<Fate> fateAt(std::optional<std::size_t> end) const;
    std::optional<std::size_t> endOfHold(
        const lockcore::LockName &lock, const lockcore::OwnerId &owner, std::size_t after) const;

    Step &add(Act act, lockcore::WallTime at, QStringList notes);
    Step &addFor(Act act, const lockcore::OwnerId &owner, lockcore::WallTime at, QStringList notes);
    Step &addOn(Act act, const lockcore::LockName &lock, const lockcore::OwnerId &owner, lockcore::WallTime at,
        QStringList notes);
    std::string clientFor(const std::string &id);
    std::string threadFor(const lockcore::OwnerId &owner);
    std::string reference(const lockcore::OwnerId &owner); // `$A:1`
    bool isGone(const lockcore::OwnerId &owner) const
    {
        return m_dead.contains(owner.client) || m_still.contains(owner.client);
    }
    void describe();

    const Incident &m_incident;
    const IncidentChoice &m_choice;
    IncidentLives m_lives;
    Scenario m_scenario;
    std::map<std::string, std::string> m_names; // of clients, by their ids
    std::map<lockcore::OwnerId, std::string> m_threads;
    std::map<lockcore::LockName, std::vector<Held>> m_held; // also those that nobody holds any more
    std::map<lockcore::LockName, std::vector<Queued>> m_queued;
    std::map<lockcore::LockName, std::vector<std::string>> m_served; // the steps of waiters, as they got it
    std::set<std::string> m_dead;
    std::set<std::string> m_still;
    std::map<lockcore::LockName, lockcore::synchronizers::Kind> m_leftOut;
    QStringList m_cannotBe; // for who reads the scenario, as the next
    QStringList m_unseen;
    QStringList m_notesForNext;
    std::vector<std::string> m_after; // for the next step
    std::optional<lockcore::WallTime> m_at; // of the last step
    lockcore::Millis m_told{ 0 }; // pauses until now
    int m_shortened = 0;
    bool m_awaitsEnds = false; // of leases, or of places in a queue
};

/// What a lease was, of which a little had passed when it was read.
lockcore::Millis wholeLease(lockcore::Millis ttl);
/// No shorter than what does not run out before the hold is over on a busy computer.
lockcore::Millis leaseThatLasts(lockcore::Millis lease, lockcore::Millis held);
QString dayAndTime(lockcore::WallTime at);

} // namespace lockui::lab
