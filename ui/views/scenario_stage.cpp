// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_stage.h"

#include "lockcore/transport/clock.h"
#include "lockcore/version.h"
#include "ui/charts/lab_lanes_view.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/lab/lanes.h"
#include "ui/lab/report.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/views/export_file.h"
#include "ui/views/scenario_story.h"

#include <QDesktopServices>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using lab::LabNeed;
using lab::LabSession;
using lab::PlayRecord;
using lab::Scenario;
using lab::StepProgress;
using lab::StepState;

namespace {

constexpr int DetailHeight = 92; // at least
constexpr int MostDetail = 220;
constexpr int UpperHeight = 300; // of the story and the lanes, where they need no more
constexpr auto FrameEvery = std::chrono::milliseconds(50);

QString needText(LabNeed need)
{
    switch (need) {
    case LabNeed::RedisServer:
        return ScenarioStage::tr("redis-server is not installed. Scenarios are played on private servers: install the "
                                 "package redis-server (Debian, Ubuntu) or redis (Fedora, Arch), or valkey.");
    case LabNeed::Lockctl:
        return ScenarioStage::tr(
            "lockctl is neither beside this program nor in the PATH. The clients of a scenario are "
            "processes of it: install it with Lockscope.");
    }
    return {};
}

int countIn(const PlayRecord &record, StepState state)
{
    return static_cast<int>(std::ranges::count(record.progress, state, &StepProgress::state));
}

bool hasFailed(const StepProgress &progress) { return progress.state == StepState::Failed; }

/// From the first step to the last that was judged, or until it was stopped.
lockcore::Millis lengthOf(const PlayRecord &record)
{
    const lockcore::MonoTime last = record.end ? record.end->mono : lab::lastMoment(record);
    return std::chrono::duration_cast<lockcore::Millis>(last - record.start->mono);
}

} // namespace

ScenarioStage::ScenarioStage(const Theme &theme, const ViewClock &clock, LabSession &session, QWidget *parent)
    : QWidget(parent)
    , m_rows{ theme }
    , m_session(session)
    , m_warning(plainLabel(QStringLiteral("warningBox"), this))
    , m_upper(new QSplitter(Qt::Horizontal, this))
    , m_down(new QSplitter(Qt::Vertical, this))
    , m_story(new ScenarioStory(session, this))
    , m_lanes(new LabLanesView(theme, this))
    , m_table(new DataTable(m_rows, clock, this))
    , m_detail(plainLabel(QStringLiteral("small"), this))
    , m_report(new QPushButton(tr("Save report…"), this))
    , m_copy(new QPushButton(tr("Copy as lockctl run"), this))
    , m_saved(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_open(new QPushButton(tr("Open"), this))
    , m_failed(new QPushButton(this))
    , m_sum(new ElidedLabel(QStringLiteral("statusLine"), this))
{
    m_warning->setWordWrap(true);
    m_warning->setContentsMargins(12, 10, 12, 0);
    m_upper->addWidget(m_story);
    m_upper->addWidget(m_lanes);
    m_upper->setStretchFactor(1, 1);
    m_upper->setSizes({ 390, 620 });
    m_upper->setChildrenCollapsible(false);
    m_down->addWidget(m_upper);
    m_down->addWidget(buildTable());
    m_down->setChildrenCollapsible(false);
    m_down->setStretchFactor(1, 1);
    m_story->leaveFocusTo(*m_table);
    connect(m_down, &QSplitter::splitterMoved, this, [this] { m_isArranged = true; });
    m_down->installEventFilter(this);
    m_story->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_warning);
    layout->addWidget(m_down, 1);
    layout->addWidget(buildFooter());
    connect(m_story, &ScenarioStory::runRequested, this, &ScenarioStage::run);
    connect(m_story, &ScenarioStory::backRequested, this, &ScenarioStage::backRequested);
    connect(&m_session, &LabSession::changed, this, &ScenarioStage::showSession);
    connect(&m_session, &LabSession::stepChanged, this, &ScenarioStage::showStep);
    connect(m_lanes, &LabLanesView::stepChosen, this, [this](std::size_t step) {
        m_isChosenByHand = true;
        chooseRow(static_cast<int>(step));
    });
    m_frames.setInterval(FrameEvery);
    connect(&m_frames, &QTimer::timeout, this, &ScenarioStage::showLanes);
    connect(m_copy, &QPushButton::clicked, this, &ScenarioStage::commandWanted);
    showSession();
}

