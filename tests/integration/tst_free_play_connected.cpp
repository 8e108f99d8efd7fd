// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/foreign_server.h"
#include "app/lab/free_play.h"
#include "lockcore/service/actions/audit_reader.h"
#include "lockcore/synchronizers/catalog.h"
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
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
using testsupport::RedisServer;

namespace {

const QString ClientProgram = QStringLiteral(LOCKCTL);
constexpr int Long = 60'000; // on a busy computer

GroupId nextGroup()
{
    static std::uint64_t last = 0;
    return GroupId{ ++last };
}

GroupSettings contending(Kind kind)
{
    GroupSettings settings;
    settings.id = nextGroup();
    settings.kind = kind;
    settings.clients = 3;
    settings.hold = { Spread::Exponential, 5ms };
    settings.think = { Spread::Exponential, 5ms };
    return settings;
}

GroupSettings byHand(Kind kind, const char *lock, LockVariant variant = LockVariant::Standard)
{
    GroupSettings settings;
    settings.id = nextGroup();
    settings.byHand = lock;
    settings.kind = kind;
    settings.variant = variant;
    settings.clients = 2;
    settings.watchdog = 30s; // so that nothing but a release ends a hold within a test
    return settings;
}

/// Our own processes that are connected to this server, and have that word in their command line.
std::vector<pid_t> processesAt(const QString &url, const char *word = "")
{
    std::vector<pid_t> found;
    for (const QString &process : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        QFile file(u"/proc/%1/cmdline"_s.arg(process));
        if (process.toInt() > 0 && file.open(QIODevice::ReadOnly)) {
            const QByteArray line = file.readAll();
            if (line.contains("lockctl") && line.contains(url.toUtf8()) && line.contains(word))
                found.push_back(process.toInt());
        }
    }
    return found;
}

std::vector<lockcore::service::AuditEntryPtr> recorded(const QString &file)
{
    QFile log(file);
    if (!log.open(QIODevice::ReadOnly))
        return {};
    lockcore::service::AuditParser parser;
    std::vector<lockcore::service::AuditEntryPtr> entries;
    addNews(entries, parser.take(log.readAll().toStdString()));
    return entries;
}

bool hasOutcome(const lockcore::service::AuditEntryPtr &entry) { return entry->outcome.has_value(); }

/// Each action with its outcome, in the order in which they were begun.
QStringList actionsIn(const QString &file)
{
    QStringList told;
    for (const auto &each : recorded(file))
        told << QString::fromStdString(each->action + ' ' + (each->outcome ? each->outcome->end : "-"));
    return told;
}

struct Hands {
    Hands()
        : play(ClientProgram)
    {
        QObject::connect(&play, &FreePlay::stateChanged, &play, [this](const auto &given) {
            state = given;
            phases.push_back(given->phase);
        });
        QObject::connect(&play, &FreePlay::acted, &play, [this](const HandOutcome &given) { acted.push_back(given); });
        QObject::connect(&play, &FreePlay::failed, &play, [this](const auto &given) { error = given; });
        QObject::connect(&play, &FreePlay::cutShort, &play, [this](const auto &given) { cutShort = given; });
        QObject::connect(&play, &FreePlay::leftBehind, &play, [this](const auto &given) { left = given; });
    }

    const GroupState &group(std::size_t index = 0) const { return state->groups.at(index); }
    const ContenderState &client(std::size_t index) const { return group().clients.at(index); }
    bool areReady(std::size_t groups = 1) const
    {
        return state && state->phase == FreePlayPhase::Running && state->groups.size() == groups
            && std::ranges::all_of(state->groups, [](const GroupState &each) {
                   return std::ssize(each.clients) == each.settings.clients
                       && std::ranges::none_of(
                           each.clients, [](const ContenderState &one) { return one.phase == ClientPhase::Starting; });
               });
    }
    HandOutcome act(const std::string &client, HandAct what)
    {
        const auto before = std::ssize(acted);
        play.act(group().settings.id, client, what);
        return outcomeOf(client, what, before);
    }
    HandOutcome outcomeOf(const std::string &client, HandAct what, std::ptrdiff_t from)
    {
        auto found = acted.end();
        const bool hasEnded = QTest::qWaitFor(
            [&] {
                found = std::find_if(acted.begin() + from, acted.end(),
                    [&](const HandOutcome &each) { return each.client == client && each.act == what; });
                return found != acted.end();
            },
            Long);
        return hasEnded ? *found : HandOutcome{ .client = {}, .outcome = Outcome::No };
    }

    app::ProcessFreePlay play;
    std::shared_ptr<const FreePlayState> state;
    std::vector<FreePlayPhase> phases;
    std::vector<HandOutcome> acted;
    std::optional<lockcore::Error> cutShort;
    std::optional<lockcore::Error> error;
    std::optional<lockcore::Error> left;
};

} // namespace

