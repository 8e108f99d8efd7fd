// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/wait_chains.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/freshness.h"
#include "ui/text/lock_text.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

Millis TimeLost::at(MonoTime now) const
{
    return std::chrono::duration_cast<Millis>(now.time_since_epoch() * goingOn - began + seen);
}

namespace {

using LockPointer = std::shared_ptr<const LockState>;
using Place = std::size_t; // of a lock, in the list of those that somebody waits for
using Groups = std::map<Place, std::vector<Place>>; // of locks, by the first of them

/// What one owner has to do with these locks.
struct Part {
    std::vector<Place> holds;
    std::vector<Place> waits;
    std::vector<Place> haunts; // stands in the queue, and listens to nothing: it does not wait

    Place main() const { return !waits.empty() ? waits.front() : !holds.empty() ? holds.front() : haunts.front(); }
    std::size_t size() const { return holds.size() + waits.size() + haunts.size(); }
};

struct Contention {
    std::vector<LockPointer> locks; // that somebody waits for, by name
    std::map<LockName, Place> places;
    std::map<OwnerId, Part> parts;
    std::map<LockName, std::vector<OwnerId>> known; // waits of our own clients
    std::map<std::string, MonoTime> lostServers; // since when, while others are watched

    const Part &partOf(const OwnerId &owner) const { return parts.at(owner); }
    const std::vector<OwnerId> &knownAt(const LockState &lock) const
    {
        static const std::vector<OwnerId> None;
        const auto found = known.find(lock.name);
        return found == known.end() ? None : found->second;
    }