QWidget *ScenarioStage::buildTable()
{
    m_table->setModel(&m_model);
    showColumns();
    m_table->setAccessibleName(tr("Steps"));
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_applying)
            m_isChosenByHand = !m_table->selectionModel()->isRowSelected(m_followed);
        showDetail();
    });
    const QScrollBar *bar = m_table->verticalScrollBar();
    connect(bar, &QScrollBar::actionTriggered, this, [this, bar] { // by a person, before it scrolls
        const int scrolled = bar->sliderPosition();
        m_isScrolledAway = scrolled < bar->maximum() && !isInSight(m_followed, scrolled);
    });
    connect(bar, &QScrollBar::rangeChanged, this, &ScenarioStage::keepInSight); // there is more or less room
    m_detail->setWordWrap(true);
    m_detail->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_detail->setContentsMargins(12, 6, 12, 6);
    m_detail->setAccessibleName(tr("The chosen step"));
    auto *scroll = new QScrollArea(this);
    m_detailScroll = scroll;
    scroll->setAccessibleName(m_detail->accessibleName());
    scroll->setWidget(m_detail);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedHeight(DetailHeight);
    auto *below = new QWidget(this);
    auto *layout = new QVBoxLayout(below);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table, 1);
    layout->addWidget(scroll);
    return below;
}

/// Of the last play, also in its middle.
void ScenarioStage::saveReport()
{
    const PlayRecord *played = m_session.recordOf(m_scenario.name);
    if (played == nullptr)
        return;
    auto *file = new ExportFile(
        QString::fromStdString(m_scenario.name), "HTML", "html",
        [record = *played] {
            const lab::ReportFacts facts{ .versions
                = { { QStringLiteral("Lockscope"), QString::fromLatin1(lockcore::version()) } },
                .writtenAt = lockcore::transport::wallNow() };
            return lab::htmlReport({ record }, facts).toStdString();
        },
        window(), tr("Save the report"));
    connect(file, &ExportFile::written, this, &ScenarioStage::showSaved);
}

void ScenarioStage::showSaved(const QString &file)
{
    m_savedFile = file;
    m_saved->setText(file.isEmpty() ? QString() : tr("Report saved: %1").arg(displayText(toBytes(file))));
    for (QWidget *each : std::initializer_list<QWidget *>{ m_saved, m_open })
        each->setVisible(!file.isEmpty());
}

QWidget *ScenarioStage::buildFooter()
{
    auto *footer = new QWidget(this);
    footer->setProperty("role", QStringLiteral("strip"));
    footer->setAttribute(Qt::WA_StyledBackground);
    m_sum->setExplanation(tr("Clients, servers and the monitor run on this computer, and read the same clock."));
    auto *layout = new QHBoxLayout(footer);
    layout->setContentsMargins(12, 7, 12, 7);
    layout->setSpacing(8);
    auto *edit = new QPushButton(tr("Edit…"), footer);
    edit->setToolTip(tr("Among your own scenarios: a copy of one that comes with the program"));
    connect(edit, &QPushButton::clicked, this, &ScenarioStage::editRequested);
    connect(m_report, &QPushButton::clicked, this, &ScenarioStage::saveReport);
    m_saved->setElideMode(Qt::ElideMiddle);
    m_open->setToolTip(tr("Shows the report in the browser"));
    connect(m_open, &QPushButton::clicked, this, [this] {
        if (!QDesktopServices::openUrl(QUrl::fromLocalFile(m_savedFile)))
            (new NoticeDialog(tr("Report"), tr("No program opens reports here."), m_saved->text(), window()))->show();
    });
    showSaved({});
    for (QPushButton *button : { edit, m_report, m_copy })
        layout->addWidget(button);
    layout->addSpacing(8);
    layout->addWidget(m_saved);
    layout->addWidget(m_open);
    layout->addStretch(1);
    m_failed->setToolTip(tr("Shows the next step that failed"));
    connect(m_failed, &QPushButton::clicked, this, &ScenarioStage::chooseNextFailed);
    layout->addWidget(m_failed);
    layout->addWidget(m_sum);
    return footer;
}

void ScenarioStage::setScenario(const Scenario &scenario, const ScenarioOrigin &origin)
{
    m_scenario = scenario;
    showSaved({});
    m_model.setRecord(nullptr); // what it shows is about to be another story
    m_unplayed = {};
    m_unplayed.scenario = scenario;
    m_unplayed.progress.resize(scenario.steps.size());
    m_isChosenByHand = false;
    m_isScrolledAway = false;
    m_followed = -1;
    m_story->setScenario(scenario, origin);
    showSession();
    fit();
}

