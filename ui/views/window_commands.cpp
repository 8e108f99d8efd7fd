// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/catalog.h"
#include "ui/dialogs/help_window.h"
#include "ui/lab/scenario_library.h"
#include "ui/models/palette_source.h"
#include "ui/support/freshness.h"
#include "ui/support/lock_commands.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/action_requests.h"
#include "ui/views/audit_page.h"
#include "ui/views/client_actions.h"
#include "ui/views/command_palette.h"
#include "ui/views/connected_place.h"
#include "ui/views/copy_menu.h"
#include "ui/views/empty_state.h"
#include "ui/views/filter_field.h"
#include "ui/views/graph_page.h"
#include "ui/views/lab_page.h"
#include "ui/views/locks_bar.h"
#include "ui/views/locks_page.h"
#include "ui/views/main_window.h"
#include "ui/views/page_commands.h"
#include "ui/views/pages.h"
#include "ui/views/recordings.h"
#include "ui/views/status_strip.h"
#include "ui/views/top_bar.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>
#include <functional>

/// What the command palette offers of the window: a source for each sort of thing.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

QString shortcutText(const QKeySequence &keys) { return keys.toString(QKeySequence::NativeText); }

/// While something is needed first, the step there stands for what it does.
PaletteEntry command(
    const QString &text, const QKeySequence &keys, const PaletteNeed &need, const std::function<void()> &run)
{
    return { PaletteKind::Action, text, {}, shortcutText(keys), need.text, need.text.isEmpty() ? run : need.step };
}

QString aboutOf(const lab::Scenario &scenario)
{
    QStringList paragraphs;
    for (const std::string &paragraph : scenario.about)
        paragraphs << displayText(paragraph);
    return paragraphs.join(QLatin1Char(' '));
}

/// To the lock that the page shows in full, if it is this one and can be acted on.
template <typename Act>
void actOnShown(const LocksPage &page, const LockName &name, Act act)
{
    const LockTableModel::Lock lock = page.selectedLock();
    if (lock && lock->name == name && page.whyNotNow().isEmpty())
        act(lock);
}

/// What a person has chosen in the detail of the lock; none while another lock is shown there.
template <typename Chosen>
auto chosenOf(const LocksPage &page, const LockName &name, Chosen chosen)
    -> decltype(std::invoke(chosen, page.detail()))
{
    const LockTableModel::Lock lock = page.selectedLock();
    if (!lock || lock->name != name)
        return std::nullopt;
    return std::invoke(chosen, page.detail());
}

} // namespace

void MainWindow::showPalette()
{
    if (!m_palette)
        m_palette = new CommandPalette(m_services.theme, this);
    if (m_palette->isVisible())
        m_palette->leave();
    else
        m_palette->open(paletteSources());
}

PaletteSources MainWindow::paletteSources()
{
    PaletteSources sources;
    const auto add = [&sources](std::vector<PaletteEntry> entries) {
        sources.push_back(std::make_unique<PaletteList>(std::move(entries)));
    };
    add(pageEntries());
    add(lockCommands());
    add(connectionCommands());
    add(windowCommands());
    add(scenarioCommands());
    // The buttons of the locks' page are for the chosen lock but for those in its bar.
    const QWidget *part = m_pages->shown();
    if (part == m_locks)
        part = m_locks->findChild<LocksBar *>();
    add(commandsOf(*part, m_pages->shownTitle()));
    add(hiddenPageCommands());
    add(emptinessCommands());
    if (const auto *feed = m_strip->findChild<FeedButton *>(); feed->isVisible())
        add(commandsOf(*feed->menu(), tr("How changes are heard")));
    add(chapterEntries());
    if (const auto &snapshot = m_pages->snapshot())
        sources.push_back(std::make_unique<LockSource>(snapshot->locks, [this](const LockName &lock) {
            selectLock(lock);
            m_locks->goToRow(); // also where the keys were in the detail
        }));
    return sources;
}

