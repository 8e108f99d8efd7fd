// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/status_note.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/output.h"
#include "ui/text/node_text.h"
#include "ui/text/right_text.h"

#include <algorithm>
#include <utility>

namespace lockctl {

using app::shown;
using app::Words;
using lockcore::monitor::SourceStatus;

void StatusNote::tell(const SourceStatus &status)
{
    for (const lockcore::monitor::MissingRight &missing : status.missingRights) {
        if (std::ranges::find(m_said, missing) != m_said.end())
            continue;
        m_said.push_back(missing);
        note(lockui::missingRightText(missing));
    }
    if (!status.aclLine.empty() && status.aclLine != m_line)
        note(Words::tr("All that is missing: %1").arg(shown(status.aclLine)));
    m_line = status.aclLine;
    if (status.missingRights.empty())
        m_said.clear();
    const auto ahead = lockcore::monitor::clockDifference(status);
    if (!std::exchange(m_clocksDiffer, ahead.has_value()) && ahead)
        note((ahead->count() > 0 ? Words::tr("The clock of %1 is %2 ahead of the one of this computer: what is told of "
                                             "deadlines goes by the server's.")
                                 : Words::tr("The clock of %1 is %2 behind the one of this computer: what is told of "
                                             "deadlines goes by the server's."))
                 .arg(shown(status.server), lockui::ttlText(std::chrono::abs(*ahead))));
    if (!std::exchange(m_isLimited, status.feedLimited) && status.feedLimited)
        note(lockui::feedReasonText(status));
}

void StatusNote::tellFeed(const SourceStatus &status)
{
    const bool rereads = status.feed == lockcore::monitor::Feed::Rereading && !status.feedLimited;
    const auto reason = rereads ? std::optional(status.feedReason) : std::nullopt;
    if (std::exchange(m_rereading, reason) != reason && rereads)
        note(lockui::feedReasonText(status));
}

void StatusNote::tellPending(std::int64_t findings)
{
    if (findings > 0)
        note(Words::tr("%n things look suspect and take some seconds to tell: lockctl diagnose with the same options "
                       "does",
            nullptr, lockui::pluralOf(findings)));
}

void StatusNote::tellLoss(const SourceStatus &status)
{
    if (status.phase != lockcore::monitor::SourcePhase::Stale || !status.error) {
        m_loss.reset();
        return;
    }
    const auto &error = *status.error;
    const bool isShutOut = error.code == lockcore::ErrorCode::AuthenticationFailed;
    if (m_loss == error.code || (m_loss && !isShutOut)) // while it is tried again, most reasons come in turn
        return;
    m_loss = error.code;
    app::complain("lockctl",
        app::withMore(error,
            isShutOut ? Words::tr("; the user or the password was changed: start again with the new ones")
                      : Words::tr("; trying again")));
}

void StatusNote::tellNoDeadlocks(const lockcore::LockName &lock, const QString &why)
{
    note(Words::tr("deadlocks of %1 were not looked for: %2").arg(shown(lock), why));
}

bool StatusNote::isOpen(const SourceStatus &status)
{
    return status.error && status.error->code == lockcore::ErrorCode::PermissionDenied && status.aclLine.empty();
}

} // namespace lockctl
