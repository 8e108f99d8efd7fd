// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timeline_view.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int WideTitles = 208;
constexpr int NarrowTitles = 156;
constexpr int NarrowBelow = 900;
constexpr double UsualLength = 60'000;
constexpr double LeastUsual = 12'000;
constexpr double ShortestLength = 20;
constexpr double LongestLength = 7 * 24 * 3'600'000.0;
constexpr double RoomAfterNow = 0.03; // of the width
constexpr double WheelStep = 1.25;
constexpr std::size_t MostBefore = 100;
constexpr std::chrono::seconds LanesStandFor{ 30 };
constexpr qint64 SameGesture = 600; // milliseconds from one turn of the wheel to the next

double msOf(WallTime at) { return double(at.time_since_epoch().count()); }

} // namespace

TimelineView::TimelineView(
    const Theme &theme, const ViewClock &clock, const ClientNames &names, const Timeline &timeline, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_names(names)
    , m_timeline(timeline)
    , m_painter(theme, names, timeline)
    , m_note(new ElidedLabel(QStringLiteral("statusLine"), viewport()))
    , m_length(LeastUsual)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    makeOpaque(*viewport());
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Timeline of locks"));
    const auto renew = [this] {
        m_painter.forgetLabels();
        viewport()->update();
    };
    connect(&theme, &Theme::changed, this, renew);
    connect(&names, &ClientNames::changed, this, renew);
    connect(&clock, &ViewClock::tick, this, [this] {
        if (isVisible())
            keepNowInSight();
    });
    // By a person: a value that is set triggers nothing.
    connect(verticalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] { m_scrolledAway = true; });
    m_sinceGesture.start();
    describe();
}

void TimelineView::setNote(const QString &text, const QString &explanation)
{
    m_note->setText(text);
    m_note->setExplanation(explanation);
}

void TimelineView::setLanes(std::vector<Timeline::LaneId> lanes, std::set<LockName> pinned)
{
    m_lanes = std::move(lanes);
    m_pinned = std::move(pinned);
    updateScrollBar();
    keepChosenInSight();
    describe();
    viewport()->update();
}

void TimelineView::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    refresh();
}

void TimelineView::refresh()
{
    if (const auto before = std::exchange(m_ownersRevision, m_timeline.ownersRevision()); before != m_ownersRevision) {
        setHovered(0);
        endLighting();
    }
    if (QAccessible::isActive())
        describe();
    keepNowInSight();
    viewport()->update();
}

void TimelineView::restart()
{
    setHovered(0);
    endLighting();
    m_before.clear();
    m_snapshot.reset();
    m_length = LeastUsual;
    m_isUsualLength = true;
    setFollowing(true);
    viewport()->update();
}

void TimelineView::choose(const std::optional<LockName> &lock)
{
    if (std::exchange(m_chosen, lock) != lock)
        describe();
    m_scrolledAway = false;
    keepChosenInSight();
    viewport()->update();
}

/// As long as it is hidden it does not have its size yet: nearly every lane would be out of sight.
void TimelineView::keepChosenInSight()
{
    if (!isVisible())
        return;
    if (const int row = chosenRow(); row >= 0 && !m_scrolledAway)
        scrollToRow(row);
}

void TimelineView::setFollowing(bool follows)
{
    if (std::exchange(m_follows, follows) != follows)
        Q_EMIT followingChanged(follows);
    keepNowInSight();
}

TimelineView::Range TimelineView::range() const
{
    return { WallTime(Millis(std::llround(m_from))), WallTime(Millis(std::llround(m_from + m_length))) };
}

WallTime TimelineView::now() const { return m_clock.wallAt(m_clock.reached()); }

int TimelineView::titleWidth() const { return viewport()->width() < NarrowBelow ? NarrowTitles : WideTitles; }

QRect TimelineView::plot() const { return viewport()->rect().adjusted(titleWidth(), AxisHeight, 0, 0); }

TimeScale TimelineView::scale() const
{
    const int width = std::max(1, plot().width());
    return { m_from, m_length / width, width };
}

int TimelineView::xOf(WallTime at) const { return plot().left() + static_cast<int>(scale().pixel(at)); }

