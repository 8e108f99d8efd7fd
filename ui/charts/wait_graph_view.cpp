// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/wait_graph_view.h"

#include "ui/support/freshness.h"
#include "ui/support/lock_tone.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lockui {

using namespace lockcore;

namespace {

constexpr double LeastZoom = 0.4; // below it nothing can be read
constexpr double MostZoom = 2;
constexpr double ZoomStep = 1.15;
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

QFont withSize(QFont font, int size)
{
    font.setPixelSize(size);
    return font;
}

} // namespace

WaitGraphView::WaitGraphView(const Theme &theme, const ViewClock &clock, const ChainText &text, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_text(text)
{
    setAccessibleName(tr("Wait graph"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    applyTheme();
    connect(&theme, &Theme::changed, this, &WaitGraphView::applyTheme);
    connect(&clock, &ViewClock::tick, this, &WaitGraphView::repaintWhatTicks);
    for (QScrollBar *bar : { horizontalScrollBar(), verticalScrollBar() })
        connect(bar, &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void WaitGraphView::applyTheme() { viewport()->update(); }

void WaitGraphView::setChains(const Chains &chains)
{
    m_chains = chains;
    m_layout.place(*chains);
    updateScrollBars();
    std::set<LockName> deadlocks;
    const WaitChain *isNew = nullptr;
    for (const WaitChain &chain : chains->chains)
        if (chain.isDeadlock()) {
            deadlocks.insert(chain.mainLock);
            if (!m_deadlocks.contains(chain.mainLock))
                isNew = &chain;
        }
    m_deadlocks = std::move(deadlocks);
    if (isNew != nullptr && !isAimedAt())
        showChain(isNew->mainLock);
    if (const bool wasArranged = std::exchange(m_arranged, isArranged()); wasArranged != m_arranged)
        Q_EMIT arrangementChanged();
    describe();
    viewport()->update();
}

void WaitGraphView::setStale(bool stale)
{
    if (std::exchange(m_stale, stale) != stale)
        viewport()->update();
}

void WaitGraphView::arrange()
{
    m_layout.arrange();
    setChains(m_chains);
    verticalScrollBar()->setValue(verticalScrollBar()->minimum());
}

/// A person is about to click: what lies under the pointer stays there.
bool WaitGraphView::isAimedAt() const
{
    constexpr int Aims = 2'000; // ms
    return m_pressed || (m_sincePointerMoved.isValid() && !m_sincePointerMoved.hasExpired(Aims));
}

void WaitGraphView::updateScrollBars()
{
    const QSize page = viewport()->size();
    const QRectF all(m_layout.bounds().topLeft() * m_zoom, m_layout.bounds().size() * m_zoom);
    const auto set = [](QScrollBar &bar, double first, double last, int room) {
        constexpr int Step = 24;
        const int least = qFloor(first);
        bar.setPageStep(room);
        bar.setSingleStep(Step);
        bar.setRange(least, std::max(least, qCeil(last) - room));
    };
    set(*horizontalScrollBar(), all.left(), all.right(), page.width());
    set(*verticalScrollBar(), all.top(), all.bottom(), page.height());
}

QPointF WaitGraphView::offset() const
{
    return { double(horizontalScrollBar()->value()), double(verticalScrollBar()->value()) };
}

void WaitGraphView::setZoom(double zoom) { zoomAt(zoom, QPointF()); }

void WaitGraphView::zoomAt(double zoom, const QPointF &fixed)
{
    const QPointF scene = toScene(fixed);
    m_zoom = std::clamp(zoom, LeastZoom, MostZoom);
    updateScrollBars();
    const QPointF place = scene * m_zoom - fixed;
    horizontalScrollBar()->setValue(qRound(place.x()));
    verticalScrollBar()->setValue(qRound(place.y()));
    viewport()->update();
}

void WaitGraphView::fit()
{
    const QSizeF all = m_layout.bounds().size();
    if (all.isEmpty())
        return;
    const QSizeF room = maximumViewportSize();
    m_zoom = std::clamp(std::min(room.width() / all.width(), room.height() / all.height()), LeastZoom, 1.0);
    updateScrollBars();
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(verticalScrollBar()->minimum());
    viewport()->update();
}

std::optional<QRectF> WaitGraphView::placeOf(const std::string &key) const
{
    const auto place = find(key);
    return place ? std::optional(toViewport(boxOf(*place))) : std::nullopt;
}

QRectF WaitGraphView::frameOf(std::size_t chain) const { return toViewport(m_layout.placed()[chain].frame); }

std::optional<WaitGraphView::NodePlace> WaitGraphView::find(const std::string &key) const
{
    for (std::size_t chain = 0; chain < m_chains->chains.size() && !key.empty(); ++chain)
        for (std::size_t node = 0; node < m_chains->chains[chain].nodes.size(); ++node)
            if (m_chains->chains[chain].nodes[node].key == key)
                return NodePlace{ chain, node };
    return std::nullopt;
}

std::optional<WaitGraphView::NodePlace> WaitGraphView::hit(const QPointF &onViewport) const
{
    const QPointF point = toScene(onViewport);
    for (std::size_t chain = 0; chain < m_layout.placed().size(); ++chain) {
        const auto &placed = m_layout.placed()[chain];
        for (std::size_t node = 0; placed.frame.contains(point) && node < placed.nodes.size(); ++node)
            if (placed.nodes[node].contains(point))
                return NodePlace{ chain, node };
    }
    return std::nullopt;
}

const ChainNode *WaitGraphView::nodeUnder(const QPointF &onViewport) const
{
    const auto place = hit(onViewport);
    return place ? &nodeAt(*place) : nullptr;
}

/// The nearest in that direction, straight ahead before aside.
std::optional<WaitGraphView::NodePlace> WaitGraphView::neighbour(Qt::Key key) const
{
    const auto current = find(m_current);
    std::optional<NodePlace> best;
    double least = 0;
    for (std::size_t chain = 0; chain < m_chains->chains.size(); ++chain)
        for (std::size_t node = 0; node < m_chains->chains[chain].nodes.size(); ++node) {
            const QPointF center = boxOf({ chain, node }).center();
            double cost = center.y() * 1'000 + center.x(); // the first of all, where there is no current one
            if (current) {
                const QPointF way = center - boxOf(*current).center();
                const double ahead = key == Qt::Key_Right ? way.x()
                    : key == Qt::Key_Left                 ? -way.x()
                    : key == Qt::Key_Down                 ? way.y()
                                                          : -way.y();
                const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
                const double aside = std::abs(isSideways ? way.y() : way.x());
                if (ahead < 1 || (isSideways && chain != current->chain))
                    continue;
                cost = ahead + 3 * aside;
            }
            if (!best || cost < least) {
                best = NodePlace{ chain, node };
                least = cost;
            }
        }
    return best;
}

void WaitGraphView::choose(const NodePlace &place)
{
    m_current = nodeAt(place).key;
    m_selected = nodeAt(place).lock;
    ensureVisible(boxOf(place));
    describe();
    viewport()->update();
    Q_EMIT lockChosen(m_selected);
}

void WaitGraphView::select(const LockName &lock)
{
    if (lock == m_selected)
        return;
    m_selected = lock;
    const auto current = find(m_current);
    if (!current || nodeAt(*current).lock != lock)
        if (const auto place = find("lock " + lock)) {
            m_current = nodeAt(*place).key;
            ensureVisible(boxOf(*place));
        }
    describe();
    viewport()->update();
}

void WaitGraphView::showChain(const LockName &lock)
{
    for (std::size_t chain = 0; chain < m_chains->chains.size(); ++chain)
        if (const auto &locks = m_chains->chains[chain].locks; std::ranges::find(locks, lock) != locks.end()) {
            ensureVisible(m_layout.placed()[chain].frame);
            return;
        }
}

/// Its beginning, where it is larger than the viewport.
void WaitGraphView::ensureVisible(const QRectF &box)
{
    constexpr int Margin = 12;
    const QRectF there = toViewport(box).marginsAdded({ Margin, Margin, Margin, Margin });
    const auto bring = [](QScrollBar &bar, double first, double last, int room) {
        const double over = std::min(last - room, first);
        if (first < 0)
            bar.setValue(bar.value() + qFloor(first));
        else if (last > room)
            bar.setValue(bar.value() + qCeil(over));
    };
    bring(*horizontalScrollBar(), there.left(), there.right(), viewport()->width());
    bring(*verticalScrollBar(), there.top(), there.bottom(), viewport()->height());
}

/// For a screen reader: what is current, and where it stands.
void WaitGraphView::describe()
{
    QString text;
    if (const auto place = find(m_current)) {
        const WaitChain &chain = m_chains->chains[place->chain];
        text = m_text.nodeTitle(nodeAt(*place)) + QStringLiteral(", ") + m_text.nodeLine(nodeAt(*place))
            + QStringLiteral(". ") + (chain.isDeadlock() ? m_text.cycleTitle(chain) : m_text.title(chain));
    } else {
        text = tr("%1 chains, %2 deadlocks")
                   .arg(countText(std::ssize(m_chains->chains)), countText(m_chains->deadlocks));
    }
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
}

QStringList WaitGraphView::tickingTexts() const
{
    QStringList texts;
    const QRectF seen = viewport()->rect();
    for (std::size_t i = 0; i < m_layout.placed().size(); ++i) {
        if (!frameOf(i).intersects(seen))
            continue;
        const WaitChain &chain = m_chains->chains[i];
        texts << (chain.isDeadlock() ? m_text.cycleTitle(chain) : m_text.detail(chain));
        for (const ChainNode &node : chain.nodes)
            texts << m_text.nodeLine(node);
    }
    return texts;
}

void WaitGraphView::repaintWhatTicks()
{
    if (!isVisible() || m_chains->chains.empty())
        return;
    if (QStringList texts = tickingTexts(); texts != m_ticked) {
        m_ticked = std::move(texts);
        viewport()->update();
    }
}

QColor WaitGraphView::tint(const QColor &color, bool isLost) const
{
    return m_stale || isLost ? blend(m_theme.colors().surface, m_theme.colors().muted, 0.7) : color;
}

QColor WaitGraphView::colorOf(const ChainNode &node) const
{
    const Colors &colors = m_theme.colors();
    const bool isLost = node.lostSince.has_value();
    if (node.isInCycle)
        return tint(colors.danger, isLost);
    if (node.kind == ChainNode::Kind::Lock)
        return tint(m_theme.color(
                        toneOf(ttlState(*node.state, std::min(m_clock.now(), node.lostSince.value_or(m_clock.now()))))),
            isLost);
    if (node.isGhost || node.kind == ChainNode::Kind::Listeners)
        return tint(colors.muted, isLost);
    return tint(node.isHead ? colors.warning : colors.waiting, isLost);
}

bool WaitGraphView::isChosen(const ChainNode &node) const
{
    return node.key == m_current || (node.kind == ChainNode::Kind::Lock && node.lock == m_selected);
}

void WaitGraphView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_theme.colors().surface);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setLayoutDirection(Qt::LeftToRight);
    painter.translate(-offset());
    painter.scale(m_zoom, m_zoom);
    for (std::size_t i = 0; i < m_layout.placed().size(); ++i)
        if (frameOf(i).intersects(QRectF(event->rect())) || !m_chains->chains[i].isDeadlock())
            drawChain(painter, i);
}

void WaitGraphView::drawChain(QPainter &painter, std::size_t index) const
{
    const auto &placed = m_layout.placed()[index];
    const WaitChain &chain = m_chains->chains[index];
    QRectF frame = placed.frame;
    const double right
        = std::max(frame.right(), (offset().x() + viewport()->width()) / m_zoom - m_layout.measures().gap);
    frame.setRight(right);
    if (!toViewport(frame).intersects(QRectF(viewport()->rect())))
        return;
    if (chain.isDeadlock()) {
        const QColor danger = tint(m_theme.colors().danger, chain.lostSince.has_value());
        painter.setPen(QPen(danger, 1.2, Qt::DashLine));
        painter.setBrush(blend(m_theme.colors().surface, danger, 0.07));
        painter.drawRoundedRect(frame, 8, 8);
    }
    drawTitle(painter, index);
    for (const bool inCycle : { false, true }) // the circle on top
        for (const ChainEdge &edge : chain.edges)
            if (edge.isInCycle == inCycle)
                drawEdge(painter, index, edge);
    for (std::size_t node = 0; node < chain.nodes.size(); ++node)
        drawNode(painter, { index, node });
}

void WaitGraphView::drawTitle(QPainter &painter, std::size_t index) const
{
    const WaitChain &chain = m_chains->chains[index];
    const auto &measures = m_layout.measures();
    const QRectF &frame = m_layout.placed()[index].frame;
    const double seenRight = (offset().x() + viewport()->width()) / m_zoom - 2 * measures.gap;
    QRectF line(frame.left() + measures.padding, frame.top(),
        std::max(seenRight - frame.left() - measures.padding, 60.0), measures.titleHeight);
    QFont font = withSize(m_theme.uiFont(), 12);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const Colors &colors = m_theme.colors();
    painter.setPen(tint(chain.isDeadlock() ? colors.danger : colors.text, chain.lostSince.has_value()));
    const QString title = chain.isDeadlock() ? QStringLiteral("⟲ ") + m_text.cycleTitle(chain) : m_text.title(chain);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(title, Qt::ElideRight, line.width());
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    if (chain.isDeadlock())
        return;
    line.setLeft(line.left() + metrics.horizontalAdvance(shown) + 12);
    font.setWeight(QFont::Normal);
    painter.setFont(font);
    painter.setPen(tint(colors.muted, chain.lostSince.has_value()));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        QFontMetricsF(font).elidedText(m_text.detail(chain), Qt::ElideRight, line.width()));
}

void WaitGraphView::drawEdge(QPainter &painter, std::size_t chain, const ChainEdge &edge) const
{
    const auto &boxes = m_layout.placed()[chain].nodes;
    const Colors &colors = m_theme.colors();
    const bool holds = edge.kind == ChainEdge::Kind::Holds;
    const QColor color = tint(edge.isInCycle && !holds ? colors.danger
            : !edge.isSeen                             ? colors.muted
            : holds                                    ? colors.accent
                                                       : colors.waiting,
        m_chains->chains[chain].nodes[edge.to].lostSince.has_value());
    const Curve curve = curveBetween(boxes[edge.from], boxes[edge.to]);
    QPen pen(color, edge.isInCycle ? 2 : 1.5);
    if (!edge.isSeen)
        pen.setDashPattern({ 3, 3 });
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(curve.path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const QPointF back = curve.end + QPointF(curve.angle * ArrowLength, 0);
    painter.drawPolygon(QPolygonF({ curve.end, back + QPointF(0, ArrowWidth), back - QPointF(0, ArrowWidth) }));
}

void WaitGraphView::drawNode(QPainter &painter, const NodePlace &place) const
{
    const Colors &colors = m_theme.colors();
    const ChainNode &node = nodeAt(place);
    const QRectF box = boxOf(place).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isLock = node.kind == ChainNode::Kind::Lock;
    const double corner = isLock ? LockCorner : box.height() / 2;
    const QColor color = colorOf(node);
    const bool isCounted = node.kind == ChainNode::Kind::Listeners || node.isGhost;
    QPen pen(color, node.isHead && !node.isInCycle ? 2 : 1.3);
    if (isCounted)
        pen.setDashPattern({ 3, 2.5 });
    painter.setPen(pen);
    painter.setBrush(isChosen(node) ? colors.selection : colors.window);
    painter.drawRoundedRect(box, corner, corner);
    if (node.key == m_current && hasFocus()) {
        painter.setPen(QPen(colors.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), corner + 3, corner + 3);
    }
    const double margin = isLock ? TextMargin - 3 : TextMargin + 2;
    const QRectF text = box.adjusted(margin, 4, -margin, -4);
    const bool isName = isLock || node.kind == ChainNode::Kind::Owner;
    painter.setFont(isName ? m_theme.monoFont() : withSize(m_theme.uiFont(), 12));
    painter.setPen(tint(colors.text, node.lostSince.has_value()));
    const QFontMetricsF metrics(painter.font());
    const QRectF upper(text.left(), text.top(), text.width(), text.height() / 2);
    painter.drawText(upper, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        elided(m_text.nodeTitle(node), metrics, text.width()));
    const QFont small = withSize(m_theme.uiFont(), 11);
    painter.setFont(small);
    painter.setPen(tint(colors.muted, node.lostSince.has_value()));
    painter.drawText(upper.translated(0, text.height() / 2), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        QFontMetricsF(small).elidedText(m_text.nodeLine(node), Qt::ElideRight, text.width()));
}

void WaitGraphView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void WaitGraphView::wheelEvent(QWheelEvent *event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    zoomAt(m_zoom * std::pow(ZoomStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void WaitGraphView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->position();
    m_draggedFrom = offset();
    m_dragging = false;
}

void WaitGraphView::mouseMoveEvent(QMouseEvent *event)
{
    m_sincePointerMoved.start();
    if (!m_pressed) {
        viewport()->setCursor(hit(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const QPointF moved = event->position() - *m_pressed;
    m_dragging = m_dragging || moved.manhattanLength() >= QApplication::startDragDistance();
    if (!m_dragging)
        return;
    viewport()->setCursor(Qt::ClosedHandCursor);
    horizontalScrollBar()->setValue(qRound(m_draggedFrom.x() - moved.x()));
    verticalScrollBar()->setValue(qRound(m_draggedFrom.y() - moved.y()));
}

void WaitGraphView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    m_pressed.reset();
    viewport()->unsetCursor();
    if (!std::exchange(m_dragging, false))
        if (const auto place = hit(event->position()))
            choose(*place);
}

void WaitGraphView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const auto place = hit(event->position()); place && event->button() == Qt::LeftButton) {
        choose(*place);
        Q_EMIT lockOpened(m_selected);
    }
}

void WaitGraphView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (const auto place = neighbour(static_cast<Qt::Key>(event->key())))
            choose(*place);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto place = find(m_current))
            Q_EMIT lockOpened(nodeAt(*place).lock);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setZoom(m_zoom * ZoomStep);
        return;
    case Qt::Key_Minus:
        setZoom(m_zoom / ZoomStep);
        return;
    case Qt::Key_0:
        fit();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void WaitGraphView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!find(m_current))
        if (const auto first = neighbour(Qt::Key_Down); first && event->reason() != Qt::MouseFocusReason)
            m_current = nodeAt(*first).key;
    describe();
    viewport()->update();
}

void WaitGraphView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool WaitGraphView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QPointF point = help->pos();
    QString text;
    if (const auto place = hit(point))
        text = m_text.nodeToolTip(nodeAt(*place));
    else
        for (std::size_t i = 0; i < m_layout.placed().size() && text.isEmpty(); ++i)
            if (const QRectF frame = frameOf(i);
                point.y() >= frame.top() && point.y() < frame.top() + m_layout.measures().titleHeight * m_zoom)
                text = m_chains->chains[i].isDeadlock() ? m_text.cycleTitle(m_chains->chains[i])
                                                        : m_text.title(m_chains->chains[i]);
    QToolTip::showText(help->globalPos(), plainToolTip(text), viewport());
    return true;
}

} // namespace lockui
