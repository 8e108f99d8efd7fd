// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/audit_page.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/audit_export.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_json.h"
#include "ui/text/printable_text.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/export_button.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QSettings>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;

AuditPage::AuditPage(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : Page(parent)
    , m_rows{ theme }
    , m_clock(clock)
    , m_proxy(m_model)
    , m_head(nullptr)
    , m_which(new QButtonGroup(this))
    , m_figure(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_export(new ExportButton(QStringLiteral("audit"), this))
    , m_notes(new BulletList(QStringLiteral("small"), this, QStringLiteral("warning")))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_stack(new QStackedWidget(this))
    , m_table(new DataTable(m_rows, clock, this))
    , m_empty(new EmptyState(this))
    , m_detail(new AuditDetail(this))
{
    buildTable();
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_stack->setMinimumHeight(120);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_detail);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setSizes({ 430, 330 });
    m_notes->setContentsMargins(16, 6, 16, 6);
    m_notes->hide();
    m_head = buildHead();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_notes);
    layout->addWidget(m_splitter, 1);

    connect(&clock, &ViewClock::tick, this, &AuditPage::refresh);
    connect(&m_follower, &AuditFollower::reported, this, &AuditPage::take);
    connect(m_empty, &EmptyState::primaryChosen, this, &AuditPage::choosePrimary);
    connect(m_empty, &EmptyState::secondaryChosen, this, &AuditPage::copyPath);
    connect(m_detail, &AuditDetail::lockOpened, this, &AuditPage::open);
    setEntry(m_table);
    updateEmptyState();
}

QWidget *AuditPage::buildHead()
{
    auto *head = new QWidget(this);
    makeBar(*head);
    QLabel *title = plainLabel(QStringLiteral("product"), head);
    title->setText(tr("Audit"));
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(14, 6, 12, 7);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addSpacing(6);
    const auto addChoice = [&](AuditProxy::Show which, const QString &text, const QString &explanation) {
        auto *choice = new QToolButton(head);
        choice->setText(text);
        choice->setToolTip(explanation);
        choice->setCheckable(true);
        choice->setChecked(which == AuditProxy::Show::All);
        choice->setProperty("role", QStringLiteral("pill"));
        choice->setFocusPolicy(Qt::TabFocus);
        m_which->addButton(choice, int(which));
        layout->addWidget(choice);
    };
    addChoice(AuditProxy::Show::All, tr("all actions"), tr("Shows every action"));
    addChoice(AuditProxy::Show::Mine, tr("by me"), tr("Shows what this user did on this computer"));
    addChoice(AuditProxy::Show::NotDone, tr("not done"),
        tr("Shows what was refused, failed or interrupted, and what nobody knows the outcome of"));
    connect(
        m_which, &QButtonGroup::idClicked, this, [this](int which) { showOnly(static_cast<AuditProxy::Show>(which)); });
    m_figure->setElideMode(Qt::ElideMiddle);
    auto *copy = new QToolButton(head);
    copy->setText(tr("Copy path"));
    copy->setProperty("role", QStringLiteral("button"));
    copy->setFocusPolicy(Qt::TabFocus);
    copy->setToolTip(tr("Copies the path of the file in which actions are recorded"));
    connect(copy, &QToolButton::clicked, this, &AuditPage::copyPath);
    m_export->offerTable([this](ExportFormat format) { return table(format); });
    connect(m_export, &ExportButton::written, this, [this](const QString &file) {
        m_figure->setText(tr("written to %1").arg(displayText(toBytes(QDir::toNativeSeparators(file)))));
        m_tellsOfFile.setRemainingTime(std::chrono::seconds(6)); // then it says again what is shown
    });
    layout->addStretch(1);
    layout->addWidget(m_figure);
    layout->addSpacing(4);
    layout->addWidget(copy);
    layout->addWidget(m_export);
    return head;
}

