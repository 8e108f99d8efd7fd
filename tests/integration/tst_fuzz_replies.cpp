// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/engine.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/protocol/monitor_line.h"
#include "lockcore/protocol/pubsub.h"
#include "lockcore/protocol/reply_reader.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/protocol/server_info.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/pipelined_reader.h"
#include "tests/integration/garbled_replies.h"
#include "tests/integration/random_keyspace.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <array>
#include <csignal>
#include <cstdio>
#include <deque>
#include <unistd.h>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace testsupport;
using protocol::Reply;

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

constexpr int SecondsInCi = 60;
constexpr int SecondsElsewhere = 20;
constexpr std::uint64_t InputsOfEngine = 1'000; // then a new one
constexpr qint64 MostMsOfInput = 20'000; // the machine may be busy
constexpr qint64 MostGrowth = qint64{ 700 } << 20; // more than one reply may have

volatile std::uint64_t inputNumber = 0;
std::uint64_t seed = 0;

/// Also when a sanitizer ends us.
void tellInput()
{
    std::fprintf(stderr, "FUZZ_SEED=%llu: the input is number %llu\n", static_cast<unsigned long long>(seed),
        static_cast<unsigned long long>(inputNumber));
}

void onSignal(int number)
{
    tellInput();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

qint64 secondsToRun()
{
    if (qEnvironmentVariableIsSet("FUZZ_SECONDS"))
        return qEnvironmentVariableIntValue("FUZZ_SECONDS");
    return qEnvironmentVariable("CI") == QLatin1String("true") ? SecondsInCi : SecondsElsewhere;
}

qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').at(1).toLongLong() * sysconf(_SC_PAGESIZE) : 0;
}

/// What a server really said.
struct RealReplies {
    std::vector<std::string> looks; // at one name each
    std::vector<std::string> pages;
    std::map<std::string, std::vector<std::string>> answers; // by command
    std::vector<std::string> messages;
    std::vector<std::string> others;
    std::vector<std::string> lines; // of MONITOR
    std::string info;
    std::vector<LockName> names;
};

/// Everything that reads what a server says, in the state that earlier replies have left.
class Readers {
public:
    explicit Readers(const RealReplies &real)
        : m_real(real)
    {
        tell(input::SourceUp{ "run", Feed::ClientTracking, true });
    }

    void take(Garbler &random)
    {
        pass(random);
        switch (random.below(8)) {
        case 0:
        case 1:
            return takeLooks(random);
        case 2:
            return takePage(random);
        case 3:
            return takeMessage(random);
        case 4:
            return takeRounds(random);
        case 5:
            (void)protocol::parseMonitorLine(random.garble(random.anyOf(m_real.lines), m_real.info));
            return;
        case 6:
            (void)protocol::parseServerInfo(random.garble(m_real.info, m_real.lines.front()));
            return;
        default:
            readEverywhere(read(random, random.anyOf(m_real.others)));
        }
    }

    std::size_t events() const { return m_events; }
    std::size_t locksShown() const { return m_locksShown; }

private:
    void tell(const EngineInput &input)
    {
        for (auto &action : m_engine.handle(input, m_now)) {
            if (const auto *snapshot = std::get_if<action::PublishSnapshot>(&action))
                m_locksShown = std::max(m_locksShown, snapshot->snapshot->locks.size());
            else if (const auto *report = std::get_if<action::ReportEvents>(&action))
                m_events += report->events.size();
            else if (std::holds_alternative<action::ReadLocks>(action)
                || std::holds_alternative<action::ScanPage>(action))
                m_asked.push_back(std::move(action));
        }
    }

