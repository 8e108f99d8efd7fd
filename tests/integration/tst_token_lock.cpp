// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/synchronizers/counter_recognition.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/pipelined_reader.h"
#include "lockcore/synchronizers/token_lock.h"
#include "lockcore/synchronizers/token_recognition.h"
#include "tests/integration/script_test.h"

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

const LockName Name = "lock:order";
const OwnerId A{ "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10", "1" };
const OwnerId B{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "1" };
const OwnerId Stranger{ "ADDED:2024-11-20T14:02:11.380Z@worker-3", "" };
const std::string Bytes("\xff\0 mode\r\n", 8);
const WallTime Start{ Millis(1'800'000'000'000) };
const TokenNames Names{ "lock:*" };

std::string requestId(char digit) { return std::string(32, digit); }

} // namespace

/// Locks as other libraries write them: what lockcore does to them, and how it reads them.
class TokenLock : public ScriptTest {
    Q_OBJECT

protected:
    void prepareNext() override { m_redis.at(Start); }

private Q_SLOTS:
    void takesAndGivesBackAsOtherLibrariesDo()
    {
        QVERIFY(take(A));
        QCOMPARE(token(), toString(A));
        QVERIFY(m_redis.pttl(Name) > 20'000 && m_redis.pttl(Name) <= 30'000);
        const auto refused = m_redis.tryTo(tokenLock().acquire({ Name, B, 30s, {}, false, 0 }));
        QVERIFY(refused && !refused->acquired && *refused->holderTtl > 20s);
        const auto notHis = unlock(B, '1');
        QCOMPARE(notHis.error().code, ErrorCode::NotHeld);
        QVERIFY(notHis.error().message.find(toString(A)) != std::string::npos);
        QCOMPARE(unlock(A, '2').value(), 0);
        QCOMPARE(m_redis.keys(), Texts{});
        QCOMPARE(unlock(A, '2').value(), 0); // the same request, whose answer was lost
        QVERIFY(take(B));
    }

    void waitsForWhatAnotherLibraryHolds()
    {
        m_redis.ask({ "SET", Name, toString(Stranger), "NX", "PX", "5000" });
        const auto refused = m_redis.tryTo(tokenLock().acquire({ Name, A, 30s, {}, false, 0 }));
        QVERIFY(refused && !refused->acquired && *refused->holderTtl <= 5s);
        const auto notHis = unlock(A, '1');
        QVERIFY(notHis.error().message.find("by " + toString(Stranger)) != std::string::npos);
        m_redis.ask({ "PERSIST", Name }); // redis-py without a time-out
        const auto never = m_redis.tryTo(tokenLock().acquire({ Name, A, 30s, {}, false, 0 }));
        QVERIFY(never && !never->acquired && !never->holderTtl);
        QCOMPARE(token(), toString(Stranger));
    }