void ScenarioStage::chooseInTable() { m_table->setFocus(Qt::ShortcutFocusReason); }

bool ScenarioStage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize) // once all is laid out
        QMetaObject::invokeMethod(this, &ScenarioStage::fit, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

/// Of all steps, with the titles above them.
int ScenarioStage::rowsHeight() const
{
    return m_table->horizontalHeader()->height() + m_model.rowCount() * m_rows.rowHeight;
}

/// Until a person has dragged the line between them: the upper part as high as the story and the lanes are, as far as
/// the table below can spare it.
void ScenarioStage::fit()
{
    fitDetail();
    if (m_isArranged || !m_story->isVisible())
        return;
    const int all = m_down->height() - m_down->handleWidth();
    const int most = all - std::min(rowsHeight() + m_rows.rowHeight + m_detailScroll->height(), all * 2 / 5);
    const int upper
        = std::clamp(std::max(m_story->fullHeight(), m_lanes->fullHeight()), std::min(UpperHeight, most), most);
    if (m_down->sizes().front() != upper)
        m_down->setSizes({ upper, all - upper });
}

/// Grows with what it says, and gets no smaller while a play goes on, so that the table does not move with each step.
/// More room than it needs is only what the steps leave.
void ScenarioStage::fitDetail()
{
    const bool isPlaying = m_session.playing() == m_scenario.name;
    const bool isChosen = m_table->selectionModel()->hasSelection();
    const int spare = m_table->parentWidget()->height() - rowsHeight();
    const int room = isPlaying || isChosen ? std::clamp(spare, 0, DetailHeight) : 0;
    const int least = isPlaying ? std::max(room, std::min(m_detailScroll->height(), spare)) : room;
    const int full = m_detail->heightForWidth(m_detailScroll->viewport()->width());
    m_detailScroll->setFixedHeight(std::clamp(full, least, std::max(least, MostDetail)));
}

void ScenarioStage::run(bool paused)
{
    m_isChosenByHand = false;
    m_isScrolledAway = false;
    m_followed = -1;
    m_detailScroll->setFixedHeight(0); // it has grown with another play
    showSaved({});
    m_session.run(m_scenario, paused);
}

void ScenarioStage::showSession()
{
    QStringList missing;
    for (const LabNeed need : m_session.missing())
        missing << needText(need);
    if (const auto error = m_session.errorOf(m_scenario.name); error && missing.isEmpty())
        missing << tr("It could not be played: %1").arg(errorReason(*error));
    m_warning->setText(missing.join(QLatin1Char('\n')));
    m_warning->setVisible(!missing.isEmpty());
    m_story->showState();
    showRecord();
    if (m_session.playing() == m_scenario.name)
        m_frames.start();
    else
        m_frames.stop();
}

/// Before it was played, what is expected has the room of what is seen.
void ScenarioStage::showColumns()
{
    const bool isPlayed = m_session.recordOf(m_scenario.name) != nullptr;
    if (std::exchange(m_isPlayed, isPlayed) == isPlayed)
        return;
    const DataTable::ColumnWidth expected
        = isPlayed ? DataTable::ColumnWidth{ 36, 190 } : DataTable::ColumnWidth{ 72, 300 };
    const DataTable::ColumnWidth seen = isPlayed ? DataTable::ColumnWidth{ 36, 190 } : DataTable::ColumnWidth{ 0, 80 };
    m_table->setColumnWidths({ { 0, 64 }, { 4, 56 }, { 26, 180 }, expected, seen, { 0, 40 } });
}

void ScenarioStage::showRecord()
{
    showColumns();
    const PlayRecord *record = m_session.recordOf(m_scenario.name);
    m_report->setEnabled(record != nullptr);
    if (!record)
        record = &m_unplayed;
    if (m_model.record() != record) {
        const QScopedValueRollback applying(m_applying, true);
        const int chosen = m_table->currentIndex().row();
        m_model.setRecord(record);
        if (m_isChosenByHand)
            chooseRow(chosen);
    }
    follow();
    showDetail();
    showSum();
    showLanes();
}

void ScenarioStage::showLanes()
{
    const bool isPlaying = m_session.playing() == m_scenario.name;
    m_lanes->setRecord(*m_model.record(), isPlaying ? std::optional(lockcore::transport::monoNow()) : std::nullopt);
}

void ScenarioStage::showStep(std::size_t step)
{
    if (m_session.playing() != m_scenario.name)
        return;
    m_model.stepChanged(step);
    follow();
    showDetail();
    showSum();
}

/// While it is played the step that runs, afterwards the first that failed.
void ScenarioStage::follow()
{
    if (m_isChosenByHand)
        return;
    const auto &progress = m_model.record()->progress;
    const bool isPlaying = m_session.playing() == m_scenario.name;
    const StepState wanted = isPlaying ? StepState::Running : StepState::Failed;
    int row = -1;
    for (std::size_t i = 0; i < progress.size(); ++i) {
        if (progress[i].state == wanted && (row < 0 || wanted == StepState::Running))
            row = static_cast<int>(i);
    }
    if (row >= 0) // where all passed, the last one that ran stays in sight
        m_followed = row;
    m_table->setAutoScroll(false);
    chooseRow(row);
    m_table->setAutoScroll(true);
    keepInSight();
}

void ScenarioStage::keepInSight()
{
    if (m_followed >= 0 && !m_isChosenByHand && !m_isScrolledAway)
        m_table->scrollTo(m_model.index(m_followed, 0));
}

bool ScenarioStage::isInSight(int row, int scrolled) const
{
    const QRect rows = m_table->viewport()->rect();
    const QRect place = m_table->visualRect(m_model.index(row, 0));
    return rows.contains(place.translated(0, m_table->verticalScrollBar()->value() - scrolled));
}

void ScenarioStage::chooseRow(int row)
{
    const QScopedValueRollback applying(m_applying, true);
    if (row >= 0 && row < m_model.rowCount())
        return m_table->setCurrentIndex(m_model.index(row, 0));
    m_table->clearSelection();
    m_table->ensureCurrentRow();
}

/// From the last to the first again. It stays chosen while a play goes on.
void ScenarioStage::chooseNextFailed()
{
    const auto &progress = m_model.record()->progress;
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    const auto behind = progress.begin() + (chosen.isEmpty() ? 0 : chosen.front().row() + 1);
    auto next = std::find_if(behind, progress.end(), hasFailed);
    if (next == progress.end())
        next = std::ranges::find_if(progress, hasFailed);
    m_isChosenByHand = true;
    chooseRow(static_cast<int>(next - progress.begin()));
    chooseInTable();
}

void ScenarioStage::showDetail()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    m_detail->setText(rows.isEmpty() || !m_model.record()
            ? tr("Choose a step to see all that is expected of it, and what was seen.")
            : m_model.detailOf(static_cast<std::size_t>(rows.front().row())));
    m_detailScroll->setAccessibleDescription(m_detail->text());
    fitDetail();
}