std::vector<PaletteEntry> MainWindow::pageEntries()
{
    std::vector<PaletteEntry> entries;
    for (const PageName &name : PageNames) {
        const auto id = QString::fromLatin1(name.id);
        entries.push_back({ PaletteKind::Page, Pages::titleOf(name), {}, shortcutText(Qt::CTRL | name.key), {},
            [this, id] { showPage(id); } });
    }
    return entries;
}

std::vector<PaletteEntry> MainWindow::hiddenPageCommands()
{
    std::vector<PaletteEntry> entries;
    if (m_pages->shown() != m_graph) // which has its button
        entries.push_back(breakCommand());
    for (const PageName &name : PageNames) {
        const auto id = QString::fromLatin1(name.id);
        const Page *page = m_pages->page(id);
        if (page == m_pages->shown())
            continue;
        const bool showsWhatIsOpen = page != m_audit && page != m_lab;
        const PaletteNeed toBeEnabled = showsWhatIsOpen && !m_replays ? needToWatch() : PaletteNeed{};
        for (PaletteEntry &entry : commandsOfHidden(
                 *page, Pages::titleOf(name), [this, id] { showPage(id); }, toBeEnabled))
            entries.push_back(std::move(entry));
    }
    return entries;
}

/// What can be done where there is no lock to show, as to enter a password: once, though many pages offer it.
std::vector<PaletteEntry> MainWindow::emptinessCommands()
{
    const auto *empty = m_locks->findChild<EmptyState *>();
    const bool isEmpty = !m_snapshot || m_snapshot->locks.empty(); // not only for the filter
    if (!isEmpty || (!m_profile && !m_replays) || !empty->isVisibleTo(m_locks))
        return {};
    const QString title = Pages::titleOf(*std::ranges::find(PageNames, "locks", &PageName::id));
    if (m_pages->shown() == m_locks)
        return commandsOf(*empty, title);
    const auto *shown = m_pages->shown()->findChild<EmptyState *>();
    if (shown && shown->isVisible() && shown->leadsOut())
        return {};
    return commandsOfHidden(*empty, title, [this] { showPage(QStringLiteral("locks")); }, {});
}

/// What is broken, a person chooses in a dialog that shows the graph's cycle.
PaletteEntry MainWindow::breakCommand()
{
    const bool isThere = m_snapshot && m_snapshot->analysis && m_snapshot->analysis->graph
        && !m_snapshot->analysis->graph->cycles.empty();
    PaletteEntry entry = command(tr("Break the deadlock…"), {},
        isThere ? PaletteNeed{} : PaletteNeed{ tr("there is no deadlock"), nullptr }, [this] {
            showPage(QStringLiteral("graph"));
            if (m_graph->breakFirst())
                return;
            m_bar->filter().clear(); // it leaves out what is asked for
            m_graph->breakFirst();
        });
    entry.note = tr("goes to “%1” first").arg(Pages::titleOf(*std::ranges::find(PageNames, "graph", &PageName::id)));
    return entry;
}

std::vector<PaletteEntry> MainWindow::chapterEntries()
{
    std::vector<PaletteEntry> entries;
    for (const HelpWindow::Section &section : HelpWindow::sections())
        entries.push_back(
            { PaletteKind::Chapter, section.title, {}, {}, {}, [this, target = section.target] { showHelp(target); } });
    return entries;
}