    void takesItOnceHoweverOftenItIsAsked()
    {
        QVERIFY(take(A));
        m_redis.ask({ "PEXPIRE", Name, "1000" });
        QVERIFY2(take(A), "the answer to the first try was lost");
        QVERIFY(m_redis.pttl(Name) > 20'000);
        QCOMPARE(
            m_redis.tryTo(tokenLock().acquire({ Name, A, 30s, {}, false, 1 })).error().code, ErrorCode::AlreadyHeld);
        QCOMPARE(m_redis.tryTo(tokenLock().acquire({ Name, A, 30s })).error().code, ErrorCode::AlreadyHeld);
        m_redis.ask({ "DEL", Name });
        const auto anew = m_redis.tryTo(tokenLock().acquire({ Name, A, 30s, {}, false, 1 }));
        QVERIFY(anew->acquired);
        QCOMPARE(anew->unknownBefore, -1); // the client thought that it held it
    }

    void givesBackOnlyWhatNobodyKnowsOf()
    {
        QVERIFY(take(A));
        UnlockCall surplus = unlockCall(A, '1');
        surplus.keep = 1;
        QCOMPARE(parseUnlockReply(m_redis.run(tokenLock().unlock(surplus))).value(), 1);
        QCOMPARE(token(), toString(A));
        surplus.requestId = requestId('2');
        surplus.keep = 0;
        QCOMPARE(parseUnlockReply(m_redis.run(tokenLock().unlock(surplus))).value(), 0);
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void renewsWhatHasTheToken()
    {
        QVERIFY(take(A));
        m_redis.ask({ "SET", "lock:other", toString(Stranger), "PX", "1000" });
        m_redis.ask({ "PEXPIRE", Name, "1000" });
        const std::vector<HoldName> holds{ { Name, A }, { "lock:other", A }, { "lock:none", A } };
        QCOMPARE(parseRenewReply(m_redis.run(tokenLock().renew(holds, 30s)), 3).value(),
            (std::vector{ true, false, false }));
        QVERIFY(m_redis.pttl(Name) > 20'000);
        QVERIFY(m_redis.pttl("lock:other") <= 1'000);
        m_redis.ask({ "PEXPIRE", Name, "90000" });
        m_redis.run(tokenLock().renew({ holds.data(), 1 }, 30s));
        QVERIFY2(m_redis.pttl(Name) > 80'000, "never shortens");
        QCOMPARE(parseRenewReply(m_redis.run(tokenLock().setLease({ Name, A, 5s, requestId('a') })), 1).value(),
            std::vector{ true });
        QVERIFY(m_redis.pttl(Name) <= 5'000);
        QCOMPARE(parseRenewReply(m_redis.run(tokenLock().setLease({ Name, B, 30s, requestId('b') })), 1).value(),
            std::vector{ false });
    }

    void leavesKeysOfAnotherTypeAlone()
    {
        for (const Texts &command : { Texts{ "HSET", Name, toString(A), "1" }, Texts{ "RPUSH", Name, "1" } }) {
            m_redis.ask({ "FLUSHALL" });
            m_redis.ask(command);
            const auto before = m_redis.everything();
            const HoldName hold{ Name, A };
            QCOMPARE(m_redis.refusal(tokenLock().acquire({ Name, A, 30s })), ErrorCode::WrongType);
            QCOMPARE(m_redis.refusal(tokenLock().unlock(unlockCall(A, '1'))), ErrorCode::WrongType);
            QCOMPARE(m_redis.refusal(tokenLock().renew({ &hold, 1 }, 30s)), ErrorCode::WrongType);
            QCOMPARE(m_redis.refusal(tokenLock().setLease({ Name, A, 30s, requestId('a') })), ErrorCode::WrongType);
            QCOMPARE(
                act(ForceRelease{ Name, Kind::Token, { { A, {} } }, "why" }).error().code, ErrorCode::HolderChanged);
            QCOMPARE(m_redis.everything(), before);
        }
    }

    void isFreedByForceOnlyFromTheTokenThatWasSeen_data()
    {
        QTest::addColumn<QByteArray>("token");
        QTest::newRow("any bytes") << QByteArray::fromStdString(Bytes);
        QTest::newRow("with colons") << QByteArray::fromStdString(toString(Stranger));
        QTest::newRow("an owner by shape") << QByteArray::fromStdString(toString(A));
        QTest::newRow("a number") << QByteArray("1");
    }
    void isFreedByForceOnlyFromTheTokenThatWasSeen()
    {
        QFETCH(const QByteArray, token);
        const auto seen = recogniseToken(Name, token.toStdString(), -1)->holders.front().owner;
        m_redis.ask({ "SET", Name, token.toStdString(), "PX", "60000" });
        const auto refused = act(ForceRelease{ Name, Kind::Token, { { B, {} } }, "why" });
        QVERIFY(refused && !refused->done);
        QCOMPARE(refused->found.size(), std::size_t(1));
        QVERIFY(refused->found.front().owner == seen);
        QVERIFY(!act(ForceRelease{ Name, Kind::Token, { { seen, {} }, { B, {} } }, "why" })->done);
        QVERIFY(!act(SetTtl{ Name, Kind::Token, { { B, {} } }, 5s, "why" })->done);
        QVERIFY(m_redis.pttl(Name) > 50'000);
        const auto renewed = act(SetTtl{ Name, Kind::Token, { { seen, {} } }, 5s, "why" });
        QVERIFY(renewed->done && renewed->found.front().owner == seen);
        QVERIFY(m_redis.pttl(Name) <= 5'000);
        const auto freed = act(ForceRelease{ Name, Kind::Token, { { seen, {} } }, "why" });
        QVERIFY(freed->done && !freed->published && freed->found.front().owner == seen);
        QCOMPARE(m_redis.keys(), Texts{});
        const auto again = act(ForceRelease{ Name, Kind::Token, { { seen, {} } }, "why" });
        QVERIFY(again && !again->done && again->found.empty());
    }

    void doesNothingByForceAfterTheLastMomentOrToWhatIsNoToken()
    {
        m_redis.ask({ "SET", Name, "token" });
        m_redis.at(Start + 11s);
        QCOMPARE(act(ForceRelease{ Name, Kind::Token, { { { "token", "" }, {} } }, "why" }).error().code,
            ErrorCode::Cancelled);
        m_redis.at(Start);
        QCOMPARE(token(), std::string("token"));
        m_redis.ask({ "SET", Name, std::string(300, 'x') });
        QCOMPARE(act(ForceRelease{ Name, Kind::Token, { { { "token", "" }, {} } }, "why" }).error().code,
            ErrorCode::HolderChanged);
        QCOMPARE(prepare(ForceRelease{ Name, Kind::Token, {}, "why" }, Start).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(
            prepare(ForceRelease{ Name, Kind::Token, { { { "token", "" }, {} } }, "why", true }, Start).error().code,
            ErrorCode::InvalidArgument);
    }

    /// Both ways of reading, and of looking for them, agree.
    void isReadUnderItsNamesAlone()
    {
        m_redis.ask({ "SET", Name, Bytes, "PX", "60000" });
        m_redis.ask({ "SET", "lock:forever", "1a2b" });
        m_redis.ask({ "SET", "lock:number", "1" });
        m_redis.ask({ "SET", "lock:text", std::string(257, 'x') });
        m_redis.ask({ "SET", "session:1", "token", "PX", "60000" });
        m_redis.ask({ "RPUSH", "lock:list", "token" });
        m_redis.ask({ "HSET", "lock:hash", toString(A), "1" });
        const std::vector<LockName> names{ Name, "lock:forever", "lock:number", "lock:text", "session:1", "lock:list",
            "lock:hash" };
        const auto byScript = read(names, Names);
        QCOMPARE(byScript.size(), std::size_t(4));
        QVERIFY(byScript[0] == *recogniseToken(Name, Bytes, byScript[0].ttl->count()));
        QVERIFY(byScript[0].ttl > 50s);
        QVERIFY(byScript[1] == *recogniseToken("lock:forever", "1a2b", -1));
        QVERIFY(isPlainNumber(byScript[2])); // others decide what it is
        QCOMPARE(byScript[3].kind, Kind::Reentrant);
        auto byCommands = readByCommands(names, Names);
        QCOMPARE(byCommands.size(), byScript.size());
        byCommands[0].ttl = byScript[0].ttl;
        QCOMPARE(byCommands, byScript);
        for (const auto &readings : { read(names, {}), readByCommands(names, {}) }) {
            QCOMPARE(readings.size(), std::size_t(2));
            QVERIFY(isPlainNumber(readings[0]) && readings[1].kind == Kind::Reentrant);
        }
    }

    void isFoundInASweep()
    {
        const Texts locks{ "job:7", "lock:1", "lock:2" };
        for (const std::string &name : locks)
            m_redis.ask({ "SET", name, "token", "PX", "60000" });
        for (int i = 0; i < 2'000; ++i)
            m_redis.ask({ "SET", "session:" + std::to_string(i), "token" });
        m_redis.ask({ "HSET", "lock:hash", "a", "1" });
        const auto byScript = [this](const std::vector<SweepWalk> &walks, const SweepPosition &from) {
            return decodeSweepPage(m_redis.run({ &sweepPageScript(), {}, sweepPageArguments(walks, from, 200) }));
        };
        const auto byCommands = [this](const std::vector<SweepWalk> &walks, const SweepPosition &from) {
            std::vector<protocol::Reply> replies;
            for (const auto &command : scanCommands(walks, from, 200))
                replies.push_back(m_redis.ask(command));
            return decodeScans(walks, from, replies);
        };
        QCOMPARE(sweep({ "lock:*", "job:?" }, byScript), locks);
        QCOMPARE(sweep({ "lock:*" }, byScript), (Texts{ "lock:1", "lock:2" }));
        QCOMPARE(sweep({}, byScript), Texts{});
        // Without scripts all hashes are candidates.
        QCOMPARE(sweep({ "job:?" }, byCommands), (Texts{ "job:7", "lock:hash" }));
    }

private:
    bool take(const OwnerId &owner)
    {
        return m_redis.acquires(tokenLock().acquire({ Name, owner, 30s, {}, false, 0 }));
    }
    static UnlockCall unlockCall(const OwnerId &owner, char digit)
    {
        return { Name, owner, 30s, requestId(digit), 10s, {}, Told };
    }
    Result<std::int64_t> unlock(const OwnerId &owner, char digit)
    {
        return parseUnlockReply(m_redis.run(tokenLock().unlock(unlockCall(owner, digit))));
    }
    std::string token() { return m_redis.text({ "GET", Name }); }
    Result<CommandOutcome> act(const AdminCommand &command)
    {
        return prepare(command, Start + 10s).and_then([&](const ScriptCall &call) {
            return decodeOutcome(m_redis.run(call));
        });
    }
    std::vector<LockReading> read(const std::vector<LockName> &names, const TokenNames &patterns)
    {
        const auto reply
            = m_redis.run({ &readLocksScript(), names, readLocksArguments(Start, false, names, patterns) });
        return decodeReadLocks(names, reply, Recognition::Sure, patterns).value();
    }
    std::vector<LockReading> readByCommands(const std::vector<LockName> &names, const TokenNames &patterns)
    {
        PipelinedReader reader(names, Start, patterns);
        for (auto commands = reader.next(); !commands.empty(); commands = reader.next()) {
            std::vector<protocol::Reply> replies;
            for (const auto &command : commands)
                replies.push_back(m_redis.ask(command));
            if (!reader.feed(std::move(replies)))
                qFatal("reading failed");
        }
        return reader.take();
    }
    template <typename Page>
    static Texts sweep(const TokenNames &patterns, Page page)
    {
        const auto walks = sweepWalks({}, patterns);
        Texts found;
        for (SweepPosition position; !position.isAtEnd();) {
            const auto next = page(walks, position);
            if (!next)
                qFatal("the sweep failed");
            found.insert(found.end(), next->candidates.begin(), next->candidates.end());
            position = next->next;
        }
        std::ranges::sort(found);
        found.erase(std::ranges::unique(found).begin(), found.end());
        return found;
    }
};

QTEST_GUILESS_MAIN(TokenLock)
#include "tst_token_lock.moc"