void AuditPage::buildTable()
{
    m_table->setModel(&m_proxy);
    m_table->setItemDelegateForColumn(AuditModel::Outcome, new SuspectDelegate(m_rows, m_table));
    fitColumns();
    for (const auto signal : { &QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved })
        connect(&m_proxy, signal, this, &AuditPage::fitColumns);
    connect(&m_proxy, &QAbstractItemModel::dataChanged, this, &AuditPage::fitColumns);
    connect(&m_proxy, &QAbstractItemModel::modelReset, this, &AuditPage::fitColumns);
    m_table->makeSortable();
    m_table->sortByColumn(AuditModel::When, Qt::DescendingOrder);
    m_table->setAccessibleName(tr("Actions on locks"));
    // What was done may have been done on another server than the one that is open: no command leads back there.
    offerCopies(
        *m_table, [this](const std::vector<int> &rows) { return target(rows); },
        []() -> const Origin & {
            static const Origin nowhere;
            return nowhere;
        });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &AuditPage::showChosen);
    // A click on the row that is shown already chooses it, too.
    connect(m_table, &QAbstractItemView::clicked, this, &AuditPage::showChosen);
    connect(m_table, &QAbstractItemView::doubleClicked, this,
        [this](const QModelIndex &index) { open(m_proxy.entryAt(index.row()).lock); });
    for (const Qt::Key key : { Qt::Key_Return, Qt::Key_Enter }) {
        auto *shortcut = new QShortcut(key, m_table);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, [this] {
            if (const int row = m_chosen ? m_model.rowOf(*m_chosen) : -1; row >= 0)
                open(m_model.entryAt(row).lock); // a filter may hide its row
        });
    }
    for (int column = 0; column < AuditModel::ColumnCount; ++column) {
        const QKeySequence key(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + column));
        connect(
            new QShortcut(key, this), &QShortcut::activated, this, [this, column] { m_table->toggleOrder(column); });
    }
}

/// What is to spare goes to what is longer than its column, as much as that needs.
void AuditPage::fitColumns()
{
    constexpr int MostLookedAt = 200; // rows
    constexpr int Padding = 24;
    constexpr int Longest = 600; // of what a person wrote
    std::vector<DataTable::ColumnWidth> widths{ { 1, 112 }, { 1, 156 }, { 1, 130 }, { 1, 110 }, { 1, 88 }, { 1, 88 },
        { 1, 130 }, { 1, 110 } };
    const int rows = std::min(m_proxy.rowCount(), MostLookedAt);
    for (int column = 0; column < AuditModel::ColumnCount; ++column) {
        auto &[weight, least] = widths[static_cast<std::size_t>(column)];
        for (int row = 0; row < rows; ++row) {
            const QString text = m_proxy.index(row, column).data().toString();
            const int width = m_table->fontMetrics().horizontalAdvance(text) + Padding;
            weight = std::max(weight, std::min(width, Longest) - least);
        }
    }
    m_table->setColumnWidths(std::move(widths));
}

void AuditPage::setFile(const QString &file)
{
    if (file == m_file)
        return;
    m_file = file;
    m_isKnown = false;
    m_report = {};
    m_chosen.reset();
    m_model.clear();
    m_follower.stop();
    if (!m_file.isEmpty() && isVisible())
        m_follower.follow(m_file);
    showDetail();
    updateEmptyState();
}

void AuditPage::setClientNames(const ClientNames &names)
{
    m_model.setClientNames(&names);
    m_detail->setClientNames(&names);
}

void AuditPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    const QWidget *focus = window()->focusWidget();
    if (focus == nullptr || !focus->isVisibleTo(window())) // it is on a page that is not shown
        setFocus(Qt::OtherFocusReason);
    if (!m_file.isEmpty())
        m_follower.follow(m_file);
}

void AuditPage::hideEvent(QHideEvent *event)
{
    Page::hideEvent(event);
    m_follower.rest();
}

void AuditPage::take(const AuditReport &report)
{
    m_isKnown = true;
    {
        const QScopedValueRollback applying(m_applying, true);
        if (report.restarted || !report.isThere) {
            m_chosen.reset();
            m_model.clear();
        }
        m_model.take(report);
    }
    m_report = report;
    m_report.news = {};
    if ((!m_chosen || !m_isChosenByHand) && !report.isReading)
        chooseFirst();
    showDetail();
    updateEmptyState();
}

