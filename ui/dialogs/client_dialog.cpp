// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/client_dialog.h"

#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int MostClientRows = 500; // beyond that the table of locks is the place
constexpr qsizetype LongestShown = 120;

enum ClientColumn { ClientLock, ClientThread };

/// In the row, as it is by now, or grey as it was at last; what was selected there stays so. True: the thread is new.
bool setCells(QTableWidget &table, int row, const LockName &lock, const QStringList &texts, bool isPast)
{
    bool isOther = false;
    for (int column = 0; column < texts.size(); ++column) {
        QTableWidgetItem *item = table.item(row, column);
        if (!item) {
            item = new QTableWidgetItem;
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            table.setItem(row, column, item);
        }
        item->setForeground(isPast ? table.palette().placeholderText() : QBrush());
        if (item->text() != texts[column]) {
            item->setText(texts[column]);
            item->setToolTip(plainToolTip(texts[column]));
            isOther = isOther || column == ClientThread;
        }
    }
    table.item(row, ClientLock)->setData(Qt::UserRole, QByteArray::fromStdString(lock));
    return isOther;
}

/// Whole, where the names of the locks leave it the room: half of what both have.
void fitThreads(QTableWidget &table)
{
    const int before = table.columnWidth(ClientThread);
    const int room = table.columnWidth(ClientLock) + before;
    table.resizeColumnToContents(ClientThread);
    table.setColumnWidth(ClientThread, std::max(before, std::min(room / 2, table.columnWidth(ClientThread))));
}

QString threadText(const OwnerId &owner) { return displayText(owner.thread, 40); }

} // namespace

ClientDialog::ClientDialog(std::string client, const ClientNames &names, const ViewClock &clock, QWidget *parent)
    : QDialog(parent)
    , m_client(std::move(client))
    , m_names(names)
    , m_clock(clock)
    , m_title(plainLabel(QStringLiteral("dialogTitle"), this))
    , m_id(plainLabel(QStringLiteral("mono"), this))
    , m_summary(plainLabel({}, this))
    , m_signs(new BulletList(QStringLiteral("small"), this))
    , m_holdsTitle(plainLabel(QStringLiteral("section"), this))
    , m_holds(addTable({ tr("Lock"), tr("Thread"), tr("Held for"), tr("TTL"), tr("Lease"), tr("Keeps waiting") },
          tr("What it holds")))
    , m_waitsTitle(plainLabel(QStringLiteral("section"), this))
    , m_waits(addTable({ tr("Lock"), tr("Thread"), tr("Place"), tr("Waits for"), tr("Held by"), tr("Listens") },
          tr("What it waits for")))
    , m_unknown(plainLabel(QStringLiteral("small"), this))
    , m_release(new QPushButton(tr("&Release all it holds…"), this))
{
    build();
    connect(&names, &ClientNames::changed, this, &ClientDialog::showHead);
    connect(&clock, &ViewClock::tick, this, &ClientDialog::showNow);
    showHead();
}

