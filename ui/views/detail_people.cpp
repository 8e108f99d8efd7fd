// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_people.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/client_actions.h"
#include "ui/views/detail_taking.h"
#include "ui/views/token_line.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QVBoxLayout>

#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

/// What stays true of a lock that changed after it was looked at.
std::shared_ptr<const LockState> withoutPeople(const LockState &lock)
{
    auto known = std::make_shared<LockState>(lock);
    known->holders.clear();
    known->waiters.clear();
    known->subscribers.reset();
    known->token.reset();
    known->permits.reset();
    return known;
}

} // namespace

DetailPeople::DetailPeople(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_rows{ theme, 28, 8, true, false }
    , m_holders(clock)
    , m_waiters(clock)
    , m_permits(clock)
    , m_token(new TokenLine(this))
    , m_holdersTitle(plainLabel(QStringLiteral("section"), this))
    , m_counterNote(plainLabel(QStringLiteral("small"), this))
    , m_holderTable(new DataTable(m_rows, clock, this))
    , m_permitTable(new DataTable(m_rows, clock, this))
    , m_morePermits(plainLabel(QStringLiteral("small"), this))
    , m_queueTitle(plainLabel(QStringLiteral("section"), this))
    , m_queueTable(new DataTable(m_rows, clock, this))
    , m_queueNote(plainLabel(QStringLiteral("small"), this))
{
    m_counterNote->setText(tr("Redis does not store which client has a permit, or has counted down."));
    m_counterNote->setWordWrap(true);
    m_queueNote->setWordWrap(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // what is left over is for others
    buildTables();
    buildPermits();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_token);
    layout->addWidget(m_holdersTitle);
    layout->addWidget(m_counterNote);
    layout->addWidget(m_holderTable, 2);
    layout->addWidget(m_permitTable, 2);
    layout->addWidget(m_morePermits);
    layout->addSpacing(6);
    layout->addWidget(m_queueTitle);
    layout->addWidget(m_queueTable, 3);
    layout->addWidget(m_queueNote);
}

void DetailPeople::setTaking(const DetailTaking &taking)
{
    m_taking = &taking;
    for (DataTable *table : { m_holderTable, m_queueTable, m_permitTable })
        taking.offerName(*table);
}

void DetailPeople::buildTables()
{
    m_holderTable->setModel(&m_holders);
    m_holderTable->setItemDelegateForColumn(HolderModel::Ttl, new TtlBarDelegate(m_rows, m_holderTable));
    m_holderTable->setColumnWidths({ { 100, 128 }, { 0, 60 }, { 0, 66 }, { 0, 106 }, { 0, 124 } });
    m_holderTable->setTickingColumns({ HolderModel::HeldFor, HolderModel::Ttl });
    m_holderTable->setRowsShown(6);
    m_holderTable->setAccessibleName(tr("Holders"));

    m_queueTable->setModel(&m_waiters);
    m_queueTable->setColumnWidths({ { 0, 30 }, { 30, 120 }, { 0, 106 }, { 0, 142 }, { 70, 50 } });
    m_queueTable->setTickingColumns({ WaiterModel::WaitingFor, WaiterModel::Timeout });
    m_queueTable->setRowsShown(20);
    m_queueTable->setAccessibleName(tr("Fair queue"));
    offerClientActions(*m_holderTable);
    offerClientActions(*m_queueTable);
}

void DetailPeople::buildPermits()
{
    m_permitTable->setModel(&m_permits);
    m_permitTable->setItemDelegateForColumn(PermitModel::Return, new StateBadgeDelegate(m_rows, m_permitTable));
    m_permitTable->setColumnWidths({ { 60, 160 }, { 40, 100 }, { 0, 82 } });
    m_permitTable->setTickingColumns({ PermitModel::EndsIn });
    m_permitTable->setRowsShown(8);
    m_permitTable->setAccessibleName(tr("Permits"));
    m_permitTable->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_permitTable, &QWidget::customContextMenuRequested, this, &DetailPeople::offerPermitActions);
    connect(m_permitTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DetailPeople::permitChosen);
    connect(&m_permits, &QAbstractItemModel::modelReset, this, &DetailPeople::permitChosen);
    const auto give = [this](const QModelIndex &index) {
        if (m_actionsAllowed)
            Q_EMIT returnRequested(m_permits.permitAt(index.row()));
    };
    connect(m_permitTable, &QAbstractItemView::clicked, this, [give](const QModelIndex &index) {
        if (index.column() == PermitModel::Return)
            give(index);
    });
    connect(m_permitTable, &QAbstractItemView::activated, this, give);
}

