// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_panel.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/freshness.h"
#include "ui/support/lock_tone.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/event_table.h"
#include "ui/views/suspects_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

constexpr int MostEvents = 50;

QString toneName(Lease lease)
{
    switch (lease) {
    case Lease::Watchdog:
        return QStringLiteral("accent");
    case Lease::Fixed:
        return QStringLiteral("fixed");
    case Lease::Unknown:
        return {};
    }
    return {};
}

} // namespace

DetailPanel::DetailPanel(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_store(events)
    , m_rows{ theme, 28, 8, true, false }
    , m_holders(clock)
    , m_waiters(clock)
    , m_permits(clock)
    , m_eventRows{ theme, 24, 8, true, false }
    , m_events(events, clock)
{
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Details of the selected lock"));

    m_hint = plainLabel(QStringLiteral("muted"), this);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    sayWhatIsShown();

    m_body = new QWidget(this);
    auto *columns = new QSplitter(Qt::Horizontal, m_body);
    columns->setProperty("role", QStringLiteral("loose"));
    columns->setHandleWidth(20);
    columns->setChildrenCollapsible(false);
    auto *head = buildHead();
    m_suspects = new SuspectsView(m_body);
    columns->addWidget(buildTimeToLive());
    columns->addWidget(buildPeople());
    columns->setStretchFactor(0, 52);
    columns->setStretchFactor(1, 48);
    columns->setSizes({ 620, 580 });

    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(16, 10, 16, 8);
    body->setSpacing(8);
    body->addLayout(head);
    body->addWidget(m_suspects);
    body->addWidget(columns, 1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint, 1);
    layout->addWidget(m_body, 1);

    connect(&clock, &ViewClock::tick, this, &DetailPanel::tick);
    setLock(nullptr);
}

QLayout *DetailPanel::buildHead()
{
    m_title = new ElidedLabel(QStringLiteral("lockTitle"), m_body);
    m_title->setElideMode(Qt::ElideMiddle);
    m_kindPill = plainLabel(QStringLiteral("pill"), m_body);
    m_leasePill = plainLabel(QStringLiteral("pill"), m_body);
    m_quorumPill = plainLabel(QStringLiteral("pill"), m_body);
    m_hiddenPill = plainLabel(QStringLiteral("pill"), m_body);
    m_hiddenPill->setText(tr("hidden by the filter"));
    setStyleProperty(*m_hiddenPill, "tone", QStringLiteral("warning"));
    m_hiddenPill->hide();
    m_read = plainLabel(QStringLiteral("muted"), m_body);
    m_where = new ElidedLabel(QStringLiteral("mutedLine"), m_body);
    m_copy = new QPushButton(tr("Copy"), m_body);
    m_copy->setToolTip(
        tr("Copies the whole name; control characters and bytes that are no text as they are shown here"));
    m_renew = new QPushButton(tr("Renew…"), m_body);
    m_forceRelease = new QPushButton(tr("Force release…"), m_body);
    m_forceRelease->setProperty("role", QStringLiteral("danger"));
    connect(m_copy, &QPushButton::clicked, this, &DetailPanel::copy);
    connect(m_renew, &QPushButton::clicked, this, [this] { Q_EMIT renewRequested(m_lock); });
    connect(m_forceRelease, &QPushButton::clicked, this, [this] { Q_EMIT forceReleaseRequested(m_lock); });

    auto *head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(m_title);
    head->addSpacing(4);
    head->addWidget(m_kindPill, 0, Qt::AlignVCenter);
    head->addWidget(m_leasePill, 0, Qt::AlignVCenter);
    head->addWidget(m_quorumPill, 0, Qt::AlignVCenter);
    head->addWidget(m_hiddenPill, 0, Qt::AlignVCenter);
    head->addSpacing(4);
    head->addWidget(m_read);
    head->addWidget(m_where, 1);
    head->addWidget(m_copy);
    head->addWidget(m_renew);
    head->addWidget(m_forceRelease);
    return head;
}

QWidget *DetailPanel::buildTimeToLive()
{
    auto *left = new QWidget(m_body);
    m_chartTitle = plainLabel(QStringLiteral("section"), left);
    m_chartTitle->setText(tr("Time to live, last 90 s"));
    m_chartLegend = plainLabel(QStringLiteral("small"), left);
    m_chart = new TtlChart(m_theme, m_clock, left);
    m_keysTitle = plainLabel(QStringLiteral("section"), left);
    m_keysTitle->setText(tr("Keys in Redis"));
    m_keys = new QPlainTextEdit(left);
    m_keys->setReadOnly(true);
    m_keys->setProperty("role", QStringLiteral("keys"));
    m_keys->setAccessibleName(tr("Keys in Redis"));
    m_keys->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_keys->setTabChangesFocus(true);
    m_keys->document()->setDocumentMargin(0);
    m_keys->setMinimumHeight(18); // one key
    m_keys->setMaximumHeight(60);

    auto *top = new QHBoxLayout;
    top->addWidget(m_chartTitle);
    top->addStretch();
    top->addWidget(m_chartLegend);
    auto *layout = new QVBoxLayout(left);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_keysTitle);
    layout->addWidget(m_keys);
    return left;
}