QRect TimelineView::laneRect(int row) const
{
    return { 0, AxisHeight + row * LaneShape::Height - verticalScrollBar()->value(), viewport()->width(),
        LaneShape::Height };
}

std::vector<LockName> TimelineView::locksInSight() const
{
    std::vector<LockName> locks;
    for (int row = 0; row < static_cast<int>(m_lanes.size()); ++row) {
        const TimelineLane *lane = laneAt(row);
        if (lane != nullptr && laneRect(row).intersects(viewport()->rect().adjusted(0, AxisHeight, 0, 0)))
            locks.push_back(lane->lock);
    }
    return locks;
}

int TimelineView::rowAt(const QPoint &place) const
{
    if (place.y() < AxisHeight)
        return -1;
    const int row = (place.y() - AxisHeight + verticalScrollBar()->value()) / LaneShape::Height;
    return row < static_cast<int>(m_lanes.size()) ? row : -1;
}

const TimelineLane *TimelineView::laneAt(int row) const
{
    if (row < 0 || row >= static_cast<int>(m_lanes.size()))
        return nullptr;
    const auto id = m_lanes[static_cast<std::size_t>(row)];
    return id < m_timeline.laneCount() && m_timeline.lane(id).isUsed ? &m_timeline.lane(id) : nullptr;
}

// Which part of the time is in sight.

void TimelineView::showPart(Shown shown)
{
    m_length = std::clamp(shown.length, ShortestLength, LongestLength);
    m_isUsualLength = false;
    m_from = shown.from;
    if (std::exchange(m_follows, shown.follows) != shown.follows)
        Q_EMIT followingChanged(shown.follows);
    keepNowInSight();
    Q_EMIT rangeChanged();
    viewport()->update();
}

void TimelineView::keepNowInSight()
{
    if (!m_follows)
        return;
    if (m_isUsualLength && m_timeline.knownFrom())
        m_length = std::clamp((msOf(now()) - msOf(*m_timeline.knownFrom())) * 1.05, LeastUsual, UsualLength);
    const double from = msOf(now()) - m_length * (1 - RoomAfterNow);
    const double moved = std::abs(from - m_from) / scale().perPixel;
    if (moved < 0.5)
        return;
    m_from = from;
    Q_EMIT rangeChanged();
    viewport()->update();
}

void TimelineView::remember(bool isSameGesture)
{
    const bool goesOn = isSameGesture && m_sinceGesture.elapsed() < SameGesture && !m_before.empty();
    m_sinceGesture.restart();
    if (goesOn)
        return;
    m_before.push_back({ m_from, m_length, m_follows });
    if (m_before.size() > MostBefore)
        m_before.erase(m_before.begin());
}

void TimelineView::stepBack()
{
    if (m_before.empty())
        return;
    const Shown shown = m_before.back();
    m_before.pop_back();
    m_sinceGesture.invalidate();
    m_sinceGesture.start();
    showPart(shown);
}

void TimelineView::zoom(double factor, double around)
{
    const double length = std::clamp(m_length / factor, ShortestLength, LongestLength);
    showPart({ around - (around - m_from) * length / m_length, length, false });
}

/// Around the newest moment while that is followed, else around the middle.
void TimelineView::zoomByKey(double factor)
{
    remember(true);
    const double length = std::clamp(m_length / factor, ShortestLength, LongestLength);
    const double middle = m_from + m_length / 2;
    showPart({ middle - length / 2, length, m_follows });
}

void TimelineView::zoomTo(WallTime from, WallTime to)
{
    constexpr double Part = 0.7; // of the width
    remember();
    const double length = std::max(ShortestLength, std::max(1.0, msOf(to) - msOf(from)) / Part);
    showPart({ (msOf(from) + msOf(to) - length) / 2, length, false });
}

void TimelineView::pan(double parts)
{
    remember(true);
    showPart({ m_from + m_length * parts, m_length, false });
}