/// The list moves on while the menu is open: it is about the permit that was under the pointer.
void DetailPeople::offerPermitActions(const QPoint &place)
{
    const QModelIndex index = m_permitTable->indexAt(place);
    if (!index.isValid())
        return;
    const PermitReading permit = m_permits.permitAt(index.row());
    auto *menu = new QMenu(m_permitTable);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Copy the &id")), &QAction::triggered, this,
        [permit] { QGuiApplication::clipboard()->setText(copyText(permit.id)); });
    menu->addSeparator();
    m_taking->addEntries(*menu, *m_permitTable, index);
    QAction *give = menu->addAction(tr("Return &this permit…"));
    give->setEnabled(m_actionsAllowed);
    connect(give, &QAction::triggered, this, [this, permit] { Q_EMIT returnRequested(permit); });
    menu->popup(m_permitTable->viewport()->mapToGlobal(place));
}

/// Where a client's id stands, a person can say or find out whose it is.
void DetailPeople::offerClientActions(DataTable &table)
{
    table.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&table, &QWidget::customContextMenuRequested, this, [this, &table](const QPoint &place) {
        const QModelIndex index = table.indexAt(place);
        if (!index.isValid() || !m_shown)
            return;
        const auto row = static_cast<std::size_t>(index.row());
        const bool held = &table == m_holderTable;
        if (row >= (held ? m_shown->holders.size() : m_shown->waiters.size()))
            return;
        const OwnerId owner = held ? m_shown->holders[row].owner : m_shown->waiters[row].owner;
        auto *menu = new QMenu(&table);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        m_taking->addEntries(*menu, table, index, owner);
        connect(menu->addAction(allOfClientText()), &QAction::triggered, this,
            [this, owner] { Q_EMIT clientRequested(owner.client); });
        connect(menu->addAction(tr("Na&me this client…")), &QAction::triggered, this,
            [this, owner] { Q_EMIT clientNamingRequested(owner); });
        QAction *search = menu->addAction(tr("Who &is that?…"));
        search->setEnabled(!isTokenLock(m_lock->kind)); // commands that are heard do not tell whose token it is
        connect(search, &QAction::triggered, this, [this, owner] { Q_EMIT clientSearchRequested(owner); });
        if (!held) {
            QAction *drop = menu->addAction(tr("&Drop this waiter…"));
            drop->setEnabled(m_actionsAllowed);
            connect(drop, &QAction::triggered, this, [this, owner] { Q_EMIT dropRequested(owner); });
        }
        menu->popup(table.viewport()->mapToGlobal(place));
    });
}

std::optional<PermitReading> DetailPeople::chosenPermit() const
{
    const QModelIndexList rows = m_permitTable->selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt : std::optional(m_permits.permitAt(rows.front().row()));
}

void DetailPeople::focusPermits() const { m_permitTable->setFocus(Qt::ShortcutFocusReason); }

std::optional<OwnerId> DetailPeople::chosenWaiter() const
{
    const QModelIndexList rows = m_queueTable->selectionModel()->selectedRows();
    if (rows.isEmpty() || !m_shown || rows.front().row() >= std::ssize(m_shown->waiters))
        return std::nullopt;
    return m_shown->waiters[static_cast<std::size_t>(rows.front().row())].owner;
}

void DetailPeople::focusQueue() const { m_queueTable->setFocus(Qt::ShortcutFocusReason); }

void DetailPeople::setClientNames(const ClientNames &names)
{
    m_names = &names;
    connect(&names, &ClientNames::changed, this, [this] {
        if (m_lock)
            showQueue();
    });
    m_holders.setClientNames(&names);
    m_waiters.setClientNames(&names);
}

void DetailPeople::setActionsAllowed(bool allowed)
{
    m_actionsAllowed = allowed;
    m_permits.setReturnable(allowed);
}

/// Under a pointer the rows that have actions stay where they are, whoever takes or gives back the lock above them.
void DetailPeople::holdRows(bool hold)
{
    m_holderTable->setMinimumHeight(hold ? m_holderTable->height() : 0);
    m_holderTable->setMaximumHeight(hold ? m_holderTable->height() : QWIDGETSIZE_MAX);
}

void DetailPeople::enterEvent(QEnterEvent *event)
{
    QWidget::enterEvent(event);
    holdRows(m_lock && !m_lock->waiters.empty());
}

void DetailPeople::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    holdRows(false);
}

void DetailPeople::setLock(LockTableModel::Lock lock, const std::optional<LockEnd> &end)
{
    if (!lock || !m_lock || lock->name != m_lock->name)
        holdRows(false);
    m_lock = std::move(lock);
    const auto at = end ? std::optional(end->at) : std::nullopt;
    m_isGone = end.has_value();
    m_isLater = end && end->wentOn;
    m_holders.setEnd(at);
    m_waiters.setEnd(at);
    m_permits.setEnd(at);
    m_shown = m_lock && m_isLater ? withoutPeople(*m_lock) : m_lock;
    m_holders.setLock(m_shown);
    m_waiters.setLock(m_shown);
    m_permits.setLock(m_shown);
    if (m_shown)
        showSections();
}