/// The one on top is seen at once, until a person chooses one; that does not choose a lock elsewhere.
void AuditPage::chooseFirst()
{
    const QScopedValueRollback applying(m_applying, true);
    m_isChosenByHand = false;
    m_chosen.reset();
    for (int row = 0; row < m_proxy.rowCount(); ++row) {
        const AuditEntry &entry = m_proxy.entryAt(row);
        if (m_chosenLock && entry.lock != *m_chosenLock)
            continue;
        m_chosen = entry.number;
        m_table->setCurrentIndex(m_proxy.index(row, 0));
        return;
    }
    m_table->clearSelection();
    m_table->ensureCurrentRow();
}

void AuditPage::showChosen()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (m_applying || rows.isEmpty())
        return;
    const AuditEntry &entry = m_proxy.entryAt(rows.front().row());
    if (m_isChosenByHand && m_chosen == entry.number)
        return;
    m_chosen = entry.number;
    m_isChosenByHand = true;
    m_chosenLock = entry.lock;
    showDetail();
    Q_EMIT lockChosen(*m_chosenLock);
}

void AuditPage::choose(const LockName &lock)
{
    if (lock == m_chosenLock)
        return;
    m_chosenLock = lock;
    m_chosen.reset();
    chooseFirst();
    showDetail();
}

void AuditPage::chooseInTable() { m_table->beginWithCurrentRow(); }

void AuditPage::showDetail()
{
    const int row = m_chosen ? m_model.rowOf(*m_chosen) : -1;
    if (row < 0) {
        m_detail->setHint(hintText());
        return m_detail->setEntry(std::nullopt);
    }
    m_detail->setEntry(m_model.entryAt(row));
    m_detail->setLockIsThere(m_snapshot && m_snapshot->locks.find(m_model.entryAt(row).lock));
}

QString AuditPage::hintText() const
{
    if (!m_chosenLock)
        return tr("Choose an action to see all that was recorded of it.");
    const QString name = lockNameText(*m_chosenLock, 80);
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (!m_model.isLater(row) && m_model.entryAt(row).lock == *m_chosenLock)
            return tr("What was done to “%1” is hidden by the filter, or by what is chosen above.").arg(name);
    return tr("No action on “%1” is recorded here.").arg(name);
}

void AuditPage::open(const LockName &lock)
{
    if (m_snapshot && m_snapshot->locks.find(lock))
        Q_EMIT lockOpened(lock);
}

void AuditPage::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    // The log needs no server: of a time in which that was not seen it tells all the same.
    showMoment(origin().isRecording ? std::optional(m_clock.wallAt(m_clock.realNow())) : std::nullopt);
    const int row = m_chosen ? m_model.rowOf(*m_chosen) : -1;
    if (row >= 0)
        m_detail->setLockIsThere(snapshot->locks.find(m_model.entryAt(row).lock) != nullptr);
}

void AuditPage::showMoment(const std::optional<WallTime> &moment)
{
    if (moment == m_moment)
        return;
    m_moment = moment;
    {
        const QScopedValueRollback applying(m_applying, true);
        m_model.showMoment(moment);
    }
    m_detail->setMoment(moment);
    if (m_chosen && m_model.isLater(m_model.rowOf(*m_chosen)))
        m_isChosenByHand = false;
    restoreSelection();
    showDetail();
    updateEmptyState();
}

/// What was done stays what was done, whichever server is shown.
void AuditPage::setConnected(bool)
{
    m_snapshot.reset();
    showMoment(std::nullopt);
    m_chosenLock.reset();
    m_detail->setLockIsThere(false);
}

void AuditPage::setFilter(const LockFilter &, const QString &text)
{
    {
        const QScopedValueRollback applying(m_applying, true);
        m_proxy.setFilter(AuditFilter::parse(text));
    }
    restoreSelection();
    updateEmptyState();
}

void AuditPage::showOnly(AuditProxy::Show which)
{
    {
        const QScopedValueRollback applying(m_applying, true);
        m_proxy.show(which);
    }
    restoreSelection();
    updateEmptyState();
}