    /// Since when nothing of it is seen; of a lock on several servers one that is seen is enough.
    std::optional<MonoTime> lostSince(const LockState &lock) const
    {
        const auto lossOf = [&](const std::string &node) {
            const auto found = lostServers.find(node);
            return found == lostServers.end() ? std::nullopt : std::optional(found->second);
        };
        if (lostServers.empty() || lock.members.empty())
            return lossOf(lock.node);
        std::optional<MonoTime> last;
        for (const LockPointer &member : lock.members) {
            const auto since = lossOf(member->node);
            if (!since)
                return std::nullopt;
            last = std::max(last, since);
        }
        return last;
    }
};

bool holds(const LockState &lock, const OwnerId &owner)
{
    return std::ranges::any_of(holdersNow(lock), [&](const Holder *holder) { return holder->owner == owner; });
}

/// Its own queue is no reason to wait for oneself.
bool waitsFor(const LockState &lock, const OwnerId &owner) { return !holds(lock, owner); }

/// Those who listen and are not known by name.
std::int64_t listenersOf(const LockState &lock, const std::vector<OwnerId> &known)
{
    std::set<std::string_view> clients;
    for (const OwnerId &owner : known)
        clients.insert(owner.client);
    return std::max<std::int64_t>(0, lock.subscribers.value_or(0) - std::ssize(clients));
}

bool mayBeWaitedFor(const LockState &lock) { return !lock.waiters.empty() || lock.subscribers.value_or(0) > 0; }

Contention contentionOf(const Snapshot &snapshot, const LockList &locks, const std::vector<KnownWait> &known)
{
    Contention found;
    const std::set<std::string> lost = lostServers(snapshot);
    for (const NodeStatus &node : snapshot.nodes)
        if (lost.contains(node.node))
            found.lostServers.emplace(node.node, node.status.staleSince.value_or(snapshot.takenAt.mono));
    for (const KnownWait &wait : known)
        found.known[wait.lock].push_back(wait.owner);
    for (const LockPointer &lock : locks) {
        const auto ours = found.known.find(lock->name);
        const bool isOurs = ours != found.known.end();
        if (!mayBeWaitedFor(*lock) && !isOurs)
            continue;
        const auto waits = [&](const OwnerId &owner) { return waitsFor(*lock, owner); };
        if (std::ranges::none_of(lock->waiters, waits, &Waiter::owner) && lock->subscribers.value_or(0) == 0
            && !(isOurs && std::ranges::any_of(ours->second, waits)))
            continue;
        const Place place = found.locks.size();
        found.locks.push_back(lock);
        found.places.emplace(lock->name, place);
        for (const Holder *holder : holdersNow(*lock))
            found.parts[holder->owner].holds.push_back(place);
        const auto addWait = [&](const OwnerId &owner) {
            std::vector<Place> &places = found.parts[owner].waits;
            if (places.empty() || places.back() != place)
                places.push_back(place);
        };
        for (const Waiter &waiter : lock->waiters)
            if (waits(waiter.owner) && waiter.subscribed == false)
                found.parts[waiter.owner].haunts.push_back(place);
            else if (waits(waiter.owner))
                addWait(waiter.owner);
        if (isOurs)
            for (const OwnerId &owner : ours->second)
                if (waits(owner))
                    addWait(owner);
    }
    return found;
}

/// Locks that an owner ties together.
Groups tiedTogether(const Contention &contention)
{
    std::vector<Place> root(contention.locks.size());
    std::iota(root.begin(), root.end(), Place(0));
    const auto find = [&](Place place) {
        while (root[place] != place)
            place = root[place] = root[root[place]];
        return place;
    };
    for (const auto &[owner, part] : contention.parts) {
        for (const auto *list : { &part.holds, &part.waits, &part.haunts })
            for (const Place place : *list) {
                const Place one = find(part.main());
                const Place other = find(place);
                root[std::max(one, other)] = std::min(one, other);
            }
    }
    Groups groups;
    for (Place place = 0; place < root.size(); ++place)
        groups[find(place)].push_back(place);
    return groups;
}

/// The cycle may be over since it was found.
bool stillStands(const WaitCycle &cycle, const Contention &contention)
{
    return std::ranges::all_of(cycle, [&](const WaitEdge &edge) {
        const auto place = contention.places.find(edge.lock);
        if (place == contention.places.end())
            return false;
        const LockState &lock = *contention.locks[place->second];
        const auto waiter = std::ranges::find(lock.waiters, edge.waiter, &Waiter::owner);
        return waiter != lock.waiters.end() && waiter->subscribed != false && holds(lock, edge.holder);
    });
}

/// What a chain comes to, which is known before it is made.
struct Weight {
    std::int64_t blocked = 0;
    bool isBlockedAtLeast = false;
    TimeLost lost;
};

Weight weightOf(const Contention &contention, const std::vector<Place> &locks)
{
    Weight weight;
    std::set<OwnerId> waiting;
    for (const Place place : locks) {
        const LockState &lock = *contention.locks[place];
        const auto lostSince = contention.lostSince(lock);
        for (const Waiter &waiter : lock.waiters) {
            if (waiter.subscribed == false || !waitsFor(lock, waiter.owner))
                continue;
            waiting.insert(waiter.owner);
            ++weight.lost.waits;
            if (lostSince) {
                weight.lost.seen += std::max(*lostSince - waiter.since.at, MonoTime::duration(0));
            } else {
                ++weight.lost.goingOn;
                weight.lost.began += waiter.since.at.time_since_epoch();
            }
            weight.lost.isAtLeast = weight.lost.isAtLeast || !waiter.since.exact;
        }
        const std::vector<OwnerId> &known = contention.knownAt(lock);
        for (const OwnerId &owner : known)
            if (waitsFor(lock, owner) && waiting.insert(owner).second)
                weight.lost.isPartly = true;
        const auto listeners = listenersOf(lock, known);
        weight.blocked += listeners;
        weight.lost.isPartly = weight.lost.isPartly || listeners > 0;
        weight.isBlockedAtLeast = weight.isBlockedAtLeast || listeners > 0 || mayHaveMoreWaiters(lock);
    }
    weight.blocked += std::ssize(waiting);
    return weight;
}

std::string nodeKeyOf(const OwnerId &owner) { return "owner " + toString(owner); }

/// Makes one chain of the locks that belong together.
class ChainMaker {
public:
    ChainMaker(const Contention &contention, const ChainLimits &limits, const std::vector<Place> &locks)
        : m_contention(contention)
        , m_limits(limits)
        , m_locks(locks)
    {
    }

    WaitChain make(const std::vector<const WaitCycle *> &cycles, const Weight &weight)
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
    using Node = std::optional<std::size_t>; // absent: there is no room for it

    const LockState &lockAt(Place place) const { return *m_contention.locks[place]; }

    std::int64_t waitingAt(Place place) const
    {
        const LockState &lock = lockAt(place);
        return std::ssize(lock.waiters) + listenersOf(lock, knownAt(lock));
    }
    const std::vector<OwnerId> &knownAt(const LockState &lock) const { return m_contention.knownAt(lock); }