void TimelineView::showAll()
{
    constexpr double Margin = 0.02;
    const double end = msOf(now());
    const double begin = m_timeline.knownFrom() ? msOf(*m_timeline.knownFrom()) : end - UsualLength;
    const double length = std::max(1'000.0, end - begin);
    remember();
    showPart({ begin - length * Margin, length * (1 + 2 * Margin), false });
}

// What a person does with mouse and keyboard.

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint turned = event->angleDelta();
    const bool isOverTitles = event->position().x() < plot().left();
    if (turned.y() != 0 && (isOverTitles || event->modifiers().testFlag(Qt::ShiftModifier))) {
        QScrollBar *bar = verticalScrollBar();
        bar->setValue(bar->value() - turned.y() * LaneShape::Height / 120);
    } else if (std::abs(turned.x()) > std::abs(turned.y())) {
        pan(-turned.x() / 1'200.0);
    } else if (turned.y() != 0) {
        remember(true);
        zoom(std::pow(WheelStep, turned.y() / 120.0),
            m_from + (event->position().x() - plot().left()) * scale().perPixel);
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_isPressed = true;
    m_isDragged = false;
    m_pressedAt = m_draggedTo = event->position().toPoint();
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const QPoint place = event->position().toPoint();
    if (!m_isPressed) {
        setHovered(ownerAt(place));
        return;
    }
    if (!m_isDragged && (place - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
        return;
    if (!std::exchange(m_isDragged, true)) {
        remember();
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    const QPoint by = place - m_draggedTo;
    m_draggedTo = place;
    verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
    if (by.x() != 0)
        showPart({ m_from - by.x() * scale().perPixel, m_length, false });
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !std::exchange(m_isPressed, false))
        return;
    viewport()->unsetCursor();
    if (std::exchange(m_isDragged, false))
        return;
    const QPoint place = event->position().toPoint();
    m_litBefore = m_lit.picked;
    light(ownerAt(place));
    // Nothing moves: a second click means the same place.
    const int scrolled = verticalScrollBar()->value();
    chooseRow(rowAt(place));
    verticalScrollBar()->setValue(scrolled);
    viewport()->update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QPoint place = event->position().toPoint();
    const Hit hit = hitAt(place);
    if (hit.count > 0) {
        light(m_litBefore); // the first of the two clicks meant no more
        zoomTo(hit.first->from, hit.seenTo(now()));
    } else if (const TimelineLane *lane = laneAt(rowAt(place)); lane != nullptr && place.x() < plot().left())
        Q_EMIT lockOpened(LockName(lane->lock));
}

void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    const int row = isByKey ? chosenRow() : rowAt(event->pos());
    const TimelineLane *lane = laneAt(row);
    const Hit hit = isByKey ? Hit() : hitAt(event->pos());
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_isMenuOpen = true;
    connect(menu, &QMenu::aboutToHide, this, [this] {
        m_isMenuOpen = false;
        if (viewport()->rect().contains(viewport()->mapFromGlobal(QCursor::pos())))
            m_aims.setRemainingTime(LanesStandFor);
    });
    if (lane == nullptr) {
        Q_EMIT menuOffered(*menu, {});
        return menu->popup(viewport()->mapToGlobal(event->pos()));
    }
    const LockName lock = lane->lock;
    menu->addAction(m_pinned.contains(lock) ? tr("Un&pin lane") : tr("&Pin lane to the top"), this,
        [this, lock] { Q_EMIT pinToggled(lock); });
    menu->addAction(tr("&Show lock in full"), this, [this, lock] { Q_EMIT lockOpened(lock); });
    if (hit.count > 0)
        menu->addAction(hit.isWait ? tr("&Zoom to this wait") : tr("&Zoom to this hold"), this,
            [this, from = hit.first->from, to = hit.seenTo(now())] { zoomTo(from, to); });
    const bool isHold = hit.count == 1 && !hit.isWait;
    Q_EMIT menuOffered(*menu, { lock, isHold ? std::optional(m_timeline.owner(hit.first->owner)) : std::nullopt });
    const QRect lanePlace = laneRect(row);
    menu->popup(viewport()->mapToGlobal(isByKey ? QPoint(titleWidth() / 2, lanePlace.center().y()) : event->pos()));
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    constexpr double Tenth = 0.1;
    const int lanes = static_cast<int>(m_lanes.size());
    const int page = std::max(1, plot().height() / LaneShape::Height - 1);
    const int row = chosenRow();
    if (event->modifiers().testFlag(Qt::ControlModifier) || event->modifiers().testFlag(Qt::AltModifier))
        return QAbstractScrollArea::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up:
        return chooseRow(std::max(0, row - 1));
    case Qt::Key_Down:
        return chooseRow(std::min(lanes - 1, row + 1));
    case Qt::Key_PageUp:
        return chooseRow(std::max(0, row - page));
    case Qt::Key_PageDown:
        return chooseRow(std::min(lanes - 1, row + page));
    case Qt::Key_Left:
        return pan(-Tenth);
    case Qt::Key_Right:
        return pan(Tenth);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomByKey(WheelStep);
    case Qt::Key_Minus:
        return zoomByKey(1 / WheelStep);
    case Qt::Key_Home:
        return showAll();
    case Qt::Key_Escape:
        return m_lit.picked != 0 ? endLighting() : stepBack();
    case Qt::Key_F:
    case Qt::Key_End:
        return setFollowing(event->key() == Qt::Key_End || !m_follows);
    case Qt::Key_P:
        if (laneAt(row) != nullptr)
            Q_EMIT pinToggled(LockName(laneAt(row)->lock));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (laneAt(row) != nullptr)
            Q_EMIT lockOpened(LockName(laneAt(row)->lock));
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::chooseRow(int row)
{
    if (const TimelineLane *lane = laneAt(row))
        chooseByPerson(lane->lock);
}

void TimelineView::chooseByPerson(const LockName &lock)
{
    const bool isOther = lock != m_chosen;
    choose(lock);
    if (isOther)
        Q_EMIT lockChosen(LockName(*m_chosen)); // `lock` may lie in a lane that goes
}

int TimelineView::chosenRow() const
{
    const auto id = m_chosen ? m_timeline.laneOf(*m_chosen) : std::nullopt;
    const auto found = id ? std::ranges::find(m_lanes, *id) : m_lanes.end();
    return found == m_lanes.end() ? -1 : static_cast<int>(found - m_lanes.begin());
}

void TimelineView::scrollToRow(int row)
{
    QScrollBar *bar = verticalScrollBar();
    const int top = row * LaneShape::Height;
    if (top < bar->value())
        bar->setValue(top);
    else if (top + LaneShape::Height > bar->value() + plot().height())
        bar->setValue(top + LaneShape::Height - plot().height());
}

void TimelineView::updateScrollBar()
{
    const int height = static_cast<int>(m_lanes.size()) * LaneShape::Height;
    verticalScrollBar()->setRange(0, std::max(0, height - plot().height()));
    verticalScrollBar()->setPageStep(std::max(1, plot().height()));
    verticalScrollBar()->setSingleStep(LaneShape::Height);
}

void TimelineView::setHovered(std::uint32_t owner)
{
    if (std::exchange(m_lit.hovered, owner) != owner)
        viewport()->update();
}

std::optional<OwnerId> TimelineView::litOwner() const
{
    return m_lit.picked == 0 ? std::nullopt : std::optional(m_timeline.owner(m_lit.picked));
}

void TimelineView::light(std::uint32_t owner)
{
    if (std::exchange(m_lit.picked, owner) == owner)
        return;
    viewport()->update();
    Q_EMIT litChanged();
}

void TimelineView::endLighting()
{
    m_litBefore = 0;
    light(0);
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_note->setGeometry(TitleMargin, 0, titleWidth() - TitleMargin, AxisHeight - 1);
    updateScrollBar();
    keepChosenInSight();
    keepNowInSight();
}

void TimelineView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    updateScrollBar();
    keepChosenInSight();
}

/// The mark of the chosen lane is drawn in the viewport, which Qt leaves as it is.
void TimelineView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

/// Esc belongs to the view while it has something to end, or to step back to.
bool TimelineView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto *key = static_cast<QKeyEvent *>(event);
        const bool isPlain = key->modifiers() == Qt::NoModifier || key->modifiers() == Qt::KeypadModifier;
        if (isPlain && key->key() == Qt::Key_Escape && (m_lit.picked != 0 || !m_before.empty())) {
            key->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress)
        m_aims.setRemainingTime(LanesStandFor);
    if (event->type() == QEvent::Leave || event->type() == QEvent::Hide) {
        setHovered(0);
        m_aims.setRemainingTime(0);
    }
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString text = textAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(text), viewport());
    return true;
}

} // namespace lockui