/// Free play on a server that is the person's, where others have locks of their own.
class TestFreePlayConnected : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        cli({ u"HSET"_s, u"orders"_s, u"somebody:1"_s, u"1"_s });
        cli({ u"SET"_s, u"permits"_s, u"3"_s });
        cli({ u"SET"_s, u"gate"_s, u"2"_s });
        cli({ u"SET"_s, u"lockscope-lab:0123456789abcdef:1:fair"_s, u"7"_s }); // of another play
        m_before = keys();
    }
    void cleanup()
    {
        QTRY_VERIFY_WITH_TIMEOUT(processesAt(m_server.url()).empty(), Long);
        QCOMPARE(keys(), m_before);
        QCOMPARE(cli({ u"GET"_s, u"permits"_s }), "3");
    }

    void groupsContendUnderNamesOfTheirOwn()
    {
        Hands f;
        f.play.start({ contending(Kind::Fair), contending(Kind::Semaphore) }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(2) && f.group(0).acquires > 20 && f.group(1).acquires > 20, Long);
        QVERIFY(f.state->prefix.starts_with("lockscope-lab:"));
        for (const GroupState &group : f.state->groups)
            QVERIFY2(group.lock.starts_with(f.state->prefix), group.lock.c_str());
        for (const QByteArray &key : keys())
            QVERIFY2(m_before.contains(key) || key.contains(f.state->prefix.c_str()), key.constData());
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        QVERIFY(std::ranges::count(f.phases, FreePlayPhase::Stopping) == 1);
        QCOMPARE(keys(), m_before); // when it says so
    }

    /// Nothing is written before it is sure that it will be removed.
    void beginsNothingThatItMayNotRemove()
    {
        cli({ u"ACL"_s, u"SETUSER"_s, u"writer"_s, u"on"_s, u">w"_s, u"~*"_s, u"&*"_s, u"+@all"_s, u"-del"_s });
        lockcore::transport::Endpoint endpoint = m_server.endpoint();
        endpoint.user = "writer";
        endpoint.password = "w";
        Hands f;
        f.play.start({ contending(Kind::Semaphore) }, endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(f.error, Long);
        QVERIFY2(toString(*f.error).find("NOPERM") != std::string::npos, toString(*f.error).c_str());
        QCOMPARE(f.state->phase, FreePlayPhase::Stopped);
    }

    /// Also at sentinels that ask for a login, and never with one that was meant for another server.
    void clientsLogInAsTheWindowDoes()
    {
        qputenv("LOCKSCOPE_SENTINEL_USER", "somebody");
        lockcore::transport::Deployment sentinels = m_server.endpoint();
        sentinels.seeds.front().password = "of-the-master";
        sentinels.sentinelPassword = "of-the-sentinels";
        const QProcessEnvironment environment = app::serverEnvironment(sentinels);
        qunsetenv("LOCKSCOPE_SENTINEL_USER");
        QCOMPARE(environment.value(u"LOCKSCOPE_PASSWORD"_s), u"of-the-master"_s);
        QCOMPARE(environment.value(u"LOCKSCOPE_SENTINEL_PASSWORD"_s), u"of-the-sentinels"_s);
        QVERIFY(!environment.contains(u"LOCKSCOPE_SENTINEL_USER"_s));
    }

    /// As other actions are: before it is sent, and when it is answered.
    void whatIsToldByHandIsInTheAuditLog()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        Hands f;
        f.play.start({ byHand(Kind::Reentrant, "mine") }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        f.play.act(f.group().settings.id, "B", HandAct::Lock);
        QTRY_VERIFY_WITH_TIMEOUT(f.client(1).phase == ClientPhase::Waiting, Long);
        QTRY_COMPARE_WITH_TIMEOUT(recorded(file).size(), 2U, Long);
        QVERIFY(recorded(file)[0]->outcome && !recorded(file)[1]->outcome);
        f.act("B", HandAct::GiveUp);
        QCOMPARE(f.act("A", HandAct::Renew).outcome, Outcome::Done);
        QCOMPARE(f.act("A", HandAct::Unlock).outcome, Outcome::Released);
        QCOMPARE(actionsIn(file),
            QStringList(
                { u"lockByHand done"_s, u"lockByHand refused"_s, u"renewByHand done"_s, u"unlockByHand done"_s }));
        const auto entries = recorded(file);
        for (const auto &each : entries) {
            QCOMPARE(each->lock, std::string("mine"));
            QCOMPARE(each->endpoint, m_server.endpoint().displayWithDatabase());
            QVERIFY(each->byHand);
        }
        QCOMPARE(entries[0]->byHand->owner.client, f.client(0).id);
        for (const auto &each : entries) { // nobody looked who holds it
            for (const std::string &line : each->lines)
                QVERIFY2(line.find("\"found\"") == line.npos && line.find("\"published\"") == line.npos, line.c_str());
        }
    }

    /// As of other actions, with the line that permits it.
    void whatTheServerRefusesIsRecordedWithWhatPermitsIt_data()
    {
        QTest::addColumn<QString>("right");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("a command") << u"-hincrby"_s << QByteArray("ACL SETUSER refused +exists ");
        QTest::newRow("keys") << u"resetkeys"_s << QByteArray("ACL SETUSER refused ~mine ~*{mine}*");
    }
    void whatTheServerRefusesIsRecordedWithWhatPermitsIt()
    {
        QFETCH(const QString, right);
        QFETCH(const QByteArray, line);
        cli({ u"ACL"_s, u"SETUSER"_s, u"refused"_s, u"reset"_s, u"on"_s, u">w"_s, u"~*"_s, u"&*"_s, u"+@all"_s,
            right });
        lockcore::transport::Endpoint endpoint = m_server.endpoint();
        endpoint.user = "refused";
        endpoint.password = "w";
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        Hands f;
        f.play.start({ byHand(Kind::Reentrant, "mine") }, endpoint, file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Failed);
        const auto entries = recorded(file);
        QCOMPARE(entries.size(), 1U);
        QVERIFY(entries[0]->outcome);
        QCOMPARE(entries[0]->outcome->code, std::string("permissionDenied"));
        const auto error = QByteArray::fromStdString(entries[0]->outcome->error);
        QVERIFY2(error.contains(QByteArray(". This permits it: " + line)), error.constData());
    }

    void whatCannotBeRecordedIsNotDone()
    {
        const QTemporaryDir folder; // which is no file
        Hands f;
        f.play.start({ byHand(Kind::Reentrant, "mine") }, m_server.endpoint(), folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        const HandOutcome outcome = f.act("A", HandAct::Lock);
        QCOMPARE(outcome.outcome, Outcome::Failed);
        QVERIFY2(outcome.said.find("audit") != std::string::npos, outcome.said.c_str());
        QCOMPARE(keys(), m_before);
        QVERIFY(f.client(0).phase == ClientPhase::Thinking);
    }

    /// Each outcome stays with the act that it is of.
    void whatIsNotSentIsNotRecorded()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        Hands f;
        const GroupSettings settings = byHand(Kind::Reentrant, "mine");
        f.play.start({ settings }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        f.play.act(settings.id, "A", HandAct::Unlock); // what it does not hold
        f.play.act(settings.id, "A", HandAct::Renew);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QCOMPARE(f.act("A", HandAct::Pause).outcome, Outcome::Done);
        for (const HandAct act : { HandAct::Lock, HandAct::Renew, HandAct::Unlock })
            f.play.act(settings.id, "A", act); // by a window that has not seen yet that it stands still
        QCOMPARE(f.act("A", HandAct::Resume).outcome, Outcome::Done);
        QCOMPARE(f.act("A", HandAct::Renew).outcome, Outcome::Done);
        QCOMPARE(actionsIn(file), QStringList({ u"lockByHand done"_s, u"renewByHand done"_s }));
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        QCOMPARE(actionsIn(file), QStringList({ u"lockByHand done"_s, u"renewByHand done"_s, u"unlockByHand done"_s }));
    }

    /// It would be done once the server is back, whenever that is.
    void whatIsNotSentToALostServerIsNotRecorded()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        RedisServer server;
        QVERIFY(server.start());
        Hands f;
        const GroupSettings settings = byHand(Kind::Reentrant, "mine");
        f.play.start({ settings }, server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.client(0).unansweredSince, Long);
        f.play.act(settings.id, "A", HandAct::Lock);
        QCOMPARE(f.act("A", HandAct::Pause).outcome, Outcome::Done); // after that one
        QCOMPARE(actionsIn(file), QStringList());
    }

    void aNamedLockIsTakenByHand_data()
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
        row(Kind::ReadWrite, LockVariant::Standard, "read/write");
        row(Kind::Token, LockVariant::Standard, "token");
    }
    void aNamedLockIsTakenByHand()
    {
        QFETCH(const int, kind);
        QFETCH(const int, variant);
        Hands f;
        f.play.start(
            { byHand(static_cast<Kind>(kind), "mine", static_cast<LockVariant>(variant)) }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.group().lock, std::string("mine"));
        QVERIFY(f.client(0).isByHand && f.client(1).isByHand); // nobody had to say so
        QCOMPARE(keys(), m_before); // and nothing is done before it is said
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QCOMPARE(cli({ u"EXISTS"_s, u"mine"_s }), "1");
        f.play.act(f.group().settings.id, "B", HandAct::Lock);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(1).phase, ClientPhase::Waiting, Long);
        const bool isInQueue = static_cast<Kind>(kind) == Kind::Fair;
        const std::vector<HandHold> holds = handHolds(*f.state);
        QCOMPARE(holds.size(), isInQueue ? 1U : 2U);
        QVERIFY(!holds[0].waits && holds[0].owner.client == f.client(0).id && holds[0].lock == "mine");
        const auto before = std::ssize(f.acted);
        f.play.act(f.group().settings.id, "B", HandAct::GiveUp); // what was begun ends
        QCOMPARE(f.outcomeOf("B", HandAct::Lock, before).outcome, Outcome::NotAcquired);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(1).phase, ClientPhase::Thinking, Long);
        QCOMPARE(f.act("A", HandAct::Unlock).outcome, Outcome::Released);
        QTRY_COMPARE_WITH_TIMEOUT(keys(), m_before, Long); // also what a client remembers of a release
    }

    /// What others hold is waited for, and never written to.
    void whatOthersHoldIsTheirs()
    {
        Hands f;
        GroupSettings settings = byHand(Kind::Reentrant, "orders");
        settings.wait = 0ms;
        f.play.start({ settings }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::NotAcquired);
        QCOMPARE(cli({ u"HGETALL"_s, u"orders"_s }), "somebody:1\n1");
    }

    void permitsAndLatchesOfOthersAreTakenAsTheyAre()
    {
        Hands f;
        f.play.start({ byHand(Kind::Semaphore, "permits") }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QCOMPARE(cli({ u"GET"_s, u"permits"_s }), "2");
        QCOMPARE(f.act("A", HandAct::Unlock).outcome, Outcome::Released);
        f.play.start({ byHand(Kind::CountDownLatch, "gate") }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.group().settings.kind == Kind::CountDownLatch, Long);
        f.play.act(f.group().settings.id, "A", HandAct::Lock);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Waiting, Long);
        QCOMPARE(f.act("B", HandAct::CountDown).outcome, Outcome::Done);
        QCOMPARE(cli({ u"GET"_s, u"gate"_s }), "1");
        const auto before = std::ssize(f.acted);
        QCOMPARE(f.act("B", HandAct::CountDown).outcome, Outcome::Done);
        QCOMPARE(f.outcomeOf("A", HandAct::Lock, before).outcome, Outcome::Acquired);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Thinking, Long);
        cli({ u"SET"_s, u"gate"_s, u"2"_s });
    }

    void aHoldIsRenewedByHand()
    {
        Hands f;
        GroupSettings settings = byHand(Kind::Reentrant, "mine");
        settings.lease = 20s;
        f.play.start({ settings }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        settings.lease = 90s;
        f.play.setGroups({ settings });
        QCOMPARE(f.act("A", HandAct::Renew).outcome, Outcome::Done);
        QVERIFY(cli({ u"PTTL"_s, u"mine"_s }).toInt() > 60'000);
    }

    /// Its process has its watchdog for life: an idle one is replaced by one with the new watchdog before it is told
    /// anything else, and what it is told meanwhile is done by its successor.
    void aTurnedWatchdogIsInForceForTheNextLock()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        Hands f;
        GroupSettings settings = byHand(Kind::Reentrant, "mine");
        f.play.start({ settings }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        const std::string before = f.client(1).id;
        settings.watchdog = 90s;
        f.play.setGroups({ settings });
        QCOMPARE(f.act("B", HandAct::Lock).outcome, Outcome::Acquired); // the click that has ended the typing
        QVERIFY(cli({ u"PTTL"_s, u"mine"_s }).toInt() > 60'000);
        const std::string after = f.client(1).id;
        QVERIFY(!after.empty() && after != before);
        QCOMPARE(f.client(1).insteadOf, before);
        const auto entries = recorded(file);
        QCOMPARE(entries.size(), 1U);
        QCOMPARE(entries[0]->byHand->owner.client, after);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("B", HandAct::Unlock).outcome, Outcome::Released);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(1).phase, ClientPhase::Thinking, Long);
        QCOMPARE(f.client(1).id, after); // nothing was left to be put in force
        QVERIFY(f.client(1).insteadOf.empty()); // of no interest any more
        const std::string waiting = f.client(0).id;
        QVERIFY(!f.client(0).insteadOf.empty());
        f.act("A", HandAct::Crash);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Crashed, Long);
        f.act("A", HandAct::Start);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.client(0).phase == ClientPhase::Thinking, Long);
        QVERIFY(f.client(0).id != waiting && f.client(0).insteadOf.empty()); // a person has started it
    }

    /// Without another one to come: the one that stands still cannot be told, and is replaced when it goes on.
    void aTurnedWatchdogReachesAlsoWhoStandsStill()
    {
        Hands f;
        GroupSettings settings = byHand(Kind::Reentrant, "mine");
        f.play.start({ settings }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        const std::string before = f.client(0).id;
        f.act("A", HandAct::Pause);
        settings.watchdog = 90s;
        f.play.setGroups({ settings });
        f.act("A", HandAct::Resume);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.client(0).id != before, Long);
        QCOMPARE(f.client(0).insteadOf, before);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QVERIFY(cli({ u"PTTL"_s, u"mine"_s }).toInt() > 60'000);
        f.act("A", HandAct::Unlock);
    }

    void aWatchdogThatNeverComesLetsItRunOut()
    {
        Hands f;
        GroupSettings settings = byHand(Kind::Reentrant, "mine");
        settings.watchdog = 600ms;
        settings.renews = false;
        f.play.start({ settings }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QTRY_VERIFY_WITH_TIMEOUT(f.client(0).hasLostIt, Long);
        QVERIFY(f.client(0).lostAt > f.client(0).since + 500ms); // not since it was acquired
        QVERIFY(f.client(0).lostAt <= f.state->at);
        QTRY_COMPARE_WITH_TIMEOUT(cli({ u"EXISTS"_s, u"mine"_s }), "0", Long);
        QCOMPARE(f.act("A", HandAct::Unlock).outcome, Outcome::Failed);
    }

    /// Whoever holds or waits, also one that stands still; and of its own accord no lease of 30 s would be over.
    void givesBackAllThatHandsHave_data()
    {
        QTest::addColumn<QString>("how");
        for (const char *how : { "stopped", "destroyed", "removed", "renamed" })
            QTest::newRow(how) << QString::fromUtf8(how);
    }
    void givesBackAllThatHandsHave()
    {
        QFETCH(const QString, how);
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        auto f = std::make_unique<Hands>();
        GroupSettings fair = byHand(Kind::Fair, "mine");
        GroupSettings permits = byHand(Kind::Semaphore, "permits");
        f->play.start({ fair, permits }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f->areReady(2), Long);
        QCOMPARE(f->act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QCOMPARE(f->act("A", HandAct::Lock).outcome, Outcome::Acquired);
        f->play.act(fair.id, "B", HandAct::Lock);
        f->play.act(permits.id, "A", HandAct::Lock);
        QTRY_COMPARE_WITH_TIMEOUT(cli({ u"LLEN"_s, u"redisson_lock_queue:{mine}"_s }), "1", Long);
        QTRY_COMPARE_WITH_TIMEOUT(cli({ u"GET"_s, u"permits"_s }), "2", Long);
        QCOMPARE(f->act("A", HandAct::Pause).outcome, Outcome::Done);
        if (how == u"stopped"_s) {
            f->play.stop();
            QTRY_COMPARE_WITH_TIMEOUT(f->state->phase, FreePlayPhase::Stopped, Long);
            QCoreApplication::processEvents();
            QVERIFY2(!f->left, f->left ? toString(*f->left).c_str() : "");
        } else if (how == u"destroyed"_s) {
            f.reset();
        } else if (how == u"removed"_s) {
            fair.clients = permits.clients = 0;
            f->play.setGroups({ fair, permits });
        } else {
            fair.byHand = "other";
            permits.byHand = "another";
            f->play.setGroups({ fair, permits });
        }
        QTRY_COMPARE_WITH_TIMEOUT(keys(), m_before, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(cli({ u"GET"_s, u"permits"_s }), "3", 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(recorded(file), hasOutcome), Long);
        QStringList told;
        for (const auto &each : recorded(file))
            told << QString::fromStdString(each->lock + ": " + each->action + ' ' + each->outcome->end);
        told.sort();
        QCOMPARE(told.join(u'\n'),
            u"mine: lockByHand done\nmine: lockByHand done\nmine: lockByHand refused\n" // B waited
            "mine: unlockByHand done\nmine: unlockByHand done\n"
            "permits: lockByHand done\npermits: unlockByHand done"_s);
    }

    /// Whose end is still to come when the play ends, or its thread.
    void recordsWhatAClientGivesBackThatIsRemovedAtTheEnd_data()
    {
        QTest::addColumn<bool>("isStopped");
        QTest::newRow("stopped") << true;
        QTest::newRow("destroyed") << false;
    }
    void recordsWhatAClientGivesBackThatIsRemovedAtTheEnd()
    {
        QFETCH(const bool, isStopped);
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        auto f = std::make_unique<Hands>();
        GroupSettings settings = byHand(Kind::Reentrant, "mine");
        f->play.start({ settings }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f->areReady(), Long);
        QCOMPARE(f->act("A", HandAct::Lock).outcome, Outcome::Acquired);
        f->play.act(settings.id, "A", HandAct::Renew); // which is written to the disk while the next two are said
        settings.clients = 0;
        f->play.setGroups({ settings });
        if (isStopped) {
            f->play.stop();
            QTRY_COMPARE_WITH_TIMEOUT(f->state->phase, FreePlayPhase::Stopped, Long);
        } else {
            f.reset();
        }
        QTRY_COMPARE_WITH_TIMEOUT(keys(), m_before, 20'000);
        const QStringList told = actionsIn(file);
        QCOMPARE(told.size(), 3);
        QCOMPARE(told.last(), u"unlockByHand done"_s);
        QVERIFY2(std::ranges::all_of(recorded(file), hasOutcome), qPrintable(told.join(u'\n')));
    }

    /// What a person lets crash stays until its lease is over.
    void aCrashLeavesTheLockToItsLease()
    {
        Hands f;
        GroupSettings settings = byHand(Kind::Reentrant, "mine");
        settings.lease = 3s;
        f.play.start({ settings }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QCOMPARE(f.act("A", HandAct::Crash).outcome, Outcome::Done);
        QCOMPARE(cli({ u"EXISTS"_s, u"mine"_s }), "1");
        QTRY_COMPARE_WITH_TIMEOUT(cli({ u"EXISTS"_s, u"mine"_s }), "0", Long);
    }

    /// Permits are numbers: what is given back twice lets one more in than there are permits for.
    void givesAPermitBackOnceThatIsOnItsWayBack()
    {
        Hands f;
        const GroupSettings permits = byHand(Kind::Semaphore, "permits");
        f.play.start({ permits }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        m_server.pause();
        f.play.act(permits.id, "A", HandAct::Unlock);
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.phases.back(), FreePlayPhase::Stopping, Long);
        m_server.resume();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        QCOMPARE(cli({ u"GET"_s, u"permits"_s }), "3");
    }

    /// Of several holds a person has given back one, which is not answered yet.
    void recordsTheOtherHoldsWhereOneIsOnItsWayBack_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("lock");
        QTest::newRow("re-entered") << int(Kind::Reentrant) << u"mine"_s;
        QTest::newRow("permits") << int(Kind::Semaphore) << u"permits"_s;
    }
    void recordsTheOtherHoldsWhereOneIsOnItsWayBack()
    {
        QFETCH(const int, kind);
        QFETCH(const QString, lock);
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        Hands f;
        const GroupSettings settings = byHand(static_cast<Kind>(kind), qPrintable(lock));
        f.play.start({ settings }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        m_server.pause();
        f.play.act(settings.id, "A", HandAct::Unlock);
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.phases.back(), FreePlayPhase::Stopping, Long);
        m_server.resume();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        QCOMPARE(actionsIn(file),
            QStringList(
                { u"lockByHand done"_s, u"lockByHand done"_s, u"unlockByHand done"_s, u"unlockByHand done"_s }));
    }

    /// A client may write and read at once: its newest hold goes first.
    void recordsInWhichModeALockIsGivenBack()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        Hands f;
        f.play.start({ byHand(Kind::ReadWrite, "mine") }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        for (const HandAct act : { HandAct::Lock, HandAct::LockToRead })
            QCOMPARE(f.act("A", act).outcome, Outcome::Acquired);
        for (const HandAct act : { HandAct::Renew, HandAct::Unlock, HandAct::Unlock })
            f.act("A", act);
        const std::vector modes{ HoldMode::Write, HoldMode::Read, HoldMode::Read, HoldMode::Read, HoldMode::Write };
        const auto entries = recorded(file);
        QCOMPARE(entries.size(), modes.size());
        for (std::size_t i = 0; i < modes.size(); ++i)
            QVERIFY2(entries[i]->byHand && entries[i]->byHand->mode == modes[i], qPrintable(QString::number(i)));
    }

    /// Whoever kills clients while their play ends; the other one had nothing.
    void saysThatAKilledClientCouldNotGiveBack()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        RedisServer server; // which may have heard of a release, or not
        QVERIFY(server.start());
        Hands f;
        int saidSo = 0;
        connect(&f.play, &FreePlay::leftBehind, this, [&saidSo] { ++saidSo; });
        f.play.start({ byHand(Kind::Reentrant, "mine") }, server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        const std::vector<pid_t> clients = processesAt(server.url());
        QCOMPARE(clients.size(), 2U);
        server.pause();
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.phases.back(), FreePlayPhase::Stopping, Long);
        for (const pid_t each : clients)
            ::kill(each, SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        QCoreApplication::processEvents();
        QCOMPARE(saidSo, 1);
        QVERIFY2(toString(*f.left).find("mine") != std::string::npos, toString(*f.left).c_str());
        QCOMPARE(actionsIn(file), QStringList({ u"lockByHand done"_s, u"unlockByHand failed"_s }));
    }

    /// It has nothing to give back, and is refused that as well.
    void saysNothingIsLeftOfWhatWasRefused()
    {
        RedisServer server({ .users = { u"poor on >secret ~* &* +@all -eval -evalsha"_s } });
        QVERIFY(server.start());
        auto endpoint = server.endpoint();
        endpoint.user = "poor";
        endpoint.password = "secret";
        Hands f;
        int saidSo = 0;
        connect(&f.play, &FreePlay::leftBehind, this, [&saidSo] { ++saidSo; });
        f.play.start({ byHand(Kind::Reentrant, "mine") }, endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Failed);
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        QCoreApplication::processEvents();
        QCOMPARE(saidSo, 0);
    }

    /// At any other time: it comes back by itself, as somebody else.
    void saysThatAKilledClientWillNotGiveBack()
    {
        RedisServer server;
        QVERIFY(server.start());
        Hands f;
        int saidSo = 0;
        connect(&f.play, &FreePlay::leftBehind, this, [&saidSo] { ++saidSo; });
        f.play.start({ byHand(Kind::Semaphore, "permits") }, server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        server.cli({ u"SET"_s, u"permits"_s, u"1"_s });
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        for (const pid_t each : processesAt(server.url()))
            ::kill(each, SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).crashes + f.client(1).crashes, 2, Long);
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        QCoreApplication::processEvents();
        QCOMPARE(saidSo, 1);
        QVERIFY2(toString(*f.left).find("stays taken") != std::string::npos, toString(*f.left).c_str());
        QCOMPARE(server.cli({ u"GET"_s, u"permits"_s }), "0");
    }

    /// As far as is known: the server does not answer.
    void saysWhatCouldNotBeGivenBack()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"audit.jsonl"_s);
        Hands f;
        f.play.start({ byHand(Kind::Semaphore, "permits") }, m_server.endpoint(), file);
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        m_server.pause();
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        m_server.resume();
        QTRY_VERIFY_WITH_TIMEOUT(f.left, Long);
        QVERIFY2(toString(*f.left).find("permits") != std::string::npos, toString(*f.left).c_str());
        const auto last = recorded(file).back();
        QCOMPARE(last->action, std::string("unlockByHand"));
        QVERIFY(stateOf(*last, last->outcome->at.value()) == lockcore::service::AuditState::AnswerLost);
        cli({ u"SET"_s, u"permits"_s, u"3"_s }); // whether it heard of the release or not
    }

    void saysThatAPlaceInAQueueMayBeLeft()
    {
        Hands f;
        f.play.start({ byHand(Kind::Fair, "mine") }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        f.play.act(f.group().settings.id, "B", HandAct::Lock);
        QTRY_COMPARE_WITH_TIMEOUT(cli({ u"LLEN"_s, u"redisson_lock_queue:{mine}"_s }), "1", Long);
        m_server.pause();
        QCOMPARE(f.act("A", HandAct::Crash).outcome, Outcome::Done); // only B has something to give back
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        m_server.resume();
        QTRY_VERIFY_WITH_TIMEOUT(f.left, Long);
        cli({ u"DEL"_s, u"mine"_s, u"redisson_lock_queue:{mine}"_s, u"redisson_lock_timeout:{mine}"_s });
    }

    void saysNothingOfWhatNobodyTook()
    {
        RedisServer server;
        QVERIFY(server.start());
        const auto place = server.endpoint();
        {
            Hands f;
            f.play.start({ byHand(Kind::Reentrant, "dead:a") }, place);
            QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
            QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
            QCOMPARE(f.act("A", HandAct::Unlock).outcome, Outcome::Released);
            QCOMPARE(f.act("B", HandAct::Lock).outcome, Outcome::Acquired);
            server.kill();
            f.play.stop();
            QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
            QTRY_VERIFY_WITH_TIMEOUT(f.left, Long); // of B
        }
        Hands f;
        f.play.start({ byHand(Kind::Reentrant, "dead:a") }, place);
        QTRY_VERIFY_WITH_TIMEOUT(f.error, Long);
        QVERIFY2(!f.left, "no client was ever connected");
    }

    /// It never came to live: what is told as crashes is what died.
    void countsNoCrashOfAClientThatFindsNoServer()
    {
        RedisServer server;
        QVERIFY(server.start());
        Hands f;
        f.play.start({ byHand(Kind::Reentrant, "mine") }, server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Crash).outcome, Outcome::Done);
        server.kill();
        f.play.act(f.group().settings.id, "A", HandAct::Start);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Starting, Long);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Crashed, Long);
        QCOMPARE(f.client(0).crashes, 1);
        QVERIFY(server.restart());
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Thinking, Long); // it goes on trying
        QCOMPARE(f.client(0).crashes, 1);
    }

    /// Whether it was given back nobody knows: it is not called lost before.
    void anUnlockWithoutAnAnswerIsNoLoss()
    {
        RedisServer server;
        QVERIFY(server.start());
        Hands f;
        f.play.start({ byHand(Kind::Reentrant, "mine") }, server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        QCOMPARE(f.act("A", HandAct::Lock).outcome, Outcome::Acquired);
        server.pause();
        f.play.act(f.group().settings.id, "A", HandAct::Unlock);
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Releasing, Long);
        server.kill();
        QTRY_COMPARE_WITH_TIMEOUT(f.client(0).phase, ClientPhase::Thinking, Long);
        QCOMPARE(f.client(0).losses, 0);
    }

    /// Whoever kills what would remove it.
    void isRemovedByAnotherWhereTheCleanerIsKilled()
    {
        Hands f;
        f.play.start({ contending(Kind::Semaphore) }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.group().acquires > 0, Long);
        const std::vector<pid_t> cleaners = processesAt(m_server.url(), "--clean-up");
        QCOMPARE(cleaners.size(), 1U);
        ::kill(cleaners.front(), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(f.cutShort, Long);
        QCOMPARE(keys(), m_before); // as it says
        QVERIFY2(toString(*f.cutShort).find("another one has removed them") != std::string::npos,
            toString(*f.cutShort).c_str());
        QCOMPARE(f.state->phase, FreePlayPhase::Stopped);
        QVERIFY(!f.left && !f.error); // by which the figures would go
    }

    /// An earlier play that is still being removed does not hold up another one.
    void aPrivatePlayEndsWhileAnotherIsRemoved()
    {
        Hands f;
        f.play.start({ contending(Kind::Semaphore) }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.group().acquires > 0, Long);
        m_server.pause();
        f.play.stop();
        const GroupSettings group = contending(Kind::Reentrant);
        f.play.start({ group });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady() && f.group().settings.id == group.id, Long);
        f.play.stop();
        QTRY_COMPARE_WITH_TIMEOUT(f.state->phase, FreePlayPhase::Stopped, Long);
        f.play.setGroups({ contending(Kind::Fair) }); // nothing runs that it could change
        f.play.start({ group });
        QTRY_VERIFY_WITH_TIMEOUT(f.areReady(), Long);
        m_server.resume();
        QTRY_COMPARE_WITH_TIMEOUT(keys(), m_before, Long);
        QVERIFY(f.state->phase == FreePlayPhase::Running && !f.error);
    }

    /// A window does not wait for a server that does not answer; it is cleaned up once it does.
    void isRemovedLaterWhereTheServerHangs()
    {
        auto f = std::make_unique<Hands>();
        f->play.start({ contending(Kind::Semaphore) }, m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(f->areReady() && f->group().acquires > 0, Long);
        m_server.pause();
        f.reset();
        m_server.resume();
        QTRY_COMPARE_WITH_TIMEOUT(keys(), m_before, Long);
    }

    /// Neither what groups wrote nor what hands hold, though nobody could say anything any more.
    void leavesNothingWhenTheProgramIsKilled()
    {
        testsupport::Program program(QCoreApplication::applicationFilePath(), { u"--play"_s, m_server.url() });
        QVERIFY(!program.lineWith("both", Long).isEmpty());
        QVERIFY(keys().size() > m_before.size() + 1);
        QCOMPARE(cli({ u"EXISTS"_s, u"mine"_s }), "1");
        program.signal(SIGKILL);
        program.end();
        QTRY_COMPARE_WITH_TIMEOUT(keys(), m_before, 20'000); // before the lease of 30 s is over
    }

private:
    QByteArray cli(const QStringList &arguments) const { return m_server.cli(arguments); }
    QList<QByteArray> keys() const
    {
        auto found = cli({ u"KEYS"_s, u"*"_s }).split('\n');
        std::ranges::sort(found);
        return found;
    }

    RedisServer m_server;
    QList<QByteArray> m_before;
};

namespace {

/// What is killed in a test: a group that contends and never gives anything back, and a hand that holds and stands
/// still.
int playUntilKilled(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const auto server = lockcore::transport::parseDeployment(argv[2]);
    app::ProcessFreePlay play(ClientProgram);
    GroupSettings group = contending(Kind::Semaphore);
    group.permits = 1;
    const GroupSettings hand = byHand(Kind::Reentrant, "mine");
    QObject::connect(&play, &FreePlay::acted, &play, [&](const HandOutcome &outcome) {
        if (outcome.act == HandAct::Lock)
            play.act(hand.id, "A", HandAct::Pause);
        else
            std::puts("both");
        std::fflush(stdout);
    });
    bool isAsked = false;
    QObject::connect(&play, &FreePlay::stateChanged, &play, [&](const std::shared_ptr<const FreePlayState> &state) {
        const bool isReady = state->groups.size() == 2 && state->groups[0].acquires > 0
            && state->groups[1].clients[0].phase == ClientPhase::Thinking;
        if (isReady && !std::exchange(isAsked, true))
            play.act(hand.id, "A", HandAct::Lock);
    });
    play.start({ group, hand }, *server);
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 2 && QByteArray(argv[1]) == "--play")
        return playUntilKilled(argc, argv);
    QCoreApplication application(argc, argv);
    TestFreePlayConnected test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_free_play_connected.moc"
