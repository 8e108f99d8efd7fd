// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/lock_changes.h"
#include "tests/bench/ui_plan.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/test_window.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/redis_server.h"
#include "ui/views/lock_table.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace lockbench {

using namespace lockcore;

namespace {

/// Each is held for longer than all rounds, by nobody who renews it.
bool fill(const testsupport::RedisServer &server, int locks)
{
    constexpr int CommandsAtOnce = 10'000;
    constexpr int LeaseMs = 24 * 3'600'000;
    testsupport::BlockingClient client(server.socketPath().toStdString());
    testsupport::Commands commands;
    bool taken = true;
    for (int i = 0; i < locks; ++i) {
        const std::string digits = std::to_string(i);
        testsupport::addHold(
            commands, "stock:sku:" + digits, "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:" + digits, LeaseMs);
        if (commands.size() < CommandsAtOnce && i + 1 < locks)
            continue;
        taken = taken && std::ranges::none_of(client.runAll(commands), [](const auto &reply) {
            return reply.isNil() || reply.isError();
        });
        commands.clear();
    }
    return taken;
}

/// Seconds of the processor that each thread of this process has had; threads of the same name together.
std::map<QString, double> processorTimes()
{
    constexpr qsizetype UserTime = 11; // of what follows the name in brackets
    constexpr qsizetype SystemTime = 12;
    std::map<QString, double> times;
    const QStringList threads = QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &thread : threads) {
        QFile file(u"/proc/self/task/"_s + thread + u"/stat"_s);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString line = QString::fromUtf8(file.readAll());
        const qsizetype opens = line.indexOf(u'(');
        const qsizetype closes = line.lastIndexOf(u')');
        const QStringList rest = line.mid(closes + 2).split(u' ');
        if (opens < 0 || rest.size() <= SystemTime)
            continue;
        const bool isMain = thread.toLongLong() == ::getpid();
        times[isMain ? u"window"_s : line.mid(opens + 1, closes - opens - 1)]
            += (rest[UserTime].toDouble() + rest[SystemTime].toDouble()) / double(::sysconf(_SC_CLK_TCK));
    }
    return times;
}

/// Of a core, in percent, that each thread has had.
std::map<QString, double> sharesSince(const std::map<QString, double> &before, double seconds)
{
    std::map<QString, double> shares;
    for (const auto &[thread, time] : processorTimes()) {
        const auto known = before.find(thread);
        shares[thread] = (time - (known == before.end() ? 0 : known->second)) / seconds * 100;
    }
    return shares;
}

void runFor(Millis duration)
{
    QEventLoop loop;
    QTimer::singleShot(duration, &loop, &QEventLoop::quit);
    loop.exec();
}

template <typename Condition>
bool waitFor(Condition condition)
{
    QElapsedTimer waited;
    waited.start();
    constexpr qint64 Patience = 900'000; // hidden, a sweep comes every eight minutes
    while (!condition() && !waited.hasExpired(Patience))
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return condition();
}

lockcore::service::MonitorOptions asInTheProgram()
{
    lockcore::service::MonitorOptions options;
    options.snapshotsPerSecond = 20;
    return options;
}

/// The window, of which each page has been opened once: what hidden pages cost is in all figures.
struct Scene {
    explicit Scene(const testsupport::RedisServer &server)
    {
        profile.deployment = server.socketEndpoint();
        show();
    }

    void show()
    {
        program.window.showNormal();
        program.window.resize(1'920, 1'080); // also where the screen is smaller
    }

    bool open()
    {
        program.window.openConnection(profile);
        if (!waitFor([this] { return program.monitor.latest()->status.lastSweep.has_value(); }))
            return false;
        for (const auto &page : lockui::PageNames) {
            program.window.showPage(QString::fromLatin1(page.id.data(), qsizetype(page.id.size())));
            runFor(Millis(500));
        }
        program.window.showPage(u"locks"_s);
        return true;
    }

    lockui::LockTable &table() { return *lockui::test::named<lockui::LockTable>(program.window, u"Locks"_s); }

    lockui::ConnectionProfile profile;
    lockui::test::TestWindow program{ asInTheProgram() };
};

class WindowBenchmark : UiBenchmark {
public:
    using UiBenchmark::UiBenchmark;

