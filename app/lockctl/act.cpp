// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/act.h"

#include "app/common/audit_path.h"
#include "app/common/printable_text.h"
#include "app/lockctl/outcome_text.h"
#include "app/lockctl/output.h"

#include <algorithm>

namespace lockctl {

using lockcore::CommandOutcome;
using lockcore::ErrorCode;
using lockcore::ExpectedHolder;
using lockcore::LockState;
using lockcore::MonitorService;
using lockcore::Result;

namespace {

lockcore::MonitorOptions monitorOptions(const ActRequest &request)
{
    lockcore::MonitorOptions options;
    options.onlyLock = lockcore::lockOf(request.command);
    options.auditFile = app::preparedAuditFile(request.auditFile);
    return options;
}

/// Of a read/write lock the guard compares the half too; a person need not name it where only one is held.
void addModes(std::vector<ExpectedHolder> &expected, const LockState &lock)
{
    for (ExpectedHolder &holder : expected) {
        const auto seen = std::find_if(lock.holders.begin(), lock.holders.end(),
            [&](const lockcore::Holder &candidate) { return candidate.owner == holder.owner; });
        if (!holder.mode && seen != lock.holders.end())
            holder.mode = seen->mode;
    }
}

/// What holders are expected of: its kind only the lock itself tells.
template <typename Action>
constexpr bool HasHolders = requires(Action action)
{
    action.expected;
};

bool hasHolders(const lockcore::AdminCommand &command)
{
    return std::visit([](const auto &action) { return HasHolders<std::decay_t<decltype(action)>>; }, command);
}

} // namespace

Act::Act(ActRequest request, bool asJson)
    : m_request(std::move(request))
    , m_asJson(asJson)
    , m_sweep(monitorOptions(m_request), OneSweep::Until::Seen)
{
    connect(&m_sweep, &OneSweep::failed, this, &Act::fail);
    connect(&m_sweep, &OneSweep::done, this, [this](const std::shared_ptr<const lockcore::Snapshot> &snapshot) {
        submit(findLock(*snapshot, lockcore::lockOf(m_request.command)));
    });
    connect(&m_sweep.monitor(), &MonitorService::commandFinished, this,
        [this](lockcore::CommandId, const Result<CommandOutcome> &outcome) { report(outcome); });
}

std::string Act::context() const
{
    return std::string(lockcore::actionName(m_request.command)) + " of " + lockcore::lockOf(m_request.command);
}

void Act::submit(const LockState *lock)
{
    if (lock == nullptr && hasHolders(m_request.command))
        return fail({ ErrorCode::NotHeld, "there is no lock of this name", context() });
    std::visit(
        [&](auto &action) {
            if constexpr (HasHolders<std::decay_t<decltype(action)>>) {
                action.kind = lock->kind;
                addModes(action.expected, *lock);
            }
        },
        m_request.command);
    m_sweep.monitor().setWritable(true);
    m_sweep.monitor().submit(m_request.command);
}

void Act::report(const Result<CommandOutcome> &outcome)
{
    if (!outcome)
        return fail(outcome.error());
    if (m_asJson)
        printLine(outcomeJson(m_request.command, *outcome));
    if (!outcome->done)
        return fail({ ErrorCode::HolderChanged, refusalText(m_request.command, *outcome), context() });
    if (!m_asJson)
        printLine(app::printable(successText(m_request.command, *outcome)));
    Q_EMIT finished(app::Done);
}

} // namespace lockctl
