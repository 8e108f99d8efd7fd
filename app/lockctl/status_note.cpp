// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/status_note.h"

#include "app/common/exit_status.h"
#include "app/common/printable_text.h"
#include "app/lockctl/duration_text.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace lockctl {

namespace {

void note(const std::string &text) { std::fprintf(stderr, "lockctl: %s\n", app::printable(text).c_str()); }

} // namespace

void StatusNote::tell(const lockcore::SourceStatus &status)
{
    for (const std::string &sentence : status.missingRights) {
        if (std::find(m_said.begin(), m_said.end(), sentence) != m_said.end())
            continue;
        m_said.push_back(sentence);
        note(sentence);
    }
    if (!status.aclLine.empty() && status.aclLine != m_line)
        note("All that is missing: " + status.aclLine);
    m_line = status.aclLine;
    if (status.missingRights.empty())
        m_said.clear();
    const auto ahead = lockcore::clockDifference(status);
    if (!std::exchange(m_clocksDiffer, ahead.has_value()) && ahead)
        note("The clock of " + status.server + " is " + durationText(std::chrono::abs(*ahead))
            + (ahead->count() > 0 ? " ahead of" : " behind")
            + " the one of this computer: what is told of deadlines goes by the server's.");
    if (!std::exchange(m_isLimited, status.feedLimited) && status.feedLimited)
        note(status.feedReason);
}

void StatusNote::tellFeed(const lockcore::SourceStatus &status)
{
    const bool rereads = status.feed == lockcore::Feed::Rereading && !status.feedLimited;
    const std::string reason = rereads ? status.feedReason : std::string();
    if (std::exchange(m_rereading, reason) != reason && rereads)
        note(reason);
}

void StatusNote::tellPending(std::int64_t troubles)
{
    if (troubles > 0)
        note(std::to_string(troubles)
            + (troubles == 1 ? " thing looks suspect and takes" : " things look suspect and take")
            + " some seconds to tell: lockctl diagnose with the same options does");
}

void StatusNote::tellLoss(const lockcore::SourceStatus &status)
{
    if (status.phase != lockcore::SourcePhase::Stale || !status.error) {
        m_loss.reset();
        return;
    }
    auto error = *status.error;
    const bool isShutOut = error.code == lockcore::ErrorCode::AuthenticationFailed;
    if (m_loss == error.code || (m_loss && !isShutOut)) // while it is tried again, most reasons come in turn
        return;
    m_loss = error.code;
    error.message
        += isShutOut ? "; the user or the password was changed: start again with the new ones" : "; trying again";
    app::complain("lockctl", error);
}

void StatusNote::tellNoDeadlocks(const lockcore::LockName &lock, const std::string &why)
{
    note("deadlocks of " + lock + " were not looked for: " + why);
}

bool StatusNote::isOpen(const lockcore::SourceStatus &status)
{
    return status.error && status.error->code == lockcore::ErrorCode::PermissionDenied && status.aclLine.empty();
}

} // namespace lockctl
