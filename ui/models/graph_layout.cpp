// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/graph_layout.h"

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;

namespace {

constexpr int Row = 2; // half rows

} // namespace

/// Gives each node of one chain a cell that no other has.
class GraphLayout::CellFinder {
public:
    CellFinder(const WaitChain &chain, const Cells &before)
        : m_chain(chain)
        , m_before(before)
        , m_cells(chain.nodes.size())
    {
    }

    Cells find()
    {
        for (const ChainCycle &cycle : m_chain.cycles)
            fold(cycle);
        for (std::size_t i = 0; i < m_cells.size(); ++i)
            keep(i);
        for (std::size_t i = 0; i < m_cells.size(); ++i)
            if (!m_cells[i])
                put(i, cellFor(i));
        Cells cells;
        for (std::size_t i = 0; i < m_cells.size(); ++i)
            cells.emplace(m_chain.nodes[i].key, *m_cells[i]);
        return cells;
    }

private:
    /// A cycle goes to the right in one row and comes back in the next; both its ends stand between the rows.
    void fold(const ChainCycle &cycle)
    {
        const int first = m_nextRow;
        const int length = static_cast<int>(cycle.nodes.size());
        const int turn = length / 2;
        for (int i = 0; i < length; ++i) {
            const std::size_t node = cycle.nodes[static_cast<std::size_t>(i)];
            if (m_cells[node])
                continue; // two cycles may share it
            const bool isEnd = i == 0 || i == turn;
            const int column = m_chain.nodes[node].column;
            Cell cell{ column, first + (isEnd ? Row / 2 : i < turn ? 0 : Row), {}, 0 };
            while (!isFree(cell))
                cell.halfRow += Row;
            put(node, cell);
            if (isEnd) // the corners beside it stay free
                m_taken.insert({ { column, first }, { column, first + 3 } });
        }
    }

    void keep(std::size_t node)
    {
        const auto before = m_before.find(m_chain.nodes[node].key);
        if (m_cells[node] || before == m_before.end())
            return;
        const Cell wanted = wish(node);
        Cell cell = before->second;
        if (cell.column == wanted.column && cell.parent == wanted.parent && cell.place == wanted.place && isFree(cell))
            put(node, std::move(cell));
    }

    Cell cellFor(std::size_t node) const
    {
        Cell cell = wish(node);
        const auto &parent = m_chain.nodes[node].parent;
        if (parent && m_cells[*parent])
            cell.halfRow = m_cells[*parent]->halfRow / Row * Row;
        cell.halfRow = std::max(cell.halfRow, rowBelowThoseBefore(m_chain.nodes[node], cell.column));
        while (!isFree(cell))
            cell.halfRow += Row;
        return cell;
    }

    /// Also where there is room above them: a queue is read from the top.
    int rowBelowThoseBefore(const ChainNode &node, int column) const
    {
        int row = 0;
        for (std::size_t i = 0; i < m_cells.size() && node.place > 0; ++i) {
            const ChainNode &other = m_chain.nodes[i];
            const bool isBefore = other.parent == node.parent && other.place > 0 && other.place < node.place;
            if (isBefore && m_cells[i] && m_cells[i]->column == column)
                row = std::max(row, m_cells[i]->halfRow + Row);
        }
        return row;
    }

    /// Without its row. Who waits for a node of a cycle comes to the right of where that was folded to.
    Cell wish(std::size_t node) const
    {
        const ChainNode &wanted = m_chain.nodes[node];
        return { columnOf(node), 0, wanted.parent ? m_chain.nodes[*wanted.parent].key : std::string(), wanted.place };
    }

    int columnOf(std::size_t node) const
    {
        int steps = 0;
        std::size_t at = node;
        while (m_chain.nodes[at].parent && !m_cells[at]) {
            at = *m_chain.nodes[at].parent;
            ++steps;
        }
        return m_cells[at] ? m_cells[at]->column + steps : m_chain.nodes[node].column;
    }

    bool isFree(const Cell &cell) const
    {
        return !m_taken.contains({ cell.column, cell.halfRow }) && !m_taken.contains({ cell.column, cell.halfRow + 1 });
    }

    void put(std::size_t node, Cell cell)
    {
        m_taken.insert({ { cell.column, cell.halfRow }, { cell.column, cell.halfRow + 1 } });
        m_nextRow = std::max(m_nextRow, (cell.halfRow + Row + Row - 1) / Row * Row);
        m_cells[node] = std::move(cell);
    }

    const WaitChain &m_chain;
    const Cells &m_before;
    std::vector<std::optional<Cell>> m_cells;
    std::set<std::pair<int, int>> m_taken; // columns and half rows
    int m_nextRow = 0;
};

