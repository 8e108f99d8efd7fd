// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/wait_chains.h"

#include <QRectF>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lockui {

/// Where each chain is drawn, one below the other, and each of its nodes: the head at the left, a column for each step
/// of waiting. What did not change does not move: a chain keeps its place while it fits there, a node keeps its cell
/// while the chain has the same head and it waits in the same place for the same one; what is new comes where there is
/// room, from the top, also a deadlock; in a queue below those before it. So the order of the chains is that in which
/// they came, until they are arranged anew.
class GraphLayout {
public:
    struct Measures {
        double nodeWidth = 184;
        double nodeHeight = 44;
        double columnPitch = 242;
        double rowPitch = 54;
        double titleHeight = 34; // of a chain, above its nodes
        double padding = 14; // round the nodes
        double gap = 12; // between chains, and round all
    };

    struct PlacedChain {
        QRectF frame;
        std::vector<QRectF> nodes; // as the chain's
    };

    GraphLayout() = default;
    explicit GraphLayout(const Measures &measures)
        : m_measures(measures)
    {
    }

    /// One for each chain, in the same order.
    const std::vector<PlacedChain> &place(const WaitChains &chains);
    void arrange(); // places are forgotten: the next chains come in their order, without holes

    const std::vector<PlacedChain> &placed() const { return m_placed; }
    const QRectF &bounds() const { return m_bounds; } // of all that is drawn
    bool isArranged() const { return m_arranged; } // in the order of the chains, without holes
    const Measures &measures() const { return m_measures; }

private:
    /// Rows are counted by halves: both ends of a cycle stand between its two rows.
    struct Cell {
        int column = 0;
        int halfRow = 0;
        std::string parent; // whom it was placed for
        int place = 0; // in the queue

        bool operator==(const Cell &) const = default;
    };
    using Cells = std::map<std::string, Cell>; // by the node's key

    struct Block {
        double top = 0;
        std::string head; // its first node
        lockcore::LockName mainLock;
        std::set<lockcore::LockName> locks;
        Cells cells;
    };

    class CellFinder;

    std::vector<std::optional<Block>> inherit(const WaitChains &chains);
    void fit(const WaitChains &chains, std::vector<std::optional<Block>> &blocks) const;
    bool isRoomFor(const Block &block, double height, const std::vector<std::optional<Block>> &blocks) const;
    double topFor(double height, const std::vector<std::optional<Block>> &blocks) const;
    void measure();
    double heightOf(const Cells &cells) const;
    PlacedChain boxesOf(const WaitChain &chain, const Block &block) const;

    Measures m_measures;
    std::vector<Block> m_blocks;
    std::vector<PlacedChain> m_placed;
    QRectF m_bounds;
    bool m_arranged = true;
};

} // namespace lockui
