// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/ls.h"

#include "app/lockctl/lock_json.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/output.h"

namespace lockctl {
namespace {

void printJson(const Locks &locks, const lockcore::Now &now)
{
    // A line a lock: good for eyes and line tools, and one array all the same.
    std::string opening = "[";
    for (const auto &lock : locks) {
        printLine(opening + lockJson(*lock, now));
        opening = ",";
    }
    printLine(locks.empty() ? "[]" : "]");
}

void printTable(const Locks &locks, const lockcore::Now &now)
{
    const auto terminal = terminalSize();
    const auto width = terminal ? std::optional(terminal->columns) : std::nullopt;
    for (const std::string &line : lockTable(locks, now.mono, width))
        printLine(line);
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
    const lockcore::Now now = readClocks();
    Locks locks;
    for (const auto &lock : snapshot.locks) {
        if (m_request.filter.matches(*lock, now.mono))
            locks.push_back(lock);
    }
    if (m_asJson)
        printJson(locks, now);
    else
        printTable(locks, now);
    Q_EMIT finished(app::Done);
}

} // namespace lockctl
