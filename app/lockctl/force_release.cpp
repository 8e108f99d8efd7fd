// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/force_release.h"

#include "app/common/audit_path.h"
#include "app/common/printable_text.h"
#include "app/lockctl/json.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"
#include "app/lockctl/output.h"

#include <algorithm>

namespace lockctl {

using lockcore::CommandOutcome;
using lockcore::ErrorCode;
using lockcore::ExpectedHolder;
using lockcore::HolderReading;
using lockcore::LockState;
using lockcore::MonitorService;
using lockcore::Result;

namespace {

lockcore::MonitorOptions monitorOptions(const std::string &auditFile)
{
    lockcore::MonitorOptions options;
    options.auditFile = app::preparedAuditFile(auditFile);
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

std::string describe(const std::vector<HolderReading> &holders)
{
    std::string text;
    for (const HolderReading &holder : holders) {
        text += text.empty() ? "" : ", ";
        text += toString(holder.owner);
        text += holder.mode ? std::string(":") + nameOf(*holder.mode) : "";
    }
    return text.empty() ? "nobody" : text;
}

std::string outcomeJson(const lockcore::LockName &name, const CommandOutcome &outcome)
{
    std::vector<std::string> found;
    for (const HolderReading &holder : outcome.found) {
        found.push_back(json::object({
            { "client", json::text(holder.owner.client) },
            { "thread", json::text(holder.owner.thread) },
            { "count", json::number(holder.count) },
            { "mode", holder.mode ? json::text(nameOf(*holder.mode)) : "null" },
        }));
    }
    std::vector<json::Field> fields;
    addName(fields, "name", name);
    fields.emplace_back("done", json::boolean(outcome.done));
    fields.emplace_back("found", json::array(found));
    fields.emplace_back("published", json::boolean(outcome.published));
    return json::object(fields);
}

} // namespace

ForceReleaseCommand::ForceReleaseCommand(ForceReleaseRequest request, bool asJson)
    : m_request(std::move(request))
    , m_asJson(asJson)
    , m_sweep(monitorOptions(m_request.auditFile))
{
    connect(&m_sweep, &OneSweep::failed, this, &ForceReleaseCommand::fail);
    connect(&m_sweep, &OneSweep::done, this,
        [this](const std::shared_ptr<const lockcore::Snapshot> &snapshot) { submit(*snapshot); });
    connect(&m_sweep.monitor(), &MonitorService::commandFinished, this,
        [this](lockcore::CommandId, const Result<CommandOutcome> &outcome) { report(outcome); });
}

std::string ForceReleaseCommand::context() const { return "force-release " + m_request.name; }

void ForceReleaseCommand::submit(const lockcore::Snapshot &snapshot)
{
    const LockState *lock = findLock(snapshot, m_request.name);
    if (lock == nullptr) {
        fail({ ErrorCode::NotHeld, "there is no lock of this name", context() });
        return;
    }
    addModes(m_request.expected, *lock);
    m_sweep.monitor().setWritable(true);
    m_sweep.monitor().submit(
        lockcore::ForceRelease{ m_request.name, lock->kind, m_request.expected, m_request.reason });
}

void ForceReleaseCommand::report(const Result<CommandOutcome> &outcome)
{
    if (!outcome) {
        fail(outcome.error());
        return;
    }
    if (m_asJson)
        printLine(outcomeJson(m_request.name, *outcome));
    if (!outcome->done) {
        fail({ ErrorCode::HolderChanged, "nothing was changed: it is held by " + describe(outcome->found), context() });
        return;
    }
    if (!m_asJson)
        printLine("released: " + app::printable(m_request.name) + ", was held by "
            + app::printable(describe(outcome->found)) + (outcome->published ? "; who waits was told" : ""));
    Q_EMIT finished(app::Done);
}

} // namespace lockctl
