// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scrub_bar.h"

#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QShortcut>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lockui {

using namespace lockcore;
using namespace lockcore::recording;
using namespace lockcore::service;

namespace {
constexpr int EndMargin = 7; // so that the handle is whole at both ends
constexpr int LineFromBottom = 7;
constexpr qint64 MostSteps = 1'000'000'000;
} // namespace

ScrubTrack::ScrubTrack(const Theme &theme, QWidget *parent)
    : QAbstractSlider(parent)
    , m_theme(theme)
{
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Moment of the recording"));
    connect(this, &QAbstractSlider::valueChanged, this, [this](int value) {
        if (m_overview) // a step may be longer than what is left at the end
            Q_EMIT moved(value == maximum() ? m_overview->last : m_overview->first + Millis(value * m_millisOfStep));
    });
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void ScrubTrack::setOverview(std::shared_ptr<const ReplayOverview> overview)
{
    if (overview == m_overview)
        return;
    m_overview = std::move(overview);
    const QSignalBlocker quiet(this);
    const qint64 length = m_overview ? (m_overview->last - m_overview->first).count() : 0;
    m_millisOfStep = length / MostSteps + 1;
    setRange(0, static_cast<int>(length / m_millisOfStep));
    setSingleStep(static_cast<int>(std::max<qint64>(1, 1'000 / m_millisOfStep)));
    setPageStep(std::max(1, maximum() / 20));
    update();
}

void ScrubTrack::setMoment(WallTime moment)
{
    m_moment = moment;
    if (!m_overview || isSliderDown())
        return;
    const QSignalBlocker quiet(this);
    setValue(static_cast<int>((moment - m_overview->first).count() / m_millisOfStep));
    update();
}

void ScrubTrack::goBack()
{
    setSliderDown(false);
    setMoment(m_moment);
}

int ScrubTrack::xOf(double part) const
{
    return EndMargin + static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (width() - 2 * EndMargin)));
}

double ScrubTrack::partOf(WallTime moment) const
{
    return double((moment - m_overview->first).count())
        / double(std::max<qint64>(1, (m_overview->last - m_overview->first).count()));
}

void ScrubTrack::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(QPen(m_theme.colors().border, 2));
    painter.drawLine(EndMargin, height() - LineFromBottom, width() - EndMargin, height() - LineFromBottom);
    if (!m_overview)
        return;
    paintGaps(painter);
    paintDensity(painter);
    paintHandle(painter);
}

/// A column of pixels for what happened in its time; the square root, so that a little is seen beside very much.
void ScrubTrack::paintDensity(QPainter &painter) const
{
    std::vector<std::int64_t> columns(static_cast<std::size_t>(std::max(1, width())));
    const auto &density = m_overview->density;
    for (std::size_t i = 0; i < density.size(); ++i)
        columns[static_cast<std::size_t>(xOf((double(i) + 0.5) / double(density.size())))] += density[i];
    const double most = std::sqrt(double(std::max<std::int64_t>(1, *std::max_element(columns.begin(), columns.end()))));
    const int base = height() - LineFromBottom - 2;
    painter.setPen(blend(m_theme.colors().window, m_theme.colors().accent, 0.6));
    for (std::size_t x = 0; x < columns.size(); ++x) {
        if (columns[x] > 0)
            painter.drawLine(int(x), base, int(x),
                base - std::max(1, static_cast<int>(std::lround(std::sqrt(double(columns[x])) / most * (base - 3)))));
    }
}

void ScrubTrack::paintGaps(QPainter &painter) const
{
    const auto part = [this](MonoTime line) {
        return partOf(WallTime(std::chrono::duration_cast<Millis>(line.time_since_epoch())));
    };
    for (const RecordedSpan &gap : m_overview->gaps) {
        const int left = xOf(part(gap.first));
        const QRect span(left, 2, std::max(2, xOf(part(gap.last)) - left), height() - LineFromBottom - 2);
        painter.fillRect(
            span, hatching(blend(m_theme.colors().window, m_theme.colors().warning, 0.5), *painter.device()));
    }
}

void ScrubTrack::paintHandle(QPainter &painter) const
{
    const int x = xOf(maximum() > 0 ? double(value()) / maximum() : 0);
    const int y = height() - LineFromBottom;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.colors().accent, 2));
    painter.drawLine(EndMargin, y, x, y);
    painter.setPen(QPen(m_theme.colors().text, 1));
    painter.drawLine(x, 1, x, y);
    painter.setPen(QPen(hasFocus() ? m_theme.colors().text : m_theme.colors().window, 2));
    painter.setBrush(m_theme.colors().accent);
    painter.drawEllipse(QPoint(x, y), 6, 6);
}

void ScrubTrack::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    setSliderDown(true); // what is played meanwhile does not pull the handle away
    seekTo(event->position());
}

void ScrubTrack::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        setSliderDown(false);
}

