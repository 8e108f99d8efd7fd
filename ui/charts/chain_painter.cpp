// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chain_painter.h"

#include "ui/models/chain_text.h"
#include "ui/support/freshness.h"
#include "ui/support/lock_tone.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace lockui {

namespace {

constexpr double TextMargin = 14;
constexpr double LockCorner = 6;
constexpr double ArrowLength = 9;
constexpr double ArrowWidth = 4;

struct Curve {
    QPainterPath path;
    QPointF end;
    double angle = 0; // in which it comes in
};

/// Where a line leaves or enters a node: nearer to where it goes, so that those of one node can be told apart.
double portOf(const QRectF &node, const QRectF &other)
{
    const double most = node.height() / 4;
    return node.center().y() + std::clamp((other.center().y() - node.center().y()) / 2, -most, most);
}

/// From one side of a node to another's that looks at it.
Curve curveBetween(const QRectF &from, const QRectF &to)
{
    const double ahead = to.left() - from.right();
    const bool forward = ahead > 0;
    const bool backward = from.left() - to.right() > 0;
    QPointF start(forward ? from.right() : from.left(), portOf(from, to));
    QPointF end(forward ? to.left() : to.right(), portOf(to, from));
    double reach = std::max(36.0, std::abs(end.x() - start.x()) / 2);
    if (!forward && !backward) { // in one column: round the right side
        start.setX(from.right());
        end.setX(to.right());
        reach = 40;
    }
    const double out = backward ? -1 : 1;
    const double in = forward ? -1 : 1;
    const QPointF tip = end;
    end.rx() += in * ArrowLength;
    Curve curve;
    curve.path.moveTo(start);
    curve.path.cubicTo(start + QPointF(out * reach, 0), end + QPointF(in * reach, 0), end);
    curve.end = tip;
    curve.angle = in;
    return curve;
}

/// In one row, with others between them: what leads straight ahead would pass behind those.
bool isAnyBetween(const QRectF &from, const QRectF &to, const std::vector<QRectF> &nodes)
{
    const double middle = from.center().y();
    const double left = std::min(from.right(), to.right());
    const double right = std::max(from.left(), to.left());
    return std::abs(middle - to.center().y()) < 1 && std::ranges::any_of(nodes, [&](const QRectF &node) {
        return node.left() >= left && node.right() <= right && node.top() < middle && node.bottom() > middle;
    });
}

/// From one node of a row to another, in the room below those between; it leaves and enters below the middle, where
/// what leads straight ahead does.
Curve curveBelow(const QRectF &from, const QRectF &to)
{
    constexpr double Below = 5; // of the room between two rows
    constexpr double Turn = 20; // of that between two columns
    const double ahead = from.left() < to.left() ? 1 : -1;
    const double port = from.height() / 4;
    const double y = from.bottom() + Below;
    const QPointF start(ahead > 0 ? from.right() : from.left(), from.center().y() + port);
    const QPointF tip(ahead > 0 ? to.left() : to.right(), to.center().y() + port);
    const QPointF end = tip - QPointF(ahead * ArrowLength, 0);
    const QPointF turn(ahead * Turn, 0);
    Curve curve;
    curve.path.moveTo(start);
    curve.path.cubicTo(start + turn, { start.x(), y }, QPointF(start.x(), y) + turn);
    curve.path.lineTo(QPointF(end.x(), y) - turn);
    curve.path.cubicTo({ end.x(), y }, end - turn, end);
    curve.end = tip;
    curve.angle = -ahead;
    return curve;
}

QFont withSize(QFont font, int size)
{
    font.setPixelSize(size);
    return font;
}

} // namespace

ChainPainter::ChainPainter(QPainter &painter, const Theme &theme, const ChainText &text, const Look &look)
    : m_painter(painter)
    , m_theme(theme)
    , m_text(text)
    , m_look(look)
{
}

void ChainPainter::paint(
    const WaitChain &chain, const GraphLayout::PlacedChain &placed, const GraphLayout::Measures &measures)
{
    if (chain.isDeadlock()) {
        QRectF frame = placed.frame;
        frame.setRight(std::max(frame.right(), m_look.right - measures.gap));
        const QColor danger = tint(m_theme.colors().danger, chain.lostSince.has_value());
        m_painter.setPen(QPen(danger, 1.2, Qt::DashLine));
        m_painter.setBrush(blend(m_theme.colors().surface, danger, 0.07));
        m_painter.drawRoundedRect(frame, 8, 8);
    }
    drawTitle(chain, placed.frame, measures);
    for (const bool inCycle : { false, true }) // the circle on top
        for (const ChainEdge &edge : chain.edges)
            if (edge.isInCycle == inCycle)
                drawEdge(edge, placed.nodes, chain.nodes[edge.to].lostSince.has_value());
    for (std::size_t node = 0; node < chain.nodes.size(); ++node)
        drawNode(chain.nodes[node], placed.nodes[node]);
}

