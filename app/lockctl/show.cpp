// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/show.h"

#include "app/common/words.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/option_names.h"
#include "app/lockctl/output.h"
#include "app/lockctl/suspects.h"
#include "lockcore/monitor/listeners.h"
#include "lockcore/monitor/quorum_holds.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/transport/clock.h"
#include "ui/text/error_text.h"
#include "ui/text/json.h"
#include "ui/text/lock_text.h"

#include <QStringList>

#include <memory>
#include <utility>

namespace lockctl {

namespace json = lockui::json;
using lockui::cyclesOf;
using lockui::Deadlocks;
using lockui::lockJson;
using lockui::saysHowLong;

using app::shown;
using app::Words;
using lockcore::Millis;
using lockcore::Now;
using lockcore::monitor::Holder;
using lockcore::monitor::LockState;
using lockcore::monitor::Snapshot;
using lockcore::monitor::Waiter;
using lockui::printable;
using lockui::ttlText;

namespace {

using namespace std::chrono_literals;

/// For a look at all locks, on whose account a person waits and a server works for one of them.
constexpr Millis WideLookLimit = 2s;

void printField(const QString &title, const QString &text)
{
    constexpr int TitleWidth = 10;
    printLine(title.leftJustified(TitleWidth) + text);
}

void printField(const QString &title, const std::string &text) { printField(title, QString::fromStdString(text)); }

QString holderLine(const LockState &lock, const Holder &holder, const Now &now)
{
    QStringList parts{ shown(toString(holder.owner)) };
    if (holder.mode)
        parts << QString::fromLatin1(nameOf(*holder.mode));
    if (holder.count > 1)
        parts.last() += QStringLiteral(" ×%1").arg(holder.count);
    const auto held = std::chrono::floor<Millis>(now.mono - holder.since.at);
    if (holder.since.exact)
        parts << Words::tr("for %1").arg(ttlText(held));
    else
        parts << (saysHowLong(held) ? Words::tr("for ≥ %1").arg(ttlText(held)) : Words::tr("since when is not known"));
    if (holder.mode && holder.expiresAt && !holder.expired)
        parts << Words::tr("%1 left").arg(ttlText(std::chrono::ceil<Millis>(*holder.expiresAt - now.mono)));
    if (holder.expired)
        parts << (holder.mode ? Words::tr("all its time-outs ran out") : Words::tr("its lease ran out"));
    if (holder.fromPort)
        parts << Words::tr("written by a port of Redisson");
    if (!isTokenLock(lock.kind) && !lockcore::synchronizers::isPlainOwner(toString(holder.owner)))
        parts << Words::tr("a field that no lock has: another program wrote it");
    return parts.join(QStringLiteral(", "));
}

QString waiterLine(const Waiter &waiter, const Now &now)
{
    QStringList parts{ shown(toString(waiter.owner)) };
    if (!waiter.deadline)
        return (parts << Words::tr("without a time-out")).join(QStringLiteral(", "));
    const Millis left = *waiter.deadline - now.wall;
    parts << (left.count() > 0 ? Words::tr("time-out in %1").arg(ttlText(left))
                               : Words::tr("overdue for %1").arg(ttlText(-left)));
    if (isGhost(waiter))
        parts << Words::tr("nobody listens on its channel: its client may be gone");
    return parts.join(QStringLiteral(", "));
}

QString permitLine(const lockcore::synchronizers::PermitReading &permit, const Now &now)
{
    const QString id = shown(permit.id);
    if (!permit.deadline)
        return Words::tr("%1, without a lease").arg(id);
    const Millis left = *permit.deadline - now.wall;
    return left.count() > 0 ? Words::tr("%1, for %2").arg(id, ttlText(left))
                            : Words::tr("%1, run out, not taken back yet").arg(id);
}

/// A semaphore's channel tells nothing of the two kinds of semaphores, a latch's leaves none open.
bool mayBeAnyNumber(const LockState &lock) { return lock.permits && lock.otherKinds.size() == 2; }

void printHolding(const LockState &lock, const Now &now)
{
    const QString state = Words::tr("state");
    if (mayBeAnyNumber(lock)) {
        const QString number = QString::number(lock.permits->available);
        printField(state,
            lock.subscribers ? Words::tr("the number %1, which may be no such thing at all: nothing tells as long as "
                                         "nobody waits for it")
                                   .arg(number)
                             : Words::tr("the number %1, which may be no such thing at all: nothing tells while it is "
                                         "not known who waits for it")
                                   .arg(number));
        return;
    }
    if (isCounter(lock.kind)) {
        printField(state, stateText(lock));
        if (lock.permits) {
            for (const lockcore::synchronizers::PermitReading &permit : lock.permits->leases)
                printField(Words::tr("permit"), permitLine(permit, now));
            if (const auto more = lockcore::monitor::morePermits(*lock.permits); more > 0)
                printField(
                    Words::tr("permit"), Words::tr("and %n more, which end later", nullptr, lockui::pluralOf(*more)));
        }
        return;
    }
    printField(Words::tr("TTL"), lockctl::ttlText(lock, now.mono));
    printField(Words::tr("lease"), std::string(nameOf(lock.lease)));
    for (const Holder &holder : lock.holders)
        printField(Words::tr("holder"), holderLine(lock, holder, now));
}

QString quorumMeaning(const LockState &lock)
{
    const auto holds = quorumHolds(lock);
    if (isContended(holds))
        return QStringLiteral("; ")
            + Words::tr("contended: %n have it at once on some of them", nullptr, lockui::pluralOf(std::ssize(holds)));
    if (holds.empty() || !holds.front().inferred)
        return {};
    const auto &parts = holds.front().parts;
    return QStringLiteral("; ")
        + Words::tr("inferred: %n clients, one a server, with the thread %1 are taken for one", nullptr,
            lockui::pluralOf(std::ssize(parts)))
              .arg(shown(parts.front().holder.owner.thread));
}

QString memberLine(const LockState &member, bool isLost)
{
    QStringList holders;
    for (const Holder &holder : member.holders)
        holders << shown(toString(holder.owner));
    const QString state
        = holders.isEmpty() ? Words::tr("free") : Words::tr("held by %1").arg(holders.join(QStringLiteral(", ")));
    return (isLost ? Words::tr("%1, not seen now; was %2") : Words::tr("%1, %2")).arg(shown(member.node), state);
}

void printPlace(const LockState &lock, const Snapshot &snapshot)
{
    if (lock.quorum)
        printField(Words::tr("quorum"),
            Words::tr("%1, needs %2").arg(quorumCount(*lock.quorum)).arg(lock.quorum->needed()) + quorumMeaning(lock));
    for (const auto &member : lock.members)
        printField(
            Words::tr("server"), memberLine(*member, lockcore::monitor::staleSince(snapshot, *member).has_value()));
    if (lock.node.empty())
        return;
    const bool isParted = std::ranges::any_of(snapshot.nodes, [](const auto &node) { return !node.slots.empty(); });
    const QString node = shown(snapshot.nodes.size() == 1 ? snapshot.status.server : std::string(lock.node));
    printField(Words::tr("node"), isParted ? Words::tr("%1, slot %2").arg(node, QString::number(lock.slot)) : node);
}

void printQueue(const LockState &lock, const Now &now, const Snapshot &snapshot)
{
    const QString queue = Words::tr("queue");
    for (std::size_t i = 0; i < lock.waiters.size(); ++i)
        printField(queue, QStringLiteral("%1. ").arg(i + 1) + waiterLine(lock.waiters[i], now));
    if (lock.waiters.empty()) {
        for (const lockcore::OwnerId &owner : listenersWithoutQueue(snapshot, lock))
            printField(
                queue, Words::tr("%1 listens for its turn; the queue was not found").arg(shown(toString(owner))));
    }
    for (const lockcore::LockName &name : locksListenedForInstead(snapshot, lock))
        printField(queue, Words::tr("its waiters listen for %1: it is the queue of that lock").arg(shown(name)));
    if (mayHaveMoreWaiters(lock))
        printField(queue,
            Words::tr("it may be longer: no more than the first %n are read", nullptr,
                lockui::pluralOf(std::ssize(lock.waiters))));
    if (hasUnreadQueue(lock))
        printField(queue, Words::tr("not read: it has an element that is no waiter"));
    const auto clients = subscribedClients(lock);
    const bool isInPart = isSeenInPart(lock);
    QString waiting = clients        ? lockui::subscribedText(*clients, !isInPart)
        : tellsOfReleases(lock.kind) ? Words::tr("client instances not known")
                                     : Words::tr("nobody can tell: clients of such a lock ask again and again");
    if (const auto ghosts = ghostCount(lock); ghosts > 0)
        waiting = Words::tr("%1 in the queue, ghosts among them: %2; %3")
                      .arg(std::ssize(lock.waiters))
                      .arg(ghosts)
                      .arg(waiting);
    if (mayWaitElsewhere(snapshot, lock))
        waiting = Words::tr("%1, for this lock or one of this name in another database").arg(waiting);
    printField(Words::tr("waiting"),
        isInPart ? waiting + QStringLiteral("; ") + lockui::outOfSightText(*lock.quorum) : waiting);
}

void printText(const LockState &lock, const Now &now, const Snapshot &snapshot)
{
    const auto *analysis = snapshot.analysis.get();
    printField(Words::tr("name"), printable(lock.name));
    printField(Words::tr("kind"), kindText(lock));
    printHolding(lock, now);
    if (mayBeNoLock(lock))
        printField(Words::tr("note"),
            Words::tr("this may be no lock: another program has written into it, or it is another program's "
                      "altogether. ls leaves such a hash out"));
    printQueue(lock, now, snapshot);
    if (lock.token)
        printField(Words::tr("token"), QString::number(*lock.token));
    for (const std::string &key : keysOf(lock))
        printField(Words::tr("key"), printable(key));
    printPlace(lock, snapshot);
    for (const std::string &line : suspectLines(analysis, lock.name))
        printField(Words::tr("suspect"), line);
    for (const std::string &line :
        deadlockLines(cyclesOf(analysis, [&](const auto &name) { return name == lock.name; })))
        printField(Words::tr("suspect"), line);
    if (const std::string line = statisticsLine(analysis, lock.name); !line.empty())
        printField(Words::tr("seen"), line);
}

lockcore::service::MonitorOptions onlyThis(const lockcore::LockName &name, const Globals &globals)
{
    auto options = monitorOptions(globals);
    options.onlyLock = name;
    return options;
}

/// Of the one lock more was told, such as who of its queue listens: only the deadlocks are of the look at all.
Snapshot withCycles(const Snapshot &seen, const Snapshot &all)
{
    if (!all.analysis)
        return seen;
    lockcore::monitor::Analysis analysis = seen.analysis ? *seen.analysis : *all.analysis;
    analysis.graph = all.analysis->graph;
    Snapshot shown = seen;
    shown.analysis = std::make_shared<const lockcore::monitor::Analysis>(std::move(analysis));
    return shown;
}

} // namespace

Show::Show(ShowRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
    , m_sweep(onlyThis(m_request.name, globals))
{
    connect(&m_sweep, &OneSweep::failed, this, &Show::fail);
    connect(&m_sweep, &OneSweep::done, this, &Show::seen);
}

void Show::start(const lockcore::transport::Deployment &deployment)
{
    m_deployment = deployment;
    m_sweep.start(deployment);
}

void Show::seen(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_seen = snapshot;
    const LockState *lock = findLock(*snapshot, m_request.name);
    if (lock != nullptr && !lock->holders.empty() && !lock->waiters.empty())
        lookWider();
    else
        print(*snapshot);
}

void Show::lookWider()
{
    m_wideSweep.emplace(lockcore::service::MonitorOptions(), OneSweep::Until::Linked);
    m_wideSweep->sayNothing(); // the first one has said it
    connect(&*m_wideSweep, &OneSweep::failed, this, [this](const lockcore::Error &error) {
        StatusNote::tellNoDeadlocks(m_request.name, lockui::errorDetail(error));
        print(*m_seen, Deadlocks::NotLookedFor);
    });
    connect(&*m_wideSweep, &OneSweep::done, this,
        [this](const std::shared_ptr<const Snapshot> &snapshot) { print(withCycles(*m_seen, *snapshot)); });
    m_wideSweep->giveUpAfter(WideLookLimit);
    m_wideSweep->start(m_deployment);
}

void Show::print(const Snapshot &snapshot, Deadlocks deadlocks)
{
    const LockState *lock = findLock(snapshot, m_request.name);
    if (lock == nullptr) {
        failNotFound(m_deployment, m_request.name, whyNotFound(snapshot, m_request.name, "show " + m_request.name));
        return;
    }
    const Now now = lockcore::transport::readClocks();
    if (m_asJson)
        printLine(json::line(lockJson(*lock, now, snapshot, deadlocks)));
    else
        printText(*lock, seenUntil(snapshot, *lock, now), snapshot);
    Q_EMIT finished(app::Done);
}

} // namespace lockctl
