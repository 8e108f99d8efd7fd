// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chain_text.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/freshness.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QStringList>
#include <algorithm>
#include <set>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

constexpr qsizetype MostOfName = 200;

QString nameText(const LockName &lock) { return lockNameText(lock, MostOfName); }

/// Within a sentence that must stay whole: its beginning and its end.
QString shortNameText(const LockName &lock)
{
    constexpr qsizetype Most = 24;
    QString text = nameText(lock);
    if (text.size() <= Most)
        return text;
    const QString end = lock.size() > MostOfName ? QString() : text.right(Most / 2 - 1);
    return text.left(Most - 1 - end.size()) + QStringLiteral("…") + end;
}

QString placeText(int place)
{
    switch (place) {
    case 1:
        return ChainText::tr("1st");
    case 2:
        return ChainText::tr("2nd");
    case 3:
        return ChainText::tr("3rd");
    default:
        return ChainText::tr("%1th").arg(place);
    }
}

QString clients(std::int64_t count)
{
    return ChainText::tr("%1 client instances", nullptr, pluralOf(count)).arg(countText(count));
}

QString joined(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

/// Between it and the one before.
const char *markBefore(const NamedLock &lock)
{
    switch (lock.after) {
    case NamedLock::After::Nothing:
        break;
    case NamedLock::After::Waiter:
        return " → ";
    case NamedLock::After::Circle:
        return " ⇄ ";
    case NamedLock::After::Other:
        return " · ";
    }
    return "";
}

} // namespace

QString ChainText::owner(const OwnerId &owner) const { return namedOwner(owner, m_names); }

QString ChainText::left(MonoTime at, MonoTime now) const
{
    return ttlText(std::max(Millis(0), std::chrono::duration_cast<Millis>(at - now)));
}

/// Where its server is lost and others are not, the clock goes on.
MonoTime ChainText::seenUntil(std::optional<MonoTime> lostSince) const
{
    return std::min(m_clock.now(), lostSince.value_or(MonoTime::max()));
}

/// Of one moment: the clock goes on between two looks at it, and it would seem to be lost by then.
QString ChainText::since(const Since &since, std::optional<MonoTime> lostSince) const
{
    const MonoTime now = m_clock.now();
    return sinceText(since, std::min(now, lostSince.value_or(now)), now);
}

QString ChainText::asItWas(const WaitChain &chain) const
{
    if (!chain.lostSince)
        return {};
    const QString at = clockText(m_clock.wallAt(*chain.lostSince), m_clock.wallAt(m_clock.now()));
    return tr("as it was at %1: a server of it is lost").arg(at.left(at.lastIndexOf(u'.')));
}

QString ChainText::title(const WaitChain &chain) const
{
    const QString waiting = blocked(chain);
    if (chain.isPending())
        return tr("All of these seem to wait for each other");
    const auto head = std::ranges::find_if(chain.nodes, [](const ChainNode &node) { return node.isHead; });
    if (head == chain.nodes.end())
        return nameText(chain.mainLock);
    const auto count = pluralOf(chain.blocked);
    const auto isGhost = [](const ChainNode &node) { return node.isGhost; };
    if (chain.blocked == 0 && !chain.isBlockedAtLeast && std::ranges::any_of(chain.nodes, isGhost))
        return tr("Only ghosts stand in the queue of %1").arg(nameText(chain.mainLock));
    const auto heads = std::ranges::count_if(chain.nodes, [](const ChainNode &node) { return node.isHead; });
    if (heads > 1) // none of them keeps all of these waiting alone
        return tr("%1 keep %2 waiting").arg(this->head(chain), waiting);
    if (head->kind == ChainNode::Kind::Lock)
        return tr("%1 wait for %2", nullptr, count).arg(waiting, nameText(head->lock));
    return head->kind == ChainNode::Kind::Owner ? tr("%1 keeps %2 waiting").arg(owner(head->owner), waiting)
                                                : tr("%1 keep %2 waiting").arg(nodeTitle(*head), waiting);
}

