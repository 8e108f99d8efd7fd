// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/graph_page.h"

#include "ui/charts/wait_graph_view.h"
#include "ui/dialogs/break_deadlock_dialog.h"
#include "ui/support/seen_times.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/views/data_table.h"
#include "ui/views/export_button.h"
#include "ui/views/graph_taking.h"
#include "ui/views/steady_splitter.h"
#include "ui/views/unseen_locks.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

constexpr std::chrono::milliseconds RebuildEvery{ 200 };
constexpr int MostRebuilding = 20; // times as long as it took nothing is built or counted again

/// What the shapes and lines of the graph mean; as many words as there is room for.
class GraphLegend : public QWidget {
public:
    GraphLegend(const Theme &theme, QWidget *parent)
        : QWidget(parent)
        , m_theme(theme)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setMinimumHeight(20);
        QStringList words;
        for (const Entry &entry : entries())
            words << entry.text;
        setAccessibleName(GraphPage::tr("Legend"));
        setAccessibleDescription(words.join(QStringLiteral(", ")));
        setToolTip(plainToolTip(words.join(u'\n')));
        connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QFont font = m_theme.uiFont();
        font.setPixelSize(12);
        painter.setFont(font);
        double x = 0;
        for (const Entry &entry : entries()) {
            const double end = x + SignWidth + 6 + painter.fontMetrics().horizontalAdvance(entry.text);
            if (end > width())
                return;
            painter.setPen(QPen(entry.color, 1.5, entry.dashed ? Qt::DashLine : Qt::SolidLine));
            painter.setBrush(Qt::NoBrush);
            const double middle = height() / 2.0;
            if (entry.corner > 0)
                painter.drawRoundedRect(QRectF(x + 0.5, middle - 5, SignWidth - 1, 10), entry.corner, entry.corner);
            else
                drawArrow(painter, { x, middle }, entry.color);
            painter.setPen(inkOf(entry.color, m_theme.colors()));
            painter.drawText(
                QRectF(x + SignWidth + 6, 0, end - x, height()), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
            x = end + 18;
        }
    }

private:
    static constexpr double SignWidth = 20;
    struct Entry {
        QString text;
        QColor color;
        double corner = 0; // of a shape; 0: a line
        bool dashed = false;
    };

    std::vector<Entry> entries() const
    {
        const Colors &colors = m_theme.colors();
        return { { GraphPage::tr("lock"), colors.muted, 3 }, { GraphPage::tr("client : thread"), colors.muted, 5 },
            { GraphPage::tr("holds"), colors.accent }, { GraphPage::tr("keeps waiting"), colors.waiting },
            { GraphPage::tr("inferred, or only counted"), colors.muted, 0, true } };
    }

    static void drawArrow(QPainter &painter, const QPointF &start, const QColor &color)
    {
        const QPointF tip = start + QPointF(SignWidth, 0);
        painter.drawLine(start, tip - QPointF(6, 0));
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF({ tip, tip - QPointF(7, 3.5), tip - QPointF(7, -3.5) }));
    }

    const Theme &m_theme;
};

} // namespace