    void pass(Garbler &random)
    {
        const Millis step{ random.below(random.below(50) == 0 ? 30'000 : 60) };
        m_now.mono += step;
        m_now.wall += step;
        tell(input::TimerFired{});
    }

    template <typename Action>
    std::optional<Action> asked()
    {
        const auto found = std::find_if(
            m_asked.begin(), m_asked.end(), [](const auto &action) { return std::holds_alternative<Action>(action); });
        if (found == m_asked.end())
            return std::nullopt;
        auto action = std::get<Action>(std::move(*found));
        m_asked.erase(found);
        return action;
    }

    std::vector<Reply> read(Garbler &random, const std::string &bytes)
    {
        const std::string stream = random.garble(bytes, random.anyOf(m_real.looks));
        protocol::ReplyReader reader;
        std::vector<Reply> replies;
        for (std::size_t at = 0; at < stream.size();) {
            const std::size_t piece = 1 + random.below(2 * stream.size());
            reader.feed(std::string_view(stream).substr(at, piece));
            at += piece;
            for (auto next = reader.next(); next && *next; next = reader.next())
                replies.push_back(std::move(**next));
        }
        return replies;
    }

    void takeLooks(Garbler &random)
    {
        const auto read = asked<action::ReadLocks>();
        auto names = read ? read->names : std::vector<LockName>{ random.anyOf(m_real.names) };
        std::string bytes = '*' + std::to_string(names.size()) + "\r\n";
        for (std::size_t i = 0; i < names.size(); ++i)
            bytes += random.anyOf(m_real.looks);
        const auto replies = this->read(random, bytes);
        const auto readings = decodeReadLocks(names, replies.empty() ? Reply() : replies.front());
        if (read && readings)
            tell(input::LocksRead{ read->read, *readings, m_now.mono, {} });
        else if (read)
            tell(input::WorkFailed{ read->read });
    }

    void takePage(Garbler &random)
    {
        const auto scan = asked<action::ScanPage>();
        const auto replies = read(random, random.anyOf(m_real.pages));
        const auto page = decodeSweepPage(replies.empty() ? Reply() : replies.front());
        if (scan && page)
            tell(input::PageScanned{ scan->scan, *page, true });
        else if (scan)
            tell(input::WorkFailed{ scan->scan, random.below(20) == 0 });
    }

    void takeMessage(Garbler &random)
    {
        for (const auto &reply : read(random, random.anyOf(m_real.messages))) {
            const auto message = protocol::toPubSubMessage(reply);
            if (!message)
                continue;
            if (message->everything)
                tell(input::EverythingChanged{});
            else if (message->keys)
                tell(input::KeysChanged{ *message->keys });
            else
                tell(input::MessageHeard{ message->channel });
        }
        if (random.below(4) == 0)
            tell(input::KeysChanged{ { random.anyOf(m_real.names) } });
    }

    void takeRounds(Garbler &random)
    {
        PipelinedReader reader({ random.anyOf(m_real.names), random.anyOf(m_real.names) }, m_now.wall);
        for (auto commands = reader.next(); !commands.empty(); commands = reader.next()) {
            std::vector<Reply> replies;
            for (const auto &command : commands) {
                auto got = read(random, random.anyOf(m_real.answers.at(command.front())));
                replies.push_back(got.empty() ? Reply() : std::move(got.front()));
            }
            if (random.below(50) == 0)
                replies.pop_back(); // and never more come
            if (!reader.feed(std::move(replies)))
                return;
        }
        (void)reader.take();
    }

    void readEverywhere(const std::vector<Reply> &replies)
    {
        for (const auto &reply : replies) {
            (void)decodeReadLocks(m_real.names, reply);
            (void)decodeSweepPage(reply);
            (void)decodeScans(sweepWalks(), {}, std::array{ reply, reply });
            (void)protocol::parseClusterSlots(reply, "127.0.0.1");
            (void)protocol::toPubSubMessage(reply);
            (void)protocol::toRedirection(reply, "127.0.0.1");
            (void)parseTryReply(reply);
            (void)parseUnlockReply(reply);
            (void)parseRenewReply(reply, 3);
            (void)parseHolders(reply);
            (void)parseAnswer(reply);
            (void)parseCount(reply);
            (void)parseDone(reply);
            (void)parsePermitLease(reply);
        }
    }

    const RealReplies &m_real;
    Engine m_engine{ EngineSettings{ .server = "test:6379" } };
    Now m_now{ MonoTime(std::chrono::hours(1)), WallTime(Millis(1'763'700'000'000)) };
    std::deque<EngineAction> m_asked;
    std::size_t m_events = 0;
    std::size_t m_locksShown = 0;
};

} // namespace

/// Whatever a server says, or a line in between makes of it: nothing crashes, hangs or fills the memory. Runs for
/// FUZZ_SECONDS, a minute in CI, or for FUZZ_INPUTS from number FUZZ_FIRST on; FUZZ_SEED repeats a run.
class FuzzRepliesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
        fill();
        hearLooks();
        hearPages();
        hearRounds();
        hearMessages();
        hearOthers();
    }

    void nothingThatIsSaidCrashesHangsOrFillsTheMemory()
    {
        bool isGiven = false;
        seed = qEnvironmentVariable("FUZZ_SEED").toULongLong(&isGiven);
        if (!isGiven)
            seed = std::random_device{}();
        std::fprintf(stderr, "FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed));
        for (const int number : { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS })
            std::signal(number, onSignal);
        if (__sanitizer_set_death_callback)
            __sanitizer_set_death_callback(tellInput);

        const auto first = qEnvironmentVariable("FUZZ_FIRST").toULongLong();
        const auto inputs = qEnvironmentVariable("FUZZ_INPUTS").toULongLong();
        const qint64 limitMs = 1'000 * secondsToRun();
        const qint64 before = residentBytes();
        QElapsedTimer elapsed;
        elapsed.start();
        std::uint64_t done = 0;
        while (inputs > 0 ? done < inputs : elapsed.elapsed() < limitMs)
            done += run(first + done);
        std::fprintf(stderr, "%llu inputs in %.1f s, %zu events, at most %zu locks, %+lld MB\n",
            static_cast<unsigned long long>(done), static_cast<double>(elapsed.elapsed()) / 1e3, m_events, m_locksShown,
            (residentBytes() - before) >> 20);
        QVERIFY2(m_events > 0 && m_locksShown > 0, "nothing came as far as the engine");
        QVERIFY2(residentBytes() - before < MostGrowth, "it keeps what it was told");
    }

private:
    /// Inputs of one engine, which can be repeated without those before.
    std::uint64_t run(std::uint64_t first)
    {
        Readers readers(m_real);
        for (std::uint64_t i = 0; i < InputsOfEngine; ++i) {
            inputNumber = first + i;
            QElapsedTimer elapsed;
            elapsed.start();
            Garbler random(seed ^ (inputNumber * 0x9e3779b97f4a7c15U));
            readers.take(random);
            if (elapsed.elapsed() > MostMsOfInput)
                qFatal("FUZZ_SEED=%llu: input %llu took %lld ms", static_cast<unsigned long long>(seed),
                    static_cast<unsigned long long>(inputNumber), static_cast<long long>(elapsed.elapsed()));
        }
        m_events += readers.events();
        m_locksShown = std::max(m_locksShown, readers.locksShown());
        return InputsOfEngine;
    }

    void fill()
    {
        RandomKeyspace keyspace(60, 90);
        m_client->runAll(keyspace.commands());
        m_client->run({ "SET", "semaphore", "3" });
        m_client->run({ "SET", "permits", "3" });
        m_client->run(
            { "ZADD", "{permits}:timeout", "1932174560000", std::string(32, 'a'), "1", std::string(32, 'b') });
        m_real.names = keyspace.names();
        m_real.names.insert(m_real.names.end(), { "semaphore", "permits", "nowhere" });
    }

    void hearLooks()
    {
        for (const auto &name : m_real.names) {
            const auto reply = m_client->eval(readLocksScript(), { name }, readLocksArguments(WallTime(Millis(0))));
            QVERIFY(reply.array() != nullptr);
            m_real.looks.push_back(wireBytes(reply.array()->front()));
        }
        m_real.looks.emplace_back("$9\r\nelsewhere\r\n");
    }

    /// In an order of ours: that of SCAN is another one in each server, and a seed could not repeat a run.
    void hearPages()
    {
        for (const SweepPosition &from :
            { SweepPosition{}, SweepPosition{ { "0", "" } }, SweepPosition{ { "", "0" } } }) {
            const auto reply = m_client->eval(sweepPageScript(), {}, sweepPageArguments(sweepWalks(), from, 100'000));
            QVERIFY(decodeSweepPage(reply).has_value());
            Reply::Array parts = *reply.array();
            for (auto &part : parts) {
                if (auto names = part.array() ? *part.array() : Reply::Array(); names.size() > 1) {
                    std::sort(names.begin(), names.end(),
                        [](const Reply &a, const Reply &b) { return wireBytes(a) < wireBytes(b); });
                    part = Reply(std::move(names));
                }
            }
            m_real.pages.push_back(wireBytes(Reply(std::move(parts))));
        }
    }

    void hearRounds()
    {
        PipelinedReader reader(m_real.names, WallTime(Millis(0)));
        for (auto commands = reader.next(); !commands.empty(); commands = reader.next()) {
            const auto replies = m_client->runAll(commands);
            for (std::size_t i = 0; i < commands.size(); ++i)
                m_real.answers[commands[i].front()].push_back(wireBytes(replies.at(i)));
            QVERIFY(reader.feed(replies).has_value());
        }
        QVERIFY(!reader.take().empty());
    }

    void hearMessages()
    {
        const auto add = [this](Reply::Array array) { m_real.messages.push_back(wireBytes(Reply(std::move(array)))); };
        const auto text = [](const char *value) { return Reply(std::string(value)); };
        for (const auto &name : m_real.names) {
            add({ text("message"), text("__redis__:invalidate"), Reply(Reply::Array{ Reply(name), text("x") }) });
            add({ text("pmessage"), text("redisson_*"), Reply("redisson_lock__channel:{" + name + '}'), text("0") });
            add({ text("smessage"), Reply("redisson_sc:{" + name + '}'), text("1") });
        }
        add({ text("message"), text("__redis__:invalidate"), Reply() });
        add({ text("subscribe"), text("__redis__:invalidate"), Reply(std::int64_t{ 1 }) });
        add({ text("sunsubscribe"), Reply(), Reply(std::int64_t{ 0 }) });
    }

    void hearOthers()
    {
        for (const auto &[command, answers] : m_real.answers)
            m_real.others.insert(m_real.others.end(), answers.begin(), answers.end());
        m_real.others.insert(m_real.others.end(), m_real.pages.begin(), m_real.pages.end());
        m_real.others.insert(m_real.others.end(), m_real.messages.begin(), m_real.messages.end());
        const Reply node(
            Reply::Array{ Reply(std::string("10.0.0.7")), Reply(std::int64_t{ 7001 }), Reply(std::string(40, 'e')),
                Reply(Reply::Array{ Reply(std::string("hostname")), Reply(std::string("a")) }) });
        const Reply slots(Reply::Array{ Reply(std::int64_t{ 0 }), Reply(std::int64_t{ 5460 }), node, node });
        m_real.others.push_back(wireBytes(Reply(Reply::Array{ slots, slots })));
        for (const char *error : { "-MOVED 3999 10.0.0.7:7001\r\n", "-ASK 3999 :7001\r\n", "-TRYAGAIN later\r\n",
                 "-CLUSTERDOWN Hash slot not served\r\n", "-READONLY You can't write\r\n", "+OK\r\n" })
            m_real.others.emplace_back(error);
        m_real.info = m_client->run({ "INFO" }).bulk() ? *m_client->run({ "INFO" }).bulk() : "";
        QVERIFY(!m_real.info.empty());
        m_real.lines = { "1339518083.107412 [0 127.0.0.1:60866] \"EVALSHA\" \"a\\x01\\\"\" \"1\" \"{order}\" \"30000\"",
            "1339518083.107413 [0 lua] \"hincrby\" \"order\" \"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7\" \"1\"",
            "1339518083.107413 [15 unix:/tmp/x] \"keys\" \"\\\\\\n\\r\\t\\a\\b\"",
            "1339518083.107413 [0 [::1]:6379] \"get\" \"\"" };
    }

    RedisServer m_server;
    std::unique_ptr<BlockingClient> m_client;
    RealReplies m_real;
    std::size_t m_events = 0;
    std::size_t m_locksShown = 0;
};

QTEST_GUILESS_MAIN(FuzzRepliesTest)
#include "tst_fuzz_replies.moc"