QWidget *DetailPanel::buildPeople()
{
    auto *right = new QWidget(m_body);
    m_holdersTitle = plainLabel(QStringLiteral("section"), right);
    m_counterNote = plainLabel(QStringLiteral("small"), right);
    m_counterNote->setText(tr("Redis does not store which client has a permit, or has counted down."));
    m_counterNote->setWordWrap(true);
    m_permitTable = new DataTable(m_rows, m_clock, right);
    m_morePermits = plainLabel(QStringLiteral("small"), right);
    m_queueTitle = plainLabel(QStringLiteral("section"), right);
    m_queueNote = plainLabel(QStringLiteral("small"), right);
    m_queueNote->setWordWrap(true);
    m_holderTable = new DataTable(m_rows, m_clock, right);
    m_queueTable = new DataTable(m_rows, m_clock, right);
    buildTables();

    auto *layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_holdersTitle);
    layout->addWidget(m_counterNote);
    layout->addWidget(m_holderTable, 2);
    layout->addWidget(m_permitTable, 2);
    layout->addWidget(m_morePermits);
    layout->addSpacing(6);
    layout->addWidget(m_queueTitle);
    layout->addWidget(m_queueTable, 3);
    layout->addWidget(m_queueNote);
    layout->addSpacing(6);
    layout->addLayout(buildEvents(), 1);
    layout->addStretch();
    return right;
}

QLayout *DetailPanel::buildEvents()
{
    m_eventsTitle = plainLabel(QStringLiteral("section"), m_body);
    m_eventTable = new EventTable(m_eventRows, m_clock, m_events, m_body);
    m_eventTable->horizontalHeader()->hide(); // each line is a sentence
    m_eventTable->setColumnShown(EventModel::Lock, false);
    m_eventTable->setColumnWidths({ { 0, 100 }, { 0, 156 }, { 0, 0 }, { 0, 112 }, { 100, 60 } });
    m_eventTable->setRowsShown(MostEvents);
    m_eventTable->setAccessibleName(tr("Events of the lock"));
    auto *layout = new QVBoxLayout;
    layout->setSpacing(4);
    layout->addWidget(m_eventsTitle);
    layout->addWidget(m_eventTable);
    return layout;
}

void DetailPanel::buildTables()
{
    m_holderTable->setModel(&m_holders);
    m_holderTable->setItemDelegateForColumn(HolderModel::Ttl, new TtlBarDelegate(m_rows, m_holderTable));
    m_holderTable->setColumnWidths({ { 100, 128 }, { 0, 60 }, { 0, 66 }, { 0, 96 }, { 0, 124 } });
    m_holderTable->setTickingColumns({ HolderModel::HeldFor, HolderModel::Ttl });
    m_holderTable->setRowsShown(6);
    m_holderTable->setAccessibleName(tr("Holders"));

    m_permitTable->setModel(&m_permits);
    m_permitTable->setColumnWidths({ { 60, 160 }, { 40, 100 } });
    m_permitTable->setTickingColumns({ PermitModel::EndsIn });
    m_permitTable->setRowsShown(8);
    m_permitTable->setAccessibleName(tr("Permits"));

    m_queueTable->setModel(&m_waiters);
    m_queueTable->setColumnWidths({ { 0, 30 }, { 40, 124 }, { 0, 96 }, { 0, 98 }, { 60, 80 } });
    m_queueTable->setTickingColumns({ WaiterModel::WaitingFor, WaiterModel::Timeout });
    m_queueTable->setRowsShown(20);
    m_queueTable->setAccessibleName(tr("Fair queue"));
    offerClientActions(*m_holderTable);
    offerClientActions(*m_queueTable);
}

