// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/wait_chains.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/text/lock_text.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

std::string nodeKeyOf(const OwnerId &owner) { return "owner " + toString(owner); }

/// Makes one chain of the locks that belong together.
class ChainMaker {
public:
    ChainMaker(const WaitedLocks &waited, const ChainLimits &limits, const WaitedLocks::Group &locks, MonoTime now)
        : m_waited(waited)
        , m_limits(limits)
        , m_locks(locks)
        , m_now(now)
    {
    }

    WaitChain make(const std::vector<const WaitCycle *> &cycles, const ChainWeight &weight)
    {
        for (const Place place : m_locks)
            m_chain.locks.push_back(lockAt(place).name);
        m_chain.mainLock = cycles.empty() ? lockAt(mainLock()).name : cycles.front()->back().lock;
        for (const WaitCycle *cycle : cycles)
            addCycle(*cycle, false);
        if (cycles.empty()) {
            if (const WaitCycle circle = findCircle(); !circle.empty())
                addCycle(circle, true);
            else
                m_open.push_back(startWith(mainLock()));
        }
        spread();
        for (const Place place : m_locks) // what another holder keeps waiting
            if (!m_lockNodes.contains(place) && isFirst(place)) {
                m_open.push_back(startWith(place));
                spread();
            }
        for (const Place place : m_locks)
            if (!m_lockNodes.contains(place)) {
                m_open.push_back(startWith(place));
                spread();
            }
        addEdges();
        sumUp(weight);
        return std::move(m_chain);
    }

private:
    using Place = WaitedLocks::Place;
    using Node = std::optional<std::size_t>; // absent: there is no room for it

    const LockState &lockAt(Place place) const { return *m_waited.lock(place); }

    std::int64_t waitingAt(Place place) const
    {
        const LockState &lock = lockAt(place);
        return std::ssize(lock.waiters) + m_waited.listenersOf(lock);
    }
    const std::vector<KnownWait> &knownAt(const LockState &lock) const { return m_waited.knownAt(lock); }

    /// No holder of it waits for another.
    bool isFirst(Place place) const
    {
        return std::ranges::all_of(holdersNow(lockAt(place)),
            [&](const Holder *holder) { return m_waited.partOf(holder->owner).waits.empty(); });
    }

    Place mainLock() const
    {
        Place best = m_locks.front();
        for (const Place place : m_locks)
            if (std::pair(isFirst(place), waitingAt(place)) > std::pair(isFirst(best), waitingAt(best)))
                best = place;
        return best;
    }

