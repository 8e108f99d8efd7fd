// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/status_strip.h"

#include "lockcore/base/enum_table.h"
#include "lockcore/monitor/server_sight.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/node_text.h"
#include "ui/text/right_text.h"

#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QWidgetAction>

#include <utility>

namespace lockui {

using lockcore::monitor::Feed;

namespace {

constexpr int ReasonWidth = 340;

/// What can be chosen; no feed stands for no choice.
constexpr lockcore::TextRow<Feed> Choices[]{
    { Feed::None, QT_TRANSLATE_NOOP("lockui::FeedButton", "The best that the server permits") },
    { Feed::ClientTracking, QT_TRANSLATE_NOOP("lockui::FeedButton", "Client tracking") },
    { Feed::KeyspaceNotifications, QT_TRANSLATE_NOOP("lockui::FeedButton", "Keyspace notifications") },
    { Feed::Rereading, QT_TRANSLATE_NOOP("lockui::FeedButton", "Re-reading what is known") },
};
static_assert(hasRowForEach(Choices));

} // namespace

FeedButton::FeedButton(QWidget *parent)
    : QToolButton(parent)
    , m_reason(plainLabel(QStringLiteral("muted"), this))
    , m_choices(new QActionGroup(this))
{
    setProperty("role", QStringLiteral("status"));
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    setMenu(new QMenu(this));
    m_reason->setWordWrap(true);
    m_reason->setFixedWidth(ReasonWidth);
    m_reason->setContentsMargins(12, 6, 12, 6);
    auto *reason = new QWidgetAction(menu());
    reason->setDefaultWidget(m_reason);
    menu()->addAction(reason);
    menu()->addSeparator();
    for (const auto &choice : Choices)
        addChoice(tr(choice.text), choice.value == Feed::None ? std::nullopt : std::optional(choice.value));
    setStatus(nullptr);
}

void FeedButton::addChoice(const QString &text, std::optional<Feed> feed)
{
    QAction *choice = m_choices->addAction(text);
    choice->setCheckable(true);
    menu()->addAction(choice);
    connect(choice, &QAction::triggered, this, [this, feed] { Q_EMIT feedChosen(feed); });
}

void FeedButton::setStatus(const lockcore::monitor::SourceStatus *status)
{
    if (!status)
        m_choices->actions().constFirst()->setChecked(true);
    const bool any = status && status->feed != Feed::None;
    setVisible(any);
    if (!any)
        return;
    setText((status->feedLimited ? tr("feed: %1, limited") : tr("feed: %1")).arg(feedText(status->feed)));
    setStyleProperty(*this, "tone", status->feedLimited ? QStringLiteral("warning") : QString());
    const QString reason = feedReasonText(*status);
    m_reason->setText(reason);
    setToolTip(plainToolTip(reason));
    setAccessibleDescription(reason);
    m_choices->setEnabled(!status->recordedAt);
}

using namespace lockcore;
using namespace lockcore::monitor;

StatusStrip::StatusStrip(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_dot(new QLabel(this))
    , m_state(plainLabel(QStringLiteral("status"), this))
    , m_feed(new FeedButton(this))
    , m_figures(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_clocks(plainLabel(QStringLiteral("pill"), this))
    , m_nodes(new QToolButton(this))
    , m_rights(new QToolButton(this))
{
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(26);
    m_rights->setProperty("role", QStringLiteral("pill"));
    m_rights->setProperty("tone", QStringLiteral("warning"));
    m_rights->hide();
    m_figures->setExplanation(heldMeaning());
    setStyleProperty(*m_clocks, "tone", QStringLiteral("warning"));
    m_clocks->setToolTip(
        plainToolTip(tr("Deadlines in Redis are compared with the clock of the server, and so is what is "
                        "shown here. Other times are those of this computer.")));
    m_clocks->hide();
    m_nodes->setProperty("role", QStringLiteral("pill"));
    m_nodes->setPopupMode(QToolButton::InstantPopup);
    m_nodes->setMenu(new QMenu(m_nodes));
    m_nodes->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 1, 14, 0);
    layout->setSpacing(0);
    layout->addWidget(m_dot);
    layout->addSpacing(5);
    for (QWidget *part : std::initializer_list<QWidget *>{ m_state, m_feed }) {
        layout->addWidget(part);
        layout->addSpacing(18);
    }
    layout->addWidget(m_figures, 1); // what a narrow window cuts, from its end
    layout->addSpacing(6);
    layout->addWidget(m_clocks);
    layout->addSpacing(6);
    layout->addWidget(m_nodes);
    layout->addSpacing(6);
    layout->addWidget(m_rights);
    connect(m_feed, &FeedButton::feedChosen, this, &StatusStrip::feedChosen);
    connect(m_nodes->menu(), &QMenu::aboutToShow, this, &StatusStrip::listNodes);
    connect(&clock, &ViewClock::tick, this, &StatusStrip::refresh);
    connect(m_rights, &QToolButton::clicked, this, &StatusStrip::showMissingRights);
    connect(&theme, &Theme::changed, this, &StatusStrip::applyTheme);
    refresh();
    applyTheme();
}

void StatusStrip::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    m_counts = countsText();
    m_feed->setStatus(snapshot ? &snapshot->status : nullptr);
    const auto nodes = snapshot ? snapshot->nodes.size() : 0;
    const bool replica = nodes == 1 && snapshot->nodes.front().role == lockcore::monitor::NodeRole::Replica;
    m_nodes->setVisible(nodes > 1 || replica);
    m_nodes->setText(replica ? tr("replica") : tr("%1 nodes").arg(nodes));
    const QString clocks = snapshot ? clockDifferenceText(snapshot->status) : QString();
    m_clocks->setText(clocks);
    m_clocks->setVisible(!clocks.isEmpty());
    const auto missing = snapshot ? snapshot->status.missingRights.size() : 0;
    m_rights->setVisible(missing > 0);
    m_rights->setText(tr("%n rights missing", nullptr, static_cast<int>(missing)));
    refresh();
}

/// Where nothing was seen yet there are no figures, not even zero.
bool StatusStrip::sawAnything() const
{
    if (!m_snapshot)
        return false;
    const SourceStatus &status = m_snapshot->status;
    return isSeenNow(status) || status.lastSweep || !m_snapshot->locks.empty();
}

void StatusStrip::setReplays(bool replays)
{
    m_replays = replays;
    refresh();
}

void StatusStrip::setPaused(std::optional<MonoTime> since)
{
    m_pausedSince = since;
    refresh();
}

std::pair<QString, Tone> StatusStrip::stateText() const
{
    if (!m_snapshot)
        return m_replays ? std::pair(tr("opening the recording"), Tone::Accent)
                         : std::pair(tr("not connected"), Tone::Muted);
    const SourceStatus &status = m_snapshot->status;
    if (m_pausedSince) {
        const QString since = pauseText(*m_pausedSince, m_clock);
        return { status.phase == SourcePhase::Stale ? tr("paused since %1 · stale").arg(since)
                                                    : tr("paused since %1").arg(since),
            Tone::Warning };
    }
    if (status.recordedAt && status.phase != SourcePhase::Failed)
        return { status.phase == SourcePhase::Stale ? tr("replay · stale") : tr("replay"),
            status.phase == SourcePhase::Stale ? Tone::Warning : Tone::Accent };
    switch (status.phase) {
    case SourcePhase::Connecting:
        return { tr("connecting"), Tone::Accent };
    case SourcePhase::Sweeping:
        return { tr("first sweep %1 %").arg(qRound(status.sweepProgress * 100)), Tone::Accent };
    case SourcePhase::Live:
        return { tr("live"), Tone::Good };
    case SourcePhase::Stale:
        return { tr("stale"), Tone::Warning };
    case SourcePhase::Failed:
        return { failedText(status), Tone::Danger };
    }
    return {};
}

/// What failed for good names no next time, such as a file.
QString StatusStrip::failedText(const SourceStatus &status) const
{
    if (!status.retryAt)
        return tr("failed");
    const auto left = std::chrono::duration_cast<Millis>(*status.retryAt - m_clock.realNow());
    return left > Millis(0) ? tr("cannot connect · tries again in %1").arg(durationText(left))
                            : tr("cannot connect · tries again now");
}

QString StatusStrip::countsText()
{
    if (!sawAnything())
        return {};
    const LockCounts &counts = m_counter.count(m_snapshot->locks, losses(*m_snapshot));
    const auto locks = static_cast<qint64>(m_snapshot->locks.size());
    const bool isWhole = areAllKnown(*m_snapshot);
    QString text = tr("%1 locks · %2 held · %3 waiting", nullptr, isWhole ? pluralOf(locks) : 2)
                       .arg(seenCountText(locks, isWhole), seenCountText(counts.held, isWhole),
                           waitingSumText(counts.waiting, !isWhole || !counts.allKnown,
                               counts.atChannels > 0 && sharesChannels(*m_snapshot)));
    if (counts.ghosts > 0)
        text += QStringLiteral(", ") + ghostsText(counts.ghosts);
    if (counts.lost == 0)
        return text;
    return text + QStringLiteral(" · ")
        + tr("%1 of the locks are not seen now", nullptr, pluralOf(counts.lost)).arg(countText(counts.lost));
}

QString StatusStrip::ratesText() const
{
    if (!sawAnything() || !isFresh(*m_snapshot)) // nothing is counted then: not even zero
        return {};
    const SourceStatus &status = m_snapshot->status;
    return tr("renewals %1/s · acquires %2/s · expiries %3/s")
        .arg(latelyText(&Rates::renewals, status), latelyText(&Rates::acquires, status),
            latelyText(&Rates::expiries, status));
}

QString StatusStrip::sweepText() const
{
    if (!m_snapshot)
        return {};
    if (!m_snapshot->status.lastSweep)
        return m_snapshot->status.phase == SourcePhase::Live ? tr("keys not scanned") : QString();
    const SweepInfo &sweep = *m_snapshot->status.lastSweep;
    const auto ms = sweep.duration.count();
    const QString took = ms < 1 ? tr("under 1 ms") : ms < 1000 ? tr("%1 ms").arg(ms) : durationText(sweep.duration);
    const QString text = tr("last full sweep %1 (%2 in %3)")
                             .arg(agoText(sweep.finishedAt, m_clock.realNow()), keysText(sweep.keysSeen), took);
    return sweep.byScript ? text : text + tr(", without scripts");
}

void StatusStrip::refresh()
{
    const auto [text, tone] = stateText();
    m_state->setText(text);
    setStyleProperty(*m_state, "tone",
        tone == Tone::Good          ? QStringLiteral("good")
            : tone == Tone::Warning ? QStringLiteral("warning")
            : tone == Tone::Danger  ? QStringLiteral("danger")
            : tone == Tone::Accent  ? QStringLiteral("accent")
                                    : QString());
    QStringList figures{ m_counts, ratesText(), sweepText() };
    figures.removeAll(QString());
    if (m_pausedSince && !figures.isEmpty())
        figures.prepend(tr("now:")); // unlike the rest of the window
    m_figures->setText(figures.join(QStringLiteral("     ")));
    if (tone != m_tone) {
        m_tone = tone;
        applyTheme();
    }
}

void StatusStrip::applyTheme()
{
    const QString shape = m_tone == Tone::Good ? QStringLiteral("dot") : QStringLiteral("ring");
    m_dot->setPixmap(tintedIcon(shape, m_theme.color(m_tone)).pixmap(QSize(12, 12), devicePixelRatioF()));
}

void StatusStrip::listNodes()
{
    m_nodes->menu()->clear();
    for (const lockcore::monitor::NodeStatus &node : m_snapshot->nodes)
        m_nodes->menu()->addAction(plainMenuText(nodeText(node)));
}

void StatusStrip::showMissingRights()
{
    QStringList sentences;
    for (const auto &missing : m_snapshot->status.missingRights)
        sentences << BulletList::item(missingRightText(missing));
    const QString line = displayText(m_snapshot->status.aclLine);
    if (!line.isEmpty())
        sentences << QString() << tr("This line gives all of it (in a cluster on each node):") << line;
    auto *notice = new NoticeDialog(tr("Missing rights"), tr("The server's ACL refuses some of what Lockscope needs:"),
        sentences.join(QLatin1Char('\n')), this);
    if (!line.isEmpty()) {
        QPushButton *copy = notice->addAction(tr("&Copy the line"));
        connect(copy, &QPushButton::clicked, notice, [line, copy] {
            QGuiApplication::clipboard()->setText(line);
            copy->setText(tr("Copied"));
        });
    }
    notice->show();
}

} // namespace lockui