GraphPage::GraphPage(const Theme &theme, const ViewClock &clock, const ClientNames &names, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_names(names)
    , m_text(clock)
    , m_model(m_text)
    , m_rows{ theme }
    , m_view(new WaitGraphView(theme, clock, m_text, this))
    , m_table(new DataTable(m_rows, clock, this))
    , m_splitter(new SteadySplitter(*m_view, *m_table, SteadySplitter::Steady::Always, this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_legend(new GraphLegend(theme, this))
    , m_more(plainLabel(QStringLiteral("small"), this))
    , m_lead(new QPushButton(tr("Show the deadlock"), this))
    , m_break(new QPushButton(tr("Break the deadlock…"), this))
    , m_arrange(new QPushButton(tr("Arrange"), this))
    , m_fit(new QPushButton(tr("Fit"), this))
    , m_written(new WrittenNote(this))
    , m_export(new ExportButton(QStringLiteral("wait-graph"), this))
{
    m_text.setClientNames(&names);
    QWidget *bar = buildBar();
    buildTable();
    m_splitter->setStretchFactor(0, 68);
    m_splitter->setStretchFactor(1, 32);
    m_splitter->setSizes({ 500, 236 });
    m_view->setMinimumHeight(140);
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(m_stack, 1);
    setEntry(m_view);
    connect(m_view, &WaitGraphView::lockChosen, this, [this](const LockName &lock) {
        m_chosen = lock;
        showChosen();
        Q_EMIT lockChosen(lock);
    });
    connect(m_view, &WaitGraphView::lockOpened, this, &Page::lockOpened);
    connect(m_splitter, &QSplitter::splitterMoved, m_view, &WaitGraphView::forgetWhatIsBeyond);
    m_legend->hide();
    const auto picture = [this] {
        m_legend->resize(m_view->viewport()->width() - 32, m_legend->minimumHeight());
        return Picture{ m_theme, tr("Wait graph"), subtitleOf(origin(), m_clock), { m_legend, m_view->viewport() },
            m_theme.colors().surface };
    };
    m_export->offerTable([this](ExportFormat format) { return exportTable(format); });
    m_export->offerPicture(picture);
    connect(m_export, &ExportButton::written, m_written, &WrittenNote::tell);
    offerNodeMenu(*m_view, m_clock, originSource(), picture, m_written->teller(),
        [this](const std::string &client) { Q_EMIT clientRequested(client); });
    offerChainCopies(*m_table, m_model, m_clock, originSource());
    for (const auto changed : { &WaitGraphView::arrangementChanged, &WaitGraphView::deadlockOutOfSightChanged })
        connect(m_view, changed, this, &GraphPage::updateBar);
    connect(&clock, &ViewClock::tick, this, &GraphPage::tick);
    connect(&names, &ClientNames::changed, this, [this] {
        m_model.namesChanged();
        m_view->viewport()->update();
    });
    connect(m_empty, &EmptyState::primaryChosen, this, &Page::clearFilterRequested);
    connect(m_empty, &EmptyState::wayOutChosen, this, &Page::wayOutChosen);
    updateBar();
    updateEmptyState();
}

QWidget *GraphPage::buildBar()
{
    auto *bar = new QWidget(this);
    makeBar(*bar);
    auto *title = plainLabel({}, bar);
    QFont font = title->font();
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    title->setText(tr("Wait graph"));
    m_arrange->setToolTip(plainToolTip(tr("Deadlocks first, then where most time was lost, without holes. Until then "
                                          "nothing moves that stays the same.")));
    m_fit->setToolTip(plainToolTip(tr("Shows all of it, as far as it can be read (0). Ctrl and the wheel zoom.")));
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(14, 5, 12, 5);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addSpacing(14);
    layout->addWidget(new GraphLegend(m_theme, bar), 1);
    layout->addWidget(m_written, 1);
    layout->addWidget(m_more);
    for (QPushButton *button : { m_lead, m_break, m_arrange, m_fit })
        layout->addWidget(button);
    layout->addWidget(m_export);
    m_lead->setToolTip(
        plainToolTip(tr("It is drawn where there was room, so that nothing moved for it: out of sight.")));
    connect(m_lead, &QPushButton::clicked, this, [this] {
        if (const auto lock = m_view->deadlockOutOfSight())
            m_view->showChain(*lock);
    });
    connect(m_break, &QPushButton::clicked, this, &GraphPage::breakFirst);
    connect(m_arrange, &QPushButton::clicked, m_view, &WaitGraphView::arrange);
    connect(m_fit, &QPushButton::clicked, m_view, &WaitGraphView::fit);
    return bar;
}

void GraphPage::buildTable()
{
    using Column = ChainTableModel::Column;
    m_table->setModel(&m_model);
    m_table->setItemDelegateForColumn(Column::Action, new StateBadgeDelegate(m_rows, m_table));
    m_table->setColumnWidths({ { 30, 190 }, { 16, 130 }, { 2, 76 }, { 4, 92 }, { 44, 220 }, { 0, 108 } });
    m_table->setTickingColumns({ Column::Lost, Column::Ends });
    m_table->setAccessibleName(tr("Chains"));
    m_table->viewport()->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_table->selectionModel()->selectedRows();
        if (m_applying || rows.isEmpty())
            return;
        m_chosen = m_model.chainAt(rows.front().row()).mainLock;
        m_view->select(m_chosen);
        m_view->showChain(*m_chosen);
        Q_EMIT lockChosen(*m_chosen);
    });
    connect(m_table, &QAbstractItemView::activated, this, &GraphPage::openChain);
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == Column::Action)
            openChain(index);
    });
}

