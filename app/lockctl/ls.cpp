// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/ls.h"

#include "app/common/words.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/output.h"
#include "app/lockctl/suspects.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/clock.h"
#include "ui/text/lock_json.h"

namespace lockctl {

namespace json = lockui::json;
using lockui::cyclesOf;
using lockui::lockJson;

using app::shown;
using app::Words;
using lockcore::monitor::Snapshot;

namespace {

void printJson(const Locks &locks, const lockcore::Now &now, const Snapshot &snapshot)
{
    // A line a lock: good for eyes and line tools, and one array all the same.
    std::string opening = "[";
    for (const auto &lock : locks) {
        if (!addLine(opening + json::line(lockJson(*lock, now, snapshot))))
            return;
        opening = ",";
    }
    printLine(std::string_view(locks.empty() ? "[]" : "]"));
}

/// A head line alone would leave open what was looked for.
QString whyNone(const Snapshot &snapshot)
{
    if (!snapshot.locks.empty())
        return Words::tr("None of %n locks match the filter.", nullptr, lockui::pluralOf(std::ssize(snapshot.locks)));
    const auto &sweep = snapshot.status.lastSweep;
    QString none = Words::tr("No locks on %1.").arg(shown(snapshot.status.server));
    if (!sweep)
        return none;
    return none + QLatin1Char(' ') + Words::tr("%n keys were looked at.", nullptr, lockui::pluralOf(sweep->keysSeen));
}

/// What a filter does not do though it looks as if it did.
void remarkOn(const lockcore::monitor::LockFilter &filter, bool foundNone)
{
    for (const std::string &word : filter.unknownWords()) {
        const QString text = shown(word);
        note(Words::tr("filter: '%1' is looked for as text, since '%2' is no key").arg(text, text.section(u':', 0, 0)));
    }
    if (foundNone && filter.dependsOnTime())
        note(Words::tr("filter: one look cannot tell for how long a lock was held before, nor that a renewal is late: "
                       "lockctl watch does"));
}

TableView viewOfOneLook(const Snapshot &snapshot, lockcore::MonoTime now)
{
    TableView view = tableView(snapshot, now);
    view.oneLook = true;
    return view;
}

void printTable(const Locks &locks, const TableView &view, const std::vector<lockcore::monitor::WaitCycle> &cycles)
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

Ls::Ls(LsRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
    , m_sweep(monitorOptions(globals))
{
    connect(&m_sweep, &OneSweep::failed, this, &Ls::fail);
    connect(
        &m_sweep, &OneSweep::done, this, [this](const std::shared_ptr<const Snapshot> &snapshot) { print(*snapshot); });
}

void Ls::print(const Snapshot &snapshot)
{
    if (snapshot.locks.empty() && lockcore::service::mayHideLocks(snapshot.status))
        return fail(app::complaint(lockcore::ErrorCode::PermissionDenied,
            Words::tr("no lock was seen, but not all keys may be read: whether there are locks is not known"),
            Words::tr("looking for locks of %1").arg(QString::fromStdString(snapshot.status.server)).toStdString()));
    printLocks(snapshot, m_request.filter, lockcore::transport::readClocks(), m_asJson);
    Q_EMIT finished(unseenNodes(snapshot).empty() ? app::Done : app::ServerError);
}

void printLocks(
    const Snapshot &snapshot, const lockcore::monitor::LockFilter &filter, const lockcore::Now &now, bool asJson)
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
        printLine(whyNone(snapshot));
    else
        printTable(locks, viewOfOneLook(snapshot, now.mono),
            cyclesOf(snapshot.analysis.get(), chosenBy(filter, snapshot, now.mono)));
}

} // namespace lockctl