std::vector<PaletteEntry> MainWindow::scenarioCommands()
{
    const lab::LabSession &session = m_lab->session();
    PaletteNeed need;
    if (!session.canPlay())
        need = { tr("something is missing: see the page"), [this] { showPage(QStringLiteral("lab")); } };
    else if (session.isPlaying())
        need = { tr("another one is running"), [this] { showPage(QStringLiteral("lab")); } };
    std::vector<PaletteEntry> entries;
    std::vector<lab::Scenario> all = m_lab->ownScenarios();
    all.insert(all.begin(), lab::builtInScenarios().begin(), lab::builtInScenarios().end());
    for (const lab::Scenario &scenario : all) {
        entries.push_back(command(tr("Run scenario: %1").arg(displayText(scenario.title)), {}, need,
            [this, scenario] { playScenario(scenario); }));
        entries.back().about = displayText(scenario.name) + QLatin1Char(' ') + aboutOf(scenario);
    }
    if (m_pages->shown() != m_lab) // which has its button
        entries.push_back(reportCommand());
    entries.push_back(command(tr("Play freely with contention"), {}, {}, [this] {
        showPage(QStringLiteral("lab"));
        m_lab->showFreePlay();
    }));
    return entries;
}

PaletteEntry MainWindow::reportCommand()
{
    const auto show = [this] { showPage(QStringLiteral("lab")); };
    const PaletteNeed need = m_lab->hasReport() ? PaletteNeed{} : PaletteNeed{ tr("run the scenario first"), show };
    return command(tr("%1: Save report…").arg(Pages::titleOf(*std::ranges::find(PageNames, "lab", &PageName::id))), {},
        need, [this, show] {
            show();
            m_lab->saveReport();
        });
}

PaletteNeed MainWindow::needToWatch()
{
    if (m_replays)
        return { tr("not in a recording"), nullptr };
    return m_profile ? PaletteNeed{} : PaletteNeed{ tr("connect first"), [this] { askForConnection(); } };
}

PaletteNeed MainWindow::needToAttend()
{
    if (m_attention.count() > 0)
        return {};
    if (!m_replays && !m_profile)
        return needToWatch();
    const bool isKnown = m_snapshot && m_snapshot->analysis && isFresh(*m_snapshot);
    return { isKnown ? tr("nothing looks wrong") : tr("it is not known what looks wrong"), nullptr };
}

PaletteNeed MainWindow::needToWrite()
{
    if (!m_profile || m_writable)
        return needToWatch();
    if (m_profile->readOnlyLocked)
        return { tr("this connection is always read-only"), nullptr };
    if (!m_isReached)
        return { whyNotReached(m_snapshot.get()), nullptr };
    return { tr("read-only: switch to writable first"), [this] { toggleWritable(); } };
}

PaletteNeed MainWindow::needToLead()
{
    if (PaletteNeed need = needToWrite(); !need.text.isEmpty())
        return need;
    return { whyNotReached(m_snapshot.get()), nullptr };
}

PaletteNeed MainWindow::needToActOn(const LockState &lock)
{
    if (PaletteNeed need = needToWrite(); !need.text.isEmpty())
        return need;
    if (m_pausedAt)
        return { tr("paused: resume first"), [this] { setPaused(false); } };
    if (!m_snapshot || !isFresh(*m_snapshot))
        return { tr("what is shown is not up to date"), nullptr };
    return { lostText(lostServersOf(*m_snapshot, lock)), nullptr };
}

