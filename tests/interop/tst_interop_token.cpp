// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/interop/pair_test.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_server.h"

#include <QTemporaryDir>
#include <csignal>

using namespace interop;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int SoonMs = 30'000;
const QString Name = u"lock:job"_s;
const std::string Job = "lock:job";

bool isRefusal(const QByteArray &answer) { return isNotHeld(answer) || answer.startsWith("error Lock"); }

MonitorOptions watching()
{
    MonitorOptions options = rarelySweeping();
    options.tokenNames = { "lock:*" };
    return options;
}

} // namespace

/// Locks of kind `token` beside those of redis-py and node-redlock: they are the same locks.
class InteropTokenTest : public PairTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Python);
        NEED_PEER(Language::Node);
        QVERIFY(m_server.start());
    }
    void init() { m_server.cli({ u"FLUSHALL"_s }); }

    void excludeEachOther_data() { addPairs(pairsWith({ Language::Python, Language::Node })); }
    void excludeEachOther()
    {
        QCOMPARE(one().ask("lock 1 token lock:job - 0"), "acquired");
        const QByteArray token = m_server.cli({ u"GET"_s, Name });
        QCOMPARE(other().ask("lock 1 token lock:job - 0"), "refused");
        QCOMPARE(other().ask("lock 1 token lock:job - 200"), "refused");
        const QByteArray waiting = other().start("lock 1 token lock:job - -");
        QVERIFY(!other().isAnswered(waiting));
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), token);
        QCOMPARE(one().ask("unlock 1 token lock:job"), "ok");
        QCOMPARE(other().answer(waiting, SoonMs), "acquired"); // it asks again and again
        QVERIFY(m_server.cli({ u"GET"_s, Name }) != token);
        QCOMPARE(one().ask("lock 1 token lock:job - 0"), "refused");
        QCOMPARE(other().ask("unlock 1 token lock:job"), "ok");
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("0"));
    }

    void isReleasedByItsOwnerOnly_data() { addPairs(pairsWith({ Language::Python, Language::Node })); }
    void isReleasedByItsOwnerOnly()
    {
        QCOMPARE(one().ask("lock 1 token lock:job 200 0"), "acquired");
        QCOMPARE(other().ask("lock 1 token lock:job - -"), "acquired"); // once that has run out
        const QByteArray token = m_server.cli({ u"GET"_s, Name });
        const QByteArray refused = one().ask("unlock 1 token lock:job");
        QVERIFY2(isRefusal(refused), refused.constData());
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), token);
        QCOMPARE(other().ask("unlock 1 token lock:job"), "ok");
    }

    /// Each as often as it wants, never two at once.
    void shareOneLockInACrowd()
    {
        struct Member {
            PeerProcess &peer;
            QByteArray thread;
            QByteArray waiting = {};
            int left = 4;
        };
        std::vector<Member> crowd;
        for (const Language language : { Language::Cpp, Language::Python, Language::Node }) {
            for (const char *thread : { "1", "2" })
                crowd.push_back({ peer(language), thread });
        }
        const auto isAnswered
            = [](const Member &member) { return !member.waiting.isEmpty() && member.peer.isAnswered(member.waiting); };
        for (Member &member : crowd)
            member.waiting = member.peer.start("lock " + member.thread + " token lock:job - -");
        for (int holds = 0; holds < 4 * int(crowd.size()); ++holds) {
            QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(crowd, isAnswered), SoonMs);
            QCOMPARE(std::ranges::count_if(crowd, isAnswered), 1);
            Member &holder = *std::ranges::find_if(crowd, isAnswered);
            QCOMPARE(holder.peer.answer(holder.waiting), "acquired");
            QCOMPARE(holder.peer.ask("unlock " + holder.thread + " token lock:job"), "ok");
            holder.waiting
                = --holder.left > 0 ? holder.peer.start("lock " + holder.thread + " token lock:job - -") : QByteArray();
        }
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("0"));
    }

    void areShownWithTheirTokens_data()
    {
        QTest::addColumn<Language>("language");
        QTest::addColumn<int>("length"); // of a token
        QTest::newRow("redis-py") << Language::Python << 32;
        QTest::newRow("node-redlock") << Language::Node << 32;
    }
    void areShownWithTheirTokens()
    {
        QFETCH(const Language, language);
        QFETCH(const int, length);
        PeerProcess &theirs = peer(language);
        MonitorWatch watch(m_server.endpoint(), watching());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), SoonMs);
        QCOMPARE(theirs.ask("lock 1 token lock:job 20000 0"), "acquired");
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock(Job), SoonMs);
        const std::string token = theirs.ask("token 1 lock:job").mid(3).toStdString();
        QCOMPARE(token.size(), std::size_t(length));
        QCOMPARE(watch.lock(Job)->kind, Kind::Token);
        QVERIFY(watch.lock(Job)->holders.front().owner == (OwnerId{ token, "" }));
        QVERIFY(watch.lock(Job)->holders.front().since.exact);
        QCOMPARE(theirs.ask("extend 1 lock:job 60000"), "ok");
        QTRY_COMPARE_WITH_TIMEOUT(watch.lock(Job)->renewals, 1, SoonMs);
        QCOMPARE(theirs.ask("unlock 1 token lock:job"), "ok");
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(Job), SoonMs);
        QCOMPARE(theirs.ask("lock 1 token lock:job 300 0"), "acquired");
        using enum EventKind;
        QTRY_COMPARE_WITH_TIMEOUT(
            watch.kinds(Job), (std::vector{ Acquired, Renewed, Released, Acquired, Expired }), SoonMs);
        QCOMPARE(watch.certainty(Job, Renewed), Certainty::Inferred);
        QCOMPARE(watch.certainty(Job, Released), Certainty::Inferred);
        QCOMPARE(watch.certainty(Job, Expired), Certainty::Seen);
    }

    void showsThatOneNeverEnds()
    {
        QCOMPARE(peer(Language::Python).ask("lock 1 token lock:job never 0"), "acquired");
        MonitorWatch watch(m_server.endpoint(), watching());
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock(Job), SoonMs);
        QVERIFY(!watch.lock(Job)->expiresAt && isHeld(*watch.lock(Job)));
        QCOMPARE(peer(Language::Cpp).ask("lock 1 token lock:job - 0"), "refused");
        QCOMPARE(peer(Language::Python).ask("unlock 1 token lock:job"), "ok");
    }

    void areFreedByForce_data() { areShownWithTheirTokens_data(); }
    void areFreedByForce()
    {
        QFETCH(const Language, language);
        PeerProcess &theirs = peer(language);
        QCOMPARE(theirs.ask("lock 1 token lock:job - 0"), "acquired");
        const QString token = QString::fromUtf8(theirs.ask("token 1 lock:job").mid(3));
        const Ending freed = lockctl({ u"force-release"_s, Name, u"--expect"_s, token });
        QVERIFY2(freed.status == 0, freed.err.constData());
        const QByteArray refused = theirs.ask("unlock 1 token lock:job");
        QVERIFY2(isRefusal(refused), refused.constData());
        QCOMPARE(lockctl({ u"force-release"_s, Name, u"--expect"_s, token }).status, 1);
    }

    void waitForWhatLockctlHolds_data() { areShownWithTheirTokens_data(); }
    void waitForWhatLockctlHolds()
    {
        QFETCH(const Language, language);
        PeerProcess &theirs = peer(language);
        Program hold(QStringLiteral(LOCKCTL), { u"--url"_s, m_server.url(), u"hold"_s, Name, u"--kind"_s, u"token"_s });
        QVERIFY(!hold.lineWith("acquired").isEmpty());
        QCOMPARE(theirs.ask("lock 1 token lock:job - 0"), "refused");
        const QByteArray waiting = theirs.start("lock 1 token lock:job - -");
        hold.signal(SIGINT);
        QCOMPARE(theirs.answer(waiting, SoonMs), "acquired");
        QCOMPARE(hold.end().status, 0);
        QCOMPARE(theirs.ask("unlock 1 token lock:job"), "ok");
    }

private:
    void connectPeer(PeerProcess &peer, int) override { QVERIFY(peer.connectTo(m_server.url())); }
    Ending lockctl(const QStringList &command) const
    {
        return testsupport::run(QStringLiteral(LOCKCTL),
            QStringList{ u"--url"_s, m_server.url(), u"--writable"_s, u"--also"_s, u"lock:*"_s } + command
                + QStringList{ u"--reason"_s, u"test"_s, u"--audit-file"_s, m_folder.filePath(u"audit"_s) });
    }

    RedisServer m_server;
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(InteropTokenTest)
#include "tst_interop_token.moc"