/// Where a client's id stands, a person can say or find out whose it is.
void DetailPanel::offerClientActions(DataTable &table)
{
    table.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&table, &QWidget::customContextMenuRequested, this, [this, &table](const QPoint &place) {
        const QModelIndex index = table.indexAt(place);
        if (!index.isValid() || !m_lock)
            return;
        const auto row = static_cast<std::size_t>(index.row());
        const bool held = &table == m_holderTable;
        if (row >= (held ? m_lock->holders.size() : m_lock->waiters.size()))
            return;
        const OwnerId owner = held ? m_lock->holders[row].owner : m_lock->waiters[row].owner;
        auto *menu = new QMenu(&table);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        connect(menu->addAction(tr("Name this client…")), &QAction::triggered, this,
            [this, owner] { Q_EMIT clientNamingRequested(owner); });
        QAction *search = menu->addAction(tr("Who is that?"));
        search->setEnabled(!isTokenLock(m_lock->kind)); // commands that are heard do not tell whose token it is
        connect(search, &QAction::triggered, this, [this, owner] { Q_EMIT clientSearchRequested(owner); });
        if (!held) {
            QAction *drop = menu->addAction(tr("Drop this waiter…"));
            drop->setEnabled(whyNotNow().isEmpty());
            connect(
                drop, &QAction::triggered, this, [this, lock = m_lock, owner] { Q_EMIT dropRequested(lock, owner); });
        }
        menu->popup(table.viewport()->mapToGlobal(place));
    });
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
    m_holders.setClientNames(&names);
    m_waiters.setClientNames(&names);
    m_events.setClientNames(&names);
    m_suspects->setClientNames(&names);
    connect(&names, &ClientNames::changed, this, &DetailPanel::showAnalysis);
}

void DetailPanel::showAnalysis()
{
    if (m_lock)
        m_suspects->show(m_end ? nullptr : m_analysis.get(), m_lock->name, m_lock.get());
}

void DetailPanel::setLock(LockTableModel::Lock lock)
{
    m_lock = std::move(lock);
    m_hint->setVisible(!m_lock);
    m_body->setVisible(m_lock != nullptr);
    m_holders.setLock(m_lock);
    m_waiters.setLock(m_lock);
    m_permits.setLock(m_lock);
    m_chart->setLock(m_lock);
    if (!m_lock)
        return sayWhatIsShown();
    showLock();
    showEvents();
    QStringList keys;
    for (const std::string &key : keysOf(*m_lock))
        keys << displayText(key);
    if (const QString text = keys.join(QLatin1Char('\n')); text != m_keys->toPlainText())
        m_keys->setPlainText(text);
}

void DetailPanel::sayWhatIsShown()
{
    m_hint->setText(tr("Select a lock to see its holders, its queue and its time to live."));
}

void DetailPanel::await(const LockName &name)
{
    setLock(nullptr);
    m_hint->setText(
        tr("“%1” is not among the locks that are seen. It is shown here as soon as it is, unless you choose "
           "another one.")
            .arg(displayText(name)));
}

void DetailPanel::showLock()
{
    showHead();
    showPills();
    showSections();
    showActions();
    showAnalysis();
}

void DetailPanel::setEnd(std::optional<End> end)
{
    if (end && end->how)
        end->at = std::min(end->at, std::max(m_clock.monoAt(end->how->at), m_lock->readAtMono));
    if (end == m_end)
        return;
    m_end = end;
    const std::optional<MonoTime> at = m_end ? std::optional(m_end->at) : std::nullopt;
    m_holders.setEnd(at);
    m_waiters.setEnd(at);
    m_permits.setEnd(at);
    m_chart->setEnd(at,
        !m_end           ? QString()
            : m_end->how ? asSure(eventText(m_end->how->kind), m_end->how->certainty)
                         : tr("gone"));
    m_chartTitle->setText(m_end ? tr("Time to live, its last 90 s") : tr("Time to live, last 90 s"));
    showStaleness();
    if (!m_lock)
        return;
    showLock();
}

void DetailPanel::setBeginnings(const std::vector<Event> &acquired)
{
    std::vector<TtlChart::HandOver> handOvers;
    for (const Event &event : acquired)
        if (event.owner)
            handOvers.push_back({ m_clock.monoAt(event.at), namedOwner(*event.owner, m_names) });
    m_chart->setHandOvers(std::move(handOvers));
}