    std::vector<Row> run()
    {
        std::vector<Row> rows = measure([this] {
            start();
            moving(u"locks by TTL, detail and charts open"_s, [this](lockui::MainWindow &window) {
                window.showPage(u"locks"_s);
                m_scene->table().sortByColumn(lockui::LockTableModel::Ttl, Qt::AscendingOrder);
            });
            moving(u"locks by client, in one group"_s, [this](lockui::MainWindow &window) {
                window.showPage(u"locks"_s);
                m_scene->table().sortByColumn(lockui::LockTableModel::Ttl, Qt::AscendingOrder);
                m_scene->table().setGrouping(lockui::Grouping::Client);
            });
            if (m_scene)
                m_scene->table().setGrouping(lockui::Grouping::None);
            moving(u"dashboard, live"_s, [](lockui::MainWindow &window) { window.showPage(u"dashboard"_s); });
            moving(u"timeline, live"_s, [](lockui::MainWindow &window) { window.showPage(u"timeline"_s); });
            atRest(u"shown, at rest"_s, 3, [](lockui::MainWindow &) {});
            atRest(u"minimised"_s, 0.5, [](lockui::MainWindow &window) { window.showMinimized(); });
            atRest(u"hidden"_s, 0.5, [](lockui::MainWindow &window) { window.hide(); });
        });
        return m_failed ? std::vector<Row>() : rows;
    }

private:
    /// Null: it cannot be had.
    lockui::MainWindow *window()
    {
        if (!m_scene && !m_failed) {
            m_failed = !fillServer();
            m_scene = m_failed ? nullptr : std::make_unique<Scene>(*m_server);
            if (m_scene && !m_scene->open()) {
                std::fprintf(stderr, "uibench: the locks are not seen\n");
                m_failed = true;
            }
        }
        return m_failed ? nullptr : &m_scene->program.window;
    }
    bool fillServer()
    {
        if (m_server)
            return true;
        m_server = std::make_unique<testsupport::RedisServer>();
        if (m_server->start() && fill(*m_server, m_plan.locks))
            return true;
        std::fprintf(stderr, "uibench: the server cannot be filled\n");
        return false;
    }

    /// From making the window to the picture that has rows.
    void start()
    {
        const QString name = u"start to first rows, %1 locks"_s.arg(m_plan.locks);
        if (!isWanted(name))
            return;
        if (!fillServer()) {
            m_failed = true;
            return;
        }
        m_scene.reset();
        QElapsedTimer passed;
        passed.start();
        Scene scene(*m_server);
        scene.program.window.openConnection(scene.profile);
        if (!waitFor([&] { return scene.table().model()->rowCount() > 0; }))
            return;
        m_frames.begin();
        waitFor([&] { return !m_frames.frames().milliseconds.empty(); });
        add({ .name = name, .unit = u"s"_s, .better = Better::Lower, .goal = 0.5 },
            double(passed.nsecsElapsed()) / 1e9);
    }

    template <typename Show>
    void moving(const QString &name, Show show)
    {
        if (!isWanted(name) || window() == nullptr)
            return;
        m_scene->show();
        const LockChanges changes(*m_server, m_plan.changes);
        show(m_scene->program.window);
        runFor(m_plan.settles);
        m_frames.begin();
        const auto before = processorTimes();
        QElapsedTimer passed;
        passed.start();
        runFor(m_plan.watched);
        const double seconds = double(passed.nsecsElapsed()) / 1e9;
        addFrames(name);
        for (const auto &[thread, share] : sharesSince(before, seconds))
            addShare(name + u": "_s + thread, share);
        add({ .name = name + u", frames"_s, .unit = u"a second"_s },
            double(m_frames.frames().milliseconds.size()) / seconds);
        add({ .name = name + u", changes"_s, .unit = u"a second"_s }, changes.perSecond());
    }

    template <typename Change>
    void atRest(const QString &name, double goal, Change change)
    {
        if (!isWanted(name) || window() == nullptr)
            return;
        m_scene->show();
        m_scene->program.window.showPage(u"locks"_s);
        change(m_scene->program.window);
        runFor(m_plan.settles);
        if (m_plan.isRestWhole) {
            m_scene->program.monitor.refresh();
            untilSwept();
        }
        const auto before = processorTimes();
        QElapsedTimer passed;
        passed.start();
        if (m_plan.isRestWhole)
            untilSwept();
        else
            runFor(m_plan.watched);
        const auto shares = sharesSince(before, double(passed.nsecsElapsed()) / 1e9);
        double all = 0;
        for (const auto &[thread, share] : shares)
            all += share;
        addShare(name, all, goal);
        for (const auto &[thread, share] : shares)
            addShare(name + u": "_s + thread, share);
    }
    /// A background sweep costs more than all else at rest: from the end of one to the end of the next there is just
    /// one.
    void untilSwept()
    {
        const auto finished = [this] { return m_scene->program.monitor.latest()->status.lastSweep->finishedAt; };
        const auto before = finished();
        if (!waitFor([&] { return finished() != before; }))
            std::fprintf(stderr, "uibench: no sweep came\n");
    }
    void addShare(const QString &name, double share, std::optional<double> goal = {})
    {
        add({ .name = name, .unit = u"% of a core"_s, .better = Better::Lower, .goal = goal }, share);
    }

    std::unique_ptr<testsupport::RedisServer> m_server;
    std::unique_ptr<Scene> m_scene; // with the first figure that needs it
    bool m_failed = false;
};

} // namespace

std::vector<Row> windowFigures(const UiPlan &plan, FrameWatcher &frames) { return WindowBenchmark(plan, frames).run(); }

} // namespace lockbench
