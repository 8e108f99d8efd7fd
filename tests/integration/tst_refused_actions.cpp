// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/transport/clock.h"
#include "tests/support/blocking_client.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/server_test.h"

#include <QTest>
#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::synchronizers;
using testsupport::BlockingClient;
using testsupport::ServerTest;
using testsupport::words;

namespace {

const OwnerId A{ "0f7e1c52-8d3b-4a6f-9b1e-2c4d6e8fa0b2", "1" };
const OwnerId B{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "1" };
const std::string Permit = "00112233445566778899aabbccddeeff";
constexpr const char *Rights[]
    = { "resetchannels", "-del", "-hdel", "-hset", "-incrby", "-lpop", "-lrem", "-pexpire", "-zadd", "-zrem" };

struct Deed {
    const char *name;
    const char *before; // commands, each on a line; {A} and {B} are the owners
    AdminCommand command;
    std::vector<std::string> needs;
};

const std::vector<Deed> &deeds()
{
    static const std::string value(22, 'a');
    static const char *const readers
        = "HSET job mode read {A} 2 {B} 1\nPEXPIRE job 90000\n"
          "SET {job}:{A}:rwlock_timeout:1 1 PX 90000\nSET {job}:{A}:rwlock_timeout:2 1 PX 90000\n"
          "SET {job}:{B}:rwlock_timeout:1 1 PX 80000";
    static const char *const queue = "HSET job {A} 1\nRPUSH redisson_lock_queue:{job} {A} {B}\n"
                                     "ZADD redisson_lock_timeout:{job} 1 {A} 9000000000000 {B}";
    static const char *const freeQueue = "RPUSH redisson_lock_queue:{job} {A} {B}\n"
                                         "ZADD redisson_lock_timeout:{job} 8000000000000 {A} 9000000000000 {B}";
    static const char *const group = "HSET job aaaaaaaaaaaaaaaaaaaaaa {A} aaaaaaaaaaaaaaaaaaaaaa:{A}:expire_time "
                                     "9000000000000 aaaaaaaaaaaaaaaaaaaaaa:{A}:lock_count 1";
    static const char *const permits = "SET job 0\nZADD {job}:timeout 9000000000000 00112233445566778899aabbccddeeff";
    const ExpectedHolder a{ A, {} };
    const ExpectedHolder readsA{ A, HoldMode::Read };
    const ExpectedHolder readsB{ B, HoldMode::Read };
    static const std::vector<Deed> all{
        { "reentrant", "HSET job {A} 1", ForceRelease{ "job", Kind::Reentrant, { a }, "r" },
            { "resetchannels", "-del" } },
        { "fair", queue, ForceRelease{ "job", Kind::Fair, { a }, "r" }, { "resetchannels", "-del", "-lpop", "-zrem" } },
        { "read/write", readers, ForceRelease{ "job", Kind::ReadWrite, { readsA, readsB }, "r" },
            { "resetchannels", "-del" } },
        { "one reader", readers, ForceRelease{ "job", Kind::ReadWrite, { readsA }, "r", true },
            { "-del", "-hdel", "-pexpire" } },
        { "all readers", readers, ForceRelease{ "job", Kind::ReadWrite, { readsA, readsB }, "r", true },
            { "resetchannels", "-del" } },
        { "faster multi", group, ForceRelease{ "job", Kind::FasterMulti, { a }, "r" }, { "resetchannels", "-del" } },
        { "waiter", freeQueue, DropWaiter{ "job", A, "r" }, { "resetchannels", "-lrem", "-zadd", "-zrem" } },
        { "permit", permits, ReturnPermit{ "job", Permit, "r" }, { "resetchannels", "-incrby", "-zrem" } },
        { "renewal", "HSET job {A} 1", SetTtl{ "job", Kind::Reentrant, { a }, Millis(5'000), "r" }, { "-pexpire" } },
        { "renewal of readers", readers, SetTtl{ "job", Kind::ReadWrite, { readsA, readsB }, Millis(5'000), "r" },
            { "-pexpire" } },
        { "renewal of values", group, SetTtl{ "job", Kind::FasterMulti, { a }, Millis(5'000), "r" },
            { "-hset", "-pexpire" } },
    };
    return all;
}

std::string replaced(std::string text, const std::string &what, const std::string &by)
{
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

} // namespace

/// Actions of a user who may do a part of what they consist of: all or nothing.
class RefusedActions : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void changesNothingForWantOfARight_data()
    {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t number = 0; number < deeds().size(); ++number)
            QTest::newRow(deeds()[number].name) << number;
    }
    void changesNothingForWantOfARight()
    {
        QFETCH(std::size_t, number);
        const Deed &deed = deeds()[number];
        for (const std::string right : Rights) {
            prepare(deed, right);
            const auto before = state();
            const auto outcome = act(deed.command);
            if (std::ranges::find(deed.needs, right) == deed.needs.end()) {
                QVERIFY2(outcome && outcome->done, right.c_str());
                QVERIFY(state() != before);
                continue;
            }
            QVERIFY2(!outcome, right.c_str());
            QCOMPARE(outcome.error().code, ErrorCode::PermissionDenied);
            QVERIFY2(outcome.error().message.ends_with("nothing was changed"), outcome.error().message.c_str());
            const std::string what = right == "resetchannels"
                ? "PUBLISH to redisson_"
                : QString::fromStdString(right.substr(1)).toUpper().toStdString() + " of ";
            QVERIFY2(outcome.error().message.find(what) != std::string::npos, outcome.error().message.c_str());
            QCOMPARE(state(), before);
        }
    }

    /// With the rules of one line.
    void takesNoMoreThanItSays_data() { changesNothingForWantOfARight_data(); }
    void takesNoMoreThanItSays()
    {
        QFETCH(std::size_t, number);
        const Deed &deed = deeds()[number];
        prepare(deed, "resetchannels");
        m_server.cli(words("ACL SETUSER limited -@all resetkeys &redisson_*"));
        QVERIFY(!act(deed.command));
        const auto line = aclLineFor(deed.command, "limited");
        QCOMPARE(m_server.cli(words(line.c_str())), QByteArray("OK"));
        const auto outcome = act(deed.command);
        QVERIFY2(outcome && outcome->done, line.c_str());
    }

    void tellsAllThatIsRefusedAtOnce()
    {
        prepare(deeds()[0], "-del");
        m_server.cli(words("ACL SETUSER limited resetchannels"));
        const auto outcome = act(deeds()[0].command);
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().message,
            "NOPERM this user is refused PUBLISH to redisson_lock__channel:{job}, DEL of job; nothing was changed");
    }

    /// As with servers before 7, which cannot be asked beforehand.
    void freesNoLockThatItCannotTellOf_data() { changesNothingForWantOfARight_data(); }
    void freesNoLockThatItCannotTellOf()
    {
        QFETCH(std::size_t, number);
        const Deed &deed = deeds()[number];
        for (const std::string right : Rights) {
            prepare(deed, right);
            const auto before = state();
            const bool lock = exists();
            const auto outcome = act(deed.command, true);
            QCOMPARE(!outcome, std::ranges::find(deed.needs, right) != deed.needs.end());
            if (outcome)
                continue;
            const bool saysNothing = outcome.error().message.ends_with("nothing was changed");
            QVERIFY2(saysNothing || outcome.error().message.ends_with("look again before you repeat it"),
                outcome.error().message.c_str());
            QCOMPARE(saysNothing, state() == before);
            QVERIFY(saysNothing || right != "resetchannels");
            QCOMPARE(exists(), lock);
        }
    }

    void findsNoQueueInAKeyOfAnotherType()
    {
        runAll("HSET job {A} 1\nSET redisson_lock_queue:{job} x");
        QVERIFY(act(deeds()[0].command)->done);
        QCOMPARE(m_server.cli(words("KEYS *")), QByteArray("redisson_lock_queue:{job}"));
        runAll("HSET job {A} 1\nDEL redisson_lock_queue:{job}\nRPUSH redisson_lock_queue:{job} {B}\n"
               "SET redisson_lock_timeout:{job} x");
        QVERIFY(act(deeds()[0].command)->done);
        QCOMPARE(m_server.cli(words("EXISTS job redisson_lock_queue:{job} redisson_lock_timeout:{job}")), "2");
    }

    void leavesAPermitWhoseSemaphoreIsNoNumberThatGrows()
    {
        for (const char *number : { "9223372036854775807", "99999999999999999999", "1.5" }) {
            runAll(("SET job " + std::string(number) + "\nZADD {job}:timeout 9000000000000 " + Permit));
            const auto before = state();
            const auto outcome = act(ReturnPermit{ "job", Permit, "r" });
            QVERIFY(!outcome);
            QCOMPARE(outcome.error().code, ErrorCode::HolderChanged);
            QCOMPARE(state(), before);
        }
    }

    /// A count that nobody has: the server would count for ever.
    void isNotKeptBusyByAnAbsurdCount()
    {
        const ExpectedHolder a{ A, HoldMode::Read };
        const ExpectedHolder b{ B, HoldMode::Read };
        for (const char *count : { "99999999999999999999", "1e300", "inf", "nan" }) {
            runAll(("DEL job\nHSET job mode read {A} " + std::string(count) + " {B} 1"));
            run(SetTtl{ "job", Kind::ReadWrite, { a, b }, Millis(5'000), "r" }, false);
            run(ForceRelease{ "job", Kind::ReadWrite, { b }, "r", true }, false);
            QCOMPARE(m_server.cli(words("HLEN job")), QByteArray("2"));
            run(ForceRelease{ "job", Kind::ReadWrite, { a }, "r" }, false);
            QVERIFY(!exists());
        }
    }

    /// Under want of memory a lock can be freed all the same.
    void actsWithoutMemory()
    {
        for (const Deed &deed : deeds()) {
            prepare(deed, "+@all");
            m_admin->run({ "CONFIG", "SET", "maxmemory", "1" });
            const auto outcome = act(deed.command);
            m_admin->run({ "CONFIG", "SET", "maxmemory", "0" });
            QVERIFY2(outcome && outcome->done, deed.name);
        }
    }

private:
    void prepareNext() override
    {
        m_admin = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
        m_limited = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
        permit("+@all");
    }
    void permit(const std::string &rule)
    {
        m_admin->run({ "ACL", "SETUSER", "limited", "reset", "on", "nopass", "+@all", "~*", "allchannels", rule });
        m_limited->run({ "AUTH", "limited", "x" });
    }
    void prepare(const Deed &deed, const std::string &rule)
    {
        m_admin->run({ "FLUSHALL" });
        permit(rule);
        runAll(deed.before);
    }
    void runAll(const std::string &lines)
    {
        std::istringstream stream(replaced(replaced(lines, "{A}", toString(A)), "{B}", toString(B)));
        for (std::string line; std::getline(stream, line);) {
            std::istringstream words(line);
            m_admin->run({ std::istream_iterator<std::string>(words), {} });
        }
    }
    std::vector<std::string> state() // all keys with what is in them and when they end
    {
        const auto reply = m_admin->run({ "EVAL",
            "local keys, all = redis.call('KEYS', '*'), {} table.sort(keys) for _, key in ipairs(keys) do "
            "all[#all + 1] = key .. redis.call('DUMP', key) .. redis.call('PEXPIRETIME', key) end return all",
            "0" });
        std::vector<std::string> all;
        for (const protocol::Reply &each : *reply.array())
            all.push_back(*each.bulk());
        return all;
    }
    bool exists() { return *m_admin->run({ "EXISTS", "job" }).integer() == 1; }

    protocol::Reply run(const AdminCommand &command, bool old)
    {
        const auto call = lockcore::synchronizers::prepare(command, wallNow() + Millis(60'000)).value();
        std::string text(call.script->text);
        if (old)
            text = replaced(text, "redis.acl_check_cmd", "redis.unknown");
        protocol::Command words{ "EVAL", text, std::to_string(call.keys.size()) };
        words.insert(words.end(), call.keys.begin(), call.keys.end());
        words.insert(words.end(), call.arguments.begin(), call.arguments.end());
        return m_limited->run(words);
    }
    Result<CommandOutcome> act(const AdminCommand &command, bool old = false)
    {
        const auto reply = run(command, old);
        if (reply.isError())
            qWarning("%s", reply.error()->text.c_str());
        return reply.isError() ? tl::unexpected(protocol::toError(reply, {})) : decodeOutcome(reply);
    }

    std::unique_ptr<BlockingClient> m_admin;
    std::unique_ptr<BlockingClient> m_limited;
};

QTEST_GUILESS_MAIN(RefusedActions)
#include "tst_refused_actions.moc"
