// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/wait_graph.h"

#include <algorithm>
#include <deque>
#include <map>

namespace lockcore::monitor {

namespace {

using Index = std::size_t;

struct Step {
    Index to = 0;
    Index edge = 0;
};

/// Owners by number, and where each waits.
class Owners {
public:
    explicit Owners(const std::vector<WaitEdge> &edges)
    {
        for (const auto &edge : edges) {
            m_numbers.emplace(edge.waiter, 0);
            m_numbers.emplace(edge.holder, 0);
        }
        Index next = 0;
        for (auto &[owner, number] : m_numbers)
            number = next++;
        m_steps.resize(next);
        for (Index i = 0; i < edges.size(); ++i)
            m_steps[m_numbers.at(edges[i].waiter)].push_back({ m_numbers.at(edges[i].holder), i });
    }

    Index size() const { return m_steps.size(); }
    const std::vector<Step> &stepsFrom(Index owner) const { return m_steps[owner]; }

private:
    std::map<OwnerId, Index> m_numbers;
    std::vector<std::vector<Step>> m_steps;
};

/// Tarjan's strongly connected components, with a stack of its own: chains may be long.
class Knots {
public:
    explicit Knots(const Owners &owners)
        : m_owners(owners)
        , m_nodes(owners.size())
    {
        for (Index owner = 0; owner < owners.size(); ++owner) {
            if (m_nodes[owner].order == 0)
                visit(owner);
        }
    }

    Index knotOf(Index owner) const { return m_nodes[owner].knot; }

private:
    struct Node {
        Index order = 0; // from 1; 0: not visited
        Index lowest = 0;
        Index knot = 0; // from 1; 0: not yet in one
        Index nextStep = 0;
    };

    void visit(Index start)
    {
        std::vector<Index> path{ start };
        enter(start);
        while (!path.empty()) {
            const Index here = path.back();
            auto &node = m_nodes[here];
            const auto &steps = m_owners.stepsFrom(here);
            if (node.nextStep < steps.size()) {
                const Index to = steps[node.nextStep++].to;
                if (m_nodes[to].order == 0) {
                    enter(to);
                    path.push_back(to);
                } else if (m_nodes[to].knot == 0) {
                    node.lowest = std::min(node.lowest, m_nodes[to].order);
                }
                continue;
            }
            path.pop_back();
            if (!path.empty())
                m_nodes[path.back()].lowest = std::min(m_nodes[path.back()].lowest, node.lowest);
            if (node.lowest == node.order)
                closeKnot(here);
        }
    }

    void enter(Index owner)
    {
        m_nodes[owner].order = m_nodes[owner].lowest = ++m_lastOrder;
        m_open.push_back(owner);
    }

    void closeKnot(Index first)
    {
        ++m_lastKnot;
        Index owner = first;
        do {
            owner = m_open.back();
            m_open.pop_back();
            m_nodes[owner].knot = m_lastKnot;
        } while (owner != first);
    }

    const Owners &m_owners;
    std::vector<Node> m_nodes;
    std::vector<Index> m_open;
    Index m_lastOrder = 0;
    Index m_lastKnot = 0;
};

/// The shortest way from an owner back to itself, within its knot; empty: there is none.
std::vector<Index> shortestCycle(const Owners &owners, const Knots &knots, Index start)
{
    std::map<Index, std::pair<Index, Index>> cameBy; // owner and edge
    std::deque<Index> next{ start };
    while (!next.empty()) {
        const Index here = next.front();
        next.pop_front();
        for (const auto &step : owners.stepsFrom(here)) {
            if (knots.knotOf(step.to) != knots.knotOf(start) || !cameBy.try_emplace(step.to, here, step.edge).second)
                continue;
            if (step.to != start) {
                next.push_back(step.to);
                continue;
            }
            std::vector<Index> edges;
            for (Index owner = start; edges.empty() || owner != start; owner = cameBy.at(owner).first)
                edges.push_back(cameBy.at(owner).second);
            std::reverse(edges.begin(), edges.end());
            return edges;
        }
    }
    return {};
}

std::vector<WaitEdge> edgesOf(const std::vector<std::shared_ptr<const LockState>> &locks)
{
    std::vector<WaitEdge> edges;
    for (const auto &lock : locks) {
        for (const auto &waiter : lock->waiters) {
            for (const auto &holder : lock->holders) {
                if (edges.size() == MostWaitEdges)
                    return edges;
                if (!isGhost(waiter) && waiter.owner != holder.owner)
                    edges.push_back({ waiter.owner, lock->name, holder.owner });
            }
        }
    }
    return edges;
}

} // namespace

WaitGraph waitGraph(const std::vector<std::shared_ptr<const LockState>> &locks)
{
    WaitGraph graph;
    graph.edges = edgesOf(locks);
    graph.edges.shrink_to_fit();
    std::sort(graph.edges.begin(), graph.edges.end());
    const Owners owners(graph.edges);
    const Knots knots(owners);
    std::vector<bool> drawn(owners.size() + 1);
    for (Index owner = 0; owner < owners.size(); ++owner) {
        const Index knot = knots.knotOf(owner);
        if (drawn[knot])
            continue;
        drawn[knot] = true;
        WaitCycle cycle;
        for (const Index edge : shortestCycle(owners, knots, owner))
            cycle.push_back(graph.edges[edge]);
        if (!cycle.empty())
            graph.cycles.push_back(std::move(cycle));
    }
    return graph;
}

} // namespace lockcore::monitor
