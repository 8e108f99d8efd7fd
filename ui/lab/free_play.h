// SPDX-License-Identifier: GPL-3.0-or-later
// Free play: groups of clients that contend for a lock each, side by side, as long as a person likes. What a person
// sets, what is measured, and who plays.
#pragma once

#include "lockcore/base/enum_table.h"
#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/actions/audit_entry.h"
#include "lockcore/synchronizers/synchronizer.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/scenario.h"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui::lab {

using Micros = std::chrono::microseconds;

/// How times differ from one draw to the next around their mean.
enum class Spread {
    Fixed,
    Uniform, // from zero to twice the mean
    Exponential, // many short ones and a few long ones, as work and arrivals often are
};

struct DrawnTime {
    Spread spread = Spread::Exponential;
    lockcore::Millis mean{ 50 };

    bool operator==(const DrawnTime &) const = default;
};

/// A client is a process of its own: more of them would measure the computer, not the lock.
inline constexpr int MostClients = 12;
inline constexpr std::size_t MostGroups = 3;

enum class GroupId : std::uint64_t {};

/// What the clients of a group do; all of it may be changed while they do it.
struct GroupSettings {
    GroupId id{}; // that a change is told from another group
    /// A person's: its clients do nothing but what they are told, to the lock of this name. Absent: they contend by
    /// themselves, for a lock of their own.
    std::optional<lockcore::LockName> byHand{};
    lockcore::synchronizers::Kind kind = lockcore::synchronizers::Kind::Reentrant;
    lockcore::synchronizers::LockVariant variant = lockcore::synchronizers::LockVariant::Standard;
    int clients = 4;
    DrawnTime hold{};
    DrawnTime think{};
    std::optional<lockcore::Millis> lease{}; // absent: the watchdog renews
    lockcore::Millis watchdog{ 5'000 }; // what it renews to
    bool renews = true; // false: a watchdog that never comes
    lockcore::Millis fairWait{ 5'000 }; // how long a fair queue keeps the place of a client that died
    std::optional<lockcore::Millis> wait{}; // absent: without limit; zero: one try
    double crashesPerMinute = 0; // of the whole group
    int readersPercent = 75; // read/write locks: of all acquires
    std::int64_t permits = 2; // semaphores, and what a latch counts down from

    bool operator==(const GroupSettings &) const = default;
};

enum class ClientPhase {
    Starting, // its process is not ready yet
    Thinking, // wants nothing
    Waiting,
    Holding,
    Releasing,
    Crashed,
};

/// What a client of a group is at, and what it got so far.
struct ContenderState {
    std::string name; // "A"
    std::string id; // its UUID, as the monitor shows it; empty: not known yet
    /// The id of the process in whose place it came, since a process keeps for life what it was started with, and that
    /// was turned. Empty: of none, or it has given back something since.
    std::string insteadOf{};
    ClientPhase phase = ClientPhase::Starting;
    lockcore::MonoTime since{}; // that phase
    std::optional<lockcore::synchronizers::HoldMode> mode{}; // what it holds or waits for of a read/write lock
    std::optional<lockcore::synchronizers::HoldMode> lastMode{}; // of its newest hold, which it gives back first
    std::int64_t holds = 0; // by re-entry; of a semaphore: permits
    bool waitsForMore = false; // of the same, while it holds
    bool hasLostIt = false; // goes on as a holder although its lease is over, or Redis does not name it any more
    lockcore::MonoTime lostAt{}; // then: since when, as far as is known
    /// Redis names it as a holder no more, as the window's monitor sees it; its client has not been told. Absent: that
    /// was not seen.
    std::optional<lockcore::monitor::Since> goneSince{};
    std::optional<lockcore::MonoTime> unansweredSince{}; // its server does not answer it; absent: that is not known
    std::optional<lockcore::MonoTime> unseenSince{}; // nothing has told it since then that it still holds
    bool isPaused = false; // SIGSTOP
    bool isByHand = false; // does only what it is told
    bool isLeaving = false; // gone as soon as it has given back what it holds

    bool isAlive() const { return phase != ClientPhase::Crashed && phase != ClientPhase::Starting; }
    bool isAwake() const { return isAlive() && !isPaused && !isLeaving; } // hears what it is told
    bool onlyThinksItHolds() const { return phase == ClientPhase::Holding && unseenSince && !hasLostIt && !goneSince; }

    // since the beginning
    std::int64_t acquires = 0;
    std::int64_t timeouts = 0; // waits given up
    std::int64_t losses = 0; // unlocks of what was lost before
    std::int64_t crashes = 0;
    Micros held{ 0 };
    // over the last while, see FiguresWindow
    double share = 0; // of all acquires of the group
    std::optional<Micros> halfWait{}; // half of its waits were not longer
    std::optional<Micros> longWait{}; // 99 of 100
};

/// A second of a group.
struct SecondFigures {
    std::int64_t acquires = 0;
    std::optional<Micros> halfWait{}; // absent: no wait ended
    std::optional<Micros> longWait{};
    std::optional<double> fairness{}; // Jain's index over the last while; absent: nobody got anything
};

/// How long the last while is.
inline constexpr std::chrono::seconds FiguresWindow{ 10 };
/// How far back curves go.
inline constexpr std::chrono::seconds FiguresKept{ 120 };

struct GroupFigures {
    double acquiresPerSecond = 0; // as all of these over the last while
    std::optional<Micros> halfWait{};
    std::optional<Micros> longWait{};
    std::optional<double> fairness{};
    std::vector<SecondFigures> seconds{}; // whole ones, the newest last
};

/// A client that died while it held the lock: Redis goes on naming it.
struct HolderGhost {
    std::string client; // its name
    std::optional<lockcore::synchronizers::HoldMode> mode{};
    std::optional<lockcore::MonoTime> until{}; // at the latest; absent: for good, as permits without a lease are

    bool operator==(const HolderGhost &) const = default;
};

struct GroupState {
    GroupSettings settings{};
    lockcore::LockName lock{};
    std::vector<ContenderState> clients{};
    std::vector<HolderGhost> ghosts{}; // as they died
    GroupFigures figures{};
    std::int64_t acquires = 0; // these since the beginning
    std::int64_t timeouts = 0;
    std::int64_t losses = 0;
    std::int64_t crashes = 0;
    std::int64_t overlaps = 0; // a client got it while another, which had not been told, still went on as a holder
};

enum class FreePlayPhase {
    Stopped,
    Starting,
    Running,
    Stopping, // on a person's server: what clients hold is given back, and what they wrote is removed
};

struct FreePlayState {
    FreePlayPhase phase = FreePlayPhase::Stopped;
    lockcore::MonoTime at{};
    std::string server; // its URL; empty: there is none
    std::string prefix; // on a person's server: of the names of all locks that groups contend for
    std::vector<GroupState> groups;
};

/// What a person does with one client.
enum class HandAct {
    Take, // from now on it does only what it is told
    Lock, // again by its holder: re-entry; of a read/write lock to write; of a latch: waits until it is open
    LockToRead,
    GiveUp, // waiting
    Unlock,
    Renew, // to its lease from now
    CountDown, // a latch
    Pause, // SIGSTOP
    Resume,
    Crash, // kill -9
    Start, // anew, with another id
    LetGo, // it goes on by itself
};

/// How that ended.
struct HandOutcome {
    GroupId group{};
    std::string client;
    HandAct act = HandAct::Take;
    Outcome outcome = Outcome::Done;
    Micros took{ 0 }; // where the client is: lock and unlock
    std::string said{}; // the words of an error
    std::optional<lockcore::ErrorCode> code{}; // of that error; absent: it has none
    std::string aclLine{}; // `ACL SETUSER …`: permits what the server has refused; empty: that is not why
};

/// A permit that never ends is lost for good where its holder dies: nobody may do that to others.
bool losesPermits(const GroupSettings &settings, const ContenderState &client);

/// As which a client of free play holds.
inline constexpr const char *HandThread = "1"; // what is ordered names no other

/// What a client that is led by hand has, or waits for where nothing in Redis tells of it.
struct HandHold {
    lockcore::LockName lock;
    lockcore::OwnerId owner;
    bool waits = false; // false: it holds
    lockcore::MonoTime since{}; // it does so

    bool operator==(const HandHold &) const = default;
};
std::vector<HandHold> handHolds(const FreePlayState &state);
std::vector<lockcore::monitor::KnownWait> knownWaits(const std::vector<HandHold> &hands); // of those that wait
std::vector<lockcore::monitor::KnownHold> knownHolds(const std::vector<HandHold> &hands); // of the others

/// Plays, until it is stopped or goes. It leaves nothing behind then: clients that are led by hand on a person's server
/// give back what they hold.
/// Thread: that of the object; signals come on it.
class FreePlay : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// On a private server, unless another is given. There all names but those of `byHand` begin with a prefix that
    /// nobody else has. `auditFile`: where it is recorded what clients are told by hand there, before they are; empty:
    /// nowhere. `connection`: as which.
    virtual void start(std::vector<GroupSettings> groups, std::optional<lockcore::transport::Deployment> server = {},
        const QString &auditFile = {}, const lockcore::service::AuditedConnection &connection = {})
        = 0;
    virtual void stop() = 0;
    virtual void setGroups(std::vector<GroupSettings> groups) = 0; // while it runs: changes, more, fewer
    virtual void act(GroupId group, const std::string &client, HandAct act) = 0;

Q_SIGNALS:
    void stateChanged(const std::shared_ptr<const lockui::lab::FreePlayState> &state); // some times a second
    void acted(const lockui::lab::HandOutcome &outcome);
    void failed(const lockcore::Error &error); // it has stopped
    void cutShort(const lockcore::Error &error); // likewise, and what it has told is still true
    /// Not all that was written could be removed or given back, as far as is known; whatever is played by now goes on.
    void leftBehind(const lockcore::Error &error);
};

} // namespace lockui::lab