QString ChainText::detail(const WaitChain &chain) const
{
    QStringList parts{ asItWas(chain) };
    if (chain.isPending())
        parts << (chain.lostSince ? tr("whether it is a deadlock was not known by then")
                                  : tr("whether it is a deadlock is not known yet"));
    if (chain.lost.waits > 0)
        parts << tr("who waits has waited %1, added up").arg(lost(chain)); // longer, maybe, than the head has held
    parts << undrawn(chain);
    return joined(parts);
}

/// Empty: all of it is drawn.
QString ChainText::undrawn(const WaitChain &chain)
{
    QStringList parts;
    if (chain.undrawnClients > 0)
        parts << (chain.isUndrawnAtLeast ? QStringLiteral("≥ ") : QString())
                + tr("%1 clients", nullptr, pluralOf(chain.undrawnClients)).arg(countText(chain.undrawnClients));
    if (chain.undrawnLocks > 0)
        parts << tr("%1 locks", nullptr, pluralOf(chain.undrawnLocks)).arg(countText(chain.undrawnLocks));
    return parts.isEmpty() ? QString() : tr("not drawn: %1").arg(parts.join(QStringLiteral(", ")));
}

/// `ends`: those of one moment. The first hold that ends is the end of all: only who renews each of them prevents it.
QString ChainText::unlessRenewed(const std::vector<const ChainEnd *> &ends, MonoTime now) const
{
    const QString first = shortNameText(ends.front()->lock);
    const QString in = left(*ends.front()->at, now);
    if (ends.size() == 1)
        return tr("by itself in %1, unless %2 is renewed").arg(in, first);
    if (ends.size() == 2)
        return tr("by itself in %1, unless both %2 and %3 are renewed").arg(in, first, shortNameText(ends[1]->lock));
    return tr("by itself in %1, unless all %2 that end then are renewed").arg(in, countText(std::ssize(ends)));
}

/// The first hold that ends is the end of it: for sure where its lease is fixed, and where nobody knows whether it is
/// renewed, unless it is.
QString ChainText::cycleEnds(const ChainCycle &cycle, MonoTime now) const
{
    constexpr std::chrono::seconds SameMoment{ 1 };
    const auto fixed = std::ranges::find(cycle.ends, ChainEnd::How::Lease, &ChainEnd::how);
    const bool isFixed = fixed != cycle.ends.end();
    std::vector<const ChainEnd *> first;
    for (const ChainEnd &end : cycle.ends)
        if (end.how == ChainEnd::How::UnlessRenewed && (!isFixed || *end.at + SameMoment < *fixed->at)
            && (first.empty() || *end.at < *first.front()->at + SameMoment))
            first.push_back(&end);
    if (!first.empty() && isFixed)
        return tr("%1; at the latest in %2: the fixed lease of %3 runs out", "by itself in …, unless … is renewed")
            .arg(unlessRenewed(first, now), left(*fixed->at, now), shortNameText(fixed->lock));
    if (!first.empty())
        return unlessRenewed(first, now);
    return isFixed
        ? tr("by itself in %1: the fixed lease of %2 runs out").arg(left(*fixed->at, now), shortNameText(fixed->lock))
        : tr("by itself only if one gives up waiting");
}

/// Empty: some lease in it runs out, or may.
QString ChainText::cycleLeases(const ChainCycle &cycle) const
{
    const auto are = [&](ChainEnd::How how) { return std::ranges::count(cycle.ends, how, &ChainEnd::how); };
    const auto renewed = are(ChainEnd::How::Renewed);
    const auto endless = are(ChainEnd::How::NeverExpires);
    if (renewed + endless < std::ssize(cycle.ends))
        return {};
    return endless == 0 ? tr("all leases are renewed")
        : renewed == 0  ? tr("no lease in it runs out")
                        : tr("each lease is renewed or never runs out");
}

QString ChainText::cycleTitle(const WaitChain &chain) const
{
    const ChainCycle &cycle = chain.cycles.front();
    const QString at = clockText(m_clock.wallAt(cycle.since.at), m_clock.wallAt(m_clock.now()));
    const MonoTime now = seenUntil(chain.lostSince);
    const QString duration = this->since(cycle.since, chain.lostSince);
    const auto size = static_cast<qint64>(cycle.edges.size());
    const QString since
        = cycle.since.exact ? tr("Deadlock (inferred) since %1 (%2)") : tr("Deadlock (inferred) since before %1 (%2)");
    QStringList parts{ since.arg(at.left(at.lastIndexOf(u'.')), duration),
        tr("%1 clients, %1 locks").arg(countText(size)), tr("ends %1").arg(cycleEnds(cycle, now)), cycleLeases(cycle),
        asItWas(chain) };
    if (chain.cycles.size() > 1)
        parts << tr("and not the only one here");
    return joined(parts);
}