/// What a person chose stays in the detail also while the filter hides it.
void AuditPage::restoreSelection()
{
    if (!m_isChosenByHand) {
        chooseFirst();
        return showDetail();
    }
    const QScopedValueRollback applying(m_applying, true);
    const QModelIndex index = m_chosen ? m_proxy.indexOf(*m_chosen) : QModelIndex();
    if (index.isValid())
        m_table->setCurrentIndex(index);
    else
        m_table->clearSelection();
}

void AuditPage::refresh()
{
    if (!isVisible() || !m_nextRefresh.hasExpired())
        return;
    m_nextRefresh.setRemainingTime(ViewClock::FiguresEvery);
    m_model.lookAtTheTime();
    m_detail->lookAtTheTime();
    updateEmptyState();
}

QString AuditPage::shownPath() const
{
    const QString home = QDir::homePath() + QLatin1Char('/');
    const QString path = m_file.startsWith(home) ? QStringLiteral("~/") + m_file.mid(home.size()) : m_file;
    return displayText(QFile::encodeName(path).toStdString());
}

void AuditPage::updateNotes()
{
    QStringList notes;
    if (m_report.error && m_model.rowCount() > 0)
        notes << tr("The file cannot be read any more: %1").arg(errorReason(*m_report.error));
    if (m_report.passedOver > 0)
        notes << tr(
            "Only the end of this long file is shown: the first %1 are not read. lockctl audit prints all of it.")
                     .arg(locale().formattedDataSize(m_report.passedOver, 1));
    if (m_report.damagedLines > 0)
        notes << tr("Damaged lines, left out: %1").arg(countText(m_report.damagedLines));
    if (const QStringList &unused = m_proxy.filter().unusedWords(); !unused.isEmpty())
        notes << tr("“%1” is asked of locks as they are now, and hides no action.")
                     .arg(displayText(toBytes(unused.join(QLatin1Char(' '))), 80));
    for (QString &note : notes)
        note = BulletList::warning(note);
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
}

AuditPage::Empty AuditPage::emptiness() const
{
    if (m_file.isEmpty())
        return Empty::NoFile;
    if (m_proxy.rowCount() > 0)
        return Empty::No;
    if (m_model.rowCount() > 0)
        return m_model.begunByThen() == 0 ? Empty::NothingByThen : Empty::NoMatch;
    if (m_report.error)
        return Empty::Unreadable;
    return m_isKnown && !m_report.isReading ? Empty::NothingYet : Empty::Reading;
}

void AuditPage::updateEmptyState()
{
    updateNotes();
    const Empty reason = emptiness();
    m_stack->setCurrentWidget(reason == Empty::No ? static_cast<QWidget *>(m_table) : m_empty);
    m_detail->setVisible(reason == Empty::No);
    m_export->setEnabled(reason == Empty::No);
    if (reason != Empty::No)
        m_empty->setContent(contentFor(reason));
    if (m_tellsOfFile.hasExpired())
        updateFigure();
}

void AuditPage::updateFigure()
{
    const int shown = m_proxy.rowCount();
    const int all = m_model.begunByThen();
    QString figure = shown == all
        ? tr("%1 actions", nullptr, pluralOf(all)).arg(countText(all))
        : tr("%1 of %2 actions", nullptr, pluralOf(all)).arg(countText(shown), countText(all));
    if (m_moment) {
        figure = tr("%1 by %2", "a count of actions, and a moment of a recording")
                     .arg(figure, clockText(*m_moment, *m_moment));
        if (const int later = m_model.rowCount() - all; later > 0)
            figure
                += QStringLiteral(" · ") + tr("%1 later ones left out", nullptr, pluralOf(later)).arg(countText(later));
    }
    m_figure->setText(m_file.isEmpty() ? QString() : figure + QStringLiteral(" · ") + shownPath());
    m_figure->setExplanation(displayText(QFile::encodeName(m_file).toStdString()));
}

