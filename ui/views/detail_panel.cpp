// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_panel.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/views/detail_charts.h"
#include "ui/views/detail_events.h"
#include "ui/views/detail_head.h"
#include "ui/views/detail_people.h"
#include "ui/views/detail_taking.h"
#include "ui/views/event_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

DetailPanel::DetailPanel(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_body(new QWidget(this))
    , m_hint(plainLabel(QStringLiteral("muted"), this))
    , m_head(new DetailHead(clock, m_body))
    , m_suspects(new SuspectsView(m_body))
    , m_charts(new DetailCharts(theme, clock, events, m_body))
{
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Details of the selected lock"));
    build(theme, events);
    connectParts();
    connect(&clock, &ViewClock::tick, this, &DetailPanel::tick);
    sayWhatIsShown();
    setLock(nullptr);
}

void DetailPanel::build(const Theme &theme, const EventStore &events)
{
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    auto *columns = new QSplitter(Qt::Horizontal, m_body);
    columns->setProperty("role", QStringLiteral("loose"));
    columns->setHandleWidth(20);
    columns->setChildrenCollapsible(false);
    // What is suspected comes, goes and is wrapped: at the left, where it moves no row that has actions.
    auto *left = new QWidget(m_body);
    auto *course = new QVBoxLayout(left);
    course->setContentsMargins(0, 0, 0, 0);
    course->setSpacing(8);
    course->addWidget(m_suspects);
    course->addWidget(m_charts, 1);
    auto *right = new QWidget(m_body);
    m_people = new DetailPeople(theme, m_clock, right);
    m_events = new DetailEvents(theme, m_clock, events, right);
    auto *both = new QVBoxLayout(right);
    both->setContentsMargins(0, 0, 0, 0);
    both->setSpacing(10);
    both->addWidget(m_people, 5);
    both->addWidget(m_events, 1);
    both->addStretch();
    columns->addWidget(left);
    columns->addWidget(right);
    columns->setStretchFactor(0, 52);
    columns->setStretchFactor(1, 48);
    columns->setSizes({ 620, 580 });

    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(16, 10, 16, 8);
    body->setSpacing(8);
    body->addWidget(m_head);
    body->addWidget(columns, 1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint, 1);
    layout->addWidget(m_body, 1);
    m_taking = new DetailTaking({ theme, m_clock, [this] { return m_lock; }, m_head->copyAs(), *m_charts,
                                    m_events->table(), m_events->model() },
        this);
    m_people->setTaking(*m_taking);
}

void DetailPanel::connectParts()
{
    const auto give = [this](const PermitReading &permit) { Q_EMIT returnRequested(m_lock, permit); };
    connect(m_head, &DetailHead::copyRequested, this, &DetailPanel::copy);
    connect(m_head, &DetailHead::renewRequested, this, [this] { Q_EMIT renewRequested(m_lock); });
    connect(m_head, &DetailHead::forceReleaseRequested, this, [this] { Q_EMIT forceReleaseRequested(m_lock); });
    connect(m_head, &DetailHead::returnRequested, this, [this, give] {
        if (const auto permit = m_people->chosenPermit())
            give(*permit);
    });
    connect(m_people, &DetailPeople::returnRequested, this, give);
    connect(m_people, &DetailPeople::permitChosen, this, &DetailPanel::showActions);
    connect(m_people, &DetailPeople::dropRequested, this,
        [this](const OwnerId &waiter) { Q_EMIT dropRequested(m_lock, waiter); });
    connect(m_people, &DetailPeople::clientNamingRequested, this, &DetailPanel::clientNamingRequested);
    connect(m_people, &DetailPeople::clientRequested, this, &DetailPanel::clientRequested);
    connect(m_people, &DetailPeople::clientSearchRequested, this, &DetailPanel::clientSearchRequested);
}

void DetailPanel::setAnalysis(std::shared_ptr<const Analysis> analysis)
{
    if (analysis == m_analysis)
        return;
    m_analysis = std::move(analysis);
    showAnalysis();
}

void DetailPanel::setClientNames(const ClientNames &names)
{
    m_names = &names;
    m_head->setClientNames(names);
    m_people->setClientNames(names);
    m_events->setClientNames(names);
    m_suspects->setClientNames(&names);
    connect(&names, &ClientNames::changed, this, &DetailPanel::showAnalysis);
}

void DetailPanel::showAnalysis()
{
    if (!m_lock)
        return;
    m_suspects->show(m_end ? nullptr : m_analysis.get(), m_lock->name, seen());
}

LockInSight DetailPanel::seen() const
{
    const MonoTime now = m_clock.now();
    return { m_lock.get(), std::min(now, m_lostSince.value_or(now)), !m_charts->tellsOfRenewals() };
}

/// With its end in one step: each costs layouts, and another lock often comes in the place of one that has ended.
void DetailPanel::setLock(LockTableModel::Lock lock, std::optional<LockEnd> end)
{
    if (lock && end && end->how)
        end->at = std::min(end->at, std::max(m_clock.monoAt(end->how->at), lock->readAtMono));
    if (lock && lock == m_lock && end == m_end)
        return;
    m_lock = std::move(lock);
    m_end = std::move(end);
    m_hint->setVisible(!m_lock);
    m_body->setVisible(m_lock != nullptr);
    m_people->setLock(m_lock, m_end);
    m_charts->setLock(m_lock, m_end);
    showStaleness();
    if (!m_lock)
        return sayWhatIsShown();
    showLock();
    m_events->setLock(m_lock->name, firstNode(*m_lock));
}

void DetailPanel::sayWhatIsShown()
{
    m_hint->setText(tr("Select a lock to see its holders, its queue and its time to live."));
}

void DetailPanel::sayAwaited(const LockName &name, const std::optional<Event> &end)
{
    const QString isGone = tr("“%1” is not among the locks that are seen.").arg(lockNameText(name));
    const QString isAwaited = tr("It is shown here as soon as it is, unless you choose another one.");
    if (!end)
        return m_hint->setText(isGone + QLatin1Char(' ') + isAwaited);
    const QString ended = tr("Heard last of it: %1, at %2.")
                              .arg(endText(*end, m_names), clockText(end->at, m_clock.wallAt(m_clock.realNow())));
    m_hint->setText(QStringList{ isGone, ended, isAwaited }.join(QLatin1Char('\n')));
}

void DetailPanel::showLock()
{
    m_head->show(*m_lock, m_end, m_lostSince);
    showEventsIfRoom();
    showActions();
    showAnalysis();
}

void DetailPanel::setBeginnings(const std::vector<Event> &acquired) { m_charts->setBeginnings(acquired, m_names); }

void DetailPanel::setGaps(const std::vector<Event> &gaps) { m_charts->setGaps(gaps); }

void DetailPanel::setLocksHeld(LocksHeld held) { m_people->setLocksHeld(std::move(held)); }

void DetailPanel::setInCluster(bool inCluster) { m_head->setInCluster(inCluster); }

void DetailPanel::setHidden(bool hidden)
{
    m_hidden = hidden;
    m_head->setHidden(hidden);
    showActions();
}

void DetailPanel::setKnownWaits(std::vector<KnownWait> waits) { m_people->setKnownWaits(std::move(waits)); }

void DetailPanel::setWatchedSince(std::optional<MonoTime> since) { m_charts->setWatchedSince(since); }

void DetailPanel::setRecordedSince(MonoTime since) { m_charts->setRecordedSince(since); }

void DetailPanel::setCountedSince(std::optional<WallTime> since)
{
    m_suspects->setCountedSince(since ? clockText(*since, m_clock.wallAt(m_clock.realNow())) : QString());
}

void DetailPanel::setAtReplica(bool atReplica) { m_people->setAtReplica(atReplica); }

void DetailPanel::setStale(bool stale, std::optional<MonoTime> lostSince)
{
    m_stale = stale;
    if (std::exchange(m_lostSince, lostSince) != lostSince && m_lock)
        m_head->show(*m_lock, m_end, m_lostSince);
    showStaleness();
}

void DetailPanel::setLostServers(const QStringList &servers)
{
    if (std::exchange(m_lostServers, servers) != servers)
        showActions();
}

void DetailPanel::showStaleness()
{
    // Of a lock that went while nothing could be seen, no more is known than that it was held until then.
    auto seenUntil = m_lostSince;
    if (m_end)
        seenUntil = m_end->unseenSince ? std::optional(m_clock.monoAt(*m_end->unseenSince)) : std::nullopt;
    m_people->setStale(m_stale || m_end, seenUntil);
    m_charts->setStale(m_stale, m_lostSince);
}

void DetailPanel::setActionsAllowed(bool allowed, const QString &whyNot)
{
    m_actionsAllowed = allowed;
    m_whyNot = whyNot;
    showActions();
}

void DetailPanel::showActions()
{
    const QString whyNot = whyNotNow();
    m_people->setActionsAllowed(m_lock && whyNot.isEmpty());
    m_head->showActions(m_lock.get(), whyNot, m_people->chosenPermit().has_value());
}

std::optional<PermitReading> DetailPanel::chosenPermit() const { return m_people->chosenPermit(); }

void DetailPanel::focusPermits() const { m_people->focusPermits(); }

std::optional<OwnerId> DetailPanel::chosenWaiter() const { return m_people->chosenWaiter(); }

void DetailPanel::focusQueue() const { m_people->focusQueue(); }

QString DetailPanel::whyNotNow() const
{
    if (!m_actionsAllowed)
        return m_whyNot;
    if (m_end)
        return tr("It is no longer in Redis.");
    if (!m_lostServers.isEmpty())
        return lossText(m_lostServers);
    return m_hidden ? tr("The filter hides it: clear the filter, or choose a lock in the table.") : QString();
}

/// The same whatever is told of the lock: a page gives it more room when this grows, and its rows would move.
QSize DetailPanel::minimumSizeHint() const
{
    constexpr int LeastHeight = 240;
    return { QWidget::minimumSizeHint().width(), LeastHeight };
}

void DetailPanel::resizeEvent(QResizeEvent *event)
{
    constexpr int NarrowWidth = 1'000;
    QWidget::resizeEvent(event);
    m_head->setNarrow(width() < NarrowWidth);
    if (m_lock)
        m_head->show(*m_lock, m_end, m_lostSince);
    showEventsIfRoom();
}

/// What is of now comes first: in a low window this part is on the page of all events alone. Of a lock that is gone
/// nothing is of now.
void DetailPanel::showEventsIfRoom()
{
    constexpr int LeastHeight = 250;
    constexpr int LeastWithQueue = 310; // three of it
    const bool isRoom = height() >= (m_lock && !m_lock->waiters.empty() ? LeastWithQueue : LeastHeight);
    m_events->setRoom(isRoom || (m_end && isRoomBelowPeople()));
}

/// By what the parts ask for: they may not have been laid out yet.
bool DetailPanel::isRoomBelowPeople() const
{
    const auto heightOf = [](const QWidget &part) {
        return part.hasHeightForWidth() ? part.heightForWidth(part.width()) : part.sizeHint().height();
    };
    const QLayout &body = *m_body->layout();
    const QMargins edges = body.contentsMargins();
    const int room = height() - edges.top() - edges.bottom() - body.spacing() - heightOf(*m_head);
    const int between = m_people->parentWidget()->layout()->spacing();
    return heightOf(*m_people) + between + m_events->minimumSizeHint().height() <= room;
}

void DetailPanel::tick()
{
    if (!m_lock || !isVisible())
        return;
    m_events->refresh();
    m_charts->refresh();
    m_head->show(*m_lock, m_end, m_lostSince);
    m_suspects->refresh(seen());
}

void DetailPanel::copy() const
{
    QGuiApplication::clipboard()->setText(copyText(m_lock->name));
    m_head->sayCopied();
}

} // namespace lockui