std::string lockList(const WaitChain &chain, const std::function<std::string(const LockName &lock)> &name)
{
    std::string text;
    std::set<LockName> drawn;
    for (const NamedLock &named : namedLocks(chain)) {
        const LockName &lock = chain.nodes[named.node].lock;
        text += markBefore(named) + name(lock);
        drawn.insert(lock);
    }
    for (const LockName &lock : chain.locks)
        if (!drawn.contains(lock))
            text += (text.empty() ? "" : " · ") + name(lock);
    return text;
}

QString ChainText::locks(const WaitChain &chain) const
{
    constexpr std::size_t Most = 4;
    const std::vector<NamedLock> named = namedLocks(chain);
    QString text;
    for (std::size_t i = 0; i < std::min(Most, named.size()); ++i)
        text += QString::fromUtf8(markBefore(named[i])) + lockNameText(chain.nodes[named[i].node].lock);
    if (chain.locks.size() > Most) {
        const auto more = static_cast<qint64>(chain.locks.size() - Most);
        text += QStringLiteral(" … ") + tr("and %1 more").arg(countText(more));
    }
    return text;
}

QString ChainText::head(const WaitChain &chain) const
{
    if (chain.isDeadlock())
        return tr("deadlock (inferred)");
    if (chain.isPending())
        return tr("a circle?");
    const auto head = std::ranges::find_if(chain.nodes, [](const ChainNode &node) { return node.isHead; });
    if (head == chain.nodes.end())
        return QStringLiteral("–");
    const auto others = std::ranges::count_if(chain.nodes, [](const ChainNode &node) { return node.isHead; }) - 1;
    if (others > 0)
        return tr("%1 and %2 more").arg(nodeTitle(*head), countText(others));
    return head->kind == ChainNode::Kind::Lock ? whatIsLeft(*head->state) : nodeTitle(*head);
}

QString ChainText::wholeHead(const WaitChain &chain)
{
    QStringList owners;
    for (const ChainNode &node : chain.nodes)
        if (node.isHead && node.kind == ChainNode::Kind::Owner)
            owners << copyText(toString(node.owner));
    return owners.join(QStringLiteral(", "));
}

bool ChainText::namesHead(const WaitChain &chain)
{
    const auto heads = std::ranges::count_if(chain.nodes, [](const ChainNode &node) { return node.isHead; });
    const auto isNamed = [](const ChainNode &node) { return node.isHead && node.kind != ChainNode::Kind::Lock; };
    return !chain.isDeadlock() && !chain.isPending() && (heads > 1 || std::ranges::any_of(chain.nodes, isNamed));
}

/// Of a lock that nobody is seen to hold. Its name stands among those of the chain.
QString ChainText::whatIsLeft(const LockState &lock)
{
    if (lock.permits && lock.permits->leased) {
        const std::int64_t free = freePermits(*lock.permits);
        return tr("%1 of %2 permits free").arg(countText(free), countText(free + *lock.permits->leased));
    }
    if (lock.permits)
        return tr("permits free: %1").arg(countText(freePermits(*lock.permits)));
    if (lock.kind == Kind::CountDownLatch)
        return tr("count %1").arg(countText(lock.count.value_or(0)));
    return isCounter(lock.kind) ? holderText(lock) : tr("nobody holds it");
}

QString ChainText::blocked(const WaitChain &chain) const
{
    return waitingSumText(chain.blocked, chain.isBlockedAtLeast, chain.mayBeElsewhere || chain.mayBeGhosts);
}

QString ChainText::lost(const WaitChain &chain) const
{
    if (chain.lost.waits == 0)
        return tr("unknown");
    return (isLostAtLeast(chain) ? QStringLiteral("≥ ") : QString()) + durationText(chain.lost.at(m_clock.now()));
}