/// What was seen stays where it is, also for those who come back.
void GraphPage::hideEvent(QHideEvent *event)
{
    m_arrangeNext = m_arrangeNext && m_chains->chains.empty();
    Page::hideEvent(event);
}

/// What a person aims at stays where it is.
bool GraphPage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseMove)
        m_model.holdRows(true);
    else if (event->type() == QEvent::Leave || event->type() == QEvent::Hide)
        m_model.holdRows(false);
    return Page::eventFilter(watched, event);
}

void GraphPage::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    if (m_dialog)
        m_dialog->setSnapshot(*snapshot);
    m_outdated = true;
    if (m_nextRebuild.hasExpired() || !isVisible())
        rebuild();
}

void GraphPage::tick()
{
    if (m_outdated && isVisible() && m_nextRebuild.hasExpired())
        rebuild();
    else if (!m_outdated && m_snapshot && isSettled(m_clock.now())) // and nothing has to change for that
        m_arrangeNext = m_arrangeNext && m_chains->chains.empty();
}

/// At first locks and those who wait for them are still being found.
bool GraphPage::isSettled(MonoTime now) const
{
    constexpr std::chrono::seconds FoundWithin{ 3 };
    const auto &sweep = m_snapshot->status.lastSweep;
    return m_snapshot->status.phase != SourcePhase::Sweeping && (!sweep || now - sweep->finishedAt > FoundWithin);
}

void GraphPage::rebuild()
{
    m_outdated = false;
    if (!m_snapshot)
        return;
    QElapsedTimer took;
    took.start();
    const MonoTime now = m_clock.now();
    const SeenTimes seen(*m_snapshot);
    const auto isWanted = [&, now](const LockState &lock) { return matches(m_filter, seen, lock, now); };
    m_chains = std::make_shared<const WaitChains>(
        waitChains(*m_snapshot, now, m_filter.isEmpty() ? std::function<bool(const LockState &)>() : isWanted,
            m_snapshot->knownWaits              ? *m_snapshot->knownWaits
                : m_snapshot->status.recordedAt ? std::vector<KnownWait>()
                                                : m_known));
    m_rows.stale = isStale(*m_snapshot);
    m_view->setStale(m_rows.stale);
    {
        const QScopedValueRollback applying(m_applying, true);
        m_model.setChains(m_chains, m_snapshot->analysis);
    }
    m_view->setChains(m_chains);
    if (m_arrangeNext)
        m_view->arrange();
    m_arrangeNext = m_arrangeNext && (m_chains->chains.empty() || !isSettled(m_snapshot->takenAt.mono));
    markChosen();
    updateBar();
    updateEmptyState();
    m_nextRebuild.setRemainingTime(std::max<qint64>(RebuildEvery.count(), MostRebuilding * took.elapsed()));
}

