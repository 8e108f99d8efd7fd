// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/manual_clients_panel.h"

#include "ui/support/widgets.h"
#include "ui/text/action_text.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QTime>
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace lockui {

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;

namespace {

constexpr Millis WatchdogTimeout = LockClientOptions{}.watchdogTimeout;

enum PanelColumn { ClientColumn, LockColumn, KindColumn, ThreadColumn, HoldsColumn, ColumnCount };
enum LeaseChoice { Watchdog, FixedLease };
enum WaitChoice { TryOnce, WaitUpTo, WaitWithoutLimit };

struct KindChoice {
    Kind kind;
    std::optional<HoldMode> mode;
};
constexpr KindChoice Kinds[] = { { Kind::Reentrant, {} }, { Kind::Fair, {} }, { Kind::ReadWrite, HoldMode::Read },
    { Kind::ReadWrite, HoldMode::Write } };

} // namespace

class ManualClientsPanel::Private {
    Q_DECLARE_TR_FUNCTIONS(ManualClientsPanel)
public:
    Private(ManualClientsPanel &panel, ManualClients &manualClients)
        : q(panel)
        , clients(manualClients)
    {
    }

    void build();
    QLayout *buildWhat();
    QLayout *buildHow();
    void buildLog();
    void buildTable();
    void addField(QHBoxLayout &line, const QString &label, QWidget *field, int stretch = 0);
    QComboBox *newChoice(const QStringList &items);
    QPushButton *addButton(QHBoxLayout &line, const QString &text, const QString &toolTip, void (Private::*action)());

    void setStates(const ManualClientStates &newStates);
    void showClients();
    void showLocks();
    void showActions();
    void useRow(int row);

    const ManualClientState *client() const;
    std::string clientName() const { return toBytes(clientBox->currentData().toString()); }
    LockName lockName() const { return keptName.value_or(toBytes(name->text().trimmed())); }
    std::string threadName() const { return std::to_string(thread->value()); }
    LockTarget target() const;
    bool isOtherKind() const;
    const ManualClientLock *own() const; // what the chosen client has of the chosen lock on the chosen thread
    Millis renewalLease() const;

    void takeOrCancel();
    void acquire();
    void renew();
    void release();
    void remember(CommandId command, const QString &action);
    void showResult(CommandId command, const Result<ManualOutcome> &outcome);

    ManualClientsPanel &q;
    ManualClients &clients;
    ManualClientStates states = std::make_shared<const std::vector<ManualClientState>>();
    std::map<CommandId, QString> running; // for the log
    std::optional<LockName> keptName; // the selected lock's, exactly
    std::optional<Kind> keptKind; // what that lock is

    QComboBox *clientBox = nullptr;
    QLineEdit *name = nullptr;
    QComboBox *kind = nullptr;
    QSpinBox *thread = nullptr;
    QComboBox *leaseChoice = nullptr;
    DurationField *lease = nullptr;
    QComboBox *waitChoice = nullptr;
    DurationField *wait = nullptr;
    QPushButton *takeButton = nullptr;
    QPushButton *reenterButton = nullptr;
    QPushButton *renewButton = nullptr;
    QPushButton *releaseButton = nullptr;
    QLabel *otherKind = nullptr;
    QTableWidget *table = nullptr;
    QLabel *tableTitle = nullptr;
    QPlainTextEdit *log = nullptr;
};

void ManualClientsPanel::Private::build()
{
    q.setProperty("role", QStringLiteral("strip"));
    q.setAttribute(Qt::WA_StyledBackground);
    q.setAccessibleName(tr("Manual clients"));
    auto *left = new QVBoxLayout;
    left->setSpacing(6);
    left->addLayout(buildWhat());
    left->addLayout(buildHow());
    otherKind = plainLabel(QStringLiteral("fieldError"), &q);
    otherKind->setWordWrap(true);
    otherKind->hide();
    left->addWidget(otherKind);
    buildLog();
    left->addWidget(log, 1);
    buildTable();
    tableTitle = plainLabel(QStringLiteral("section"), &q);
    auto *right = new QVBoxLayout;
    right->setSpacing(4);
    right->addWidget(tableTitle);
    right->addWidget(table, 1);
    auto *layout = new QHBoxLayout(&q);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(20);
    layout->addLayout(left, 3);
    layout->addLayout(right, 2);
}

QLayout *ManualClientsPanel::Private::buildWhat()
{
    clientBox = newChoice({});
    clientBox->setMinimumWidth(130);
    name = new QLineEdit(&q);
    name->setPlaceholderText(tr("name of a lock"));
    kind = newChoice({ tr("Reentrant"), tr("Fair"), tr("Read lock"), tr("Write lock") });
    thread = new QSpinBox(&q);
    thread->setRange(1, std::numeric_limits<int>::max());
    thread->setFixedWidth(64);

    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    addField(*line, tr("Client"), clientBox);
    addField(*line, tr("Lock"), name, 1);
    addField(*line, tr("Kind"), kind);
    addField(*line, tr("Thread"), thread);
    QObject::connect(name, &QLineEdit::textEdited, &q, [this] {
        keptName.reset();
        keptKind.reset();
        showActions();
    });
    QObject::connect(thread, &QSpinBox::valueChanged, &q, [this] { showActions(); });
    return line;
}

QLayout *ManualClientsPanel::Private::buildHow()
{
    leaseChoice = newChoice({ tr("Watchdog"), tr("Fixed") });
    lease = new DurationField(tr("Length of the lease"), Millis(10'000), &q);
    waitChoice = newChoice({ tr("Try once"), tr("Up to"), tr("No limit") });
    waitChoice->setCurrentIndex(WaitUpTo);
    wait = new DurationField(tr("Longest wait"), Millis(10'000), &q);
    QObject::connect(lease, &DurationField::changed, &q, [this] { showActions(); });

    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    addField(*line, tr("Lease"), leaseChoice);
    line->addWidget(lease);
    addField(*line, tr("Wait"), waitChoice);
    line->addWidget(wait);
    line->addStretch(1);
    takeButton = addButton(*line, tr("Take"), {}, &Private::takeOrCancel);
    reenterButton = addButton(
        *line, tr("Re-enter"), tr("Takes the lock once more, on the thread that holds it"), &Private::acquire);
    renewButton = addButton(*line, tr("Renew"), {}, &Private::renew);
    releaseButton = addButton(*line, tr("Release"), tr("Gives one hold back"), &Private::release);
    return line;
}

void ManualClientsPanel::Private::buildLog()
{
    log = new QPlainTextEdit(&q);
    log->setReadOnly(true);
    log->document()->setDocumentMargin(0);
    log->setMaximumBlockCount(200);
    log->setProperty("role", QStringLiteral("keys"));
    log->setAccessibleName(tr("Results"));
    log->setPlaceholderText(tr("What the clients did is listed here."));
    log->setTabChangesFocus(true);
    log->setLineWrapMode(QPlainTextEdit::NoWrap);
    log->setMinimumHeight(log->fontMetrics().lineSpacing() * 3);
}

void ManualClientsPanel::Private::buildTable()
{
    table = new QTableWidget(0, ColumnCount, &q);
    table->setProperty("role", QStringLiteral("panelTable"));
    table->setAccessibleName(tr("What the manual clients hold and wait for"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(24);
    table->horizontalHeader()->hide(); // the cells say it themselves
    table->horizontalHeader()->setMinimumSectionSize(28);
    table->setColumnWidth(ClientColumn, 28);
    table->setColumnWidth(KindColumn, 76);
    table->setColumnWidth(ThreadColumn, 68);
    table->setColumnWidth(HoldsColumn, 66);
    table->horizontalHeader()->setSectionResizeMode(LockColumn, QHeaderView::Stretch);
    QObject::connect(table, &QTableWidget::cellClicked, &q, [this](int row) { useRow(row); });
    QObject::connect(table, &QTableWidget::cellActivated, &q, [this](int row) { useRow(row); });
}

void ManualClientsPanel::Private::addField(QHBoxLayout &line, const QString &label, QWidget *field, int stretch)
{
    auto *text = plainLabel(QStringLiteral("small"), &q);
    text->setText(label);
    text->setBuddy(field);
    field->setAccessibleName(label);
    line.addWidget(text);
    line.addWidget(field, stretch);
}

QComboBox *ManualClientsPanel::Private::newChoice(const QStringList &items)
{
    auto *choice = new QComboBox(&q);
    choice->addItems(items);
    QObject::connect(choice, &QComboBox::currentIndexChanged, &q, [this] { showActions(); });
    return choice;
}

QPushButton *ManualClientsPanel::Private::addButton(
    QHBoxLayout &line, const QString &text, const QString &toolTip, void (Private::*action)())
{
    auto *button = new QPushButton(text, &q);
    button->setToolTip(toolTip);
    QObject::connect(button, &QPushButton::clicked, &q, [this, action] { (this->*action)(); });
    line.addWidget(button);
    return button;
}

void ManualClientsPanel::Private::setStates(const ManualClientStates &newStates)
{
    states = newStates;
    showClients();
    showLocks();
    showActions();
}

void ManualClientsPanel::Private::showClients()
{
    const QSignalBlocker blocker(clientBox);
    const QVariant chosen = clientBox->currentData();
    clientBox->clear();
    for (const ManualClientState &state : *states) {
        const QString text = displayText(state.name)
            + (state.connected ? QStringLiteral(" · ") + displayText(state.id.substr(0, 8)) : tr(" · not connected"));
        clientBox->addItem(text, QString::fromStdString(state.name));
        clientBox->setItemData(clientBox->count() - 1, plainToolTip(displayText(state.id)), Qt::ToolTipRole);
    }
    clientBox->setCurrentIndex(std::max(0, clientBox->findData(chosen)));
}

void ManualClientsPanel::Private::showLocks()
{
    int row = 0;
    const auto put = [this, &row](int column, const QString &text) {
        auto *item = new QTableWidgetItem(text);
        item->setToolTip(plainToolTip(text));
        table->setItem(row, column, item);
    };
    table->setRowCount(0);
    for (const ManualClientState &state : *states) {
        for (const ManualClientLock &lock : state.locks) {
            table->insertRow(row);
            put(ClientColumn, displayText(state.name));
            put(LockColumn, displayText(lock.target.name));
            put(KindColumn, lock.target.mode ? modeText(*lock.target.mode) : kindText(lock.target.kind).toLower());
            put(ThreadColumn, tr("thread %1").arg(displayText(lock.thread)));
            put(HoldsColumn, lock.count > 0 ? tr("holds ×%1").arg(countText(lock.count)) : tr("waits"));
            ++row;
        }
    }
    tableTitle->setText(
        row == 0 ? tr("The manual clients hold nothing") : tr("Held and waited for by the manual clients"));
}

void ManualClientsPanel::Private::showActions()
{
    if (!releaseButton)
        return; // still being built
    otherKind->setVisible(isOtherKind());
    if (isOtherKind())
        otherKind->setText(tr("One name must not be used for two kinds: “%1” was seen as %2.")
                               .arg(displayText(*keptName, 80), kindText(*keptKind).toLower()));
    const ManualClientState *chosen = client();
    const bool ready = chosen && chosen->connected && !lockName().empty();
    const ManualClientLock *mine = ready ? own() : nullptr;
    const bool holds = mine && mine->count > 0;
    const bool waits = mine && !holds;
    takeButton->setText(waits ? tr("Cancel") : tr("Take"));
    takeButton->setToolTip(waits ? tr("Gives up waiting") : tr("Takes the lock, or waits for it"));
    takeButton->setEnabled(ready && !holds);
    reenterButton->setEnabled(holds);
    renewButton->setEnabled(holds);
    releaseButton->setEnabled(holds);
    lease->setEnabled(leaseChoice->currentIndex() == FixedLease);
    wait->setEnabled(waitChoice->currentIndex() == WaitUpTo);
    renewButton->setToolTip(tr("Sets the time to live to %1").arg(durationText(renewalLease())));
}

void ManualClientsPanel::Private::useRow(int row)
{
    for (const ManualClientState &state : *states) {
        if (row >= static_cast<int>(state.locks.size())) {
            row -= static_cast<int>(state.locks.size());
            continue;
        }
        const ManualClientLock &lock = state.locks[static_cast<std::size_t>(row)];
        const auto choice = std::find_if(std::begin(Kinds), std::end(Kinds), [&lock](const KindChoice &known) {
            return known.kind == lock.target.kind && known.mode == lock.target.mode;
        });
        clientBox->setCurrentIndex(clientBox->findData(QString::fromStdString(state.name)));
        q.setLockName(lock.target.name);
        if (choice != std::end(Kinds))
            kind->setCurrentIndex(static_cast<int>(choice - std::begin(Kinds)));
        thread->setValue(QString::fromStdString(lock.thread).toInt());
        return;
    }
}

const ManualClientState *ManualClientsPanel::Private::client() const
{
    const auto chosen = std::find_if(states->begin(), states->end(),
        [wanted = clientName()](const ManualClientState &state) { return state.name == wanted; });
    return chosen == states->end() ? nullptr : &*chosen;
}

LockTarget ManualClientsPanel::Private::target() const
{
    const KindChoice &choice = Kinds[kind->currentIndex()];
    return { lockName(), choice.kind, choice.mode };
}

/// A plain lock and a fair one that nobody waits for look the same.
bool ManualClientsPanel::Private::isOtherKind() const
{
    if (!keptKind)
        return false;
    const Kind chosen = Kinds[kind->currentIndex()].kind;
    return chosen != *keptKind && !(*keptKind == Kind::Reentrant && chosen == Kind::Fair);
}

const ManualClientLock *ManualClientsPanel::Private::own() const
{
    const ManualClientState *chosen = client();
    if (!chosen)
        return nullptr;
    const auto lock = std::find_if(chosen->locks.begin(), chosen->locks.end(),
        [wanted = target(), number = threadName()](
            const ManualClientLock &candidate) { return candidate.target == wanted && candidate.thread == number; });
    return lock == chosen->locks.end() ? nullptr : &*lock;
}

Millis ManualClientsPanel::Private::renewalLease() const
{
    return leaseChoice->currentIndex() == FixedLease ? lease->value() : WatchdogTimeout;
}

void ManualClientsPanel::Private::takeOrCancel()
{
    if (own())
        clients.cancel(clientName(), target(), threadName());
    else
        acquire();
}

void ManualClientsPanel::Private::acquire()
{
    AcquireRequest request{ target(), threadName(), {}, {} };
    if (leaseChoice->currentIndex() == FixedLease)
        request.lease = lease->value();
    if (waitChoice->currentIndex() != WaitWithoutLimit)
        request.wait = waitChoice->currentIndex() == TryOnce ? Millis(0) : wait->value();
    remember(clients.acquire(clientName(), request), tr("take"));
}

void ManualClientsPanel::Private::renew()
{
    remember(clients.renew(clientName(), target(), threadName(), renewalLease()), tr("renew"));
}

void ManualClientsPanel::Private::release()
{
    remember(clients.release(clientName(), target(), threadName()), tr("release"));
}

void ManualClientsPanel::Private::remember(CommandId command, const QString &action)
{
    running[command]
        = tr("%1:%2 %3 %4")
              .arg(displayText(clientName()), displayText(threadName()), action, displayText(lockName(), 80));
}

void ManualClientsPanel::Private::showResult(CommandId command, const Result<ManualOutcome> &outcome)
{
    const auto node = running.extract(command);
    const QString what = node.empty() ? tr("elsewhere") : node.mapped();
    const QString result = outcome
        ? tr("%1 – %2").arg(what, outcomeText(*outcome))
        : tr("✗ %1 – %2 (%3)").arg(what, errorText(outcome.error().code), errorDetail(outcome.error()));
    log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss.zzz  ")) + result);
}

ManualClientsPanel::ManualClientsPanel(ManualClients &clients, QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(*this, clients))
{
    d->build();
    d->setStates(d->states);
    connect(&clients, &ManualClients::statesChanged, this,
        [this](const ManualClientStates &states) { d->setStates(states); });
    connect(&clients, &ManualClients::finished, this,
        [this](CommandId command, const Result<ManualOutcome> &outcome) { d->showResult(command, outcome); });
}

ManualClientsPanel::~ManualClientsPanel() = default;

void ManualClientsPanel::setLockName(const LockName &name)
{
    d->keptName = name;
    d->keptKind.reset();
    d->name->setText(displayText(name));
    d->name->setCursorPosition(0);
    d->showActions();
}

void ManualClientsPanel::setLock(const LockState &lock)
{
    const bool isAnother = d->keptName != lock.name; // what was chosen for the one before says nothing of it
    setLockName(lock.name);
    d->keptKind = lock.kind;
    const auto choice = std::find_if(
        std::begin(Kinds), std::end(Kinds), [&lock](const KindChoice &known) { return known.kind == lock.kind; });
    const bool isRight = Kinds[d->kind->currentIndex()].kind == lock.kind;
    if (!isRight && (isAnother || d->isOtherKind()) && choice != std::end(Kinds))
        d->kind->setCurrentIndex(static_cast<int>(choice - std::begin(Kinds)));
    d->showActions();
}

} // namespace lockui