QString ChainText::lostExplanation(const WaitChain &chain, const Analysis *analysis) const
{
    QStringList lines;
    if (chain.lost.waits > 0)
        lines << tr("What those %1 who wait now have waited so far, added up.", nullptr, pluralOf(chain.lost.waits))
                     .arg(countText(chain.lost.waits));
    if (chain.lost.isAtLeast)
        lines << tr("At least: some waited already when they were first seen, or seen again.");
    if (chain.lost.goingOn < chain.lost.waits)
        lines << tr("At least: a server of it is lost, and how long they waited on is not known.");
    if (chain.lost.isPartly)
        lines << tr("Who is not known by name is not in it: only of fair locks Redis tells since when somebody waits.");
    if (chain.mayBeGhosts)
        lines << mayBeGhostsText();
    const LockStatistics *numbers = analysis != nullptr ? statisticsOf(*analysis, chain.mainLock) : nullptr;
    if (numbers != nullptr && numbers->blocked > Millis(0)) {
        const auto isMain = [&](const ChainNode &node) { return node.state && node.state->name == chain.mainLock; };
        const auto node = std::ranges::find_if(chain.nodes, isMain);
        const Millis waited = waitedInAll(*numbers, analysis->at,
            node == chain.nodes.end() ? nullptr : node->state.get(), seenUntil(chain.lostSince));
        lines << tr("In all, also by others, at least %1 were waited for %2.")
                     .arg(exactDurationText(waited), nameText(chain.mainLock));
    }
    return lines.join(u'\n');
}

QString ChainText::mayBeGhostsText()
{
    return tr(
        "Some stand in a queue, and whether they still listen is not known yet: how long they wait is not counted.");
}

/// Empty: none, or whoever tries next clears them away.
QString ChainText::ghostsEnd(const ChainEnd &end, MonoTime now) const
{
    if (end.ghosts == 0)
        return {};
    if (!end.ghostsUntil)
        return end.ghosts == 1 ? tr("when the ghost at its head is dropped: it has no time-out")
                               : tr("when the ghosts at its head are dropped: one has no time-out");
    const Millis left = std::chrono::duration_cast<Millis>(*end.ghostsUntil - m_clock.wallAt(now));
    if (left <= Millis(0))
        return {};
    return end.ghosts == 1 ? tr("in ≥ %1: a ghost is first in the queue").arg(ttlText(left))
                           : tr("in ≥ %1: %2 ghosts are first in the queue").arg(ttlText(left), countText(end.ghosts));
}

QString ChainText::headEnds(const ChainEnd &end, MonoTime now) const
{
    QString ghosts = ghostsEnd(end, now);
    if (end.how == ChainEnd::How::Taken && !ghosts.isEmpty())
        return ghosts;
    const QString hold = holdEnds(end, now);
    return ghosts.isEmpty() ? hold : tr("%1; for others %2", "end of the hold, of the ghosts").arg(hold, ghosts);
}

QString ChainText::holdEnds(const ChainEnd &end, MonoTime now) const
{
    switch (end.how) {
    case ChainEnd::How::Renewed:
        return tr("when released; a watchdog renews it");
    case ChainEnd::How::Lease:
        return tr("when released, or in %1: its lease is fixed").arg(left(*end.at, now));
    case ChainEnd::How::UnlessRenewed:
        return tr("when released, or in %1 unless renewed").arg(left(*end.at, now));
    case ChainEnd::How::NeverExpires:
        return tr("when released; it never expires");
    case ChainEnd::How::LastReader:
        return end.at
            ? tr("when the last of %1 releases, or in %2 unless renewed").arg(countText(end.number), left(*end.at, now))
            : tr("when the last of %1 releases").arg(countText(end.number));
    case ChainEnd::How::Permit:
        return tr("when a permit is given back");
    case ChainEnd::How::NoSemaphore:
        return tr("when somebody gives it permits: its key does not exist");
    case ChainEnd::How::FreePermits:
        return tr("%1 permits are free: who waits needs more, or missed it", nullptr, pluralOf(end.number))
            .arg(countText(end.number));
    case ChainEnd::How::CountedDown:
        return tr("when counted down: %1 to go").arg(countText(end.number));
    case ChainEnd::How::Open:
        return tr("it is open: who waits goes on now, or missed that");
    case ChainEnd::How::Taken:
        return tr("when the next one takes it: nobody holds it");
    }
    return {};
}

