// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/graph_layout.h"
#include "ui/support/theme.h"

#include <optional>
#include <vector>

class QPainter;

namespace lockui {

class ChainText;

/// Paints chains of waiting where a layout has placed them: nodes, what leads from one to the next, a frame round a
/// deadlock.
class ChainPainter {
public:
    struct Look {
        lockcore::MonoTime now;
        bool isStale = false; // grey, as all that may no longer be true
        std::optional<lockcore::LockName> selected;
        std::string current; // the key of the node where keys go; empty: none
        double right = 0; // up to where there is room for titles and frames
    };

    ChainPainter(QPainter &painter, const Theme &theme, const ChainText &text, const Look &look);

    void paint(const WaitChain &chain, const GraphLayout::PlacedChain &placed, const GraphLayout::Measures &measures);

private:
    bool isChosen(const ChainNode &node) const;
    QColor tint(const QColor &color, bool isLost) const; // of a shape: grey when stale, or its server is lost
    QColor ink(Tone tone, bool isLost) const; // of text, likewise
    QColor colorOf(const ChainNode &node) const;
    void drawTitle(const WaitChain &chain, const QRectF &frame, const GraphLayout::Measures &measures);
    void drawEdge(const ChainEdge &edge, const std::vector<QRectF> &nodes, bool isLost);
    void drawNode(const ChainNode &node, const QRectF &place);

    QPainter &m_painter;
    const Theme &m_theme;
    const ChainText &m_text;
    const Look &m_look;
};

} // namespace lockui
