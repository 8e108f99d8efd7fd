// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/ls.h"

#include "app/lockctl/lock_json.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/output.h"
#include "app/lockctl/troubles.h"
#include "lockcore/client/clock.h"

namespace lockctl {
namespace {

void printJson(const Locks &locks, const lockcore::Now &now, const lockcore::Analysis *analysis)
{
    // A line a lock: good for eyes and line tools, and one array all the same.
    std::string opening = "[";
    for (const auto &lock : locks) {
        if (!addLine(opening + lockJson(*lock, now, analysis)))
            return;
        opening = ",";
    }
    printLine(locks.empty() ? "[]" : "]");
}

void printTable(const Locks &locks, const TableView &view, const std::vector<lockcore::WaitCycle> &cycles)
{
    const auto terminal = terminalSize();
    const auto width = terminal ? std::optional(terminal->columns) : std::nullopt;
    for (const std::string &line : lockTable(locks, view, width)) {
        if (!addLine(line))
            return;
    }
    for (const std::string &line : deadlockLines(cycles))
        addLine(line);
    flushLines();
}

} // namespace

Ls::Ls(LsRequest request, bool asJson)
    : m_request(std::move(request))
    , m_asJson(asJson)
    , m_sweep({})
{
    connect(&m_sweep, &OneSweep::failed, this, &Ls::fail);
    connect(&m_sweep, &OneSweep::done, this,
        [this](const std::shared_ptr<const lockcore::Snapshot> &snapshot) { print(*snapshot); });
}

void Ls::print(const lockcore::Snapshot &snapshot)
{
    printLocks(snapshot, m_request.filter, lockcore::readClocks(), m_asJson);
    Q_EMIT finished(app::Done);
}

void printLocks(
    const lockcore::Snapshot &snapshot, const lockcore::LockFilter &filter, const lockcore::Now &now, bool asJson)
{
    Locks locks;
    for (const auto &lock : snapshot.locks) {
        if (filter.matches(*lock, now.mono))
            locks.push_back(lock);
    }
    if (asJson)
        printJson(locks, now, snapshot.analysis.get());
    else
        printTable(locks, tableView(snapshot, now.mono),
            cyclesOf(snapshot.analysis.get(), chosenBy(filter, snapshot, now.mono)));
}

} // namespace lockctl