std::vector<PaletteEntry> MainWindow::connectionCommands()
{
    const PaletteNeed watched = needToWatch();
    const bool isOpen = m_profile || m_replays;
    const bool cannotWrite = m_profile && !m_writable && (m_profile->readOnlyLocked || !m_isReached);
    const PaletteNeed toOpen = isOpen ? PaletteNeed{} : PaletteNeed{ tr("nothing is open"), nullptr };
    const bool isRecording = m_services.monitor.recorder().state().has_value();
    const PaletteNeed seen
        = watched.text.isEmpty() && !m_isReached ? PaletteNeed{ whyNotReached(m_snapshot.get()), nullptr } : watched;
    std::vector<PaletteEntry> entries{
        command(tr("Connect…"), Qt::CTRL | Qt::Key_N, {}, [this] { askForConnection(); }),
        command(m_writable ? tr("Switch back to read-only") : tr("Switch to writable…"), {},
            cannotWrite ? needToWrite() : watched, [this] { toggleWritable(); }),
        command(m_pausedAt ? tr("Resume") : tr("Pause"), Qt::CTRL | Qt::Key_Space, m_pausedAt ? watched : seen,
            [this] { setPaused(!m_pausedAt); }),
        command(isRecording ? tr("End the recording") : tr("Record"), Qt::CTRL | Qt::Key_R,
            isRecording ? watched : seen, [this] { m_recordings->toggleRecording(); }),
        command(tr("Open a recording…"), Qt::CTRL | Qt::Key_O, {}, [this] { m_recordings->askForFile(); }),
        command(tr("Rescan all keys"), Qt::Key_F5, watched, [this] { look(); }),
        command(tr("Take a lock by hand"), {}, needToLead(), [this] { leadByHand(); }),
        command(m_replays ? tr("Close the recording") : tr("Disconnect"), {}, toOpen, [this] { closeConnection(); }),
    };
    const auto recent = m_services.connections.recent();
    for (const ConnectionProfile &profile : recent)
        entries.push_back(command(tr("Connect to %1").arg(titleAmong(profile, recent)), {}, {},
            [this, profile] { openConnection(profile); }));
    return entries;
}

std::vector<PaletteEntry> MainWindow::windowCommands()
{
    const PaletteNeed toAttend = needToAttend();
    const bool hasFilter = !m_bar->filter().text().isEmpty();
    std::vector<PaletteEntry> entries{
        command(tr("Next lock that needs attention"), Qt::Key_F8, toAttend, [this] { showNeedy(1); }),
        command(tr("Previous lock that needs attention"), Qt::SHIFT | Qt::Key_F8, toAttend, [this] { showNeedy(-1); }),
        command(tr("Filter"), Qt::CTRL | Qt::Key_K, {}, [this] { enterFilter(); }),
        command(tr("Clear the filter"), {}, hasFilter ? PaletteNeed{} : PaletteNeed{ tr("there is none"), nullptr },
            [this] { m_bar->filter().clear(); }),
        command(tr("User guide"), Qt::Key_F1, {}, [this] { showHelp(m_pages->guideTarget()); }),
    };
    const std::pair<QString, Theme::Mode> themes[] = { { tr("Theme: as the system"), Theme::System },
        { tr("Theme: light"), Theme::Light }, { tr("Theme: dark"), Theme::Dark } };
    for (const auto &[text, mode] : themes)
        entries.push_back(command(text, {}, {}, [this, mode = mode] { m_services.theme.setMode(mode); }));
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        const QString title = m_locks->locks().headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const QKeySequence keys(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + column));
        entries.push_back(command(tr("Sort the locks by “%1”").arg(title), keys, {}, [this, column] {
            showPage(QStringLiteral("locks"));
            m_locks->sortBy(column);
        }));
    }
    entries.push_back(command(tr("Quit"), Qt::CTRL | Qt::Key_Q, {}, [this] { close(); }));
    return entries;
}

/// Which one, a person says in the detail of the semaphore, unless there is one alone.
PaletteEntry MainWindow::returnCommand(
    const LockTableModel::Lock &lock, const QString &called, const PaletteNeed &toChoose)
{
    const QString text = tr("Return a permit of %1…").arg(called);
    if (!lock)
        return command(text, {}, toChoose, {});
    if (!lock->permits || !lock->permits->leased)
        return command(text, {}, { tr("it gives no permits that can be returned"), nullptr }, {});
    const std::vector<PermitReading> &leases = lock->permits->leases;
    if (leases.empty())
        return command(text, {}, { tr("nobody has one"), nullptr }, {});
    PaletteNeed need = needToActOn(*lock);
    auto permit = chosenOf(*m_locks, lock->name, &DetailPanel::chosenPermit);
    if (!permit && leases.size() == 1 && morePermits(*lock->permits) == 0)
        permit = leases.front();
    if (need.text.isEmpty() && !permit)
        need = { tr("choose a permit first"), [this, name = lock->name] {
                    selectLock(name);
                    m_locks->detail().focusPermits();
                } };
    return command(text, {}, need, [this, name = lock->name, permit] {
        selectLock(name);
        actOnShown(*m_locks, name, [&](const auto &current) { m_requests->askToReturn(current, *permit); });
    });
}

