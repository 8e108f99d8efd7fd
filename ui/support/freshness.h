// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockui {

class ViewClock;

/// Of several servers one is enough: what the others had is said to be stale where it is shown.
bool isFresh(const lockcore::monitor::Snapshot &snapshot);
bool isStale(
    const lockcore::monitor::Snapshot &snapshot); // as it was when the connection was lost: nothing is seen now

/// By the wall clock, as that and the other one stood when the snapshot was taken.
lockcore::WallTime wallOf(const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime at);

/// The servers that are lost while others are watched.
std::set<std::string> lostServers(const lockcore::monitor::Snapshot &snapshot);

/// The servers that cannot be reached, and of which nothing was seen so far, while others are watched.
std::set<std::string> unreachedServers(const lockcore::monitor::Snapshot &snapshot);

/// Of the independent servers those of which nobody knows whether they have the lock: nothing is done there.
std::vector<std::string> serversOutOfSight(
    const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockState &lock);

/// Whether all is seen that is watched: what is not found is not there.
bool isAllSeen(const lockcore::monitor::Snapshot &snapshot);

/// Whether these servers are all that have the lock.
bool isAmong(const std::set<std::string> &servers, const lockcore::monitor::LockState &lock);

/// Since when nothing is seen of the lock; absent: it is seen.
std::optional<lockcore::MonoTime> lostSince(
    const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockState &lock);

/// Since when a lock of the circle is not seen.
std::optional<lockcore::MonoTime> lostSince(
    const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::WaitCycle &cycle);

/// Since when servers are lost that are, while others are watched.
using Losses = std::map<std::string, lockcore::MonoTime>;
Losses losses(const lockcore::monitor::Snapshot &snapshot);

/// Since when each server is lost that has the lock; absent: one of them is seen.
std::optional<lockcore::MonoTime> lostSince(const Losses &losses, const lockcore::monitor::LockState &lock);

/// When what is lost was seen last: where several servers are, from the first that was lost to the last.
struct SeenLast {
    lockcore::MonoTime first;
    lockcore::MonoTime last;

    bool operator==(const SeenLast &) const = default;
};
std::optional<SeenLast> seenLast(const std::vector<lockcore::MonoTime> &losses); // absent: none is known

/// The server that has the lock; of several one that is not seen, if there is one. Null: it is not listed.
const lockcore::monitor::NodeStatus *serverOf(
    const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockState &lock);

/// The names of the servers that have the lock and are lost while others are seen; empty: each of them is seen, or none
/// is.
QStringList lostServersOf(const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockState &lock);

/// Why nothing is done there; empty: all is lost.
QString lossText(const QStringList &servers);
/// `10.0.0.1:6379 is lost`; empty: none is.
QString lostText(const QStringList &servers);

/// Why nothing is done to any of these locks; empty: one at least is seen.
QString lossOfAll(const lockcore::monitor::Snapshot &snapshot,
    const std::vector<std::shared_ptr<const lockcore::monitor::LockState>> &locks);

/// `14:02:11`: when a picture was paused.
QString pauseText(lockcore::MonoTime since, const ViewClock &clock);

/// How old what is shown is, while nothing new is shown, or its server is lost; empty: it is of now.
QString asItWasText(const ViewClock &clock, const std::optional<lockcore::MonoTime> &lostSince = {});

/// How long the lock has been as it is shown, or how old that is.
QString knownSinceText(const lockcore::monitor::LockState &lock, const ViewClock &clock,
    const std::optional<lockcore::MonoTime> &lostSince = {});

/// The time that the window shows: the real one, or the moment at which what is shown was last true.
/// One timer for all countdowns.
class ViewClock : public QObject {
    Q_OBJECT
public:
    using Source = std::function<lockcore::MonoTime()>;

    static constexpr std::chrono::milliseconds FiguresEvery{ 950 }; // what need not follow each tick: one in eight

    explicit ViewClock(Source source = steadyNow, QObject *parent = nullptr);

    lockcore::MonoTime now() const { return m_frozenAt.value_or(realNow()); }
    lockcore::MonoTime realNow() const { return m_recordedAt.value_or(m_source()); }
    /// Up to where time is shown: from now() to there nothing was seen, while that is the moment of a loss.
    lockcore::MonoTime reached() const { return m_pausedAt.value_or(realNow()); }
    lockcore::WallTime wallAt(lockcore::MonoTime at) const;
    lockcore::MonoTime monoAt(lockcore::WallTime at) const;

    void rest(bool rests); // no ticks while nothing can be seen
    /// What is shown was true at that moment; absent: runs again. A pause holds also what is reached.
    void freezeAt(std::optional<lockcore::MonoTime> moment, std::optional<lockcore::MonoTime> pausedAt = {});
    void showRecorded(std::optional<lockcore::MonoTime> moment); // nothing is of now; absent: it is again
    bool isFrozen() const { return m_frozenAt.has_value(); }
    bool isOfNow() const { return !m_frozenAt && !m_recordedAt; }
    void setReference(const lockcore::Now &moment); // relates the two clocks

    static lockcore::MonoTime steadyNow();

Q_SIGNALS:
    void tick(); // about eight times a second

private:
    Source m_source;
    std::optional<lockcore::MonoTime> m_frozenAt;
    std::optional<lockcore::MonoTime> m_pausedAt;
    std::optional<lockcore::MonoTime> m_recordedAt;
    lockcore::Now m_reference;
    std::optional<lockcore::Millis> m_ahead; // by so much the last reading was, which may have been late
    QTimer m_timer;
};

} // namespace lockui