const std::vector<GraphLayout::PlacedChain> &GraphLayout::place(const WaitChains &chains)
{
    std::vector<std::optional<Block>> blocks = inherit(chains);
    fit(chains, blocks);
    m_placed.clear();
    m_blocks.clear();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        m_placed.push_back(boxesOf(chains.chains[i], *blocks[i]));
        m_blocks.push_back(std::move(*blocks[i]));
    }
    measure();
    return m_placed;
}

void GraphLayout::measure()
{
    const double gap = m_measures.gap;
    m_bounds = {};
    m_arranged = true;
    double end = 0; // of the one before
    for (const PlacedChain &placed : m_placed) {
        m_bounds |= placed.frame.adjusted(-gap, -gap, gap, gap);
        m_arranged = m_arranged && placed.frame.top() == end + gap;
        end = placed.frame.bottom();
    }
}

void GraphLayout::arrange() { m_blocks.clear(); }

/// A chain stays where its main lock was drawn as such, or else where another of its locks was.
std::vector<std::optional<GraphLayout::Block>> GraphLayout::inherit(const WaitChains &chains)
{
    std::vector<std::optional<Block>> blocks(chains.chains.size());
    std::vector<bool> given(m_blocks.size());
    const auto give = [&](std::size_t chain, auto fits) {
        for (std::size_t i = 0; i < m_blocks.size() && !blocks[chain]; ++i)
            if (!given[i] && fits(m_blocks[i])) {
                given[i] = true;
                blocks[chain] = m_blocks[i];
            }
    };
    for (std::size_t i = 0; i < blocks.size(); ++i)
        give(i, [&](const Block &block) { return block.mainLock == chains.chains[i].mainLock; });
    for (std::size_t i = 0; i < blocks.size(); ++i)
        for (const LockName &lock : chains.chains[i].locks)
            give(i, [&](const Block &block) { return block.locks.contains(lock); });
    return blocks;
}

/// What no longer fits where it is, and what is new, comes to the first gap.
void GraphLayout::fit(const WaitChains &chains, std::vector<std::optional<Block>> &blocks) const
{
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!blocks[i])
            continue;
        const bool isHeadSame = blocks[i]->head == chains.chains[i].nodes.front().key;
        Cells cells = CellFinder(chains.chains[i], isHeadSame ? blocks[i]->cells : Cells()).find();
        if (isRoomFor(*blocks[i], heightOf(cells), blocks))
            blocks[i]->cells = std::move(cells);
        else
            blocks[i].reset();
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const WaitChain &chain = chains.chains[i];
        if (!blocks[i]) {
            Cells cells = CellFinder(chain, {}).find();
            const double top = topFor(heightOf(cells), blocks);
            blocks[i] = Block{ top, {}, {}, {}, std::move(cells) };
        }
        blocks[i]->head = chain.nodes.front().key;
        blocks[i]->mainLock = chain.mainLock;
        blocks[i]->locks = { chain.locks.begin(), chain.locks.end() };
    }
}

bool GraphLayout::isRoomFor(const Block &block, double height, const std::vector<std::optional<Block>> &blocks) const
{
    const double end = block.top + height;
    return std::ranges::none_of(blocks,
        [&](const auto &other) { return other && other->top > block.top && other->top < end + m_measures.gap; });
}

double GraphLayout::topFor(double height, const std::vector<std::optional<Block>> &blocks) const
{
    std::map<double, double> taken; // from where to where
    for (const auto &block : blocks)
        if (block)
            taken.emplace(block->top, block->top + heightOf(block->cells));
    double top = m_measures.gap;
    for (const auto &[first, last] : taken) {
        if (top + height + m_measures.gap <= first)
            break;
        top = std::max(top, last + m_measures.gap);
    }
    return top;
}

double GraphLayout::heightOf(const Cells &cells) const
{
    int last = 0;
    for (const auto &[key, cell] : cells)
        last = std::max(last, cell.halfRow);
    return m_measures.titleHeight + last * m_measures.rowPitch / Row + m_measures.nodeHeight + m_measures.padding;
}

GraphLayout::PlacedChain GraphLayout::boxesOf(const WaitChain &chain, const Block &block) const
{
    PlacedChain placed;
    double right = 0;
    for (const ChainNode &node : chain.nodes) {
        const Cell &cell = block.cells.at(node.key);
        placed.nodes.emplace_back(m_measures.gap + m_measures.padding + cell.column * m_measures.columnPitch,
            block.top + m_measures.titleHeight + cell.halfRow * m_measures.rowPitch / Row, m_measures.nodeWidth,
            m_measures.nodeHeight);
        right = std::max(right, placed.nodes.back().right());
    }
    placed.frame
        = QRectF(m_measures.gap, block.top, right + m_measures.padding - m_measures.gap, heightOf(block.cells));
    return placed;
}

} // namespace lockui
