// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/lock_table.h"

#include "app/common/words.h"
#include "app/lockctl/option_names.h"
#include "app/lockctl/suspects.h"
#include "lockcore/monitor/quorum_holds.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_json.h"

#include <QStringList>
#include <algorithm>
#include <limits>

namespace lockctl {

using lockui::heldFor;
using lockui::isHeldForExact;

using app::shown;
using app::Words;
using lockcore::MonoTime;
using lockcore::monitor::Holder;
using lockcore::monitor::LockState;

namespace {

std::string ownerText(const lockcore::OwnerId &owner)
{
    const bool isLong = owner.client.size() > ShortClient + 1;
    return lockui::printable(owner.client.substr(0, isLong ? ShortClient : owner.client.size())) + (isLong ? "…" : "")
        + (owner.thread.empty() ? "" : ":" + lockui::printable(owner.thread));
}

std::string holderText(const LockState &lock)
{
    if (isCounter(lock.kind))
        return stateText(lock);
    if (lock.holders.empty())
        return "–";
    if (const auto holds = quorumHolds(lock); holds.size() == 1 && holds.front().inferred)
        return Words::tr("%n clients:%1", nullptr, lockui::pluralOf(std::ssize(holds.front().parts)))
            .arg(shown(lock.holders[0].owner.thread))
            .toStdString();
    if (lock.holders.size() > 1)
        return Words::tr("%n holders", nullptr, lockui::pluralOf(std::ssize(lock.holders))).toStdString();
    const Holder &holder = lock.holders.front();
    return ownerText(holder.owner) + (holder.count > 1 ? " ×" + std::to_string(holder.count) : "");
}

std::string leaseText(const LockState &lock) { return isCounter(lock.kind) ? "–" : nameOf(lock.lease); }

/// A fair queue is exact unless it is too long to be read whole; of the others Redis knows how many client instances
/// wait, each with at least one thread; `3?` where they may wait for a lock of another database.
std::string waitingText(const LockState &lock, const lockcore::monitor::Snapshot &snapshot)
{
    const auto waiting = lockcore::monitor::waitingCount(lock);
    if (!waiting)
        return "?";
    if (mayWaitElsewhere(snapshot, lock))
        return std::to_string(*waiting) + "?";
    const std::string count = (mayMoreWait(lock) ? "≥" : "") + std::to_string(*waiting);
    const std::int64_t ghosts = ghostCount(lock);
    return ghosts == 0 ? count
                       : Words::tr("%1, ghosts: %2").arg(QString::fromStdString(count)).arg(ghosts).toStdString();
}

std::string nodeText(const LockState &lock)
{
    QStringList nodes;
    for (const auto &member : lock.members)
        nodes << shown(member->node);
    return nodes.isEmpty() ? lockui::printable(lock.node) : nodes.join(QStringLiteral(", ")).toStdString();
}

} // namespace

std::string ttlText(const LockState &lock, MonoTime now)
{
    if (isCounter(lock.kind))
        return "–";
    if (!isHeld(lock))
        return Words::tr("free").toStdString();
    const auto ttl = lockcore::monitor::ttlAt(lock, now);
    return (ttl ? lockui::ttlText(*ttl) : Words::tr("never ends")).toStdString();
}

std::string heldText(const LockState &lock, MonoTime seenUntil, MonoTime now)
{
    if (lock.holders.empty())
        return "–";
    const auto held = heldFor(lock, seenUntil);
    if (!held)
        return "?";
    return (isHeldForExact(lock) && seenUntil >= now ? "" : "≥ ") + lockui::ttlText(*held).toStdString();
}

std::string kindText(const LockState &lock)
{
    QStringList kinds{ QString::fromLatin1(nameOf(lock.kind)) };
    for (const lockcore::synchronizers::Kind other : lock.otherKinds)
        kinds << QString::fromLatin1(nameOf(other));
    const std::string kind = kinds.join(Words::tr(" or ")).toStdString();
    return lock.mode ? kind + " (" + nameOf(*lock.mode) + ")" : kind;
}

std::string stateText(const LockState &lock)
{
    if (lock.kind == lockcore::synchronizers::Kind::CountDownLatch)
        return isHeld(lock) ? Words::tr("count %1").arg(*lock.count).toStdString() : Words::tr("open").toStdString();
    if (!lock.permits)
        return Words::tr("does not exist").toStdString();
    QString text = Words::tr("%1 free").arg(lockcore::monitor::freePermits(*lock.permits));
    if (lock.permits->overdue > 0)
        text = Words::tr("%1 (%2 overdue)").arg(text).arg(lock.permits->overdue);
    if (lock.permits->leased)
        text = Words::tr("%1, %2 leased").arg(text).arg(*lock.permits->leased);
    return text.toStdString();
}

QString quorumCount(const lockcore::monitor::Quorum &quorum)
{
    const QString text = Words::tr("%1 of %2").arg(quorum.held).arg(quorum.servers);
    return quorum.unknown > 0 ? Words::tr("%1, %2 unknown").arg(text).arg(quorum.unknown) : text;
}

std::string quorumText(const LockState &lock)
{
    if (!lock.quorum)
        return "–";
    QString text = quorumCount(*lock.quorum);
    const auto holds = quorumHolds(lock);
    if (isContended(holds))
        text = Words::tr("%1, contended").arg(text);
    else if (!holds.empty() && holds.front().inferred)
        text = Words::tr("%1, inferred").arg(text);
    return text.toStdString();
}

TableView tableView(const lockcore::monitor::Snapshot &snapshot, MonoTime now)
{
    const bool independent = std::any_of(
        snapshot.locks.begin(), snapshot.locks.end(), [](const auto &lock) { return lock->quorum.has_value(); });
    const bool isOneLost = std::ranges::any_of(
        snapshot.nodes, [](const lockcore::monitor::NodeStatus &node) { return node.status.staleSince.has_value(); });
    return { snapshot, now, snapshot.nodes.size() > 1 && (!independent || isOneLost), independent };
}

std::vector<std::string> lockTable(const Locks &locks, const TableView &view, std::optional<int> width)
{
    std::vector<Column> columns{
        { .title = title(QT_TRANSLATE_NOOP("Words", "LOCK")), .least = 12, .elide = Elide::Middle },
        { .title = title(QT_TRANSLATE_NOOP("Words", "KIND")), .least = 8, .priority = 3 },
        { .title = title(QT_TRANSLATE_NOOP("Words", "HOLDER")), .least = 9, .elide = Elide::Middle },
        { .title = title(QT_TRANSLATE_NOOP("Words", "TTL")), .right = true },
        { .title = title(QT_TRANSLATE_NOOP("Words", "LEASE")), .least = 5, .priority = 2 },
        { .title = title(QT_TRANSLATE_NOOP("Words", "WAITING")), .right = true },
        { .title = title(QT_TRANSLATE_NOOP("Words", "HELD FOR")), .right = true, .priority = 1 }
    };
    if (view.quorum)
        columns.push_back({ .title = title(QT_TRANSLATE_NOOP("Words", "QUORUM")) });
    if (view.nodes)
        columns.push_back(
            { .title = title(QT_TRANSLATE_NOOP("Words", "NODE")), .least = 9, .priority = 4, .elide = Elide::Middle });
    const auto *analysis = view.snapshot.analysis.get();
    const auto suspectsOf = [&](const lockcore::monitor::LockState &lock) {
        return view.oneLook ? likelySuspectsText(analysis, lock.name) : suspectsText(analysis, lock.name);
    };
    const bool suspects = std::ranges::any_of(locks, [&](const auto &lock) { return !suspectsOf(*lock).empty(); });
    if (suspects)
        columns.push_back({ .title = title(QT_TRANSLATE_NOOP("Words", "SUSPECT")), .least = 16 });
    constexpr auto Whole = std::numeric_limits<qsizetype>::max();
    std::vector<Row> rows;
    for (const auto &lock : locks) {
        const MonoTime seen = seenUntil(view.snapshot, *lock, view.now);
        Row row{ lockui::lockNameText(lock->name, Whole).toStdString(), kindText(*lock), holderText(*lock),
            ttlText(*lock, seen), leaseText(*lock), waitingText(*lock, view.snapshot),
            heldText(*lock, seen, view.now) };
        if (view.quorum)
            row.push_back(quorumText(*lock));
        if (view.nodes)
            row.push_back(nodeText(*lock));
        if (suspects)
            row.push_back(suspectsOf(*lock));
        rows.push_back(std::move(row));
    }
    return tableLines(std::move(columns), std::move(rows), width);
}

} // namespace lockctl