void DetailPeople::setStale(bool stale, std::optional<MonoTime> seenUntil)
{
    m_holders.setSeenUntil(seenUntil);
    m_waiters.setSeenUntil(seenUntil);
    m_permits.setSeenUntil(seenUntil);
    m_rows.stale = stale;
    for (DataTable *table : { m_holderTable, m_permitTable, m_queueTable })
        table->viewport()->update();
}

void DetailPeople::setAtReplica(bool atReplica)
{
    if (std::exchange(m_atReplica, atReplica) != atReplica && m_lock)
        showSections();
}

void DetailPeople::showSections()
{
    m_token->show(*m_shown);
    showHolders();
    showQueue();
}

/// Between that and the end others may have held it, unseen.
QString DetailPeople::heldBeforeText() const
{
    if (m_isLater)
        return tr("It changed after it was looked at last: its events tell how");
    return tr("Who held it at last, seen so since %1").arg(seenSoSinceText());
}

QString DetailPeople::seenSoSinceText() const { return clockText(m_shown->readAt, m_clock.wallAt(m_clock.realNow())); }

QString DetailPeople::countedText() const
{
    if (m_isLater)
        return heldBeforeText();
    const QString counted = holderText(*m_shown);
    return m_isGone ? tr("At last, seen so since %1: %2").arg(seenSoSinceText(), counted) : counted;
}

void DetailPeople::showHolders()
{
    const auto holders = static_cast<qint64>(holdersNow(*m_shown).size());
    const auto ranOut = static_cast<qint64>(m_shown->holders.size()) - holders;
    m_holdersTitle->setText(isCounter(m_shown->kind) ? countedText()
            : m_isGone                               ? heldBeforeText()
            : holders == 0                           ? tr("Nobody holds it")
            : holders == 1                           ? tr("Holder")
                                                     : tr("%1 holders").arg(countText(holders)));
    if (ranOut > 0 && !m_isGone)
        m_holdersTitle->setText(tr("%1 · %2 run out").arg(m_holdersTitle->text(), countText(ranOut)));
    m_counterNote->setVisible(isCounter(m_shown->kind));
    QSizePolicy keepsRoom = m_holderTable->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(!m_shown->waiters.empty()); // they would move up, and down with the next holder
    m_holderTable->setSizePolicy(keepsRoom);
    m_holderTable->setVisible(holders + ranOut > 0);
    m_holderTable->setColumnShown(HolderModel::Mode, m_shown->kind == Kind::ReadWrite);
    m_permitTable->setVisible(m_permits.rowCount() > 0);
    const qint64 more = m_shown->permits ? morePermits(*m_shown->permits).value_or(0) : 0;
    m_morePermits->setText(tr("and %1 more").arg(countText(more)));
    m_morePermits->setVisible(more > 0);
}

void DetailPeople::setKnownWaits(std::vector<KnownWait> waits)
{
    if (waits == m_knownWaits)
        return;
    m_knownWaits = std::move(waits);
    if (m_lock)
        showQueue();
}

/// Those who are led from here: their client knows what Redis does not tell.
QString DetailPeople::knownWaitersText() const
{
    QStringList waiters;
    for (const KnownWait &wait : m_knownWaits)
        if (wait.lock == m_lock->name)
            waiters << namedOwner(wait.owner, m_names);
    return waiters.isEmpty() ? QString() : tr("Led by hand, and waiting: %1").arg(waiters.join(QStringLiteral(", ")));
}

void DetailPeople::showQueue()
{
    const auto waiters = static_cast<qint64>(m_shown->waiters.size());
    m_queueTable->setVisible(waiters > 0);
    m_queueNote->setVisible(waiters == 0);
    m_queueNote->setText(m_isLater ? tr("It is not known who waited at last.")
            : m_isGone             ? waitedExplanation(*m_shown)
                                   : waitingExplanation(*m_shown, m_atReplica));
    if (waiters == 0) {
        const bool isCounted = m_shown->kind != Kind::Fair; // later than it was read, and again and again
        m_queueTitle->setText(!m_isGone || m_isLater ? tr("Waiting")
                : isCounted                          ? tr("Who waited at last, as counted then")
                            : tr("Who waited at last, seen so since %1").arg(seenSoSinceText()));
        if (const QString known = knownWaitersText(); !known.isEmpty() && !m_isGone)
            m_queueNote->setText(m_queueNote->text() + QLatin1Char('\n') + known);
        return;
    }
    if (m_isGone) {
        m_queueTitle->setText(tr("Queue at last, seen so since %1: %2").arg(seenSoSinceText(), waitingText(*m_shown)));
        return;
    }
    const QString queue = mayHaveMoreWaiters(*m_shown)
        ? tr("Queue, the first %1 in Redis order").arg(countText(waiters))
        : tr("Queue, %1 in Redis order").arg(seenCountText(waiters, !isSeenInPart(*m_shown)));
    const auto subscribed = subscribedClients(*m_shown);
    m_queueTitle->setText(
        subscribed ? queue + QStringLiteral(" · ") + subscribedText(*subscribed, !isSeenInPart(*m_shown)) : queue);
}

} // namespace lockui