void ChainPainter::drawTitle(const WaitChain &chain, const QRectF &frame, const GraphLayout::Measures &measures)
{
    const double seenRight = m_look.right - 2 * measures.gap;
    QRectF line(frame.left() + measures.padding, frame.top(),
        std::max(seenRight - frame.left() - measures.padding, 60.0), measures.titleHeight);
    QFont font = withSize(m_theme.uiFont(), 12);
    font.setWeight(QFont::DemiBold);
    m_painter.setFont(font);
    m_painter.setPen(ink(chain.isDeadlock() ? Tone::Danger : Tone::Normal, chain.lostSince.has_value()));
    const QString title = chain.isDeadlock() ? QStringLiteral("⟲ ") + m_text.cycleTitle(chain) : m_text.title(chain);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(title, Qt::ElideRight, line.width());
    m_painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    if (chain.isDeadlock())
        return;
    line.setLeft(line.left() + metrics.horizontalAdvance(shown) + 12);
    font.setWeight(QFont::Normal);
    m_painter.setFont(font);
    m_painter.setPen(m_theme.ink(Tone::Muted));
    m_painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        QFontMetricsF(font).elidedText(m_text.detail(chain), Qt::ElideRight, line.width()));
}

void ChainPainter::drawEdge(const ChainEdge &edge, const std::vector<QRectF> &nodes, bool isLost)
{
    const QRectF &from = nodes[edge.from];
    const QRectF &to = nodes[edge.to];
    const Colors &colors = m_theme.colors();
    const bool holds = edge.kind == ChainEdge::Kind::Holds;
    const QColor color = tint(edge.isInCycle && !holds ? colors.danger
            : !edge.isSeen                             ? colors.muted
            : holds                                    ? colors.accent
                                                       : colors.waiting,
        isLost);
    const Curve curve = isAnyBetween(from, to, nodes) ? curveBelow(from, to) : curveBetween(from, to);
    QPen pen(color, edge.isInCycle ? 2 : 1.5);
    if (!edge.isSeen)
        pen.setDashPattern({ 3, 3 });
    m_painter.setPen(pen);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(curve.path);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    const QPointF back = curve.end + QPointF(curve.angle * ArrowLength, 0);
    m_painter.drawPolygon(QPolygonF({ curve.end, back + QPointF(0, ArrowWidth), back - QPointF(0, ArrowWidth) }));
}

void ChainPainter::drawNode(const ChainNode &node, const QRectF &place)
{
    const Colors &colors = m_theme.colors();
    const QRectF box = place.adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isLock = node.kind == ChainNode::Kind::Lock;
    const double corner = isLock ? LockCorner : box.height() / 2;
    const QColor color = colorOf(node);
    const bool isCounted = node.kind == ChainNode::Kind::Listeners || node.isGhost;
    QPen pen(color, node.isHead && !node.isInCycle ? 2 : 1.3);
    if (isCounted)
        pen.setDashPattern({ 3, 2.5 });
    m_painter.setPen(pen);
    m_painter.setBrush(isChosen(node) ? colors.selection : colors.window);
    m_painter.drawRoundedRect(box, corner, corner);
    if (node.key == m_look.current) {
        m_painter.setPen(QPen(colors.accent, 1.5));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), corner + 3, corner + 3);
    }
    const double margin = isLock ? TextMargin - 3 : TextMargin + 2;
    const QRectF text = box.adjusted(margin, 4, -margin, -4);
    const bool isName = isLock || node.kind == ChainNode::Kind::Owner;
    m_painter.setFont(isName ? m_theme.monoFont() : withSize(m_theme.uiFont(), 12));
    m_painter.setPen(ink(Tone::Normal, node.lostSince.has_value()));
    const QFontMetricsF metrics(m_painter.font());
    const QRectF upper(text.left(), text.top(), text.width(), text.height() / 2);
    m_painter.drawText(upper, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        elided(m_text.nodeTitle(node), metrics, text.width()));
    const QFont small = withSize(m_theme.uiFont(), 11);
    m_painter.setFont(small);
    m_painter.setPen(m_theme.ink(Tone::Muted));
    m_painter.drawText(upper.translated(0, text.height() / 2), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        QFontMetricsF(small).elidedText(m_text.nodeLine(node), Qt::ElideRight, text.width()));
}

QColor ChainPainter::tint(const QColor &color, bool isLost) const
{
    return m_look.isStale || isLost ? blend(m_theme.colors().surface, m_theme.colors().muted, 0.7) : color;
}

QColor ChainPainter::ink(Tone tone, bool isLost) const
{
    return m_theme.ink(m_look.isStale || isLost ? Tone::Muted : tone);
}

QColor ChainPainter::colorOf(const ChainNode &node) const
{
    const Colors &colors = m_theme.colors();
    const bool isLost = node.lostSince.has_value();
    if (node.isInCycle)
        return tint(colors.danger, isLost);
    if (node.kind == ChainNode::Kind::Lock)
        return tint(
            m_theme.color(toneOf(ttlState(*node.state, std::min(m_look.now, node.lostSince.value_or(m_look.now))))),
            isLost);
    if (node.isGhost || node.kind == ChainNode::Kind::Listeners)
        return tint(colors.muted, isLost);
    return tint(node.isHead ? colors.warning : colors.waiting, isLost);
}

/// Where the keys are is marked otherwise: nothing need be chosen there.
bool ChainPainter::isChosen(const ChainNode &node) const
{
    return node.lock == m_look.selected && (node.kind == ChainNode::Kind::Lock || node.key == m_look.current);
}

} // namespace lockui
