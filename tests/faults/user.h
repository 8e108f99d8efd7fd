// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "tests/faults/ledger.h"
#include "tests/faults/plan.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faults {

/// One that uses locks, as Redis sees it: a thread of a client. It holds one lock at a time, by re-entry several times
/// and of a read/write or a faster lock different parts.
class User : public QObject {
    Q_OBJECT
public:
    User(const Plan &plan, bool isMortal, lockcore::client::LockClient &client, std::string thread, std::uint64_t seed,
        std::function<void(const std::string &)> say);

    void start() { goOnIn(0, 50); }
    void freeze();
    void finish();

    void mayBeLeft(const lockcore::Error &error); // in queues
    void renewed(const LockTarget &target);
    void lost(const LockTarget &target);
    void unconfirmed(const LockTarget &target);

private:
    enum class Mode { Free, Frozen, Finishing };
    struct Hold {
        LockTarget target;
        std::optional<Millis> lease;
    };
    struct Sure { // what is known of the holds of one target beside what the client knows
        MonoTime fixedUntil = Forever;
        MonoTime fixedBasis{};
        bool isUnconfirmed = false;
    };
    struct Told { // to the ledger
        bool shared = false;
        MonoTime basis;
        MonoTime until;
        bool operator==(const Told &) const = default;
    };

    void say(const std::string &text);
    void sayState(const char *phase);
    void goOnIn(int shortestMs, int longestMs);
    void step();
    void begin();
    void acquire(LockTarget target, std::optional<Millis> lease, std::optional<Millis> wait);
    void acquired(const lockcore::client::AcquireRequest &request, MonoTime asked,
        const lockcore::Result<lockcore::client::AcquireOutcome> &outcome);
    void releaseOne();
    void release(const Hold &hold, int repeats);
    void released(const Hold &hold, int repeats, const lockcore::Result<lockcore::client::ReleaseOutcome> &outcome);
    void releaseAgain(const Hold &hold, int repeats);
    void tellGone(const LockTarget &target, const Told &belief);
    std::optional<Told> beliefKnown(const LockTarget &target) const;
    bool believes(const LockTarget &target) const;
    void drop(const LockTarget &target);
    void tellBeliefs();
    std::optional<Told> beliefIn(const LockTarget &target);
    std::int64_t count(const LockTarget &target) const;
    bool reenters();
    LockTarget part(LockTarget lock);
    std::optional<Millis> lease(lockcore::synchronizers::Kind kind);
    std::optional<MonoTime> sureUntil(const LockTarget &target) const;

    const Plan &m_plan;
    const bool m_isMortal;
    lockcore::client::LockClient &m_client;
    const std::string m_thread;
    const std::string m_owner;
    const std::function<void(const std::string &)> m_say;
    Random m_random;
    Mode m_mode = Mode::Free;
    std::string m_lock = "-"; // of the session
    std::vector<Hold> m_holds;
    std::map<LockTarget, Sure> m_sure;
    std::set<LockTarget> m_uncertain; // the outcome of a release is unknown
    std::set<std::string> m_doubtful; // names of locks of which more may be left
    std::map<std::string, Told> m_told; // by cell
    std::map<LockTarget, Told> m_beliefs; // what that is made of
    bool m_hasLongLease = false; // in what it does now: what is not released stays for long
    bool m_asks = false; // something is under way
    std::optional<std::optional<Millis>> m_sessionLease; // set: all holds of the session have this one
    QTimer m_timer;
    QTimer m_cancel;
    QTimer m_lookAgain;
    std::map<LockTarget, int> m_looks; // without finding it known to the client
    lockcore::client::AcquireId m_acquire{};
};

} // namespace faults
