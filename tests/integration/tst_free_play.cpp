// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/free_play.h"
#include "lockcore/service/monitor.h"
#include "lockcore/transport/deployment.h"
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstdio>

using namespace lockui::lab;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::synchronizers::LockVariant;

namespace {

const QString ClientProgram = QStringLiteral(LOCKCTL);
constexpr int Long = 60'000; // on a busy computer

/// Processes of which a part of the command line is this.
qsizetype processesWith(const QByteArray &part)
{
    qsizetype found = 0;
    for (const QString &process : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        QFile file(u"/proc/%1/cmdline"_s.arg(process));
        if (process.toInt() > 0 && file.open(QIODevice::ReadOnly) && file.readAll().contains(part))
            ++found;
    }
    return found;
}

GroupSettings quick(Kind kind, LockVariant variant = LockVariant::Standard)
{
    static std::uint64_t last = 0;
    GroupSettings settings;
    settings.id = GroupId{ ++last };
    settings.kind = kind;
    settings.variant = variant;
    settings.clients = 3;
    settings.hold = { Spread::Exponential, 5ms };
    settings.think = { Spread::Exponential, 5ms };
    return settings;
}

/// Nobody does anything by itself for as long as a test lasts.
GroupSettings still(Kind kind)
{
    GroupSettings settings = quick(kind);
    settings.clients = 2;
    settings.hold = { Spread::Fixed, 1h };
    settings.think = { Spread::Fixed, 1h };
    settings.watchdog = 1'500ms;
    return settings;
}

struct Fixture {
    Fixture()
        : play(ClientProgram)
    {
        QObject::connect(&play, &FreePlay::stateChanged, &play, [this](const auto &given) { state = given; });
        QObject::connect(&play, &FreePlay::acted, &play, [this](const HandOutcome &given) { acted.push_back(given); });
        QObject::connect(&play, &FreePlay::failed, &play, [this](const auto &given) { error = given; });
    }

    const GroupState &group(std::size_t index = 0) const { return state->groups.at(index); }
    const ContenderState &client(std::size_t index, std::size_t ofGroup = 0) const
    {
        return group(ofGroup).clients.at(index);
    }
    bool areReady() const
    {
        return state && state->phase == FreePlayPhase::Running && !state->groups.empty()
            && std::ranges::all_of(state->groups, [](const GroupState &each) {
                   return std::ssize(each.clients) == each.settings.clients
                       && std::ranges::none_of(
                           each.clients, [](const ContenderState &one) { return one.phase == ClientPhase::Starting; });
               });
    }
    bool eachGot(std::int64_t acquires) const
    {
        return areReady() && std::ranges::all_of(state->groups, [&](const GroupState &each) {
            return std::ranges::all_of(
                each.clients, [&](const ContenderState &one) { return one.acquires >= acquires; });
        });
    }
    /// By hand, until it has ended.
    HandOutcome act(const std::string &client, HandAct what)
    {
        const auto before = std::ssize(acted);
        play.act(group().settings.id, client, what);
        auto found = acted.end();
        const bool hasEnded = QTest::qWaitFor(
            [&] {
                found = std::find_if(acted.begin() + before, acted.end(),
                    [&](const HandOutcome &each) { return each.client == client && each.act == what; });
                return found != acted.end();
            },
            Long);
        return hasEnded ? *found : HandOutcome{ .client = {}, .outcome = Outcome::No };
    }

    app::ProcessFreePlay play;
    std::shared_ptr<const FreePlayState> state;
    std::vector<HandOutcome> acted;
    std::optional<lockcore::Error> error;
};

} // namespace