    /// No holder of it waits for another.
    bool isFirst(Place place) const
    {
        return std::ranges::all_of(holdersNow(lockAt(place)),
            [&](const Holder *holder) { return m_contention.partOf(holder->owner).waits.empty(); });
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
            const Part &part = m_contention.partOf(owner);
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
    bool isLink(const OwnerId &owner) const { return m_contention.partOf(owner).size() > 1; }

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
        const Part &part = m_contention.partOf(owner);
        ChainNode node;
        node.key = nodeKeyOf(owner);
        node.owner = owner;
        node.isGhost = part.waits.empty() && part.holds.empty();
        node.isHead = part.waits.empty() && !node.isGhost;
        node.column = column;
        node.parent = parent;
        setLock(node, part.main());
        if (!node.isHead)
            setWait(node);
        return m_ownerNodes[owner] = add(std::move(node));
    }

    void setLock(ChainNode &node, Place place) const
    {
        node.state = m_contention.locks[place];
        node.lock = node.state->name;
        node.lostSince = m_contention.lostSince(*node.state);
    }

    void setWait(ChainNode &node) const
    {
        const auto &waiters = node.state->waiters;
        const auto waiter = std::ranges::find(waiters, node.owner, &Waiter::owner);
        if (waiter == waiters.end())
            return;
        node.place = static_cast<int>(waiter - waiters.begin()) + 1;
        node.waitsSince = waiter->since;
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
            const Node lock = owner ? addLock(m_contention.places.at(edge->lock), 0, owner) : owner;
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
        std::optional<ChainEnd> end;
        for (const WaitEdge &edge : cycle.edges) {
            const LockState &lock = lockAt(m_contention.places.at(edge.lock));
            for (const Waiter &waiter : lock.waiters)
                if (waiter.owner == edge.waiter)
                    look(waiter.since);
            for (const Holder &holder : lock.holders)
                if (holder.owner == edge.holder) {
                    look(holder.since);
                    const ChainEnd other = endOfHold(lock, holder);
                    if (!end || isSooner(other, *end))
                        end = other;
                }
        }
        cycle.since = last.value_or(Since{});
        cycle.end = end.value_or(ChainEnd{});
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
        if (lock.count || lock.permits) {
            const std::int64_t free = lock.permits ? lock.permits->available : 0;
            end.how = lock.count ? ChainEnd::How::CountedDown
                : free > 0       ? ChainEnd::How::FreePermits
                                 : ChainEnd::How::Permit;
            end.number = lock.count.value_or(free);
            return end;
        }
        if (holders.empty()) {
            const bool isGhostFirst = !lock.waiters.empty() && lock.waiters.front().subscribed == false;
            end.how = isGhostFirst ? ChainEnd::How::Ghost : ChainEnd::How::Taken;
            if (isGhostFirst)
                end.ghostUntil = lock.waiters.front().deadline;
            return end;
        }
        end = endOfHold(lock, *holders.front());
        if (holders.size() == 1)
            return end;
        end.how = ChainEnd::How::LastReader;
        end.number = std::ssize(holders);
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
            if (!(together && isAlone(holder)) && m_contention.partOf(holder->owner).waits.empty())
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
        std::vector<Place> places = m_contention.partOf(m_chain.nodes[node].owner).holds;
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
        const Place place = m_contention.places.at(lock.name);
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
        for (const Waiter &waiter : lock.waiters)
            addOne(waiter.owner);
        for (const OwnerId &owner : knownAt(lock))
            if (std::ranges::find(lock.waiters, owner, &Waiter::owner) == lock.waiters.end())
                addOne(owner);
        if (rest > 0)
            if (const Node crowd = addCrowd(ChainNode::Kind::Queue, "queue ", place, rest, column, node))
                m_crowdsThatWait.push_back({ node, *crowd });
        if (const auto listeners = listenersOf(lock, knownAt(lock)); listeners > 0)
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
            for (const Waiter &waiter : lockAt(place).waiters)
                addWait(waiter.owner, waiter.subscribed != false);
            for (const OwnerId &owner : knownAt(lockAt(place)))
                if (std::ranges::find(lockAt(place).waiters, owner, &Waiter::owner) == lockAt(place).waiters.end())
                    addWait(owner, true);
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

    void sumUp(const Weight &weight)
    {
        m_chain.blocked = weight.blocked;
        m_chain.isBlockedAtLeast = weight.isBlockedAtLeast;
        m_chain.isUndrawnAtLeast = std::ranges::any_of(m_lockNodes, [](const auto &entry) { return !entry.second; });
        m_chain.lost = weight.lost;
        for (const Place place : m_locks)
            if (const auto since = m_contention.lostSince(lockAt(place)))
                m_chain.lostSince = std::min(*since, m_chain.lostSince.value_or(*since));
        const auto main = m_contention.places.at(m_chain.mainLock);
        m_chain.end = m_chain.isDeadlock() ? m_chain.cycles.front().end : endOf(lockAt(main));
    }

    const Contention &m_contention;
    const ChainLimits &m_limits;
    const std::vector<Place> &m_locks;
    WaitChain m_chain;
    std::map<OwnerId, Node> m_ownerNodes;
    std::map<Place, Node> m_lockNodes;
    std::map<Place, Node> m_crowdOfHolders;
    std::vector<std::pair<std::size_t, std::size_t>> m_crowdsThatWait; // for which lock
    std::deque<std::size_t> m_open;
    std::set<std::size_t> m_done;
};

} // namespace

namespace {

/// Those that still stand, by the first lock of their group.
std::map<Place, std::vector<const WaitCycle *>> cyclesOf(
    const Snapshot &snapshot, const Contention &contention, const Groups &groups)
{
    std::map<Place, std::vector<const WaitCycle *>> cycles;
    if (!snapshot.analysis || !snapshot.analysis->graph || snapshot.analysis->graph->cycles.empty())
        return cycles;
    std::map<Place, Place> groupOf;
    for (const auto &[first, locks] : groups)
        for (const Place place : locks)
            groupOf[place] = first;
    for (const WaitCycle &cycle : snapshot.analysis->graph->cycles)
        if (!cycle.empty() && stillStands(cycle, contention))
            cycles[groupOf.at(contention.places.at(cycle.front().lock))].push_back(&cycle);
    return cycles;
}

} // namespace

const ChainCount &ChainCounter::count(const Snapshot &snapshot)
{
    LockList::Changes changes;
    forEachDifference(m_seen, snapshot.locks, [&](const LockPointer &before, const LockPointer &now) {
        const bool isWaitedFor = now && mayBeWaitedFor(*now);
        if (isWaitedFor || (before && mayBeWaitedFor(*before)))
            changes.emplace((now ? now : before)->name, isWaitedFor ? now : nullptr);
    });
    m_seen = snapshot.locks;
    m_waitedFor.apply(changes);
    const auto &analysis = snapshot.analysis;
    const bool mayHaveCycles
        = m_count.deadlocks > 0 || (analysis && analysis->graph && !analysis->graph->cycles.empty());
    if (changes.empty() && !mayHaveCycles)
        return m_count;
    const Contention contention = contentionOf(snapshot, m_waitedFor, {});
    const Groups groups = tiedTogether(contention);
    m_count = { std::ssize(groups), 0 };
    for (const auto &[first, cycles] : cyclesOf(snapshot, contention, groups))
        m_count.deadlocks += std::ssize(cycles);
    return m_count;
}

WaitChains waitChains(const Snapshot &snapshot, MonoTime now, const std::function<bool(const LockState &)> &isWanted,
    const std::vector<KnownWait> &known, const ChainLimits &limits)
{
    const Contention contention = contentionOf(snapshot, snapshot.locks, known);
    const Groups groups = tiedTogether(contention);
    auto cycles = cyclesOf(snapshot, contention, groups);
    WaitChains all;
    struct Weighed {
        const std::vector<Place> *locks;
        std::vector<const WaitCycle *> cycles;
        Weight weight;
    };
    std::vector<Weighed> wanted;
    for (const auto &[first, locks] : groups) {
        const auto isWantedAt = [&](Place place) { return isWanted(*contention.locks[place]); };
        if (isWanted && std::ranges::none_of(locks, isWantedAt)) {
            ++all.filteredOut;
            continue;
        }
        wanted.push_back({ &locks, cycles[first], weightOf(contention, locks) });
        all.deadlocks += std::ssize(wanted.back().cycles);
    }
    std::ranges::stable_sort(wanted, {}, [now](const Weighed &each) {
        return std::tuple(each.cycles.empty(), -each.weight.lost.at(now).count(), -each.weight.blocked);
    });
    const std::size_t listed = std::min(wanted.size(), limits.chains);
    all.more = static_cast<std::int64_t>(wanted.size() - listed);
    for (std::size_t i = 0; i < listed; ++i)
        all.chains.push_back(ChainMaker(contention, limits, *wanted[i].locks).make(wanted[i].cycles, wanted[i].weight));
    return all;
}

} // namespace lockui
