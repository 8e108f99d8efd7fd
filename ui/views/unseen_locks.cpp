// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/unseen_locks.h"

#include "lockcore/service/rights/missing_rights.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"

#include <QCoreApplication>

#include <utility>

namespace lockui {

using namespace lockcore::monitor;
using lockcore::service::mayHideLocks;

namespace {

struct UnseenLocks {
    Q_DECLARE_TR_FUNCTIONS(UnseenLocks)
};

QString permittingText(const SourceStatus &status)
{
    return status.aclLine.empty() ? QString() : UnseenLocks::tr("This permits it: %1").arg(displayText(status.aclLine));
}

EmptyState::Button anotherConnection() { return { UnseenLocks::tr("Another connection…"), WayOut::Connect }; }

EmptyState::Button passwordButton(const Snapshot &snapshot)
{
    return wantsPassword(snapshot) ? EmptyState::Button{ UnseenLocks::tr("Enter password…"), WayOut::Connect }
                                   : EmptyState::Button{};
}

/// What is wrong may be the password, or all else of the connection: which, only a person knows.
EmptyState::Content failedContent(const Snapshot &snapshot)
{
    const SourceStatus &status = snapshot.status;
    EmptyState::Content content{ UnseenLocks::tr("Cannot connect to %1").arg(displayText(status.server)),
        status.error ? errorText(*status.error) : QString(), status.error ? errorDetail(*status.error) : QString(),
        { UnseenLocks::tr("Try again now"), WayOut::Look },
        { UnseenLocks::tr("Edit connection…"), WayOut::EditConnection } };
    if (wantsPassword(snapshot))
        content.third = std::exchange(content.secondary, std::exchange(content.primary, passwordButton(snapshot)));
    return content;
}

EmptyState::Content unscannedContent(const SourceStatus &status)
{
    return { UnseenLocks::tr("No lock seen yet"),
        UnseenLocks::tr("The keys cannot be scanned, so whether there are locks is not known.") + QLatin1Char(' ')
            + (isAnnouncing(status.feed)
                    ? UnseenLocks::tr("Those that change from now on appear here by themselves.")
                    : UnseenLocks::tr(
                        "Nor does the server tell of changes: locks may be there and never appear here.")),
        permittingText(status), { UnseenLocks::tr("Try again now"), WayOut::Look }, {} };
}

/// Nothing comes by itself while nothing is seen, and what there was may be there no more, or be there by now.
EmptyState::Content lostContent(const Snapshot &snapshot)
{
    const SourceStatus &status = snapshot.status;
    const QString when
        = status.staleSince ? clockText(wallOf(snapshot, *status.staleSince), snapshot.takenAt.wall) : QString();
    const auto locks = static_cast<qint64>(snapshot.locks.size());
    const QString text = locks > 0
        ? UnseenLocks::tr("%1 locks were there then.", nullptr, pluralOf(locks)).arg(countText(locks))
        : mayHideLocks(status)
        ? UnseenLocks::tr("Not all that was there might be read by this user, and no lock was seen until then.")
        : UnseenLocks::tr("None of %1 belonged to a lock of Redisson then.").arg(keysText(status.lastSweep->keysSeen));
    const QString title = when.isEmpty() ? UnseenLocks::tr("Nothing is seen now")
                                         : UnseenLocks::tr("Nothing has been seen since %1").arg(when);
    const QString now = locks > 0 ? UnseenLocks::tr("What happened since is not known.")
                                  : UnseenLocks::tr("Whether there are locks by now is not known.");
    return { title, text + QLatin1Char(' ') + now, {}, passwordButton(snapshot), anotherConnection() };
}

/// The others are watched, and have none.
EmptyState::Content outOfSightContent(const std::set<std::string> &lost, const std::set<std::string> &unreached)
{
    const auto about = [](const std::set<std::string> &servers, const QString &one, const QString &several) {
        return servers.empty()    ? QString()
            : servers.size() == 1 ? one.arg(displayText(*servers.begin(), 80))
                                  : several.arg(countText(std::ssize(servers)));
    };
    QStringList texts{ about(lost, UnseenLocks::tr("%1 is lost: whether it has locks by now is not known."),
                           UnseenLocks::tr("%1 servers are lost: whether they have locks by now is not known.")),
        about(unreached, UnseenLocks::tr("%1 was never reached: whether it has locks is not known."),
            UnseenLocks::tr("%1 servers were never reached: whether they have locks is not known.")) };
    texts.removeAll(QString());
    return { UnseenLocks::tr("No lock can be seen"), texts.join(QLatin1Char(' ')), {}, {}, anotherConnection() };
}

std::optional<EmptyState::Content> contentOfServer(const Snapshot *snapshot)
{
    if (!snapshot || snapshot->status.phase == SourcePhase::Connecting)
        return EmptyState::Content{ UnseenLocks::tr("Connecting…"),
            snapshot ? displayText(snapshot->status.server) : QString(), {}, {}, anotherConnection() };
    const SourceStatus &status = snapshot->status;
    if (status.phase == SourcePhase::Failed)
        return failedContent(*snapshot);
    if (status.phase == SourcePhase::Sweeping)
        return EmptyState::Content{ UnseenLocks::tr("Looking for locks…"),
            UnseenLocks::tr("The first sweep over all keys is under way."), {}, {}, {} };
    if (isStale(*snapshot) && (status.lastSweep || !snapshot->locks.empty()))
        return lostContent(*snapshot);
    if (!snapshot->locks.empty()) // what is not there is something else
        return std::nullopt;
    const auto unreached = unreachedServers(*snapshot);
    if (status.lastSweep && mayHideLocks(status))
        return EmptyState::Content{ UnseenLocks::tr("No lock can be seen"),
            UnseenLocks::tr("%1 looked at, but not all that is there may be read by this user: whether there are locks "
                            "is not known.")
                .arg(keysText(status.lastSweep->keysSeen)),
            permittingText(status), { UnseenLocks::tr("Look again"), WayOut::Look }, {} };
    if (const auto lost = lostServers(*snapshot); !lost.empty() || (status.lastSweep && !unreached.empty()))
        return outOfSightContent(lost, unreached);
    if (status.lastSweep)
        return std::nullopt;
    if (status.phase == SourcePhase::Stale)
        return EmptyState::Content{ UnseenLocks::tr("Nothing seen yet"),
            UnseenLocks::tr("The connection was lost before all keys were looked at once. Whether there are locks is "
                            "not known."),
            {}, passwordButton(*snapshot), anotherConnection() };
    return unscannedContent(status);
}

/// There is no server to be tried once more or to be looked at: only the file.
std::optional<EmptyState::Content> contentOfRecording(const Snapshot *snapshot)
{
    if (!snapshot)
        return EmptyState::Content{ UnseenLocks::tr("Opening the recording…"), {}, {}, {}, {} };
    if (snapshot->status.phase == SourcePhase::Failed)
        return EmptyState::Content{ UnseenLocks::tr("The recording cannot be shown"),
            snapshot->status.error ? errorDetail(*snapshot->status.error) : QString(), {},
            { UnseenLocks::tr("Open another recording…"), WayOut::OpenRecording },
            { UnseenLocks::tr("Try again now"), WayOut::Look } };
    auto content = contentOfServer(snapshot);
    if (content) {
        content->primary = {};
        content->secondary = {};
        content->third = {};
    }
    return content;
}

} // namespace

std::optional<EmptyState::Content> unseenContent(const Snapshot *snapshot, const Origin &origin)
{
    return origin.isRecording ? contentOfRecording(snapshot) : contentOfServer(snapshot);
}

bool wantsPassword(const Snapshot &snapshot)
{
    const auto &error = snapshot.status.error;
    return !isFresh(snapshot) && error && error->code == lockcore::ErrorCode::AuthenticationFailed;
}

} // namespace lockui