void GraphPage::setConnected(bool connected)
{
    m_connected = connected;
    m_snapshot.reset();
    m_chains = std::make_shared<const WaitChains>();
    m_chosen.reset();
    m_arrangeNext = true;
    m_outdated = false;
    m_nextRebuild.setRemainingTime(0);
    m_countedAt.reset();
    m_counter = {};
    if (m_dialog)
        m_dialog->close();
    {
        const QScopedValueRollback applying(m_applying, true);
        m_model.setChains(m_chains, nullptr);
    }
    m_view->setChains(m_chains);
    updateBar();
    updateEmptyState();
}

void GraphPage::setFilter(const LockFilter &filter, const QString &text)
{
    if (text == m_filterText)
        return;
    m_filter = filter;
    m_filterText = text;
    m_arrangeNext = true;
    rebuild();
}

void GraphPage::setActionsAllowed(bool allowed, const QString &whyNot)
{
    m_allowed = allowed;
    m_whyNot = whyNot;
    m_model.setActionsAllowed(allowed);
    m_break->setToolTip(plainToolTip(whyNot));
    setStyleProperty(*m_break, "role", allowed ? QStringLiteral("danger") : QString()); // the dialog says why not
    if (m_dialog)
        m_dialog->setActionsAllowed(allowed, whyNot);
}

void GraphPage::setOwnClients(const std::vector<lab::HandHold> &clients)
{
    std::vector<KnownWait> known = knownWaits(clients);
    if (known == m_known)
        return;
    m_known = std::move(known);
    m_outdated = true;
}

void GraphPage::choose(const LockName &lock)
{
    if (lock == m_chosen)
        return;
    m_chosen = lock;
    showChosen();
}

void GraphPage::chooseInTable() { m_table->beginWithCurrentRow(); }

void GraphPage::showChosen()
{
    markChosen();
    if (const int row = m_chosen ? m_model.rowOf(*m_chosen) : -1; row >= 0)
        m_table->scrollTo(m_model.index(row, 0));
}

