// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/rounds.h"
#include "tests/gui/test_window.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/redis_server.h"

#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <map>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace lockcore;

namespace {

struct RestPlan : lockbench::Rounds {
    int locks = 100'000;
    Millis settles{ 5'000 }; // after each change of the window
    Millis watched{ 20'000 }; // in each state
};

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

void runFor(Millis duration)
{
    QEventLoop loop;
    QTimer::singleShot(duration, &loop, &QEventLoop::quit);
    loop.exec();
}

class RestBenchmark : lockbench::BenchmarkInRounds {
public:
    RestBenchmark(const RestPlan &plan, lockui::test::TestWindow &program)
        : BenchmarkInRounds(plan)
        , m_plan(plan)
        , m_program(program)
    {
    }

    std::vector<lockbench::Row> run()
    {
        return measure([this] {
            lockui::MainWindow &window = m_program.window;
            measureState(u"shown, at rest"_s, 3, [&] { window.showNormal(); });
            measureState(u"minimised"_s, 0.5, [&] { window.showMinimized(); });
            window.showNormal();
            measureState(u"hidden"_s, 0.5, [&] { window.hide(); });
        });
    }

private:
    template <typename Change>
    void measureState(const QString &name, double goal, Change change)
    {
        if (!isWanted(name))
            return;
        change();
        runFor(m_plan.settles);
        const auto before = processorTimes();
        QElapsedTimer passed;
        passed.start();
        runFor(m_plan.watched);
        const double seconds = double(passed.nsecsElapsed()) / 1e9;
        double all = 0;
        std::map<QString, double> shares;
        for (const auto &[thread, time] : processorTimes()) {
            const auto known = before.find(thread);
            shares[thread] = (time - (known == before.end() ? 0 : known->second)) / seconds * 100;
            all += shares[thread];
        }
        add(name, all, goal);
        for (const auto &[thread, share] : shares)
            add(name + u": "_s + thread, share);
    }
    void add(const QString &name, double share, std::optional<double> goal = {})
    {
        row({ .name = name, .unit = u"% of a core"_s, .better = lockbench::Better::Lower, .goal = goal })
            .ours.push_back(share);
    }

    const RestPlan m_plan;
    lockui::test::TestWindow &m_program;
};

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    QCommandLineParser options;
    options.setApplicationDescription(u"Measures what the window costs while nothing happens."_s);
    options.addHelpOption();
    lockbench::addRoundsOptions(options, u"Few locks and a moment for each: whether it runs, not how much it takes."_s);
    options.addOptions({ { u"locks"_s, u"That are held all the time; 100000."_s, u"N"_s },
        { u"for"_s, u"How long each state is watched; 20."_s, u"SECONDS"_s } });
    options.process(app);
    RestPlan plan;
    lockbench::read(options, plan);
    if (options.isSet(u"quick"_s))
        plan = { { plan.rounds, plan.only }, 200, Millis(100), Millis(200) };
    if (options.isSet(u"locks"_s))
        plan.locks = lockbench::atLeastOne(options, u"locks"_s);
    if (options.isSet(u"for"_s))
        plan.watched = Millis(1'000 * lockbench::atLeastOne(options, u"for"_s));

    testsupport::RedisServer server;
    if (!server.start() || !fill(server, plan.locks)) {
        std::fprintf(stderr, "restbench: the server cannot be filled\n");
        return 1;
    }
    lockui::test::TestWindow program;
    lockui::ConnectionProfile profile;
    profile.deployment = server.socketEndpoint();
    program.window.resize(1440, 900);
    program.window.show();
    program.window.openConnection(profile);
    const auto isComplete = [&] { return program.monitor.latest()->status.lastSweep.has_value(); };
    for (QElapsedTimer waited =
             [] {
                 QElapsedTimer timer;
                 timer.start();
                 return timer;
             }();
         !isComplete();) {
        if (waited.hasExpired(300'000)) {
            std::fprintf(stderr, "restbench: the locks are not seen\n");
            return 1;
        }
        runFor(Millis(50));
    }
    return lockbench::present(RestBenchmark(plan, program).run(), plan.rounds, options.value(u"json"_s));
}