void ScrubTrack::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        seekTo(event->position());
}

void ScrubTrack::seekTo(const QPointF &place)
{
    const double part = (place.x() - EndMargin) / std::max(1, width() - 2 * EndMargin);
    setValue(static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * maximum())));
    update();
}

namespace {

constexpr double Speeds[] = { 0.25, 1, 4, 16, 64, 256 };

QToolButton *makeScrubButton(const QString &what, const QString &keys, ScrubBar *parent)
{
    auto *button = new QToolButton(parent);
    button->setProperty("role", QStringLiteral("button"));
    button->setIconSize(QSize(12, 12));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(what);
    button->setToolTip(what + QStringLiteral(" (") + keys + QLatin1Char(')'));
    return button;
}

QDateTime toLocal(WallTime time) { return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count()); }

} // namespace

ScrubBar::ScrubBar(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_previous(makeScrubButton(tr("To the event before"), QStringLiteral("Alt+←"), this))
    , m_play(makeScrubButton(tr("Play"), QStringLiteral("Ctrl+P"), this))
    , m_next(makeScrubButton(tr("To the next event"), QStringLiteral("Alt+→"), this))
    , m_time(plainLabel(QStringLiteral("product"), this))
    , m_track(new ScrubTrack(theme, this))
    , m_end(plainLabel(QStringLiteral("status"), this))
    , m_speed(new QComboBox(this))
{
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(46);
    m_speed->setAccessibleName(tr("Speed"));
    for (const double each : Speeds)
        m_speed->addItem(QString::number(each) + QStringLiteral("×"), each);
    m_speed->setCurrentIndex(1);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 1, 14, 0);
    layout->setSpacing(8);
    layout->addWidget(m_previous);
    layout->addWidget(m_play);
    layout->addWidget(m_next);
    layout->addWidget(m_speed);
    layout->addWidget(m_time);
    layout->addWidget(m_track, 1);
    layout->addWidget(m_end);

    connect(m_previous, &QToolButton::clicked, this, &ScrubBar::previousEventRequested);
    connect(m_next, &QToolButton::clicked, this, &ScrubBar::nextEventRequested);
    connect(m_play, &QToolButton::clicked, this, &ScrubBar::togglePlaying);
    connect(m_track, &ScrubTrack::moved, this, &ScrubBar::seekRequested);
    connect(m_speed, &QComboBox::activated, this, [this] {
        if (m_playing)
            Q_EMIT playRequested(speed());
    });
    connect(&theme, &Theme::changed, this, &ScrubBar::applyTheme);
    const std::pair<QKeySequence, QToolButton *> keys[] = { { Qt::ALT | Qt::Key_Left, m_previous },
        { Qt::CTRL | Qt::Key_P, m_play }, { Qt::ALT | Qt::Key_Right, m_next } };
    for (const auto &[key, button] : keys)
        connect(new QShortcut(key, this), &QShortcut::activated, button, &QToolButton::click);
    m_time->setMinimumWidth(m_time->fontMetrics().horizontalAdvance(QStringLiteral("0000-00-00 00:00:00.0000")));
    applyTheme();
    hide();
}

void ScrubBar::setReplay(const std::optional<ReplayState> &replay)
{
    const bool shown = replay && replay->overview;
    setVisible(shown);
    m_track->setOverview(shown ? replay->overview : nullptr);
    if (!shown)
        return;
    const bool playing = replay->playing;
    if (playing != m_playing) {
        m_playing = playing;
        m_play->setAccessibleName(playing ? tr("Pause") : tr("Play"));
        applyTheme();
    }
    m_track->setMoment(replay->at);
    m_time->setText(toLocal(replay->wall).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")));
    m_track->setAccessibleDescription(m_time->text());
    m_end->setText(tr("to %1 · events: %2")
                       .arg(toLocal(replay->overview->wallAtLast).toString(QStringLiteral("HH:mm:ss")),
                           countText(replay->overview->events)));
}

void ScrubBar::goBack() { m_track->goBack(); }

/// The keys of the track, for its buttons too: whoever has pressed one of them is still on the bar.
void ScrubBar::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        if (!m_track->hasFocus())
            QCoreApplication::sendEvent(m_track, event);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ScrubBar::togglePlaying()
{
    if (m_playing)
        Q_EMIT pauseRequested();
    else
        Q_EMIT playRequested(speed());
}

double ScrubBar::speed() const { return m_speed->currentData().toDouble(); }

void ScrubBar::applyTheme()
{
    const QColor &color = m_theme.colors().text;
    m_play->setIcon(tintedIcon(m_playing ? QStringLiteral("pause") : QStringLiteral("play"), color));
    m_previous->setIcon(tintedIcon(QStringLiteral("previous"), color));
    m_next->setIcon(tintedIcon(QStringLiteral("next"), color));
}

} // namespace lockui