class TestFreePlay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_temporary.isValid());
        qputenv("TMPDIR", m_temporary.path().toUtf8());
    }
    void cleanup()
    {
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(folders()), 0, Long);
        QVERIFY(QDir(m_temporary.path()).entryList({ u"lockscope-*"_s }, QDir::Dirs).isEmpty());
    }

    void clientsOfEachKindMakeProgress_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("variant");
        const auto row = [](Kind kind, LockVariant variant, const char *name) {
            QTest::newRow(name) << int(kind) << int(variant);
        };
        row(Kind::Reentrant, LockVariant::Standard, "reentrant");
        row(Kind::Reentrant, LockVariant::Spin, "spin");
        row(Kind::Reentrant, LockVariant::NonReentrant, "non-reentrant");
        row(Kind::Fair, LockVariant::Standard, "fair");
        row(Kind::Fenced, LockVariant::Standard, "fenced");
        row(Kind::ReadWrite, LockVariant::Standard, "read/write");
        row(Kind::Semaphore, LockVariant::Standard, "semaphore");
        row(Kind::PermitExpirableSemaphore, LockVariant::Standard, "expirable permits");
    }
    void clientsOfEachKindMakeProgress()
    {
        QFETCH(const int, kind);
        QFETCH(const int, variant);
        Fixture f;
        f.play.start({ quick(static_cast<Kind>(kind), static_cast<LockVariant>(variant)) });
        QTRY_VERIFY_WITH_TIMEOUT(f.eachGot(10) && f.group().figures.seconds.size() >= 2, Long);
        QVERIFY(!f.error);
        QCOMPARE(f.group().overlaps, 0);
        QCOMPARE(f.group().losses, 0);
        QVERIFY(f.group().figures.acquiresPerSecond > 0);
        QVERIFY(f.group().figures.halfWait && f.group().figures.halfWait <= f.group().figures.longWait);
        QVERIFY(f.group().figures.fairness > 1.0 / 3 && f.group().figures.fairness <= 1);
        double shares = 0;
        for (const ContenderState &each : f.group().clients)
            shares += each.share;
        QVERIFY(std::abs(shares - 1) < 1e-9);
        f.play.stop();
        QTRY_VERIFY_WITH_TIMEOUT(f.state->phase == FreePlayPhase::Stopped, Long);
        QVERIFY(f.state->groups.empty());
    }

    /// Until its lease is over, and no longer than somebody else gets it.
    void tellsOfADeadHolderThatRedisStillNames()
    {
        Fixture f;
        f.play.start({ still(Kind::Reentrant) });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        f.play.act(f.group().settings.id, "B", HandAct::Lock);
        QTRY_VERIFY_WITH_TIMEOUT(f.client(1).phase == ClientPhase::Waiting, Long);
        f.act("A", HandAct::Crash);
        QTRY_COMPARE_WITH_TIMEOUT(f.group().ghosts.size(), 1U, Long);
        const HolderGhost ghost = f.group().ghosts.front();
        QCOMPARE(ghost.client, std::string("A"));
        QVERIFY(ghost.until && *ghost.until <= f.state->at + 1'500ms);
        QTRY_VERIFY_WITH_TIMEOUT(f.client(1).phase == ClientPhase::Holding, Long);
        QVERIFY(f.group().ghosts.empty());
        QCOMPARE(f.act("B", HandAct::Unlock).outcome, Outcome::Released);
        f.act("B", HandAct::Crash); // with nothing in its hands
        QVERIFY(f.group().ghosts.empty());
    }

    void aPermitOfTheDeadIsTakenForGood()
    {
        Fixture f;
        f.play.start({ still(Kind::Semaphore) });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        f.act("A", HandAct::Crash);
        QTRY_COMPARE_WITH_TIMEOUT(f.group().ghosts.size(), 1U, Long);
        QVERIFY(!f.group().ghosts.front().until);
        QCOMPARE(f.act("B", HandAct::Lock).outcome, Outcome::Acquired); // the other one
        QCOMPARE(f.group().ghosts.size(), 1U);
    }

    /// As another program sees it, that looks at Redis itself.
    void keepsMutualExclusionInRedis()
    {
        Fixture f;
        f.play.start({ quick(Kind::Reentrant), quick(Kind::Fair), quick(Kind::Reentrant, LockVariant::Spin) });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        lockcore::service::Monitor monitor({});
        std::int64_t looks = 0;
        std::int64_t held = 0;
        std::size_t most = 0;
        connect(&monitor, &lockcore::service::Monitor::snapshotReady, &monitor, [&] {
            ++looks;
            const auto snapshot = monitor.latest();
            for (const auto &lock : snapshot->locks) {
                held += lock->holders.empty() ? 0 : 1;
                most = std::max(most, lock->holders.size());
            }
        });
        const auto deployment = lockcore::transport::parseDeployment(f.state->server);
        QVERIFY(deployment);
        monitor.open(*deployment);
        QTRY_VERIFY_WITH_TIMEOUT(held >= 60 && f.eachGot(20), Long);
        QCOMPARE(most, 1U);
        for (const GroupState &group : f.state->groups)
            QCOMPARE(group.overlaps, 0);
        QCOMPARE(f.group(0).lock, std::string("free-play:1:reentrant"));
        QCOMPARE(f.group(2).lock, std::string("free-play:3:spin"));
    }

    /// The second one gets it while the first still works: that is what a lease that is too short does.
    void seesTwoAtOnceWhenTheLeaseIsTooShort()
    {
        Fixture f;
        GroupSettings settings = quick(Kind::Reentrant);
        settings.lease = 50ms;
        settings.hold = { Spread::Fixed, 400ms };
        f.play.start({ settings });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.group().overlaps >= 3 && f.group().losses >= 3, Long);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(f.group().clients,
                                     [](const ContenderState &each) {
                                         return each.hasLostIt && each.lostAt > each.since
                                             && each.lostAt < each.since + 200ms;
                                     }),
            Long);
    }

    void knobsAreTurnedWhileItRuns()
    {
        Fixture f;
        GroupSettings settings = still(Kind::Reentrant);
        f.play.start({ settings });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.group().acquires, 0);
        const std::string id = f.client(0).id;
        settings.think = settings.hold = { Spread::Uniform, 5ms };
        settings.clients = 4;
        f.play.setGroups({ settings });
        QTRY_VERIFY_WITH_TIMEOUT(f.eachGot(5), Long); // what was drawn before is drawn anew
        QCOMPARE(f.client(0).id, id);
        settings.clients = 1;
        f.play.setGroups({ settings });
        QTRY_COMPARE_WITH_TIMEOUT(f.group().clients.size(), 1U, Long);
        QCOMPARE(f.client(0).id, id);
        settings.watchdog = 3s; // a process has one for life
        f.play.setGroups({ settings });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && !f.client(0).id.empty() && f.client(0).id != id, Long);
        const auto before = f.group().acquires;
        QTRY_VERIFY_WITH_TIMEOUT(f.group().acquires > before + 5, Long);
        const std::string lock = f.group().lock;
        GroupSettings other = settings;
        other.kind = Kind::Fair;
        f.play.setGroups({ other, quick(Kind::Semaphore) });
        QTRY_VERIFY_WITH_TIMEOUT(f.state->groups.size() == 2 && f.eachGot(3), Long);
        QVERIFY(f.group().lock != lock); // one name is not used for two kinds
        f.play.setGroups({ other });
        QTRY_COMPARE_WITH_TIMEOUT(f.state->groups.size(), 1U, Long);
    }

    void waitsAreGivenUpAtTheirLimit()
    {
        Fixture f;
        GroupSettings settings = quick(Kind::Fair);
        settings.hold = { Spread::Fixed, 300ms };
        settings.wait = 50ms;
        f.play.start({ settings });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.group().timeouts >= 5 && f.group().acquires >= 2, Long);
        QCOMPARE(f.group().overlaps, 0);
    }

    void oneClientIsTakenByTheHand()
    {
        Fixture f;
        f.play.start({ still(Kind::Reentrant) });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QVERIFY(f.act("A", HandAct::Lock).outcome == Outcome::Acquired);
        QVERIFY(f.client(0).isByHand);
        QCOMPARE(f.client(0).phase, ClientPhase::Holding);
        QVERIFY(f.act("A", HandAct::Lock).outcome == Outcome::Acquired);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).holds, 2, Long);
        QVERIFY(f.act("A", HandAct::Unlock).outcome == Outcome::StillHeld);
        f.play.act(f.group().settings.id, "B", HandAct::Lock);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(1).phase, ClientPhase::Waiting, Long);
        QVERIFY(f.act("A", HandAct::Unlock).outcome == Outcome::Released);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(1).phase, ClientPhase::Holding, Long);
        QCOMPARE(f.client(0).phase, ClientPhase::Thinking);
        QVERIFY(f.act("B", HandAct::LetGo).outcome == Outcome::Done);
        QTRY_VERIFY_WITH_TIMEOUT(!f.client(1).isByHand, Long);
    }

    void aReadLockIsChosenByHand()
    {
        Fixture f;
        f.play.start({ still(Kind::ReadWrite) });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QVERIFY(f.act("A", HandAct::LockToRead).outcome == Outcome::Acquired);
        QVERIFY(f.act("B", HandAct::LockToRead).outcome == Outcome::Acquired);
        QTRY_VERIFY_WITH_TIMEOUT(f.client(0).mode == HoldMode::Read && f.client(1).holds == 1, Long);
        QVERIFY(f.act("A", HandAct::Unlock).outcome == Outcome::Released);
        f.play.act(f.group().settings.id, "A", HandAct::Lock); // to write
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Waiting, Long);
        QVERIFY(f.act("B", HandAct::Unlock).outcome == Outcome::Released);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Holding, Long);
        QVERIFY(f.client(0).mode == HoldMode::Write);
        QCOMPARE(f.group().overlaps, 0);
    }

    /// Nobody gives back what it held: the watchdog's lease ends, and then the waiter has it.
    void aCrashFreesTheLockAfterTheLease()
    {
        Fixture f;
        f.play.start({ still(Kind::Reentrant) });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QVERIFY(f.act("A", HandAct::Lock).outcome == Outcome::Acquired);
        const std::string id = f.client(0).id;
        f.play.act(f.group().settings.id, "B", HandAct::Lock);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(1).phase, ClientPhase::Waiting, Long);
        f.act("A", HandAct::Crash);
        QCOMPARE(f.client(0).phase, ClientPhase::Crashed);
        QCOMPARE(f.client(1).phase, ClientPhase::Waiting);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(1).phase, ClientPhase::Holding, Long);
        QCOMPARE(f.client(0).phase, ClientPhase::Crashed);
        QCOMPARE(f.client(0).crashes, 1);
        QCOMPARE(f.group().overlaps, 0);
        f.act("A", HandAct::Start);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QVERIFY(f.client(0).id != id);
    }

    /// Its watchdog stands still with it; waking up it goes on as if it held what another has got meanwhile.
    void aHolderThatStandsStillLosesItsLock()
    {
        Fixture f;
        f.play.start({ still(Kind::Reentrant) });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QVERIFY(f.act("A", HandAct::Lock).outcome == Outcome::Acquired);
        f.act("A", HandAct::Pause);
        QTRY_VERIFY_WITH_TIMEOUT(f.client(0).isPaused, Long);
        QVERIFY(f.act("B", HandAct::Lock).outcome == Outcome::Acquired);
        QTRY_COMPARE_WITH_TIMEOUT(f.group().overlaps, 1, Long);
        f.act("A", HandAct::Resume);
        QTRY_VERIFY_WITH_TIMEOUT(f.client(0).hasLostIt, Long); // its watchdog has found out
        const HandOutcome unlocked = f.act("A", HandAct::Unlock);
        QVERIFY(unlocked.outcome == Outcome::Failed && !unlocked.said.empty());
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).losses, 1, Long);
        QCOMPARE(f.client(1).phase, ClientPhase::Holding);
    }

    void clientsCrashAndComeBackByThemselves()
    {
        Fixture f;
        GroupSettings settings = quick(Kind::Reentrant);
        settings.crashesPerMinute = 60;
        settings.watchdog = 1s;
        f.play.start({ settings });
        QTRY_VERIFY_WITH_TIMEOUT(f.state && !f.state->groups.empty() && f.group().crashes >= 2, Long);
        settings.crashesPerMinute = 0;
        f.play.setGroups({ settings });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady()
                && std::ranges::all_of(
                    f.group().clients, [](const ContenderState &each) { return each.phase != ClientPhase::Crashed; }),
            Long);
        const auto before = f.group().acquires;
        QTRY_VERIFY_WITH_TIMEOUT(f.group().acquires > before, Long);
        QCOMPARE(f.group().overlaps, 0);
    }

    void saysWhyItCannotBegin()
    {
        QCoreApplication::setApplicationName(u"free-play"_s);
        app::ProcessFreePlay play(u"/nowhere/lockctl"_s);
        QSignalSpy failed(&play, &FreePlay::failed);
        play.start({ quick(Kind::Reentrant) });
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, Long);
        QVERIFY(
            toString(failed.front().front().value<lockcore::Error>()).find("/nowhere/lockctl") != std::string::npos);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "/nowhere");
        play.start({ quick(Kind::Reentrant) });
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, Long);
        qputenv("PATH", path);
        QVERIFY(toString(failed.back().front().value<lockcore::Error>()).find("redis-server") != std::string::npos);
    }

    /// Also clients that stand still, which see no end of anything.
    void leavesNothingWhenTheProgramIsKilled()
    {
        testsupport::Program program(QCoreApplication::applicationFilePath(), { u"--play"_s });
        QVERIFY(!program.lineWith("paused", Long).isEmpty());
        QVERIFY(processesWith(folders()) >= 3);
        program.signal(SIGKILL);
        program.end();
    }

private:
    QByteArray folders() const { return m_temporary.path().toUtf8() + "/lockscope-demo-"; }

    QTemporaryDir m_temporary;
};

namespace {

/// What is killed in a test.
int playUntilKilled(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    app::ProcessFreePlay play(ClientProgram);
    bool isPaused = false;
    QObject::connect(&play, &FreePlay::acted, &play, [] {
        std::puts("paused");
        std::fflush(stdout);
    });
    QObject::connect(&play, &FreePlay::stateChanged, &play, [&](const std::shared_ptr<const FreePlayState> &state) {
        if (isPaused || state->groups.empty() || state->groups[0].acquires == 0)
            return;
        isPaused = true;
        play.act(state->groups[0].settings.id, "A", HandAct::Pause);
    });
    play.start({ quick(Kind::Reentrant) });
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && QByteArray(argv[1]) == "--play")
        return playUntilKilled(argc, argv);
    QCoreApplication application(argc, argv);
    TestFreePlay test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_free_play.moc"
