// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lab_page.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/scenario_dialogs.h"
#include "ui/lab/scenario_library.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/shell_words.h"
#include "ui/views/free_play_view.h"
#include "ui/views/own_scenarios_view.h"
#include "ui/views/scenario_list.h"
#include "ui/views/scenario_stage.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace lockui {

using lab::LabSession;
using lab::LabTools;
using lab::PlayRecord;
using lab::Scenario;
using lab::Verdict;

namespace {

const QString StageSettings = QStringLiteral("lab/stage");
const QString AcrossSettings = QStringLiteral("lab/across");
const QString ScenarioSettings = QStringLiteral("lab/scenario");

lab::OwnScenarios storeOf(const LabTools &tools)
{
    return tools.ownScenarios.isEmpty() ? lab::OwnScenarios() : lab::OwnScenarios(tools.ownScenarios);
}

} // namespace

LabPage::LabPage(const Theme &theme, const ViewClock &clock, const LabTools &tools, QWidget *parent)
    : Page(parent)
    , m_session(tools)
    , m_tabs(new QTabBar(this))
    , m_stack(new QStackedWidget(this))
    , m_across(new QSplitter(Qt::Horizontal, m_stack))
    , m_list(new ScenarioList(theme, m_across))
    , m_stage(new ScenarioStage(theme, clock, m_session, m_across))
    , m_own(new OwnScenariosView(theme, storeOf(tools), m_stack))
    , m_server(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_watch(new QPushButton(tr("Watch in the window"), this))
    , m_passed(plainLabel(QStringLiteral("pill"), this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(m_stack, 1);
    m_across->addWidget(m_list);
    m_across->addWidget(m_stage);
    m_across->setChildrenCollapsible(false);
    m_across->setStretchFactor(1, 1);
    m_across->setSizes({ 264, 1'000 });
    addTab(tr("Scenarios"), m_across);
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);

    connect(m_list, &ScenarioList::scenarioChosen, this, &LabPage::showScenario);
    connect(m_list, &ScenarioList::runRequested, this, [this] { m_stage->run(); });
    connect(m_stage, &ScenarioStage::editRequested, this, &LabPage::edit);
    connect(m_stage, &ScenarioStage::backRequested, this, [this] { m_tabs->setCurrentIndex(m_stack->indexOf(m_own)); });
    connect(m_stage, &ScenarioStage::commandWanted, this, &LabPage::copyCommand);
    connect(m_own, &OwnScenariosView::runWanted, this, [this](const Scenario &scenario) { runOwn(scenario); });
    connect(&m_session, &LabSession::changed, this, &LabPage::showSession);
    constexpr auto ToolLookEvery = std::chrono::seconds(2);
    m_toolLook.setInterval(ToolLookEvery);
    connect(&m_toolLook, &QTimer::timeout, &m_session, &LabSession::lookForTools);
    m_list->setScenarios(lab::builtInScenarios());
    if (tools.makeFreePlay)
        addFreePlay(theme, clock, tools);
    addTab(tr("My scenarios"), m_own);
    setEntry(m_list);
    showSession();
}

QWidget *LabPage::buildHead()
{
    auto *head = new QWidget(this);
    makeBar(*head);
    QLabel *title = plainLabel(QStringLiteral("product"), head);
    title->setText(tr("Contention lab"));
    m_watch->setProperty("role", QStringLiteral("compact"));
    m_watch->setToolTip(tr("Connects the window to the private servers of this play, read-only, until it is over"));
    connect(m_watch, &QPushButton::clicked, this, [this] {
        if (m_session.player() && m_session.player()->record().start)
            watch(&m_session, m_session.player()->deployment());
    });
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Parts of the lab"));
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(14, 2, 12, 0);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addSpacing(6);
    layout->addWidget(m_tabs);
    layout->addStretch(1);
    layout->addWidget(m_server);
    layout->addWidget(m_watch, 0, Qt::AlignVCenter);
    layout->addWidget(m_passed, 0, Qt::AlignVCenter);
    return head;
}

void LabPage::addTab(const QString &title, QWidget *content)
{
    m_stack->addWidget(content);
    m_tabs->addTab(title);
}

void LabPage::addFreePlay(const Theme &theme, const ViewClock &clock, const LabTools &tools)
{
    m_freePlay = new FreePlayView(theme, clock, tools.makeFreePlay, m_stack);
    addTab(tr("Free play"), m_freePlay);
    connect(m_freePlay, &FreePlayView::watchRequested, this, [this](const auto &server) { watch(m_freePlay, server); });
    connect(m_freePlay, &FreePlayView::ended, this, [this] { end(m_freePlay); });
    connect(m_freePlay, &FreePlayView::phaseChanged, this, &Page::ownFigureChanged);
    connect(m_freePlay, &FreePlayView::handsChanged, this, &LabPage::tellHands);
}

void LabPage::tellHands()
{
    if (m_freePlay == nullptr)
        return;
    const bool isWatched = m_freePlay->isOnConnected() || m_watched == m_freePlay;
    Q_EMIT handsChanged(isWatched ? m_freePlay->hands() : std::vector<lab::HandHold>());
}

void LabPage::setConnectedPlace(const ConnectedPlace &place)
{
    if (m_freePlay != nullptr)
        m_freePlay->setConnected(place);
}

void LabPage::leadByHand(const lockcore::monitor::LockState *lock)
{
    showFreePlay();
    if (m_freePlay != nullptr)
        m_freePlay->lead(lock);
}

void LabPage::setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot)
{
    if (m_freePlay != nullptr)
        m_freePlay->setSnapshot(snapshot);
}

void LabPage::showFreePlay()
{
    if (m_freePlay != nullptr)
        m_tabs->setCurrentIndex(m_stack->indexOf(m_freePlay));
}

void LabPage::setLeft(const QString &connection) { m_left = connection; }

/// A scenario and free play may run at the same time. What the window watches is not left unasked.
void LabPage::watch(const QObject *player, const lockcore::transport::Deployment &servers)
{
    const auto begin = [this, player, servers] {
        Q_EMIT watchRequested(servers);
        m_watched = player;
        tellHands();
    };
    if (m_left.isEmpty())
        return begin();
    auto *ask = new WatchPlayDialog(m_left, this);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    connect(ask, &QDialog::accepted, this, begin);
    connect(this, &LabPage::ended, ask, [ask, player](const QObject *which) {
        if (which == player)
            ask->reject(); // there is nothing to be watched any more
    });
    ask->open();
}

void LabPage::leaveWatched()
{
    if (std::exchange(m_watched, nullptr) != nullptr)
        tellHands();
}

void LabPage::end(const QObject *player)
{
    Q_EMIT ended(player);
    if (std::exchange(m_watched, m_watched == player ? nullptr : m_watched) == player)
        Q_EMIT playEnded();
}

void LabPage::run(const Scenario &scenario, const std::string &file)
{
    if (!file.empty() || !lab::builtInScenario(scenario.name))
        return runOwn(scenario, file);
    m_tabs->setCurrentIndex(m_stack->indexOf(m_across));
    m_list->choose(scenario.name);
    m_stage->run();
}

std::vector<Scenario> LabPage::ownScenarios() const { return m_own->allSaved(); }

bool LabPage::hasReport() const { return m_session.recordOf(m_stage->scenario().name) != nullptr; }

void LabPage::saveReport()
{
    m_tabs->setCurrentIndex(m_stack->indexOf(m_across));
    m_stage->saveReport();
}

void LabPage::chooseInTable()
{
    QWidget *shown = m_stack->currentWidget();
    if (shown == m_across)
        m_stage->chooseInTable();
    else
        shown->setFocus(Qt::ShortcutFocusReason);
}

/// One play at a time: while another runs, that one is shown.
void LabPage::runOwn(const Scenario &scenario, const std::string &file)
{
    m_tabs->setCurrentIndex(m_stack->indexOf(m_across));
    if (m_session.isPlaying())
        return;
    m_list->setCurrentRow(-1);
    m_file = file;
    const bool isOwn = file.empty();
    m_stage->setScenario(scenario,
        { .text = isOwn ? displayText(scenario.name) : tr("File %1").arg(displayText(file)), .isOwn = isOwn });
    m_stage->run();
}

void LabPage::edit()
{
    const std::string &name = m_stage->scenario().name;
    m_tabs->setCurrentIndex(m_stack->indexOf(m_own));
    if (!m_file.empty())
        m_own->importFile(QFile::decodeName(m_file.c_str()));
    else if (lab::builtInScenario(name))
        m_own->copyBuiltIn(name);
    else
        m_own->choose(name);
}

/// What lockctl plays is what is saved.
void LabPage::copyCommand()
{
    const Scenario &shown = m_stage->scenario();
    const auto copy = [word = m_file.empty() ? shown.name : m_file] {
        QGuiApplication::clipboard()->setText(QStringLiteral("lockctl run ") + QString::fromStdString(shellWord(word)));
    };
    const auto saved = m_own->saved(shown.name);
    if (!m_file.empty() || lab::builtInScenario(shown.name) || saved == shown)
        return copy();
    const bool canSave = m_own->hasUnsaved(shown.name);
    auto *dialog = new QuestionDialog(tr("“%1” is not saved as it is shown here.").arg(displayText(shown.name)),
        canSave     ? tr("lockctl plays the text that is saved, without your last changes.")
            : saved ? tr("lockctl plays the text that is saved, and that is another one by now.")
                    : tr("lockctl finds none of this name that can be played among what is saved."),
        this);
    dialog->addAnswer(tr("Copy all the same"), {}, copy);
    if (canSave)
        dialog->addAnswer(tr("Save and copy"), QStringLiteral("primary"), [this, copy] { m_own->save(copy); });
    dialog->show();
}

bool LabPage::hasUnsavedChanges() const { return m_own->hasUnsavedChanges(); }

void LabPage::askBeforeLosing(std::function<void()> then)
{
    m_tabs->setCurrentIndex(m_stack->indexOf(m_own));
    m_own->askBeforeLosing(std::move(then));
}

bool LabPage::keepUnsaved() { return m_own->keepUnsaved(); }

/// Behind the question where to connect: of two that are asked at once neither gets the keys for sure.
void LabPage::offerUnsaved(std::function<void()> show)
{
    if (const auto *asking = qobject_cast<QDialog *>(QApplication::activeModalWidget())) {
        connect(
            asking, &QDialog::finished, this, [this, show = std::move(show)] { offerUnsaved(show); },
            Qt::QueuedConnection);
        return;
    }
    const auto kept = m_own->takeKeptUnsaved();
    if (kept.empty())
        return;
    QStringList names;
    QStringList newFiles;
    for (const OwnScenariosView::Kept &each : kept) {
        names << tr("“%1”").arg(displayText(each.name));
        if (each.hasNewFile)
            newFiles << names.back();
    }
    QStringList details;
    if (newFiles.size() < names.size())
        details << tr("They are kept beside their files until you save or revert them, and are there whenever you open "
                      "one among your scenarios.",
            nullptr, static_cast<int>(names.size() - newFiles.size()));
    if (!newFiles.isEmpty())
        details << tr("What was written of %1 is a file of that name now: it had none any more, or another window had "
                      "changes of the same scenario.")
                       .arg(newFiles.join(QStringLiteral(", ")));
    auto *dialog = new QuestionDialog(
        tr("Changes of %1 were not saved when the program was ended.").arg(names.join(QStringLiteral(", "))),
        details.join(u' '), window());
    dialog->addAnswer(
        tr("Show them"), QStringLiteral("primary"), [this, name = kept.front().name, show = std::move(show)] {
            show();
            m_tabs->setCurrentIndex(m_stack->indexOf(m_own));
            m_own->choose(name);
        });
    dialog->show();
}

void LabPage::showScenario(const std::string &name)
{
    const Scenario *scenario = lab::builtInScenario(name);
    if (!scenario)
        return;
    m_file.clear();
    m_stage->setScenario(*scenario);
}

void LabPage::showSession()
{
    m_list->showVerdicts(m_session);
    const PlayRecord *record = m_session.player() ? &m_session.player()->record() : nullptr;
    QString server;
    if (record && !record->start)
        server = tr("starting private servers…");
    else if (record)
        server = tr("private server · redis %1").arg(displayText(record->serverVersion));
    m_server->setText(server);
    m_watch->setVisible(record && record->start);
    if (std::exchange(m_isPlaying, record != nullptr) && !record)
        end(&m_session);
    const int passed = static_cast<int>(std::ranges::count(
        lab::builtInScenarios(), Verdict::Passed, [this](const auto &each) { return m_session.verdictOf(each.name); }));
    const int failed = static_cast<int>(std::ranges::count(
        lab::builtInScenarios(), Verdict::Failed, [this](const auto &each) { return m_session.verdictOf(each.name); }));
    QStringList verdicts;
    if (passed > 0 || failed > 0)
        verdicts << tr("%n passed", nullptr, passed);
    if (failed > 0)
        verdicts << tr("%n failed", nullptr, failed);
    m_passed->setText(verdicts.join(QStringLiteral(" · ")));
    m_passed->setVisible(!verdicts.isEmpty());
    Q_EMIT ownFigureChanged();
}

/// That something is played out of sight.
QString LabPage::ownFigure() const
{
    const bool isPlaying = m_session.isPlaying() || (m_freePlay != nullptr && m_freePlay->isRunning());
    return isPlaying && !isVisible() ? QStringLiteral("◔") : QString();
}

QString LabPage::guideSection() const
{
    const QWidget *shown = m_stack->currentWidget();
    return shown == m_own     ? QStringLiteral("your-own-scenarios")
        : shown == m_freePlay ? QStringLiteral("free-play")
                              : QString();
}

void LabPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_session.lookForTools();
    m_toolLook.start();
    Q_EMIT ownFigureChanged();
}

void LabPage::hideEvent(QHideEvent *event)
{
    Page::hideEvent(event);
    m_toolLook.stop();
    Q_EMIT ownFigureChanged();
}

void LabPage::save(QSettings &settings) const
{
    settings.setValue(AcrossSettings, m_across->saveState());
    settings.setValue(ScenarioSettings, QString::fromStdString(m_list->chosen()));
    m_stage->save(settings, StageSettings);
}

void LabPage::restore(const QSettings &settings)
{
    m_across->restoreState(settings.value(AcrossSettings).toByteArray());
    m_list->choose(settings.value(ScenarioSettings).toString().toStdString());
    m_stage->restore(settings, StageSettings);
}

} // namespace lockui