void DetailPanel::setGaps(const std::vector<Event> &gaps)
{
    std::vector<UnseenTime> unseen;
    for (const Event &gap : gaps)
        unseen.push_back({ m_clock.monoAt(gap.at - *gap.ttl), m_clock.monoAt(gap.at) });
    constexpr Millis NoticedSoon{ 2'000 };
    std::optional<MonoTime> seenUntil;
    const bool isEndSeen = m_end && m_end->how && m_end->how->certainty == Certainty::Seen;
    for (const UnseenTime &time : unseen)
        if (m_end && !isEndSeen && m_end->at >= time.from && m_end->at <= time.to + NoticedSoon)
            seenUntil = time.from;
    m_holders.setSeenUntil(seenUntil);
    m_chart->setUnseen(std::move(unseen));
}

void DetailPanel::setHidden(bool hidden)
{
    m_hidden = hidden;
    m_hiddenPill->setVisible(hidden);
    showActions();
}

void DetailPanel::setWatchedSince(std::optional<MonoTime> since) { m_chart->setWatchedSince(since); }

void DetailPanel::setAtReplica(bool atReplica)
{
    if (std::exchange(m_atReplica, atReplica) != atReplica && m_lock)
        showSections();
}

void DetailPanel::setStale(bool stale)
{
    m_stale = stale;
    showStaleness();
}

void DetailPanel::showStaleness()
{
    m_rows.stale = m_stale || m_end;
    m_chart->setStale(m_stale);
    m_holderTable->viewport()->update();
    m_queueTable->viewport()->update();
}

void DetailPanel::setActionsAllowed(bool allowed, const QString &whyNot)
{
    m_actionsAllowed = allowed;
    m_whyNot = whyNot;
    showActions();
}

void DetailPanel::showActions()
{
    const bool held = m_lock && !isFree(*m_lock);
    const QString whyNot = whyNotNow();
    m_renew->setEnabled(held && whyNot.isEmpty());
    m_renew->setToolTip(
        whyNot.isEmpty() ? tr("Renews it for a time that you choose, while it is held by whom you see here") : whyNot);
    m_forceRelease->setEnabled(held && whyNot.isEmpty());
    m_forceRelease->setToolTip(
        whyNot.isEmpty() ? tr("Frees the lock if it is still held by whom you see here") : whyNot);
}

QString DetailPanel::whyNotNow() const
{
    if (!m_actionsAllowed)
        return m_whyNot;
    if (m_end)
        return tr("It is no longer in Redis.");
    return m_hidden ? tr("The filter hides it: clear the filter, or choose a lock in the table.") : QString();
}

void DetailPanel::showHead()
{
    m_title->setText(displayText(m_lock->name));
    // By the real time: what is shown stands still while stale or paused, and grows old.
    m_read->setText(knownSinceText(*m_lock, m_clock));
    m_read->setVisible(!m_end);
    if (m_end) {
        m_where->setText(endedText());
        return;
    }
    const QString slot = m_inCluster ? tr("slot %1 · ").arg(countText(m_lock->slot)) : QString();
    m_where->setText(QString(QStringLiteral("· ") + slot + whereText(*m_lock)));
}

/// In words, with the last that was seen of it below.
QString DetailPanel::endedText() const
{
    const QString at = clockText(m_clock.wallAt(m_end->at), m_clock.wallAt(m_clock.realNow()));
    const QString ago = agoText(m_end->at, m_clock.realNow());
    return m_end->how ? tr("%1, at %2 · %3").arg(endText(*m_end->how, m_names), at, ago)
                      : tr("gone at %1 at the latest, %2; how it ended was not seen").arg(at, ago);
}

void DetailPanel::showPills()
{
    m_kindPill->setText((isNarrow() ? kindText(m_lock->kind) : kindText(*m_lock)).toLower());
    m_kindPill->setToolTip(kindText(*m_lock));
    showQuorum();
    setStyleProperty(*m_kindPill, "tone", m_lock->kind == Kind::Fair ? QStringLiteral("waiting") : QString());
    m_leasePill->setVisible(m_end || !isCounter(m_lock->kind)); // a counter is neither free nor leased as a whole
    if (m_end || isFree(*m_lock)) {
        m_leasePill->setText(m_end ? tr("gone") : tr("free"));
        m_leasePill->setToolTip({});
        setStyleProperty(*m_leasePill, "tone", m_end ? QStringLiteral("warning") : QStringLiteral("good"));
        return;
    }
    const QString proof = leaseProof(*m_lock);
    m_leasePill->setToolTip(proof);
    m_leasePill->setText(!isNarrow()          ? proof
            : m_lock->lease == Lease::Unknown ? tr("lease unknown")
                                              : leaseText(m_lock->lease));
    setStyleProperty(*m_leasePill, "tone", toneName(m_lock->lease));
}

void DetailPanel::showQuorum()
{
    const auto &quorum = m_lock->quorum;
    m_quorumPill->setVisible(quorum && !m_end && !isFree(*m_lock));
    if (!quorum)
        return;
    m_quorumPill->setText(quorumText(*quorum));
    m_quorumPill->setToolTip(quorumMeaning(*m_lock));
    setStyleProperty(
        *m_quorumPill, "tone", toneOf(*quorum) == Tone::Good ? QStringLiteral("good") : QStringLiteral("warning"));
}

bool DetailPanel::isNarrow() const { return width() < 1000; }

void DetailPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (m_lock)
        showPills();
    showEventsIfRoom();
}