QString ChainText::ends(const WaitChain &chain, const ChainEnd &end) const
{
    return headEnds(end, seenUntil(chain.lostSince));
}

/// Where locks at the head end differently, what is said is said of each: nothing is true of the whole chain.
QString ChainText::headEnds(const WaitChain &chain) const
{
    struct Alike {
        QString text;
        QString first; // its name
        std::int64_t locks = 0;
    };
    std::vector<Alike> groups;
    for (const ChainEnd &end : chain.headEnds) {
        const QString text = ends(chain, end);
        auto group = std::ranges::find(groups, text, &Alike::text);
        if (group == groups.end())
            group = groups.insert(group, { text, nameText(end.lock) });
        ++group->locks;
    }
    if (groups.size() == 1)
        return groups.front().text;
    constexpr std::size_t Most = 2;
    QStringList parts;
    std::int64_t others = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Alike &group = groups[i];
        if (i >= Most)
            others += group.locks;
        else
            parts << (group.locks == 1 ? group.first
                                       : tr("%1 and %2 more").arg(group.first, countText(group.locks - 1)))
                    + QStringLiteral(": ") + group.text;
    }
    if (others > 0)
        parts << tr("and %1 more, each otherwise").arg(countText(others));
    return joined(parts);
}

QString ChainText::ends(const WaitChain &chain) const
{
    return !chain.cycles.empty()     ? cycleEnds(chain.cycles.front(), seenUntil(chain.lostSince))
        : chain.headEnds.size() <= 1 ? ends(chain, chain.end)
                                     : headEnds(chain);
}

QString ChainText::nodeTitle(const ChainNode &node) const
{
    switch (node.kind) {
    case ChainNode::Kind::Owner:
        return owner(node.owner);
    case ChainNode::Kind::Lock:
        return lockNameText(node.lock);
    case ChainNode::Kind::Holders:
        return node.state->mode == HoldMode::Read
            ? tr("%1 readers", nullptr, pluralOf(node.count)).arg(countText(node.count))
            : tr("%1 holders", nullptr, pluralOf(node.count)).arg(countText(node.count));
    case ChainNode::Kind::Queue:
        return tr("%1 more in the queue", nullptr, pluralOf(node.count)).arg(countText(node.count));
    case ChainNode::Kind::Listeners:
        return clients(node.count);
    }
    return {};
}

QString ChainText::wait(const ChainNode &node) const
{
    QStringList parts;
    if (node.place > 0)
        parts << placeText(node.place);
    if (node.isGhost)
        parts << tr("ghost: client gone?");
    else if (node.waitsSince)
        parts << tr("waits %1").arg(since(*node.waitsSince, node.lostSince));
    else
        parts << tr("waits");
    return joined(parts);
}

namespace {

const Holder *holderOf(const LockState &lock, const OwnerId &owner)
{
    const auto holder = std::ranges::find(lock.holders, owner, &Holder::owner);
    return holder == lock.holders.end() ? nullptr : &*holder;
}

} // namespace

/// Who waits for nothing is known by what it holds: of several since the first of them, which is exact only where it is
/// exact of all, as one that was held already when it was first seen may be the first.
QString ChainText::hold(const ChainNode &node) const
{
    std::optional<Since> first;
    std::int64_t count = 0;
    for (const auto &lock : node.holds)
        if (const Holder *holder = holderOf(*lock, node.owner)) {
            const Since &since = holder->since;
            first = !first ? since : Since{ std::min(since.at, first->at), since.exact && first->exact };
            ++count;
        }
    if (!first)
        return {};
    const QString longest = since(*first, node.lostSince);
    return count == 1 ? tr("holds for %1").arg(longest) : tr("holds %1, one for %2").arg(countText(count), longest);
}

