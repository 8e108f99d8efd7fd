// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/show.h"

#include "app/common/printable_text.h"
#include "app/lockctl/duration_text.h"
#include "app/lockctl/json.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/names.h"
#include "app/lockctl/output.h"
#include "app/lockctl/troubles.h"
#include "lockcore/client/clock.h"
#include "lockcore/monitor/listeners.h"
#include "lockcore/monitor/quorum_holds.h"
#include "lockcore/monitor/words.h"
#include "lockcore/synchronizers/owner_format.h"

namespace lockctl {

using app::printable;
using lockcore::Holder;
using lockcore::LockState;
using lockcore::Millis;
using lockcore::Now;
using lockcore::Waiter;

namespace {

using namespace std::chrono_literals;

/// For a look at all locks, on whose account a person waits and a server works for one of them.
constexpr Millis WideLookLimit = 2s;

void printField(const std::string &title, const std::string &text)
{
    constexpr std::size_t TitleWidth = 10;
    printLine(title + std::string(TitleWidth - title.size(), ' ') + text);
}

std::string holderLine(const Holder &holder, const Now &now)
{
    std::string text = printable(toString(holder.owner));
    if (holder.mode)
        text += std::string(", ") + nameOf(*holder.mode);
    if (holder.count > 1)
        text += " ×" + std::to_string(holder.count);
    const auto held = std::chrono::floor<Millis>(now.mono - holder.since.at);
    if (holder.since.exact)
        text += ", for " + durationText(held);
    else
        text += saysHowLong(held) ? ", for ≥ " + durationText(held) : ", since when is not known";
    if (holder.mode && holder.expiresAt && !holder.expired)
        text += ", " + durationText(std::chrono::ceil<Millis>(*holder.expiresAt - now.mono)) + " left";
    if (holder.expired)
        text += holder.mode ? ", all its time-outs ran out" : ", its lease ran out";
    if (holder.fromPort)
        text += ", written by a port of Redisson";
    if (!lockcore::isPlainOwner(toString(holder.owner)))
        text += ", a field that no lock has: another program wrote it";
    return text;
}

std::string waiterLine(const Waiter &waiter, const Now &now)
{
    std::string text = printable(toString(waiter.owner));
    if (!waiter.deadline)
        return text + ", without a time-out";
    const Millis left = *waiter.deadline - now.wall;
    text += left.count() > 0 ? ", time-out in " + durationText(left) : ", overdue for " + durationText(-left);
    if (waiter.subscribed == false)
        text += ", nobody listens on its channel: its client may be gone";
    return text;
}

std::string permitLine(const lockcore::PermitReading &permit, const Now &now)
{
    if (!permit.deadline)
        return permit.id + ", without a lease";
    const Millis left = *permit.deadline - now.wall;
    return permit.id + (left.count() > 0 ? ", for " + durationText(left) : ", run out, not taken back yet");
}

/// A semaphore's channel tells nothing of the two kinds of semaphores, a latch's leaves none open.
bool mayBeAnyNumber(const LockState &lock) { return lock.permits && lock.otherKinds.size() == 2; }

void printHolding(const LockState &lock, const Now &now)
{
    if (mayBeAnyNumber(lock)) {
        printField("state",
            "the number " + std::to_string(lock.permits->available)
                + ", which may be no such thing at all: nothing tells "
                + (lock.subscribers ? "as long as nobody waits for it" : "while it is not known who waits for it"));
        return;
    }
    if (isCounter(lock.kind)) {
        printField("state", stateText(lock));
        if (lock.permits) {
            for (const lockcore::PermitReading &permit : lock.permits->leases)
                printField("permit", permitLine(permit, now));
            if (const auto more = morePermits(*lock.permits); more > 0)
                printField("permit", "and " + std::to_string(*more) + " more, which end later");
        }
        return;
    }
    printField("TTL", ttlText(lock, now.mono));
    printField("lease", nameOf(lock.lease));
    for (const Holder &holder : lock.holders)
        printField("holder", holderLine(holder, now));
}

std::string quorumMeaning(const LockState &lock)
{
    const auto holds = quorumHolds(lock);
    if (isContended(holds))
        return "; contended: " + std::to_string(holds.size()) + " have it at once on some of them";
    if (holds.empty() || !holds.front().inferred)
        return {};
    const auto &parts = holds.front().parts;
    return "; inferred: " + lockcore::counted(std::ssize(parts), "client") + ", one a server, with the thread "
        + printable(parts.front().holder.owner.thread) + " are taken for one";
}

std::string memberLine(const LockState &member, bool isLost)
{
    std::string holders;
    for (const Holder &holder : member.holders)
        holders += (holders.empty() ? "" : ", ") + printable(toString(holder.owner));
    return printable(member.node) + (isLost ? ", not seen now; was " : ", ")
        + (holders.empty() ? "free" : "held by " + holders);
}

void printPlace(const LockState &lock, const lockcore::Snapshot &snapshot)
{
    if (lock.quorum)
        printField("quorum",
            quorumCount(*lock.quorum) + ", needs " + std::to_string(lock.quorum->needed()) + quorumMeaning(lock));
    for (const auto &member : lock.members)
        printField("server", memberLine(*member, lockcore::staleSince(snapshot, *member).has_value()));
    if (lock.node.empty())
        return;
    const bool isParted = std::ranges::any_of(snapshot.nodes, [](const auto &node) { return !node.slots.empty(); });
    printField("node",
        printable(snapshot.nodes.size() == 1 ? snapshot.status.server : std::string(lock.node))
            + (isParted ? ", slot " + std::to_string(lock.slot) : ""));
}

void printText(const LockState &lock, const Now &now, const lockcore::Snapshot &snapshot)
{
    const auto *analysis = snapshot.analysis.get();
    printField("name", printable(lock.name));
    printField("kind", kindText(lock));
    printHolding(lock, now);
    if (mayBeNoLock(lock))
        printField("note",
            "this may be no lock: another program has written into it, or it is another program's altogether. ls "
            "leaves "
            "such a hash out");
    for (std::size_t i = 0; i < lock.waiters.size(); ++i)
        printField("queue", std::to_string(i + 1) + ". " + waiterLine(lock.waiters[i], now));
    if (lock.waiters.empty()) {
        for (const lockcore::OwnerId &owner : listenersWithoutQueue(snapshot, lock))
            printField("queue", printable(toString(owner)) + " listens for its turn; the queue was not found");
    }
    for (const lockcore::LockName &name : locksListenedForInstead(snapshot, lock))
        printField("queue", "its waiters listen for " + printable(name) + ": it is the queue of that lock");
    if (mayHaveMoreWaiters(lock))
        printField(
            "queue", "it may be longer: no more than the first " + std::to_string(lock.waiters.size()) + " are read");
    if (hasUnreadQueue(lock))
        printField("queue", "not read: it has an element longer than a waiter can be");
    const auto clients = subscribedClients(lock);
    printField("waiting",
        clients ? lockcore::counted(*clients, "client instance") + " subscribed"
                + (mayWaitElsewhere(snapshot, lock) ? ", for this lock or one of this name in another database" : "")
                : "client instances not known");
    if (lock.token)
        printField("token", std::to_string(*lock.token));
    for (const std::string &key : keysOf(lock))
        printField("key", printable(key));
    printPlace(lock, snapshot);
    for (const std::string &line : suspectLines(analysis, lock.name))
        printField("suspect", line);
    for (const std::string &line :
        deadlockLines(cyclesOf(analysis, [&](const auto &name) { return name == lock.name; })))
        printField("suspect", line);
    if (const std::string line = statisticsLine(analysis, lock.name); !line.empty())
        printField("seen", line);
}

lockcore::MonitorOptions onlyThis(const lockcore::LockName &name)
{
    lockcore::MonitorOptions options;
    options.onlyLock = name;
    return options;
}

} // namespace

Show::Show(ShowRequest request, bool asJson)
    : m_request(std::move(request))
    , m_asJson(asJson)
    , m_sweep(onlyThis(m_request.name))
{
    connect(&m_sweep, &OneSweep::failed, this, &Show::fail);
    connect(&m_sweep, &OneSweep::done, this, &Show::seen);
}

void Show::start(const lockcore::Deployment &deployment)
{
    m_deployment = deployment;
    m_sweep.start(deployment);
}

void Show::seen(const std::shared_ptr<const lockcore::Snapshot> &snapshot)
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
    m_wideSweep.emplace(lockcore::MonitorOptions());
    m_wideSweep->sayNothing(); // the first one has said it
    connect(&*m_wideSweep, &OneSweep::failed, this, [this](const lockcore::Error &error) {
        StatusNote::tellNoDeadlocks(m_request.name, lockcore::toString(error));
        print(*m_seen, Deadlocks::NotLookedFor);
    });
    connect(&*m_wideSweep, &OneSweep::done, this, [this](const std::shared_ptr<const lockcore::Snapshot> &snapshot) {
        print(findLock(*snapshot, m_request.name) == nullptr ? *m_seen : *snapshot);
    });
    m_wideSweep->giveUpAfter(WideLookLimit);
    m_wideSweep->start(m_deployment);
}

void Show::print(const lockcore::Snapshot &snapshot, Deadlocks deadlocks)
{
    const LockState *lock = findLock(snapshot, m_request.name);
    if (lock == nullptr) {
        failNotFound(m_deployment, m_request.name, whyNotFound(snapshot, "show " + m_request.name));
        return;
    }
    const Now now = lockcore::readClocks();
    if (m_asJson)
        printLine(json::line(lockJson(*lock, now, snapshot, deadlocks)));
    else
        printText(*lock, now, snapshot);
    Q_EMIT finished(app::Done);
}

} // namespace lockctl
