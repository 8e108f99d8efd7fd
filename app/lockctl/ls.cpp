// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/ls.h"

#include "app/common/printable_text.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/output.h"
#include "app/lockctl/troubles.h"
#include "lockcore/client/clock.h"
#include "lockcore/monitor/words.h"
#include "lockcore/service/rights/missing_rights.h"

#include <cstdio>

namespace lockctl {
namespace {

void printJson(const Locks &locks, const lockcore::Now &now, const lockcore::Snapshot &snapshot)
{
    // A line a lock: good for eyes and line tools, and one array all the same.
    std::string opening = "[";
    for (const auto &lock : locks) {
        if (!addLine(opening + json::line(lockJson(*lock, now, snapshot))))
            return;
        opening = ",";
    }
    printLine(locks.empty() ? "[]" : "]");
}

/// A head line alone would leave open what was looked for.
std::string whyNone(const lockcore::Snapshot &snapshot)
{
    if (!snapshot.locks.empty())
        return "None of " + lockcore::counted(std::ssize(snapshot.locks), "lock")
            + (snapshot.locks.size() == 1 ? " matches" : " match") + " the filter.";
    const auto &sweep = snapshot.status.lastSweep;
    if (!sweep)
        return "No locks on " + snapshot.status.server + '.';
    return "No locks on " + snapshot.status.server + ". " + lockcore::counted(sweep->keysSeen, "key")
        + (sweep->keysSeen == 1 ? " was" : " were") + " looked at.";
}

/// What a filter does not do though it looks as if it did.
void remarkOn(const lockcore::LockFilter &filter, bool foundNone)
{
    for (const std::string &word : filter.unknownWords()) {
        const std::string text = app::printable(word);
        std::fprintf(stderr, "lockctl: filter: '%s' is looked for as text, since '%s' is no key\n", text.c_str(),
            text.substr(0, text.find(':')).c_str());
    }
    if (foundNone && filter.dependsOnTime())
        std::fputs("lockctl: filter: one look cannot tell for how long a lock was held before, nor that a renewal is "
                   "late: lockctl watch does\n",
            stderr);
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
    if (snapshot.locks.empty() && lockcore::mayHideLocks(snapshot.status))
        return fail({ lockcore::ErrorCode::PermissionDenied,
            "no lock was seen, but not all keys may be read: whether there are locks is not known",
            "looking for locks of " + snapshot.status.server });
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
    remarkOn(filter, locks.empty());
    if (asJson)
        printJson(locks, now, snapshot);
    else if (locks.empty())
        printLine(app::printable(whyNone(snapshot)));
    else
        printTable(locks, tableView(snapshot, now.mono),
            cyclesOf(snapshot.analysis.get(), chosenBy(filter, snapshot, now.mono)));
}

} // namespace lockctl