QStringList ChainText::holdsToolTip(const ChainNode &node) const
{
    constexpr qsizetype Most = 12;
    if (node.holds.size() <= 1)
        return { tr("Holds %1. It stands in no queue; whether it waits for a lock that is not fair is not known.")
                     .arg(nameText(node.lock)) };
    QStringList lines{ tr("Holds %1 locks that others wait for. It stands in no queue; whether it waits for a lock "
                          "that is not fair is not known.")
                           .arg(countText(std::ssize(node.holds))) };
    for (const auto &lock : node.holds)
        if (const Holder *holder = holderOf(*lock, node.owner); holder && lines.size() <= Most)
            lines << tr("%1: %2", "lock, for how long").arg(nameText(lock->name), since(holder->since, node.lostSince));
    if (const auto more = std::ssize(node.holds) - Most; more > 0)
        lines << tr("and %1 more").arg(countText(more));
    return lines;
}

/// Empty: none, or the next one to try drops them.
QString ChainText::ghostsFirst(const LockState &lock, MonoTime now) const
{
    const IdleRow ghosts = ghostsAtHead(lock);
    if (ghosts.number == 0 || !isFree(lock) || (ghosts.until && *ghosts.until <= m_clock.wallAt(now)))
        return {};
    return ghosts.number == 1 ? tr("free, a ghost first") : tr("free, ghosts first");
}

QString ChainText::lockLine(const LockState &lock, MonoTime now) const
{
    const QString kind = shortKindText(lock);
    if (isCounter(lock.kind))
        return joined({ kind, holderText(lock, m_names) });
    switch (ttlState(lock, now)) {
    case TtlState::Free: {
        const QString ghosts = ghostsFirst(lock, now);
        return joined({ kind, ghosts.isEmpty() ? tr("free") : ghosts });
    }
    case TtlState::NoExpiry:
        return joined({ kind, tr("never expires") });
    case TtlState::Late:
        return joined({ kind, tr("renewal late"), left(*lock.expiresAt, now) });
    default:
        break;
    }
    const QString lease = lock.lease == Lease::Unknown ? QString()
        : lock.lease == Lease::Fixed                   ? tr("fixed")
                                                       : leaseText(lock.lease);
    return joined({ kind, lease + (lease.isEmpty() ? QString() : QStringLiteral(" ")) + left(*lock.expiresAt, now) });
}

QString ChainText::nodeLine(const ChainNode &node) const
{
    switch (node.kind) {
    case ChainNode::Kind::Owner:
        return node.isHead ? hold(node) : wait(node);
    case ChainNode::Kind::Lock:
        return lockLine(*node.state, seenUntil(node.lostSince));
    case ChainNode::Kind::Holders:
        return tr("hold it together");
    case ChainNode::Kind::Queue:
        return tr("known, not drawn");
    case ChainNode::Kind::Listeners:
        return tr("wait; who is not known", nullptr, pluralOf(node.count));
    }
    return {};
}

QString ChainText::nodeToolTip(const ChainNode &node) const
{
    QStringList lines;
    switch (node.kind) {
    case ChainNode::Kind::Owner:
        lines << fullNamedOwner(node.owner, m_names);
        if (node.isHead)
            lines << holdsToolTip(node);
        else
            lines << tr("Waits for %1: %2").arg(nameText(node.lock), wait(node));
        if (node.isGhost)
            lines << tr("It stands in the queue, but nobody is subscribed to its own channel.");
        break;
    case ChainNode::Kind::Lock:
        lines << nameText(node.lock) << joined({ kindText(*node.state), holderText(*node.state, m_names) });
        if (const auto held = heldSince(*node.state); held && !isFree(*node.state))
            lines << joined({ leaseProof(*node.state), tr("held %1").arg(since(*held, node.lostSince)) });
        lines << waitingExplanation(*node.state, false);
        break;
    case ChainNode::Kind::Holders:
        lines << nodeTitle(node)
              << tr("Together they hold %1. Each of them has to release it.").arg(nameText(node.lock));
        break;
    case ChainNode::Kind::Queue:
        lines << nodeTitle(node) << tr("The Locks page lists them all.");
        break;
    case ChainNode::Kind::Listeners:
        lines << tr("%1 listen for the release of %2.", nullptr, pluralOf(node.count))
                     .arg(clients(node.count), nameText(node.lock))
              << tr("Redis does not store which, nor how many threads of each wait.");
        break;
    }
    return lines.join(u'\n');
}

} // namespace lockui