QTableWidget *ClientDialog::addTable(const QStringList &titles, const QString &accessibleName)
{
    auto *table = new QTableWidget(0, static_cast<int>(titles.size()), this);
    table->setHorizontalHeaderLabels(titles);
    table->setAccessibleName(accessibleName);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setSectionResizeMode(ClientLock, QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setWordWrap(false);
    connect(table, &QTableWidget::itemActivated, this, [this, table](const QTableWidgetItem *item) {
        Q_EMIT lockOpened(table->item(item->row(), ClientLock)->data(Qt::UserRole).toByteArray().toStdString());
    });
    return table;
}

void ClientDialog::build()
{
    setWindowTitle(tr("All of a client"));
    resize(960, 560);
    const std::pair<QTableWidget *, std::array<int, 5>> widths[]
        = { { m_holds, { 130, 84, 84, 90, 220 } }, { m_waits, { 90, 60, 90, 160, 180 } } };
    for (const auto &[table, ofColumns] : widths)
        for (int i = 0; i < std::ssize(ofColumns); ++i)
            table->horizontalHeader()->resizeSection(i + 1, ofColumns[static_cast<std::size_t>(i)]);
    m_id->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_summary->setWordWrap(true);
    m_unknown->setWordWrap(true);
    auto *name = new QPushButton(tr("&Name it…"), this);
    auto *search = new QPushButton(tr("&Who is that?…"), this);
    auto *only = new QPushButton(tr("&Only this client"), this);
    only->setToolTip(plainToolTip(tr("Shows in the table of locks what it holds and waits for, and nothing else")));
    m_release->setProperty("role", QStringLiteral("danger"));
    for (QPushButton *button : { name, search, only, m_release })
        button->setAutoDefault(false);
    connect(name, &QPushButton::clicked, this, &ClientDialog::nameRequested);
    connect(search, &QPushButton::clicked, this, [this] { Q_EMIT searchRequested(seenAt()); });
    connect(only, &QPushButton::clicked, this, &ClientDialog::onlyItRequested);
    connect(m_release, &QPushButton::clicked, this, &ClientDialog::releaseRequested);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    for (QPushButton *button : { name, search, only, m_release })
        buttons->addButton(button, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(6);
    for (QWidget *widget : std::initializer_list<QWidget *>{ m_title, m_id, m_summary, m_signs })
        layout->addWidget(widget);
    layout->addSpacing(6);
    layout->addWidget(m_holdsTitle);
    layout->addWidget(m_holds, 3);
    layout->addSpacing(6);
    layout->addWidget(m_waitsTitle);
    layout->addWidget(m_waits, 2);
    layout->addWidget(m_unknown);
    layout->addSpacing(6);
    layout->addWidget(buttons);
}

void ClientDialog::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    const auto lost = snapshot ? lostServers(*snapshot) : std::set<std::string>();
    const bool isStale = snapshot && lockui::isStale(*snapshot);
    const bool isOtherSeen = std::exchange(m_lost, lost) != lost || std::exchange(m_isStale, isStale) != isStale;
    m_outdated = true;
    m_snapshot = std::move(snapshot);
    if (isOtherSeen) {
        m_next.setRemainingTime(0);
        showNow(); // all that is grey turns grey at once
    }
}

void ClientDialog::setActionsAllowed(bool, const QString &whyNot)
{
    m_whyNot = whyNot;
    m_outdated = true;
}

void ClientDialog::showNow()
{
    if (!isVisible() || !m_next.hasExpired())
        return;
    m_next.setRemainingTime(ViewClock::FiguresEvery);
    if (std::exchange(m_outdated, false))
        m_overview = m_snapshot ? clientOverview(*m_snapshot, m_client) : ClientOverview();
    showHead();
    showHolds();
    showWaits();
    const QString why = whyNotRelease();
    m_release->setEnabled(why.isEmpty());
    m_release->setToolTip(plainToolTip(why));
}

/// Why nothing that it holds can be released; empty: something can.
QString ClientDialog::whyNotRelease() const
{
    if (!m_whyNot.isEmpty() || m_overview.holds.empty())
        return m_whyNot.isEmpty() ? tr("It holds nothing.") : m_whyNot;
    std::vector<KnownLock> locks;
    for (const ClientHold &hold : m_overview.holds)
        locks.push_back(hold.lock);
    return lossOfAll(*m_snapshot, locks);
}

void ClientDialog::showHead()
{
    const QString name = m_names.nameOf(m_client);
    m_title->setText(name.isEmpty() ? tr("A client without a name") : displayText(toBytes(name)));
    m_id->setText(displayText(m_client));
    m_signs->setVisible(m_snapshot != nullptr);
    m_unknown->setVisible(m_snapshot != nullptr);
    if (!m_snapshot)
        return m_summary->setText(tr("Nothing is connected: what it holds and waits for is not known."));
    const auto holds = std::ssize(m_overview.holds);
    const auto waits = std::ssize(m_overview.waits);
    QStringList facts{ tr("%1 holds", nullptr, pluralOf(holds)).arg(countText(holds)),
        tr("waits for %1", nullptr, pluralOf(waits)).arg(countText(waits)) };
    if (holds > 0 && m_overview.blocked == 0)
        facts << (m_overview.isBlockedAtLeast ? tr("whom it keeps waiting is not known") : tr("keeps nobody waiting"));
    else if (holds > 0)
        facts << (m_overview.isBlockedAtLeast ? tr("keeps at least %1 waiting", nullptr, pluralOf(m_overview.blocked))
                                              : tr("keeps %1 waiting", nullptr, pluralOf(m_overview.blocked)))
                     .arg(countText(m_overview.blocked));
    if (const QString asItWas = asItWasText(m_clock); !asItWas.isEmpty())
        facts.prepend(asItWas);
    else if (const auto past = whenGreyWasSeen())
        facts << tr("what is grey was true %1").arg(agoText(past->first, past->last, m_clock.now()));
    QString text = facts.join(QStringLiteral(" · "));
    if (name.isEmpty())
        text += QLatin1Char('\n') + tr("Redis does not say where it is. “Who is that?” can find its address.");
    m_summary->setText(text);
    showSigns();
}

void ClientDialog::showSigns()
{
    const bool isPast = m_clock.isFrozen();
    LifeSigns known = m_overview.signs;
    known.heard = m_names.heard(m_client);
    QStringList signs = lifeTexts(known, { m_clock.now(), isPast });
    const auto &pastAt = m_overview.pastAt;
    const auto asItWas = [&](const QString &sign) {
        return tr("As it was %1: %2", "when, what was so then").arg(agoText(*pastAt, m_clock.realNow()), sign);
    };
    if (pastAt)
        for (const QString &sign : lifeTexts(m_overview.pastSigns, { *pastAt, true }))
            signs << asItWas(sign);
    if (signs.isEmpty()) {
        const QString none
            = tr("No sign of life was seen in the half minute before that, or since this program looked. "
                 "That alone does not mean that it was gone.");
        signs << (isPast      ? none
                : isAllPast() ? asItWas(none)
                              : tr("No sign of life was seen in the last half minute, or since this program looks. "
                                   "That alone does not mean that it is gone."));
    }
    std::ranges::transform(signs, signs.begin(), &BulletList::item);
    m_signs->setText(signs.join(QLatin1Char('\n')));
}

/// What is told of the lock was so once, and may be otherwise by now.
bool ClientDialog::isPast(const LockState &lock) const
{
    const MonoTime now = m_clock.now();
    return isStale(*m_snapshot) || seenUntil(*m_snapshot, lock, now) < now;
}

/// All that it has is on servers that are lost while others are watched.
bool ClientDialog::isAllPast() const
{
    const auto isIts = [this](const auto &each) { return isPast(*each.lock); };
    return m_overview.pastAt && std::ranges::all_of(m_overview.holds, isIts)
        && std::ranges::all_of(m_overview.waits, isIts);
}

std::optional<SeenLast> ClientDialog::whenGreyWasSeen() const
{
    std::vector<MonoTime> losses;
    const auto add = [&](const LockState &lock) {
        if (const auto since = lostSince(*m_snapshot, lock))
            losses.push_back(*since);
    };
    for (const ClientHold &hold : m_overview.holds)
        add(*hold.lock);
    for (const ClientWait &wait : m_overview.waits)
        add(*wait.lock);
    return seenLast(losses);
}

QString ClientDialog::sinceIn(const LockState &lock, const Since &since) const
{
    const MonoTime now = m_clock.now();
    return sinceText(since, seenUntil(*m_snapshot, lock, now), now);
}

QString ClientDialog::blockedText(const ClientHold &hold) const
{
    const LockState &lock = *hold.lock;
    const auto waiting = waitingCount(lock);
    if (!waiting)
        return tr("not known");
    if (*waiting == 0)
        return tr("nobody");
    if (lock.waiters.empty())
        return tr("%1 client instances", nullptr, pluralOf(*waiting)).arg(waitingText(lock));
    return tr("%1 in the queue, the first for %2", nullptr, pluralOf(*waiting))
        .arg(waitingText(lock), sinceIn(lock, lock.waiters.front().since));
}

void ClientDialog::showHolds()
{
    const auto &holds = m_overview.holds;
    const int rows = static_cast<int>(std::min<std::size_t>(MostClientRows, holds.size()));
    m_holdsTitle->setText(rows < std::ssize(holds) ? tr("Holds, as seen in Redis: the first %1").arg(countText(rows))
                                                   : tr("Holds, as seen in Redis"));
    m_holds->setRowCount(rows);
    bool areOther = false;
    const MonoTime now = m_clock.now();
    for (int row = 0; row < rows; ++row) {
        const ClientHold &hold = holds[static_cast<std::size_t>(row)];
        const MonoTime seen = seenUntil(*m_snapshot, *hold.lock, now);
        QString thread = threadText(hold.hold.owner);
        if (hold.hold.mode)
            thread += QStringLiteral(" · ") + modeText(*hold.hold.mode);
        if (hold.hold.count > 1)
            thread += QStringLiteral(" ×") + countText(hold.hold.count);
        if (hold.isShared)
            thread += QStringLiteral(" · ") + tr("shared with others");
        const QString left = hold.hold.expired ? tr("run out")
            : hold.hold.expiresAt
            ? ttlText(std::max(Millis(0), std::chrono::duration_cast<Millis>(*hold.hold.expiresAt - seen)))
            : tr("none");
        areOther |= setCells(*m_holds, row, hold.lock->name,
            { lockNameText(hold.lock->name, LongestShown), thread, sinceIn(*hold.lock, hold.hold.since), left,
                leaseText(hold.lock->lease), blockedText(hold) },
            isPast(*hold.lock));
    }
    if (areOther)
        fitThreads(*m_holds);
}

void ClientDialog::showWaits()
{
    const auto &waits = m_overview.waits;
    const int rows = static_cast<int>(std::min<std::size_t>(MostClientRows, waits.size()));
    m_waitsTitle->setText(rows < std::ssize(waits)
            ? tr("Waits for, as seen in queues of fair locks: the first %1").arg(countText(rows))
            : tr("Waits for, as seen in queues of fair locks"));
    m_waits->setRowCount(rows);
    bool areOther = false;
    for (int row = 0; row < rows; ++row) {
        const ClientWait &wait = waits[static_cast<std::size_t>(row)];
        const QString listens = !wait.waiter.subscribed ? tr("not known")
            : *wait.waiter.subscribed                   ? tr("yes")
                                                        : tr("no: ghost, client gone?");
        areOther |= setCells(*m_waits, row, wait.lock->name,
            { lockNameText(wait.lock->name, LongestShown), threadText(wait.waiter.owner), QString::number(wait.place),
                sinceIn(*wait.lock, wait.waiter.since), holderText(*wait.lock, &m_names), listens },
            isPast(*wait.lock));
    }
    if (areOther)
        fitThreads(*m_waits);
    m_unknown->setText(m_overview.anonymous == 0
            ? tr("Other locks keep no queue: what it waits for beside these Redis does not tell.")
            : tr("Not known: %1 other locks are waited for by clients that Redis does not name. It may be one of them.",
                nullptr, pluralOf(m_overview.anonymous))
                  .arg(countText(m_overview.anonymous)));
}

KnownLock ClientDialog::seenAt() const
{
    return !m_overview.holds.empty() ? m_overview.holds.front().lock
        : !m_overview.waits.empty()  ? m_overview.waits.front().lock
                                     : nullptr;
}

} // namespace lockui