/// Which waiter, a person says there as well.
PaletteEntry MainWindow::dropCommand(
    const LockTableModel::Lock &lock, const QString &called, const PaletteNeed &toChoose)
{
    const QString text = tr("Drop a waiter of %1…").arg(called);
    if (!lock)
        return command(text, {}, toChoose, {});
    if (lock->waiters.empty())
        return command(text, {},
            { lock->kind == Kind::Fair ? tr("nobody is in its queue") : tr("it has no queue that one could leave"),
                nullptr },
            {});
    PaletteNeed need = needToActOn(*lock);
    const auto waiter = chosenOf(*m_locks, lock->name, &DetailPanel::chosenWaiter);
    if (need.text.isEmpty() && !waiter)
        need = { tr("choose a waiter first"), [this, name = lock->name] {
                    selectLock(name);
                    m_locks->detail().focusQueue();
                } };
    return command(text, {}, need, [this, name = lock->name, waiter] {
        selectLock(name);
        actOnShown(*m_locks, name, [&](const auto &current) { m_requests->askToDrop(current, *waiter); });
    });
}

namespace {

/// Somebody may well have a part of a counter.
QString whyNobodyHolds(const LockState &lock)
{
    if (lock.kind == Kind::CountDownLatch)
        return MainWindow::tr("a latch is held by nobody");
    return isCounter(lock.kind) ? MainWindow::tr("Redis does not say who has its permits")
                                : MainWindow::tr("nobody holds it");
}

/// As the menus of a lock have it, beside the name.
std::vector<PaletteEntry> copyCommands(const LockTableModel::Lock &lock, const QString &called,
    const PaletteNeed &toChoose, const Origin &origin, const ViewClock &clock)
{
    const LockName name = lock ? lock->name : LockName();
    const auto copied = [&](const QString &text, const QString &about, const PaletteNeed &need,
                            const std::function<std::string()> &what) {
        PaletteEntry entry = command(text, {}, toChoose.text.isEmpty() ? need : toChoose,
            [what] { QGuiApplication::clipboard()->setText(QString::fromStdString(what())); });
        entry.about = about;
        return entry;
    };
    std::string owners;
    if (lock)
        for (const Holder &holder : lock->holders)
            owners += (owners.empty() ? "" : "\n") + copyText(toString(holder.owner)).toStdString();
    std::string redisCli = lock ? redisCliCommand(*lock, origin) : std::string();
    const PaletteNeed toBeHeld = owners.empty() && lock ? PaletteNeed{ whyNobodyHolds(*lock), nullptr } : PaletteNeed{};
    const PaletteNeed toBeThere{ MainWindow::tr("it is not known where it is"), nullptr };
    return {
        copied(MainWindow::tr("Copy the owner of %1").arg(called), MainWindow::tr("copy the owners"), toBeHeld,
            [owners] { return owners; }),
        copied(MainWindow::tr("Copy %1 as JSON").arg(called), {}, {},
            [name, origin, &clock] { return copyTargetOf({ name }, origin, clock).json(); }),
        copied(MainWindow::tr("Copy %1 as a lockctl command").arg(called), {},
            origin.deployment ? PaletteNeed{} : toBeThere, [name, origin] { return lockctlCommand(name, origin); }),
        copied(MainWindow::tr("Copy %1 as a redis-cli command").arg(called), {},
            redisCli.empty() ? toBeThere : PaletteNeed{}, [redisCli] { return redisCli; }),
    };
}

PaletteEntry foundAlsoBy(PaletteEntry entry, const QString &words)
{
    entry.about = words;
    return entry;
}

} // namespace

