// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/top_bar.h"

#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/filter_field.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QToolTip>

#include <utility>

namespace lockui {

using lockcore::monitor::SourcePhase;

namespace {

QToolButton *makeButton(const QString &role, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setProperty("role", role);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setIconSize(QSize(12, 12));
    return button;
}

Tone phaseTone(const std::optional<SourcePhase> &phase)
{
    if (!phase)
        return Tone::Muted;
    switch (*phase) {
    case SourcePhase::Connecting:
    case SourcePhase::Sweeping:
        return Tone::Accent;
    case SourcePhase::Live:
        return Tone::Good;
    case SourcePhase::Stale:
        return Tone::Warning;
    case SourcePhase::Failed:
        return Tone::Danger;
    }
    return Tone::Muted;
}

} // namespace

TopBar::TopBar(Theme &theme, const ConnectionStore &store, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_store(store)
    , m_menu(new QMenu(this))
    , m_connect(addKey(tr("Connect…"), Qt::CTRL | Qt::Key_N, &TopBar::connectRequested))
    , m_openRecording(addKey(tr("Open a recording…"), Qt::CTRL | Qt::Key_O, &TopBar::recordingOpenRequested))
    , m_sweep(addKey(tr("Rescan all keys"), Qt::Key_F5, &TopBar::sweepRequested))
    , m_palette(addKey(tr("Command palette…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P, &TopBar::paletteRequested))
    , m_product(plainLabel(QStringLiteral("product"), this))
    , m_connection(makeButton(QStringLiteral("chip"), this))
    , m_environment(makeButton(QStringLiteral("pill"), this))
    , m_needAttention(makeButton(QStringLiteral("pill"), this))
    , m_filter(new FilterField(theme, this))
    , m_byHand(makeButton(QStringLiteral("button"), this))
    , m_pause(makeButton(QStringLiteral("button"), this))
    , m_record(makeButton(QStringLiteral("button"), this))
    , m_help(makeButton(QStringLiteral("button"), this))
{
    makeBar(*this);
    setFixedHeight(44);
    m_product->setText(QStringLiteral("Lockscope"));
    m_connection->setPopupMode(QToolButton::InstantPopup);
    m_connection->setMenu(m_menu);
    m_connection->setMaximumWidth(320);
    m_byHand->setText(tr("By hand"));
    m_byHand->setToolTip(plainToolTip(
        tr("Take the chosen lock, or any other, as a client that you lead by hand: in the contention lab")));
    m_pause->setText(tr("Pause"));
    m_pause->setCheckable(true);
    m_pause->setToolTip(tr("Keeps the picture as it is; the watching goes on (Ctrl+Space)"));
    m_needAttention->setProperty("tone", QStringLiteral("warning"));
    m_needAttention->hide();
    m_help->setText(tr("Help"));
    m_help->setToolTip(tr("What the user guide says of this page (F1)"));

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 0, 14, 1);
    layout->setSpacing(10);
    layout->addWidget(m_product);
    layout->addWidget(m_connection);
    layout->addWidget(m_environment);
    layout->addWidget(m_needAttention);
    layout->addWidget(m_filter, 1);
    layout->addWidget(m_byHand);
    layout->addWidget(m_pause);
    layout->addWidget(m_record);
    layout->addWidget(m_help);

    connect(m_menu, &QMenu::aboutToShow, this, &TopBar::fillMenu);
    connect(m_environment, &QToolButton::clicked, this, [this] {
        if (whyNotWritable().isEmpty())
            Q_EMIT writableToggleRequested();
        else
            QToolTip::showText(m_environment->mapToGlobal(m_environment->rect().bottomLeft()), m_environment->toolTip(),
                m_environment);
    });
    connect(m_pause, &QToolButton::toggled, this, [this](bool paused) {
        m_pause->setText(paused ? tr("Resume") : tr("Pause"));
        applyTheme();
        Q_EMIT pauseToggled(paused);
    });
    connect(m_needAttention, &QToolButton::clicked, this, &TopBar::attentionRequested);
    connect(m_byHand, &QToolButton::clicked, this, &TopBar::handRequested);
    connect(m_record, &QToolButton::clicked, this, &TopBar::recordToggleRequested);
    connect(m_help, &QToolButton::clicked, this, &TopBar::helpRequested);
    auto *pauseKey = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Space), this);
    connect(pauseKey, &QShortcut::activated, this,
        [this] { pressByKey(*m_pause, tr("This is a recording: Ctrl+P plays it, and stops that.")); });
    auto *recordKey = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_R), this);
    connect(recordKey, &QShortcut::activated, this,
        [this] { pressByKey(*m_record, tr("This is a recording: there is nothing new to record.")); });
    connect(&theme, &Theme::changed, this, &TopBar::applyTheme);
    setRecording(std::nullopt);
    setConnection(std::nullopt);
    applyTheme();
}