    /// Where all who hold something wait: a way from one to the next that comes back to where it was.
    WaitCycle findCircle() const
    {
        if (std::ranges::any_of(m_locks, [&](Place place) { return isFirst(place); }))
            return {};
        WaitCycle way;
        std::map<OwnerId, std::size_t> passed;
        OwnerId owner = holdersNow(lockAt(m_locks.front())).front()->owner;
        while (passed.try_emplace(owner, way.size()).second) {
            const WaitedLocks::OwnerPart &part = m_waited.partOf(owner);
            const auto holders
                = part.waits.empty() ? std::vector<const Holder *>() : holdersNow(lockAt(part.waits.front()));
            if (holders.empty())
                return {};
            way.push_back({ owner, lockAt(part.waits.front()).name, holders.front()->owner });
            owner = holders.front()->owner;
        }
        way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(passed.at(owner)));
        return way;
    }

    /// Does more than to hold or to wait for this one lock: the chain goes on with it.
    bool isLink(const OwnerId &owner) const { return m_waited.partOf(owner).size() > 1; }

    Node add(ChainNode node)
    {
        if (m_chain.nodes.size() >= m_limits.nodes) {
            ++m_chain.undrawn;
            return std::nullopt;
        }
        m_chain.nodes.push_back(std::move(node));
        return m_chain.nodes.size() - 1;
    }

    Node addOwner(const OwnerId &owner, int column, std::optional<std::size_t> parent)
    {
        if (const auto found = m_ownerNodes.find(owner); found != m_ownerNodes.end())
            return found->second;
        const WaitedLocks::OwnerPart &part = m_waited.partOf(owner);
        ChainNode node;
        node.key = nodeKeyOf(owner);
        node.owner = owner;
        node.isGhost = part.waits.empty() && part.holds.empty();
        node.isHead = part.waits.empty() && !node.isGhost;
        node.column = column;
        node.parent = parent;
        setLock(node, part.main());
        for (const Place place : part.holds)
            node.holds.push_back(m_waited.lock(place));
        if (!node.isHead)
            setWait(node);
        return m_ownerNodes[owner] = add(std::move(node));
    }

    void setLock(ChainNode &node, Place place) const
    {
        node.state = m_waited.lock(place);
        node.lock = node.state->name;
        node.lostSince = m_waited.lostSince(*node.state);
    }

    void setWait(ChainNode &node) const
    {
        const auto &waiters = node.state->waiters;
        const auto waiter = std::ranges::find(waiters, node.owner, &Waiter::owner);
        if (waiter != waiters.end()) {
            node.place = static_cast<int>(waiter - waiters.begin()) + 1;
            node.waitsSince = waiter->since;
            return;
        }
        const std::vector<KnownWait> &known = knownAt(*node.state);
        if (const auto wait = std::ranges::find(known, node.owner, &KnownWait::owner); wait != known.end())
            node.waitsSince = Since{ wait->since, true };
    }

    Node addLock(Place place, int column, std::optional<std::size_t> parent)
    {
        if (const auto found = m_lockNodes.find(place); found != m_lockNodes.end())
            return found->second;
        ChainNode node;
        node.kind = ChainNode::Kind::Lock;
        setLock(node, place);
        node.key = "lock " + node.lock;
        node.column = column;
        node.parent = parent;
        node.isHead = holdersNow(*node.state).empty();
        return m_lockNodes[place] = add(std::move(node));
    }

    Node addCrowd(ChainNode::Kind kind, const char *word, Place place, std::int64_t count, int column, Node parent)
    {
        ChainNode node;
        node.kind = kind;
        setLock(node, place);
        node.key = word + node.lock;
        node.count = count;
        node.column = column;
        node.parent = parent;
        node.isHead = kind == ChainNode::Kind::Holders;
        node.place = node.isHead ? 0 : std::numeric_limits<int>::max(); // after all who are known
        return add(std::move(node));
    }

    /// It goes to the right, and comes back.
    void addCycle(const WaitCycle &cycle, bool isPending)
    {
        ChainCycle made;
        made.edges = cycle;
        made.isPending = isPending;
        Node parent;
        for (auto edge = cycle.rbegin(); edge != cycle.rend(); ++edge) {
            const Node owner = addOwner(edge->holder, 0, parent);
            const Node lock = owner ? addLock(m_waited.placeOf(edge->lock), 0, owner) : owner;
            if (!lock)
                return;
            made.nodes.insert(made.nodes.end(), { *owner, *lock });
            parent = lock;
        }
        const std::size_t turn = made.nodes.size() / 2;
        for (std::size_t i = 0; i < made.nodes.size(); ++i) {
            ChainNode &node = m_chain.nodes[made.nodes[i]];
            if (!node.isInCycle)
                node.column = static_cast<int>(i <= turn ? i : made.nodes.size() - i);
            node.isInCycle = node.isInCycle || !isPending;
            m_open.push_back(made.nodes[i]);
        }
        setTimes(made);
        m_chain.cycles.push_back(std::move(made));
    }

    /// It is there since the last of its holds and waits began. Each is known to have begun at the latest then, and if
    /// it is known of the last, it is known of all.
    void setTimes(ChainCycle &cycle) const
    {
        std::optional<Since> last;
        const auto look = [&](const Since &since) {
            if (!last || since.at > last->at || (since.at == last->at && since.exact))
                last = since;
        };
        for (const WaitEdge &edge : cycle.edges) {
            const LockState &lock = lockAt(m_waited.placeOf(edge.lock));
            for (const Waiter &waiter : lock.waiters)
                if (waiter.owner == edge.waiter)
                    look(waiter.since);
            for (const Holder &holder : lock.holders)
                if (holder.owner == edge.holder) {
                    look(holder.since);
                    cycle.ends.push_back(endOfHold(lock, holder));
                }
        }
        cycle.since = last.value_or(Since{});
        std::ranges::sort(
            cycle.ends, {}, [](const ChainEnd &end) { return std::pair(end.at.value_or(MonoTime::max()), end.lock); });
        if (!cycle.ends.empty())
            cycle.end = *std::ranges::min_element(cycle.ends, isSooner);
    }

    static bool isSooner(const ChainEnd &a, const ChainEnd &b)
    {
        const auto rank = [](const ChainEnd &end) {
            return end.how == ChainEnd::How::Lease ? 0 : end.how == ChainEnd::How::UnlessRenewed ? 1 : 2;
        };
        return rank(a) != rank(b) ? rank(a) < rank(b) : rank(a) < 2 && a.at < b.at;
    }

    static ChainEnd endOfHold(const LockState &lock, const Holder &holder)
    {
        ChainEnd end;
        end.lock = lock.name;
        end.at = holder.expiresAt ? holder.expiresAt : lock.expiresAt;
        end.how = !end.at                   ? ChainEnd::How::NeverExpires
            : lock.lease == Lease::Fixed    ? ChainEnd::How::Lease
            : lock.lease == Lease::Watchdog ? ChainEnd::How::Renewed
                                            : ChainEnd::How::UnlessRenewed;
        return end;
    }

    static ChainEnd endOf(const LockState &lock)
    {
        ChainEnd end;
        end.lock = lock.name;
        const auto holders = holdersNow(lock);
        if (synchronizers::isCounter(lock.kind)) {
            const std::int64_t free = lock.permits ? freePermits(*lock.permits) : 0;
            const bool isLatch = lock.kind == synchronizers::Kind::CountDownLatch;
            end.how = isLatch && isHeld(lock) ? ChainEnd::How::CountedDown
                : isLatch                     ? ChainEnd::How::Open
                : !lock.permits               ? ChainEnd::How::NoSemaphore
                : free > 0                    ? ChainEnd::How::FreePermits
                                              : ChainEnd::How::Permit;
            end.number = lock.count.value_or(free);
            return end;
        }
        const IdleRow ghosts = ghostsAtHead(lock);
        if (!holders.empty())
            end = endOfHold(lock, *holders.front());
        else
            end.how = ChainEnd::How::Taken;
        end.ghosts = ghosts.number;
        end.ghostsUntil = ghosts.until;
        end.number = std::ranges::count_if(holders, [](const Holder *holder) { return !holder->expired; });
        if (end.number <= 1)
            return end;
        end.how = ChainEnd::How::LastReader;
        // A watchdog renews what it holds, so no time ends it.
        const bool isRenewed = std::ranges::any_of(
            holders, [&](const Holder *holder) { return endOfHold(lock, *holder).how == ChainEnd::How::Renewed; });
        end.at = isRenewed ? std::nullopt : lock.expiresAt;
        return end;
    }

    int columnOf(std::size_t node) const { return m_chain.nodes[node].column; }

    /// The holders of a lock and the lock itself, where the chain begins with it.
    std::size_t startWith(Place place)
    {
        const bool hasHolder = !holdersNow(lockAt(place)).empty();
        const Node holder = hasHolder ? addHolders(place, 0) : std::nullopt;
        const Node lock = addLock(place, hasHolder ? 1 : 0, holder);
        return lock.value_or(0);
    }

    /// The first of them; absent: no room.
    Node addHolders(Place place, int column)
    {
        const auto holders = holdersNow(lockAt(place));
        const auto isAlone = [&](const Holder *holder) { return !isLink(holder->owner); };
        const auto alone = std::ranges::count_if(holders, isAlone);
        const bool together = static_cast<std::size_t>(alone) > m_limits.holders;
        Node first;
        const auto addOne = [&](const OwnerId &owner) {
            const Node node = addOwner(owner, column, std::nullopt);
            if (node)
                m_open.push_back(*node);
            first = first ? first : node;
        };
        for (const Holder *holder : holders)
            if (!(together && isAlone(holder)) && m_waited.partOf(holder->owner).waits.empty())
                addOne(holder->owner); // the others come where they wait
        if (together && !m_crowdOfHolders.contains(place)) {
            const Node crowd = addCrowd(ChainNode::Kind::Holders, "holders ", place, alone, column, std::nullopt);
            m_crowdOfHolders[place] = crowd;
            first = first ? first : crowd;
        }
        if (!first)
            addOne(holders.front()->owner);
        return first;
    }

    void spread()
    {
        while (!m_open.empty()) {
            const std::size_t node = m_open.front();
            m_open.pop_front();
            if (!m_done.insert(node).second)
                continue;
            if (m_chain.nodes[node].kind == ChainNode::Kind::Lock)
                addWaiters(node);
            else if (m_chain.nodes[node].kind == ChainNode::Kind::Owner)
                addLocksOf(node);
        }
    }

    void addLocksOf(std::size_t node)
    {
        std::vector<Place> places = m_waited.partOf(m_chain.nodes[node].owner).holds;
        std::ranges::stable_sort(places, std::greater(), [&](Place place) { return waitingAt(place); });
        for (const Place place : places) {
            const Node lock = addLock(place, columnOf(node) + 1, node);
            if (!lock)
                continue;
            if (holdersNow(lockAt(place)).size() > 1)
                addHolders(place, columnOf(node));
            m_open.push_back(*lock);
        }
    }

    void addWaiters(std::size_t node)
    {
        const LockState &lock = *m_chain.nodes[node].state;
        const Place place = m_waited.placeOf(lock.name);
        const int column = columnOf(node) + 1;
        std::size_t shown = 0;
        std::int64_t rest = 0;
        const auto addOne = [&](const OwnerId &owner) {
            if (!waitsFor(lock, owner))
                return;
            const bool together = shown >= m_limits.queue && !isLink(owner);
            if (together) {
                ++rest;
                return;
            }
            ++shown;
            if (const Node added = addOwner(owner, column, node))
                m_open.push_back(*added);
        };
        for (const Waiter *waiter : waitersOnce(lock))
            addOne(waiter->owner);
        for (const KnownWait &wait : knownAt(lock))
            if (!hasOwner(lock.waiters, wait.owner))
                addOne(wait.owner);
        if (rest > 0)
            if (const Node crowd = addCrowd(ChainNode::Kind::Queue, "queue ", place, rest, column, node))
                m_crowdsThatWait.push_back({ node, *crowd });
        if (const auto listeners = m_waited.listenersOf(lock); listeners > 0)
            if (const Node crowd = addCrowd(ChainNode::Kind::Listeners, "listeners ", place, listeners, column, node))
                m_crowdsThatWait.push_back({ node, *crowd });
    }

    void addEdges()
    {
        using enum ChainEdge::Kind;
        for (const auto &entry : m_lockNodes) {
            const Place place = entry.first;
            const Node lock = entry.second;
            if (!lock)
                continue;
            for (const Holder *holder : holdersNow(lockAt(place)))
                if (const Node owner = nodeOf(holder->owner))
                    m_chain.edges.push_back({ *owner, *lock, Holds, !holder->expired, false });
            if (const auto crowd = m_crowdOfHolders.find(place); crowd != m_crowdOfHolders.end() && crowd->second)
                m_chain.edges.push_back({ *crowd->second, *lock, Holds, true, false });
            const auto addWait = [&](const OwnerId &owner, bool isSeen) {
                if (const Node node = waitsFor(lockAt(place), owner) ? nodeOf(owner) : std::nullopt)
                    m_chain.edges.push_back({ *lock, *node, KeepsWaiting, isSeen, false });
            };
            for (const Waiter *waiter : waitersOnce(lockAt(place)))
                addWait(waiter->owner, !isGhost(*waiter));
            for (const KnownWait &wait : knownAt(lockAt(place)))
                if (!hasOwner(lockAt(place).waiters, wait.owner))
                    addWait(wait.owner, true);
        }
        for (const auto &[lock, crowd] : m_crowdsThatWait)
            m_chain.edges.push_back(
                { lock, crowd, KeepsWaiting, m_chain.nodes[crowd].kind == ChainNode::Kind::Queue, false });
        markCycles();
    }

    void markCycles()
    {
        for (const ChainCycle &cycle : m_chain.cycles)
            for (std::size_t i = 0; i < cycle.nodes.size() && !cycle.isPending; ++i) {
                const std::size_t next = cycle.nodes[(i + 1) % cycle.nodes.size()];
                for (ChainEdge &edge : m_chain.edges)
                    edge.isInCycle = edge.isInCycle || (edge.from == cycle.nodes[i] && edge.to == next);
            }
    }

    Node nodeOf(const OwnerId &owner) const
    {
        const auto found = m_ownerNodes.find(owner);
        return found == m_ownerNodes.end() ? std::nullopt : found->second;
    }

    void sumUp(const ChainWeight &weight)
    {
        m_chain.blocked = weight.blocked;
        m_chain.isBlockedAtLeast = weight.isBlockedAtLeast;
        m_chain.mayBeElsewhere = weight.mayBeElsewhere;
        m_chain.mayBeGhosts = weight.mayBeGhosts;
        countUndrawn();
        m_chain.lost = weight.lost;
        for (const Place place : m_locks)
            if (const auto since = m_waited.lostSince(lockAt(place)))
                m_chain.lostSince = std::min(*since, m_chain.lostSince.value_or(*since));
        const auto main = m_waited.placeOf(m_chain.mainLock);
        m_chain.end = m_chain.isDeadlock() ? m_chain.cycles.front().end : endOf(lockAt(main));
        if (m_chain.cycles.empty())
            setHeadEnds(main);
    }

    /// All that the chain has, without what its nodes stand for.
    void countUndrawn()
    {
        using enum ChainNode::Kind;
        if (m_chain.undrawn == 0)
            return;
        std::set<OwnerId> owners;
        std::int64_t listeners = 0;
        bool isQueueCut = false;
        for (const Place place : m_locks) {
            const LockState &lock = lockAt(place);
            for (const Holder *holder : holdersNow(lock))
                owners.insert(holder->owner);
            for (const Waiter &waiter : lock.waiters)
                owners.insert(waiter.owner);
            for (const KnownWait &wait : knownAt(lock))
                owners.insert(wait.owner);
            listeners += m_waited.listenersOf(lock);
            isQueueCut = isQueueCut || mayHaveMoreWaiters(lock);
        }
        std::int64_t drawnListeners = 0;
        std::int64_t drawnOwners = 0;
        m_chain.undrawnLocks = std::ssize(m_locks);
        for (const ChainNode &node : m_chain.nodes) {
            m_chain.undrawnLocks -= node.kind == Lock ? 1 : 0;
            (node.kind == Listeners ? drawnListeners : drawnOwners) += node.kind == Lock ? 0 : node.count;
        }
        m_chain.undrawnClients = std::ssize(owners) - drawnOwners + listeners - drawnListeners;
        m_chain.isUndrawnAtLeast = listeners > drawnListeners || isQueueCut;
    }

    /// Those at the head end each in its own way: what is true of one is not true of the chain.
    void setHeadEnds(Place main)
    {
        std::vector<std::pair<Millis, Place>> heads;
        for (const Place place : m_locks)
            if (place == main || isFirst(place))
                heads.emplace_back(m_waited.weightOf({ place }).lost.at(m_now), place);
        std::ranges::stable_sort(heads, std::greater(), &std::pair<Millis, Place>::first);
        for (const auto &head : heads)
            m_chain.headEnds.push_back(endOf(lockAt(head.second)));
    }

    const WaitedLocks &m_waited;
    const ChainLimits &m_limits;
    const WaitedLocks::Group &m_locks;
    const MonoTime m_now;
    WaitChain m_chain;
    std::map<OwnerId, Node> m_ownerNodes;
    std::map<Place, Node> m_lockNodes;
    std::map<Place, Node> m_crowdOfHolders;
    std::vector<std::pair<std::size_t, std::size_t>> m_crowdsThatWait; // for which lock
    std::deque<std::size_t> m_open;
    std::set<std::size_t> m_done;
};

} // namespace

