// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scrub_track.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace lockui {

using namespace lockcore;

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
        if (m_overview)
            Q_EMIT moved(m_overview->first + Millis(value * m_millisOfStep));
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
    if (!m_overview || isSliderDown())
        return;
    const QSignalBlocker quiet(this);
    setValue(static_cast<int>((moment - m_overview->first).count() / m_millisOfStep));
    update();
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
        painter.fillRect(span, QBrush(blend(m_theme.colors().window, m_theme.colors().warning, 0.5), Qt::BDiagPattern));
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
    if (event->button() == Qt::LeftButton)
        seekTo(event->position());
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

} // namespace lockui