/// In the picture and in the table. The rows that a person sees stay there, wherever the chosen one goes.
void GraphPage::markChosen()
{
    const QScopedValueRollback applying(m_applying, true);
    m_view->select(m_chosen);
    m_table->setAutoScroll(false);
    const int row = m_chosen ? m_model.rowOf(*m_chosen) : -1;
    QItemSelectionModel &selection = *m_table->selectionModel();
    if (row < 0)
        selection.clearSelection();
    else if (!selection.isRowSelected(row))
        selection.setCurrentIndex(
            m_model.index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->ensureCurrentRow();
    m_table->setAutoScroll(true);
}

QString GraphPage::figure(const Snapshot &snapshot) const
{
    constexpr std::chrono::nanoseconds LongestRest{ std::chrono::milliseconds(900) };
    const MonoTime now = snapshot.takenAt.mono;
    const auto rest = std::min(LongestRest, MostRebuilding * m_countTook);
    if (!m_countedAt || now - *m_countedAt > rest || now < *m_countedAt) {
        QElapsedTimer took;
        took.start();
        m_count = m_counter.count(snapshot);
        m_countTook = std::chrono::nanoseconds(took.nsecsElapsed());
        m_countedAt = now;
    }
    if (m_count.deadlocks > 0)
        return QStringLiteral("⟲ ") + countText(m_count.deadlocks);
    return m_count.chains > 0 ? countText(m_count.chains) : QString();
}

void GraphPage::openChain(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const WaitChain &chain = m_model.chainAt(index.row());
    if (index.column() == ChainTableModel::Action && chain.isDeadlock())
        breakDeadlock(chain);
    else
        Q_EMIT lockOpened(LockName(chain.mainLock));
}

/// The chosen one, or the first.
bool GraphPage::breakFirst()
{
    const int row = m_chosen ? m_model.rowOf(*m_chosen) : -1;
    if (row >= 0 && m_model.chainAt(row).isDeadlock()) {
        breakDeadlock(m_model.chainAt(row));
        return true;
    }
    const auto first = std::ranges::find_if(m_chains->chains, &WaitChain::isDeadlock);
    if (first == m_chains->chains.end())
        return false;
    breakDeadlock(*first);
    return true;
}

void GraphPage::breakDeadlock(const WaitChain &chain)
{
    if (m_dialog)
        m_dialog->close();
    m_dialog = new BreakDeadlockDialog(chain.cycles.front().edges, m_names, m_clock, this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &BreakDeadlockDialog::releaseChosen, this, &GraphPage::forceReleaseRequested);
    m_dialog->setSnapshot(*m_snapshot);
    m_dialog->setActionsAllowed(m_allowed, m_whyNot);
    m_dialog->show(); // beside it the connection can be switched to writable
}

ExportTable GraphPage::exportTable(ExportFormat format) const
{
    ExportTable table = chainsExport(m_model, m_text, momentOf(m_clock), format);
    table.about = factsOf(origin(), m_clock);
    if (m_chains->more > 0)
        table.about.push_back({ "leftOut", tr("Chains left out").toStdString(), std::to_string(m_chains->more) });
    return table;
}

void GraphPage::updateBar()
{
    m_export->setEnabled(!m_chains->chains.empty());
    showSafely(*m_lead, m_view->deadlockOutOfSight().has_value(), *m_view);
    m_break->setVisible(m_chains->deadlocks > 0);
    m_arrange->setEnabled(!m_view->isArranged());
    m_fit->setEnabled(!m_chains->chains.empty());
    m_more->setVisible(m_chains->more > 0);
    m_more->setText(
        tr("%1 more chains are not shown", nullptr, pluralOf(m_chains->more)).arg(countText(m_chains->more)));
}

void GraphPage::updateEmptyState()
{
    const bool isEmpty = m_chains->chains.empty();
    if (isEmpty)
        m_empty->setContent(emptyContent());
    m_stack->setCurrentWidget(isEmpty ? static_cast<QWidget *>(m_empty) : m_splitter);
}

EmptyState::Content GraphPage::emptyContent() const
{
    if (!m_connected)
        return EmptyState::notConnected();
    if (m_chains->filteredOut > 0)
        return EmptyState::nothingMatches(m_chains->filteredOut == 1
                ? tr("The one chain that is there has no lock that matches “%1”.").arg(m_filterText)
                : tr("None of the %1 chains has a lock that matches “%2”.")
                      .arg(countText(m_chains->filteredOut), m_filterText),
            EmptyState::clearFilter());
    const bool isAnythingSeen = m_snapshot && !m_snapshot->locks.empty()
        && (m_snapshot->status.phase == SourcePhase::Live || m_snapshot->status.phase == SourcePhase::Stale);
    return isAnythingSeen ? nobodyWaits() : unseenContent(m_snapshot.get(), origin()).value_or(nobodyWaits());
}

EmptyState::Content GraphPage::nobodyWaits() const
{
    return { tr("Nobody is seen to wait"),
        tr("Redis names those who wait for fair locks. Of most others it tells how many client instances listen for "
           "the "
           "release. Who asks again and again without listening, as for spin locks, cannot be seen."),
        whatIsNotKnown(), {}, {} };
}

QString GraphPage::whatIsNotKnown() const
{
    if (!m_snapshot)
        return {};
    const auto unknown
        = std::ranges::count_if(m_snapshot->locks, [](const auto &lock) { return !waitingCount(*lock).has_value(); });
    return unknown == 0
        ? QString()
        : tr("Of %1 locks it is not known whether anybody waits.", nullptr, pluralOf(unknown)).arg(countText(unknown));
}

void GraphPage::save(QSettings &settings) const
{
    settings.setValue(QStringLiteral("graph/splitter"), m_splitter->saveState());
    settings.setValue(QStringLiteral("graph/columnShares"), m_table->columnShares());
}

void GraphPage::restore(const QSettings &settings)
{
    m_splitter->restoreState(settings.value(QStringLiteral("graph/splitter")).toByteArray());
    m_table->setColumnShares(settings.value(QStringLiteral("graph/columnShares")).toList());
}

} // namespace lockui