std::vector<NamedLock> namedLocks(const WaitChain &chain)
{
    const std::vector<ChainNode> &nodes = chain.nodes;
    const auto lockBefore = [&nodes](std::size_t lock) {
        const auto holder = nodes[lock].parent;
        return holder ? nodes[*holder].parent : std::nullopt;
    };
    std::map<std::optional<std::size_t>, std::vector<std::size_t>> behind; // which lock; none: the first ones
    for (std::size_t node = 0; node < nodes.size(); ++node)
        if (nodes[node].kind == ChainNode::Kind::Lock)
            behind[lockBefore(node)].push_back(node);
    std::vector<NamedLock> named;
    std::vector<std::size_t> open; // the next one last
    const auto addBehind = [&](std::optional<std::size_t> lock) {
        if (const auto found = behind.find(lock); found != behind.end())
            open.insert(open.end(), found->second.rbegin(), found->second.rend());
    };
    addBehind(std::nullopt);
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        auto after = NamedLock::After::Nothing;
        if (!named.empty()) {
            const std::size_t last = named.back().node;
            after = lockBefore(node) != last                     ? NamedLock::After::Other
                : nodes[node].isInCycle && nodes[last].isInCycle ? NamedLock::After::Circle
                                                                 : NamedLock::After::Waiter;
        }
        named.push_back({ node, after });
        addBehind(node);
    }
    return named;
}