/// An action first shows the lock in full: it is done to what a person sees.
std::vector<PaletteEntry> MainWindow::lockCommands()
{
    const auto &snapshot = m_pages->snapshot();
    const bool isOnPage = m_pages->shown() == m_locks && m_locks->selectedLock();
    const std::optional<LockName> chosen = isOnPage ? m_locks->selectedLock()->name : m_pages->chosen();
    const LockTableModel::Lock lock = snapshot && chosen ? snapshot->locks.find(*chosen) : nullptr;
    const LockName name = chosen.value_or(LockName()); // without a lock nothing is done to it
    const PaletteNeed toChoose = lock ? PaletteNeed{}
        : !m_profile && !m_replays    ? needToWatch() // there is none to choose
                                      : PaletteNeed{ tr("choose a lock first"), nullptr };
    const PaletteNeed toHold = !lock ? toChoose
        : isFree(*lock)              ? PaletteNeed{ whyNobodyHolds(*lock), nullptr }
                                     : PaletteNeed{};
    const PaletteNeed toKnowOne
        = !toHold.text.isEmpty() || lock->holders.size() == 1 ? toHold : PaletteNeed{ tr("several hold it"), nullptr };
    const PaletteNeed toAct = toHold.text.isEmpty() ? needToActOn(*lock) : toHold;
    constexpr int MostOfName = 60;
    const QString called = lock ? lockNameText(name, MostOfName) : tr("the chosen lock");
    const OwnerId owner = lock && lock->holders.size() == 1 ? lock->holders.front().owner : OwnerId();
    const auto act = [this, name](auto what) {
        return [this, name, what] {
            selectLock(name);
            actOnShown(*m_locks, name, what);
        };
    };
    PaletteEntry allOfHolder = command(tr("All that the holder of %1 holds and waits for…").arg(called), {}, toKnowOne,
        [this, owner] { m_requests->clients().show(owner.client); });
    allOfHolder.about = tr("all of this client, everything that it has", "words that one might look for");
    std::vector<PaletteEntry> entries{
        command(tr("Force release %1…").arg(called), {}, toAct,
            act([this](const LockTableModel::Lock &current) { m_requests->askToRelease(current); })),
        command(tr("Renew %1…").arg(called), {}, toAct,
            act([this](const LockTableModel::Lock &current) { m_requests->askForRenewal(current); })),
        foundAlsoBy(returnCommand(lock, called, toChoose), tr("return this permit")),
        foundAlsoBy(dropCommand(lock, called, toChoose), tr("drop this waiter")),
        command(tr("Copy the name of %1").arg(called), {}, toChoose,
            [name] { QGuiApplication::clipboard()->setText(copyText(name)); }),
        foundAlsoBy(
            command(tr("Show only what the holder of %1 holds").arg(called), {}, toKnowOne,
                [this, owner] { m_bar->filter().setText(QStringLiteral("holder:") + displayText(owner.client)); }),
            tr("only what this client holds")),
        allOfHolder,
        foundAlsoBy(command(tr("Name the client that holds %1…").arg(called), {}, toKnowOne,
                        [this, owner] { m_requests->clients().askForName(owner.client); }),
            tr("name this client")),
        foundAlsoBy(command(tr("Who is the client that holds %1?").arg(called), {}, toKnowOne,
                        [this, name, owner] {
                            selectLock(name);
                            m_requests->clients().askWhoThatIs(owner.client, m_locks->selectedLock());
                        }),
            tr("who is that?")),
    };
    for (PaletteEntry &entry : copyCommands(lock, called, toChoose, m_pages->origin(), m_clock))
        entries.push_back(std::move(entry));
    return entries;
}

} // namespace lockui