/// Where that cannot be, the key says why.
void TopBar::pressByKey(QToolButton &button, const QString &whyNotInRecording)
{
    if (!button.isHidden() && button.isEnabled())
        return button.click();
    const QString why = !button.isHidden() ? tr("There is nothing to see until the server answers.")
        : m_replayed.isEmpty()             ? tr("Nothing is watched: connect first.")
                                           : whyNotInRecording;
    QToolTip::showText(mapToGlobal(QPoint(width() / 2, height())), plainToolTip(why), this);
}

/// One action for the menu and for its key: of two, neither would react.
QAction *TopBar::addKey(const QString &text, const QKeySequence &key, void (TopBar::*signal)())
{
    auto *action = new QAction(text, this);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, signal);
    addAction(action);
    return action;
}

void TopBar::fillMenu()
{
    m_menu->clear();
    m_menu->addAction(m_connect);
    const auto recent = m_store.recent();
    for (const ConnectionProfile &profile : recent) {
        const QString tag = profile.environment.isEmpty() ? QString() : QLatin1Char('\t') + profile.environment;
        m_menu->addAction(plainMenuText(titleAmong(profile, recent)) + plainMenuText(tag), this,
            [this, profile] { Q_EMIT profileChosen(profile); });
    }
    m_menu->addSeparator();
    m_menu->addAction(m_openRecording);
    m_menu->addSeparator();
    m_menu->addAction(m_sweep);
    QAction *leave = m_menu->addAction(tr("Disconnect"), this, &TopBar::disconnectRequested);
    leave->setText(m_replayed.isEmpty() ? leave->text() : tr("Close the recording"));
    leave->setEnabled(m_profile.has_value() || !m_replayed.isEmpty());
    m_menu->addSeparator();
    m_menu->addAction(m_palette);
    QMenu *themes = m_menu->addMenu(tr("Theme"));
    auto *group = new QActionGroup(themes);
    const std::pair<QString, Theme::Mode> modes[]
        = { { tr("As the system"), Theme::System }, { tr("Light"), Theme::Light }, { tr("Dark"), Theme::Dark } };
    for (const auto &[title, mode] : modes) {
        QAction *action = themes->addAction(title, this, [this, mode = mode] { m_theme.setMode(mode); });
        action->setCheckable(true);
        action->setChecked(m_theme.mode() == mode);
        group->addAction(action);
    }
}

void TopBar::setConnection(const std::optional<ConnectionProfile> &profile)
{
    m_profile = profile;
    m_sweep->setEnabled(profile.has_value());
    m_title = profile ? titleAmong(*profile, m_store.recent()) : tr("Not connected");
    QString where = profile ? profile->place() : m_title;
    if (profile && !profile->tokenNames.empty())
        where += QLatin1Char('\n') + tr("also locks: %1").arg(displayText(toBytes(toAlsoLocks(profile->tokenNames))));
    m_connection->setToolTip(plainToolTip(where));
    m_connection->setAccessibleName(tr("Connection: %1").arg(m_title));
    fit();
    updateEnvironment();
}

void TopBar::setAttention(int locks, bool andMore)
{
    const bool isSame = locks == m_attention && andMore == m_attentionIsMore;
    m_attention = locks;
    m_attentionIsMore = andMore;
    if (isSame)
        return;
    QString tip = tr("Shows the next lock that something looks wrong with (F8; the one before: Shift+F8), the gravest "
                     "first, as the dashboard lists them. It counts locks; the dashboard counts all that was found, "
                     "and there may be several things of one lock.");
    if (andMore)
        tip += QLatin1Char('\n')
            + tr("More was found than is listed: locks with the least of it are not counted, and have no sign.");
    m_needAttention->setToolTip(plainToolTip(tip));
    m_needAttention->setVisible(locks > 0);
    fit();
}

void TopBar::setReplay(const QString &file)
{
    m_replayed = file;
    if (file.isEmpty())
        return;
    m_title = displayText(QFileInfo(file).fileName().toStdString());
    m_connection->setToolTip(plainToolTip(displayText(file.toStdString())));
    m_connection->setAccessibleName(tr("Recording: %1").arg(m_title));
    fit();
}

void TopBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

