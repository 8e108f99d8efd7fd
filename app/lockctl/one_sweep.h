// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/status_note.h"
#include "lockcore/service/monitor.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockctl {

/// A monitor that is asked only once: everything as it was at the end of the first sweep, and what this one look tells
/// of it. What takes longer to tell is counted on stderr.
class OneSweep : public QObject {
    Q_OBJECT
public:
    enum class Until {
        Seen, // as soon as the locks are known
        Linked, // who waits for whom in a circle, too
        Told, // besides, who listens, and what is to be said of it at once
    };
    explicit OneSweep(lockcore::service::MonitorOptions options, Until until = Until::Told, QObject *parent = nullptr);

    void start(const lockcore::transport::Deployment &deployment);
    void giveUpAfter(lockcore::Millis limit); // unless all has been seen by then
    /// The ACL line of what is to follow: told as one with what is missing to look, or left to what follows.
    void isFollowedBy(std::string aclLine) { m_followedBy = std::move(aclLine); }
    void nothingFollows(); // after all: the ACL line is told here
    void sayNothing() { m_says = false; } // on stderr, of what is missing
    lockcore::service::Monitor &monitor() { return m_monitor; } // goes on after the one look
    const lockcore::service::Monitor &monitor() const { return m_monitor; }
    StatusNote &note() { return m_note; } // of what was said

Q_SIGNALS:
    void done(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot);
    void failed(const lockcore::Error &error);

private:
    void look();
    void waitForTheRest(const lockcore::monitor::Snapshot &snapshot);
    void finish();
    void tellWhatIsMissing(const lockcore::monitor::Snapshot &snapshot);
    void tellWithAclLine(lockcore::monitor::SourceStatus status);
    void failWith(const lockcore::monitor::Snapshot &snapshot);

    const Until m_until;
    lockcore::service::Monitor m_monitor;
    StatusNote m_note;
    std::string m_followedBy;
    QTimer m_patience; // for who waits, and for a deadlock
    bool m_patienceOver = false;
    bool m_sawDeadlock = false;
    bool m_sawSilence = false; // of who stands in a queue, and may be asked again
    bool m_isSeen = false;
    bool m_over = false;
    bool m_says = true;
};

/// All its locks are known, and what becomes of them.
bool isSeen(const lockcore::monitor::SourceStatus &status);
/// Why it is not; also of a server that is only looked through again.
lockcore::Error whyNotSeen(const lockcore::monitor::SourceStatus &status);

/// The watched servers that are not seen.
std::vector<lockcore::monitor::NodeStatus> unseenNodes(const lockcore::monitor::Snapshot &snapshot);

/// The lock of that name; null: there is none.
const lockcore::monitor::LockState *findLock(
    const lockcore::monitor::Snapshot &snapshot, const lockcore::LockName &name);
/// Why findLock found none: there is none, or who may have it was not seen; `context`: what was tried.
lockcore::Error whyNotFound(
    const lockcore::monitor::Snapshot &snapshot, const lockcore::LockName &name, std::string context);

} // namespace lockctl
