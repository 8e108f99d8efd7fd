// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scrub_bar.h"

#include "ui/support/display_text.h"
#include "ui/support/icons.h"
#include "ui/support/widgets.h"
#include "ui/views/scrub_track.h"

#include <QComboBox>
#include <QDateTime>
#include <QHBoxLayout>
#include <QShortcut>
#include <QToolButton>

namespace lockui {

using namespace lockcore;

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