/// Whether it is writable stays whole in the narrowest window: what can be read elsewhere gives way.
void TopBar::fit()
{
    const bool narrow = width() < 1000;
    const QString title = fontMetrics().elidedText(m_title, Qt::ElideMiddle, narrow ? 110 : 230);
    m_connection->setText(plainMenuText(title) + QStringLiteral("  ▾"));
    m_product->setVisible(!narrow);
    const QString atLeast = m_attentionIsMore ? QStringLiteral("≥ ") : QString();
    const QString attention = atLeast + tr("%n need attention", nullptr, m_attention);
    m_needAttention->setText(
        width() < 1200 ? QString(QStringLiteral("⚠ ") + atLeast + countText(m_attention)) : attention);
    m_needAttention->setAccessibleName(attention);
    m_pause->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    m_record->setToolButtonStyle(narrow && !m_recording ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

void TopBar::setRecording(const std::optional<lockcore::service::RecordingState> &recording)
{
    m_recording = recording.has_value();
    if (recording) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(recording->progress.elapsed).count();
        m_record->setText(QStringLiteral("%1:%2 · %3")
                              .arg(seconds / 60)
                              .arg(seconds % 60, 2, 10, QLatin1Char('0'))
                              .arg(locale().formattedDataSize(recording->progress.bytes, 1)));
        m_record->setAccessibleName(tr("Stop the recording, %1").arg(m_record->text()));
        m_record->setToolTip(tr(
            "All that is seen is being written to a file: for so long, and so much of it. A click ends that (Ctrl+R)"));
        // The other buttons stay where they are while the figures grow.
        constexpr int IconAndEdges = 48;
        const QString widest = QStringLiteral("10:10 · ") + locale().formattedDataSize(900'000, 1);
        m_record->setMinimumWidth(m_record->fontMetrics().horizontalAdvance(widest) + IconAndEdges);
    } else {
        m_record->setMinimumWidth(0);
        m_record->setText(tr("Record"));
        m_record->setAccessibleName(tr("Record"));
        m_record->setToolTip(tr("Writes all that is seen to a file, until it is clicked again (Ctrl+R)"));
    }
    updateEnvironment();
    setStyleProperty(*m_record, "tone", m_recording ? QStringLiteral("danger") : QString());
    fit();
    applyTheme();
}

void TopBar::setPhase(std::optional<SourcePhase> phase)
{
    if (phase == m_phase)
        return;
    m_phase = phase;
    applyTheme();
}

void TopBar::setReached(bool isReached)
{
    m_isReached = isReached;
    updateEnvironment();
}

/// Empty: it can be, or is already.
QString TopBar::whyNotWritable() const
{
    if (m_writable || !m_profile)
        return {};
    if (m_profile->readOnlyLocked)
        return tr("Always read-only: so it was chosen for this connection.");
    return m_isReached ? QString() : tr("It can be switched to writable once its server answers.");
}

void TopBar::setWritable(bool writable)
{
    m_writable = writable;
    updateEnvironment();
}

void TopBar::setPaused(bool paused) { m_pause->setChecked(paused); }

void TopBar::updateEnvironment()
{
    m_environment->setVisible(m_profile.has_value());
    m_record->setVisible(m_profile.has_value());
    m_pause->setVisible(m_profile.has_value());
    m_record->setEnabled(m_isReached || m_recording);
    m_pause->setEnabled(m_isReached || m_pause->isChecked());
    m_byHand->setVisible(m_profile.has_value() && m_writable);
    if (!m_profile)
        return;
    const bool prod = m_profile->isProduction();
    const QString access = m_writable ? tr("writable")
        : m_profile->readOnlyLocked   ? tr("read-only, locked")
                                      : tr("read-only");
    const QString tag = fontMetrics().elidedText(m_profile->environment, Qt::ElideRight, 130);
    m_environment->setText(plainMenuText(tag.isEmpty() ? access : QString(tag + QStringLiteral(" · ") + access)));
    const QString tone = prod ? (m_writable ? QStringLiteral("danger") : QStringLiteral("warning"))
                              : (m_writable ? QStringLiteral("warning") : QString());
    setStyleProperty(*m_environment, "tone", tone);
    const QString whyNot = whyNotWritable();
    m_environment->setToolTip(!whyNot.isEmpty() ? plainToolTip(whyNot)
            : m_writable                        ? tr("Switch back to read-only")
                                                : tr("Switch to writable…"));
    m_environment->setAccessibleName(m_environment->text());
}

void TopBar::applyTheme()
{
    const Colors &colors = m_theme.colors();
    const QString shape = m_phase == SourcePhase::Live ? QStringLiteral("dot") : QStringLiteral("ring");
    m_connection->setIcon(tintedIcon(shape, m_theme.color(phaseTone(m_phase))));
    m_record->setIcon(tintedIcon(QStringLiteral("dot"), m_recording ? colors.danger : colors.text));
    m_pause->setIcon(tintedIcon(m_pause->isChecked() ? QStringLiteral("play") : QStringLiteral("pause"), colors.text));
}

} // namespace lockui