/// Between that and the end others may have held it, unseen or passed over in a recording.
QString DetailPanel::heldBeforeText() const
{
    return tr("Who held it when it was last read, at %1")
        .arg(clockText(m_clock.wallAt(m_lock->readAtMono), m_clock.wallAt(m_clock.realNow())));
}

void DetailPanel::showSections()
{
    const auto holders = static_cast<qint64>(holdersNow(*m_lock).size());
    const auto ranOut = static_cast<qint64>(m_lock->holders.size()) - holders;
    m_holdersTitle->setText(isCounter(m_lock->kind) ? holderText(*m_lock)
            : m_end                                 ? heldBeforeText()
            : holders == 0                          ? tr("Nobody holds it")
            : holders == 1                          ? tr("Holder")
                                                    : tr("%1 holders").arg(countText(holders)));
    if (ranOut > 0 && !m_end)
        m_holdersTitle->setText(tr("%1 · %2 run out").arg(m_holdersTitle->text(), countText(ranOut)));
    m_counterNote->setVisible(isCounter(m_lock->kind));
    m_holderTable->setVisible(holders + ranOut > 0);
    m_permitTable->setVisible(m_permits.rowCount() > 0);
    const qint64 more = m_lock->permits ? morePermits(*m_lock->permits).value_or(0) : 0;
    m_morePermits->setText(tr("and %1 more").arg(countText(more)));
    m_morePermits->setVisible(more > 0);
    for (QWidget *each : std::initializer_list<QWidget *>{ m_chartTitle, m_chartLegend, m_chart })
        each->setVisible(!isCounter(m_lock->kind)); // it has no time to live
    m_holderTable->setColumnShown(HolderModel::Mode, m_lock->kind == Kind::ReadWrite);

    const auto waiters = static_cast<qint64>(m_lock->waiters.size());
    m_queueTable->setVisible(waiters > 0);
    m_queueNote->setVisible(waiters == 0);
    m_queueNote->setText(waitingExplanation(*m_lock, m_atReplica));
    if (waiters == 0) {
        m_queueTitle->setText(tr("Waiting"));
        return;
    }
    const QString queue
        = (mayHaveMoreWaiters(*m_lock) ? tr("Queue, the first %1 in Redis order") : tr("Queue, %1 in Redis order"))
              .arg(countText(waiters));
    const auto subscribed = subscribedClients(*m_lock);
    m_queueTitle->setText(subscribed ? queue + QStringLiteral(" · ") + subscribedText(*subscribed) : queue);
}

/// Its own, and the times in which nothing was seen of it.
void DetailPanel::showEvents()
{
    m_events.setLock(m_lock->name, MostEvents);
    const int rows = m_events.rowCount();
    const QString title = tr("Events");
    if (rows > 0)
        m_eventsTitle->setText(
            rows < MostEvents ? title : title + QStringLiteral(" · ") + tr("the last %1").arg(countText(rows)));
    else if (m_store.since())
        m_eventsTitle->setText(title + QStringLiteral(" · ")
            + tr("none heard since %1").arg(clockText(*m_store.since(), m_clock.wallAt(m_clock.realNow()))));
    else
        m_eventsTitle->setText(title + QStringLiteral(" · ") + tr("none heard"));
    showEventsIfRoom();
}

/// What is of now comes first: in a low window this part is on the page of all events alone.
void DetailPanel::showEventsIfRoom()
{
    constexpr int LeastHeight = 290;
    const bool isRoom = height() >= LeastHeight;
    m_eventsTitle->setVisible(isRoom);
    m_eventTable->setVisible(isRoom && m_events.rowCount() > 0);
}

void DetailPanel::tick()
{
    if (!m_lock || !isVisible())
        return;
    if (m_events.end() != m_store.end() || (m_events.rowCount() > 0 && m_events.hasGone(0)))
        showEvents();
    m_chart->refresh();
    const QString gaps = m_chart->gapText();
    m_chartLegend->setText(
        gaps.isEmpty() ? QString() : QStringLiteral("●  ") + tr("renewals") + QStringLiteral("   ") + gaps);
    showHead();
}

void DetailPanel::copy() const
{
    QGuiApplication::clipboard()->setText(copyText(m_lock->name));
    constexpr std::chrono::milliseconds Seen{ 1'500 };
    m_copy->setText(tr("Copied"));
    QTimer::singleShot(Seen, m_copy, [this] { m_copy->setText(tr("Copy")); });
}

} // namespace lockui