void ScenarioStage::showSum()
{
    const PlayRecord &record = *m_model.record();
    const bool isPlaying = m_session.playing() == m_scenario.name;
    const int all = static_cast<int>(record.progress.size());
    const int passed = countIn(record, StepState::Passed);
    QStringList parts;
    if (isPlaying && !record.start)
        parts << tr("starting servers and clients…");
    else if (!record.start)
        parts << tr("%n checks", nullptr, all);
    else
        parts << tr("%1 of %n checks passed", nullptr, all).arg(passed);
    const int failed = countIn(record, StepState::Failed);
    m_failed->setText(tr("%n failed", nullptr, failed));
    m_failed->setVisible(failed > 0);
    if (m_session.wasStopped(m_scenario.name))
        parts << tr("stopped in the middle");
    if (record.start && !isPlaying)
        parts << exactDurationText(lengthOf(record));
    if (record.heldBack > lockcore::Millis(0))
        parts << tr("held back for %1: what had begun went on").arg(exactDurationText(record.heldBack));
    m_sum->setText(parts.join(QStringLiteral(" · ")));
}

void ScenarioStage::save(QSettings &settings, const QString &group) const
{
    settings.setValue(group + QStringLiteral("/down"), m_isArranged ? m_down->saveState() : QByteArray());
    settings.setValue(group + QStringLiteral("/upper"), m_upper->saveState());
    settings.setValue(group + QStringLiteral("/columnShares"), m_table->columnShares());
}

void ScenarioStage::restore(const QSettings &settings, const QString &group)
{
    m_isArranged = m_down->restoreState(settings.value(group + QStringLiteral("/down")).toByteArray());
    m_upper->restoreState(settings.value(group + QStringLiteral("/upper")).toByteArray());
    m_table->setColumnShares(settings.value(group + QStringLiteral("/columnShares")).toList());
}

} // namespace lockui
