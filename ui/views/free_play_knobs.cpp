// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_knobs.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/models/contender_text.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::synchronizers;
using lab::DrawnTime;
using lab::GroupSettings;
using lab::Spread;

namespace {

constexpr Millis LongestTime{ 600'000 };
constexpr Millis ShortestWatchdog{ 300 };
constexpr Millis UsualLease{ 1'000 };
constexpr Millis UsualWait{ 1'000 };
constexpr int MostCrashes = 120; // a minute
constexpr int MostPermits = 100;

enum LeadingRow { ByThemselves, ByHand };
enum LeaseRow { RenewedLease, OwnLease, NeverRenewed };
enum WaitRow { EndlessWait, LimitedWait, OneTry };
constexpr const char *UsualName = "example";

struct ContendedRow {
    Kind kind;
    LockVariant variant;
};

/// All that a client can hold by itself. A latch is held by nobody, and a multi-lock is several locks.
constexpr ContendedRow ContendedKinds[] = {
    { Kind::Reentrant, LockVariant::Standard },
    { Kind::Fair, LockVariant::Standard },
    { Kind::Reentrant, LockVariant::Spin },
    { Kind::Reentrant, LockVariant::NonReentrant },
    { Kind::Fenced, LockVariant::Standard },
    { Kind::ReadWrite, LockVariant::Standard },
    { Kind::Semaphore, LockVariant::Standard },
    { Kind::PermitExpirableSemaphore, LockVariant::Standard },
};

/// And what a hand can take or wait for besides.
constexpr ContendedRow FurtherKinds[] = {
    { Kind::Token, LockVariant::Standard },
    { Kind::CountDownLatch, LockVariant::Standard },
};

const ContendedRow &kindAt(int index)
{
    const auto contended = static_cast<int>(std::size(ContendedKinds));
    return index < contended ? ContendedKinds[index] : FurtherKinds[index - contended];
}

/// Within what makes sense, also in the field.
Millis boundedTime(DurationField &field, Millis least)
{
    field.setValue(std::clamp(field.value(), least, LongestTime));
    return field.value();
}

} // namespace

FreePlayKnobs::FreePlayKnobs(QWidget *parent)
    : QWidget(parent)
    , m_title(plainLabel(QStringLiteral("section"), this))
    , m_leading(newChoice(tr("Who leads the clients"), { tr("Contend by themselves"), tr("Led by hand") }))
    , m_name(new QLineEdit(QString::fromLatin1(UsualName), this))
    , m_warning(plainLabel(QStringLiteral("fieldError"), this))
    , m_kind(newChoice(tr("Kind of lock"), {}))
    , m_clients(newNumber(tr("Number of clients"), 1, lab::MostClients))
    , m_hold(newTime(tr("Hold time")))
    , m_think(newTime(tr("Think time")))
    , m_leaseChoice(newChoice(tr("Lease"), { tr("Watchdog"), tr("Fixed"), tr("No renewals") }))
    , m_lease(new DurationField(tr("Length of the lease"), UsualLease, this))
    , m_waitChoice(newChoice(tr("Longest wait"), { tr("No limit"), tr("Up to"), tr("One try") }))
    , m_wait(new DurationField(tr("Limit of the wait"), UsualWait, this))
    , m_crashes(newNumber(tr("Crashes per minute"), 0, MostCrashes))
    , m_readers(newNumber(tr("Part of readers"), 0, 100))
    , m_permits(newNumber(tr("Permits"), 1, MostPermits))
    , m_fairWait(new DurationField(tr("Place in the queue"), GroupSettings{}.fairWait, this))
    , m_all(new QCheckBox(tr("Turn all groups alike"), this))
{
    setProperty("role", QStringLiteral("side"));
    setAttribute(Qt::WA_StyledBackground);
    fillKinds(false);
    for (QLabel *label : { m_title, m_warning }) { // the place at the side does not get wider for a long name
        label->setWordWrap(true);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    m_warning->hide();
    m_name->setAccessibleName(tr("Name of the lock"));
    m_name->setPlaceholderText(tr("name of a lock"));
    m_leading->setToolTip(plainToolTip(
        tr("By themselves they take a lock of their own again and again; by hand they do only what you tell them, to "
           "the lock that you name")));
    m_readers->setSuffix(tr(" %"));
    m_all->setChecked(true);
    m_all->setToolTip(plainToolTip(tr("What you turn here is turned in the other groups, too, except the kind")));
    m_clients->setToolTip(plainToolTip(tr("At most %1 in a group: each is a process of its own, and more of them would "
                                          "measure this computer rather than the lock")
                                           .arg(lab::MostClients)));
    m_hold.mean->setToolTip(plainToolTip(tr("Mean of how long a client keeps the lock")));
    m_think.mean->setToolTip(plainToolTip(tr("Mean of how long it wants nothing, between two locks")));
    m_crashes->setToolTip(plainToolTip(
        tr("Of the whole group: a client is killed where it stands (kill -9), and is back after two seconds")));
    m_fairWait->setToolTip(plainToolTip(tr(
        "How long a queue keeps the place of a client that died (fairLockWaitTimeout; Redisson: five minutes). Nobody "
        "behind it gets the lock before. Clients start anew for another.")));
    m_waitChoice->setToolTip(plainToolTip(tr("Whether a client gives up, and thinks again")));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 12, 10);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    addRow(*layout, tr("Its clients"), { m_leading });
    m_nameRow = addRow(*layout, tr("Name of the lock"), { m_name });
    addRow(*layout, tr("Kind of lock"), { m_kind });
    layout->addWidget(m_warning);
    m_readersRow = addRow(*layout, tr("Part of readers"), { m_readers });
    m_permitsRow = addRow(*layout, tr("Permits"), { m_permits });
    m_fairWaitRow = addRow(*layout, tr("A place in the queue lasts"), { m_fairWait });
    addRow(*layout, tr("Clients"), { m_clients });
    m_holdRow = addRow(*layout, tr("Holds it for"), { m_hold.spread, m_hold.mean });
    m_thinkRow = addRow(*layout, tr("Then thinks for"), { m_think.spread, m_think.mean });
    m_leaseRow = addRow(*layout, tr("Lease"), { m_leaseChoice, m_lease });
    addRow(*layout, tr("Longest wait"), { m_waitChoice, m_wait });
    m_crashesRow = addRow(*layout, tr("Crashes per minute"), { m_crashes });
    layout->addSpacing(4);
    layout->addWidget(m_all);
    layout->addStretch(1);
    connect(m_name, &QLineEdit::textEdited, this, [this] {
        if (!m_isRunning)
            nameTyped();
    });
    connect(m_name, &QLineEdit::editingFinished, this, &FreePlayKnobs::nameTyped);
    connect(m_lease, &DurationField::changed, this, &FreePlayKnobs::read);
    connect(m_wait, &DurationField::changed, this, &FreePlayKnobs::read);
    connect(m_fairWait, &DurationField::changed, this, &FreePlayKnobs::read);
    for (QWidget *each :
        std::initializer_list<QWidget *>{ m_leading, m_name, m_kind, m_clients, m_permits, m_fairWait, m_leaseChoice })
        m_bound[each] = each->toolTip();
    setSettings({});
}

QWidget *FreePlayKnobs::addRow(QVBoxLayout &layout, const QString &title, std::initializer_list<QWidget *> fields)
{
    auto *row = new QWidget(this);
    auto *label = plainLabel(QStringLiteral("small"), row);
    label->setText(title);
    label->setBuddy(*fields.begin());
    auto *line = new QHBoxLayout;
    line->setSpacing(6);
    for (QWidget *field : fields)
        line->addWidget(field, qobject_cast<DurationField *>(field) == nullptr ? 1 : 0);
    if (qobject_cast<DurationField *>(*fields.begin()) != nullptr)
        line->addStretch(1); // it is as wide as it is
    auto *rows = new QVBoxLayout(row);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(2);
    rows->addWidget(label);
    rows->addLayout(line);
    layout.addWidget(row);
    return row;
}

QComboBox *FreePlayKnobs::newChoice(const QString &name, const QStringList &items)
{
    auto *choice = new QComboBox(this);
    choice->setAccessibleName(name);
    choice->addItems(items);
    choice->setMinimumContentsLength(6);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(choice, &QComboBox::activated, this, &FreePlayKnobs::read);
    return choice;
}

QSpinBox *FreePlayKnobs::newNumber(const QString &name, int least, int most)
{
    auto *number = new QSpinBox(this);
    number->setAccessibleName(name);
    number->setRange(least, most);
    number->setKeyboardTracking(false); // a number that is half typed means nothing
    connect(number, &QSpinBox::valueChanged, this, &FreePlayKnobs::read);
    return number;
}

FreePlayKnobs::TimeKnob FreePlayKnobs::newTime(const QString &name)
{
    auto *spread = newChoice(tr("Spread of: %1").arg(name), { tr("Always"), tr("Uniform"), tr("Exponential") });
    spread->setToolTip(
        plainToolTip(tr("Always the same; anything up to twice the mean; or many short times and a few long ones")));
    auto *mean = new DurationField(name, DrawnTime{}.mean, this);
    connect(mean, &DurationField::changed, this, &FreePlayKnobs::read);
    return { spread, mean };
}

bool FreePlayKnobs::turnsAll() const { return m_all->isChecked(); }

void FreePlayKnobs::setSettings(const GroupSettings &settings)
{
    m_settings = settings;
    show(settings);
    showWhatCounts();
}

void FreePlayKnobs::setTitle(const QString &title) { m_title->setText(tr("Clients of: %1").arg(title)); }

void FreePlayKnobs::setWarning(const QString &warning)
{
    m_warning->setText(warning);
    m_warning->setVisible(!warning.isEmpty());
}

void FreePlayKnobs::setRunning(bool running) { m_isRunning = running; }

void FreePlayKnobs::setBound(bool bound)
{
    m_isBound = bound;
    for (const auto &[each, usualToolTip] : m_bound) {
        enableSafely(*each, !bound, *this);
        each->setToolTip(bound ? boundToolTip() : usualToolTip);
    }
    showLease();
}

QString FreePlayKnobs::boundToolTip()
{
    return plainToolTip(tr("A client holds it or waits for it: let it give it back first"));
}

void FreePlayKnobs::setOfOthers(bool ofOthers)
{
    if (std::exchange(m_isOfOthers, ofOthers) != ofOthers)
        showWhatCounts();
}

void FreePlayKnobs::setMayContend(bool may, const QString &whyNot)
{
    auto *items = qobject_cast<QStandardItemModel *>(m_leading->model());
    items->item(ByThemselves)->setEnabled(may);
    m_leading->setItemData(ByThemselves, plainToolTip(may ? QString() : whyNot), Qt::ToolTipRole);
}

void FreePlayKnobs::enterName()
{
    m_name->setFocus(Qt::OtherFocusReason);
    m_name->selectAll();
}

/// Those that the index of a kind stands for begin alike.
void FreePlayKnobs::fillKinds(bool isByHand)
{
    const auto wanted = static_cast<int>(std::size(ContendedKinds) + (isByHand ? std::size(FurtherKinds) : 0));
    while (m_kind->count() > wanted)
        m_kind->removeItem(m_kind->count() - 1);
    for (int i = m_kind->count(); i < wanted; ++i)
        m_kind->addItem(contendedText(kindAt(i).kind, kindAt(i).variant));
}

/// A name that nobody has typed keeps its bytes, also those that are no text.
lockcore::LockName FreePlayKnobs::nameInField() const
{
    return m_name->text() == displayText(m_named) ? m_named : toBytes(m_name->text().trimmed());
}

void FreePlayKnobs::nameTyped()
{
    const lockcore::LockName typed = nameInField();
    if (!m_settings.byHand || typed == *m_settings.byHand)
        return;
    if (m_isRunning && typed.empty())
        return m_name->setText(displayText(*m_settings.byHand));
    m_settings.byHand = typed;
    Q_EMIT changed();
}

void FreePlayKnobs::show(const GroupSettings &settings)
{
    const QScopedValueRollback showing(m_isShowing, true);
    m_leading->setCurrentIndex(settings.byHand ? ByHand : ByThemselves);
    if (settings.byHand && nameInField() != *settings.byHand) {
        m_named = *settings.byHand;
        m_name->setText(displayText(*settings.byHand));
        m_name->setCursorPosition(0);
    }
    fillKinds(settings.byHand.has_value());
    for (int i = 0; i < m_kind->count(); ++i) {
        if (kindAt(i).kind == settings.kind && kindAt(i).variant == settings.variant)
            m_kind->setCurrentIndex(i);
    }
    m_clients->setValue(settings.clients);
    for (const auto &[knob, time] : { std::pair(m_hold, settings.hold), std::pair(m_think, settings.think) }) {
        knob.spread->setCurrentIndex(static_cast<int>(time.spread));
        knob.mean->setValue(time.mean);
    }
    m_leaseChoice->setCurrentIndex(settings.lease ? OwnLease : settings.renews ? RenewedLease : NeverRenewed);
    m_lease->setValue(settings.lease.value_or(settings.watchdog));
    m_fairWait->setValue(settings.fairWait);
    m_waitChoice->setCurrentIndex(!settings.wait ? EndlessWait : *settings.wait == Millis(0) ? OneTry : LimitedWait);
    if (m_waitChoice->currentIndex() == LimitedWait)
        m_wait->setValue(*settings.wait);
    m_crashes->setValue(qRound(settings.crashesPerMinute));
    m_readers->setValue(settings.readersPercent);
    m_permits->setValue(static_cast<int>(settings.permits));
}

/// A change of the choice between watchdog and lease keeps the time of each.
void FreePlayKnobs::read()
{
    if (m_isShowing)
        return;
    GroupSettings now = m_settings;
    {
        const QScopedValueRollback showing(m_isShowing, true);
        const bool isByHand = m_leading->currentIndex() == ByHand;
        if (isByHand != now.byHand.has_value())
            now.byHand = isByHand ? std::optional(nameInField()) : std::nullopt;
        fillKinds(isByHand);
        const ContendedRow &kind = kindAt(std::max(0, m_kind->currentIndex()));
        now.kind = kind.kind;
        now.variant = kind.variant;
        now.clients = m_clients->value();
        now.hold = { static_cast<Spread>(m_hold.spread->currentIndex()), boundedTime(*m_hold.mean, Millis(1)) };
        now.think = { static_cast<Spread>(m_think.spread->currentIndex()), boundedTime(*m_think.mean, Millis(1)) };
        const bool wasFixed = m_settings.lease.has_value();
        const bool isFixed = m_leaseChoice->currentIndex() == OwnLease;
        if (isFixed != wasFixed)
            m_lease->setValue(isFixed ? UsualLease : now.watchdog);
        const Millis lease = boundedTime(*m_lease, isFixed ? Millis(1) : ShortestWatchdog);
        if (!isFixed)
            now.watchdog = lease;
        now.renews = m_leaseChoice->currentIndex() != NeverRenewed;
        now.lease = isFixed ? std::optional(lease) : std::nullopt;
        const Millis wait = boundedTime(*m_wait, Millis(1));
        now.wait = m_waitChoice->currentIndex() == EndlessWait ? std::nullopt
            : m_waitChoice->currentIndex() == OneTry           ? std::optional(Millis(0))
                                                               : std::optional(wait);
        now.crashesPerMinute = m_crashes->value();
        now.fairWait = boundedTime(*m_fairWait, Millis(100));
        now.readersPercent = m_readers->value();
        now.permits = m_permits->value();
    }
    if (now == m_settings)
        return;
    m_settings = now;
    showWhatCounts();
    Q_EMIT changed();
}

void FreePlayKnobs::showWhatCounts()
{
    const bool isByHand = m_settings.byHand.has_value();
    m_nameRow->setVisible(isByHand);
    for (QWidget *row : { m_holdRow, m_thinkRow, m_crashesRow })
        row->setVisible(!isByHand);
    m_all->setVisible(!isByHand);
    m_readersRow->setVisible(m_settings.kind == Kind::ReadWrite && !isByHand);
    m_permitsRow->setVisible(isCounter(m_settings.kind) && !(isByHand && m_isOfOthers));
    m_fairWaitRow->setVisible(m_settings.kind == Kind::Fair);
    m_leaseRow->setVisible(!isCounter(m_settings.kind) || m_settings.kind == Kind::PermitExpirableSemaphore);
    m_wait->setEnabled(m_waitChoice->currentIndex() == LimitedWait);
    const bool hasWatchdog = m_settings.kind != Kind::PermitExpirableSemaphore;
    m_leaseChoice->setItemText(RenewedLease, hasWatchdog ? tr("Watchdog") : tr("None"));
    showLease();
}

/// Of a permit without one there is none to be turned.
void FreePlayKnobs::showLease()
{
    const bool isThere = m_settings.kind != Kind::PermitExpirableSemaphore || m_settings.lease;
    enableSafely(*m_lease, isThere && !m_isBound, *this);
    if (m_isBound)
        return m_lease->setToolTip(boundToolTip());
    m_lease->setToolTip(plainToolTip(m_settings.lease || !m_settings.renews
            ? tr("The lock is free after so long, whether its holder has finished or not")
            : tr("The watchdog sets the time to live back to this, every third of it. "
                 "Clients start anew for another.")));
}

} // namespace lockui