EmptyState::Content AuditPage::contentFor(Empty reason) const
{
    switch (reason) {
    case Empty::No:
        return {};
    case Empty::NoFile:
        return { tr("Nothing is recorded"), tr("There is no audit log, and so no action on a lock is possible."), {},
            {}, {} };
    case Empty::NothingYet:
        return { tr("Nothing was done yet"),
            tr("Every action on a lock is recorded in this file before it is sent, and again when it is answered. It "
               "then appears here."),
            shownPath(), {}, tr("Copy path") };
    case Empty::NothingByThen:
        return { tr("Nothing was done by this moment"),
            tr("The recording shows %1. What the audit log has was done later: %2 actions.", nullptr,
                pluralOf(m_model.rowCount()))
                .arg(zonedText(*m_moment), countText(m_model.rowCount())),
            shownPath(), {}, tr("Copy path") };
    case Empty::Unreadable:
        return { tr("The audit log cannot be read"),
            errorText(*m_report.error) + QLatin1Char(' ')
                + tr("While it cannot be written either, no action on a lock is carried out."),
            errorDetail(*m_report.error), tr("Try again"), tr("Copy path") };
    case Empty::Reading:
        return { tr("Reading the audit log…"), {}, shownPath(), {}, {} };
    case Empty::NoMatch:
        return EmptyState::nothingMatches(
            tr("None of the %1 actions is to be shown.", nullptr, pluralOf(m_model.begunByThen()))
                .arg(countText(m_model.begunByThen())),
            tr("Show all"), !origin().filter.isEmpty());
    }
    return {};
}

void AuditPage::choosePrimary()
{
    if (emptiness() == Empty::Unreadable)
        return m_follower.follow(m_file);
    m_which->button(int(AuditProxy::Show::All))->setChecked(true);
    showOnly(AuditProxy::Show::All);
    Q_EMIT clearFilterRequested();
}

void AuditPage::copyPath()
{
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(withoutControls(QFile::encodeName(m_file).toStdString())));
}

CopyTarget AuditPage::target(const std::vector<int> &rows) const
{
    CopyTarget target;
    std::string records;
    const auto addOwner = [&](const OwnerId &owner) {
        if (std::ranges::find(target.owners, owner) == target.owners.end())
            target.owners.push_back(owner);
    };
    for (const int row : rows) {
        const AuditEntry &entry = m_proxy.entryAt(row);
        if (std::ranges::find(target.locks, entry.lock, &CopyTarget::Lock::name) == target.locks.end())
            target.locks.push_back({ entry.lock, nullptr });
        for (const auto &expected : entry.expected)
            addOwner(expected.owner);
        if (entry.waiter)
            addOwner(*entry.waiter);
        for (const std::string &line : entry.lines)
            records += (records.empty() ? "" : "\n") + line;
    }
    target.json = [records] { return records; };
    return target;
}

ExportTable AuditPage::table(ExportFormat format) const
{
    std::vector<std::reference_wrapper<const AuditEntry>> entries;
    for (int row = 0; row < m_proxy.rowCount(); ++row)
        entries.emplace_back(m_proxy.entryAt(row));
    ExportTable table = auditExport(entries, m_model.now(), format);
    table.about = { { "log", tr("Audit log").toStdString(), QFile::encodeName(m_file).toStdString() },
        { "at", tr("Moment").toStdString(), isoTime(m_model.now()) } };
    if (m_moment)
        table.about.push_back({ "state", tr("State").toStdString(),
            tr("of a recording: what was done later is left out").toStdString() });
    if (!origin().filter.isEmpty())
        table.about.push_back({ "filter", tr("Filter").toStdString(), toBytes(origin().filter) });
    return table;
}

void AuditPage::save(QSettings &settings) const
{
    settings.setValue(QStringLiteral("audit/splitter"), m_splitter->saveState());
    settings.setValue(QStringLiteral("audit/columnShares"), m_table->columnShares());
}

void AuditPage::restore(const QSettings &settings)
{
    m_splitter->restoreState(settings.value(QStringLiteral("audit/splitter")).toByteArray());
    m_table->setColumnShares(settings.value(QStringLiteral("audit/columnShares")).toList());
}

} // namespace lockui
