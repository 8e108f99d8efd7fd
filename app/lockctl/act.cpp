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
using lockcore::HoldMode;
using lockcore::Kind;
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

/// Of a read/write lock the guard compares the half too. A person need not name it: it is the one that is held; of one
/// who has both, or neither by now, any will do for the server to refuse it.
void addModes(std::vector<ExpectedHolder> &expected, const LockState &lock, bool readersOnly)
{
    for (ExpectedHolder &holder : expected) {
        const auto holds = [&](HoldMode mode) {
            return std::ranges::any_of(lock.holders,
                [&](const lockcore::Holder &seen) { return seen.owner == holder.owner && seen.mode == mode; });
        };
        if (!holder.mode)
            holder.mode = readersOnly || !holds(HoldMode::Write) ? HoldMode::Read : HoldMode::Write;
    }
}

template <typename Action>
void adaptTo(const LockState &lock, Action &action)
{
    action.kind = lock.kind;
    // A half that was seen is gone with the kind of lock that it was seen of: the server is to say who holds it now.
    const bool plain = lock.kind == Kind::Reentrant || lock.kind == Kind::Fair || lock.kind == Kind::Fenced;
    if (plain
        && std::ranges::any_of(action.expected, [](const ExpectedHolder &holder) { return holder.mode.has_value(); }))
        action.kind = Kind::ReadWrite;
    if (action.kind != Kind::ReadWrite)
        return;
    bool readersOnly = false;
    if constexpr (requires { action.onlyThese; })
        readersOnly = action.onlyThese;
    addModes(action.expected, lock, readersOnly);
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
        const LockState *const lock = findLock(*snapshot, lockcore::lockOf(m_request.command));
        if (lock == nullptr && hasHolders(m_request.command))
            return fail(whyNotFound(*snapshot, context()));
        submit(lock);
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
    std::visit(
        [&](auto &action) {
            if constexpr (HasHolders<std::decay_t<decltype(action)>>)
                adaptTo(*lock, action);
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