WaitChains waitChains(const Snapshot &snapshot, MonoTime now, const std::function<bool(const LockState &)> &isWanted,
    const std::vector<KnownWait> &known, const ChainLimits &limits)
{
    std::vector<KnownWait> begun;
    std::ranges::copy_if(known, std::back_inserter(begun), [now](const KnownWait &wait) { return wait.since <= now; });
    const WaitedLocks waited(snapshot, snapshot.locks, begun);
    const WaitedLocks::Groups groups = waited.groups();
    auto cycles = waited.cycles(snapshot, groups);
    WaitChains all;
    struct Weighed {
        const WaitedLocks::Group *locks;
        std::vector<const WaitCycle *> cycles;
        ChainWeight weight;
    };
    std::vector<Weighed> wanted;
    for (const auto &[first, locks] : groups) {
        const auto isWantedAt = [&](WaitedLocks::Place place) { return isWanted(*waited.lock(place)); };
        if (isWanted && std::ranges::none_of(locks, isWantedAt)) {
            ++all.filteredOut;
            continue;
        }
        wanted.push_back({ &locks, cycles[first], waited.weightOf(locks) });
        all.deadlocks += std::ssize(wanted.back().cycles);
    }
    std::ranges::stable_sort(wanted, {}, [now](const Weighed &each) {
        return std::tuple(each.cycles.empty(), -each.weight.lost.at(now).count(), -each.weight.blocked);
    });
    const std::size_t listed = std::min(wanted.size(), limits.chains);
    all.more = static_cast<std::int64_t>(wanted.size() - listed);
    for (std::size_t i = 0; i < listed; ++i)
        all.chains.push_back(
            ChainMaker(waited, limits, *wanted[i].locks, now).make(wanted[i].cycles, wanted[i].weight));
    return all;
}

} // namespace lockui
