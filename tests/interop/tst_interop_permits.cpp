// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/pair_test.h"
#include "tests/support/redis_server.h"

using namespace interop;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int SoonMs = 10'000; // there is no timer that would wake a waiter: only the message can

} // namespace

/// Semaphores, permits with an id and latches between lockcore and Redisson, in both directions.
class InteropPermitsTest : public PairTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Redisson4);
        NEED_PEER(Language::Redisson3);
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ u"flushall"_s }); }

    void wakesTheOtherByPermits_data() { eachPair(); }
    void wakesTheOtherByPermits()
    {
        QCOMPARE(one().ask("sem.set - s 2"), "ok true");
        QCOMPARE(other().ask("sem.set - s 5"), "ok false");
        QCOMPARE(one().ask("sem.acquire 1 s 2 -"), "acquired");
        QCOMPARE(other().ask("sem.acquire 1 s 1 0"), "refused");
        const QByteArray waiting = other().start("sem.acquire 1 s 2 -");
        QTRY_COMPARE(channels(), "redisson_sc:{s}");
        QCOMPARE(one().ask("sem.release - s 1"), "ok");
        QVERIFY2(!other().isAnswered(waiting), "one is not enough");
        QCOMPARE(one().ask("sem.release - s 1"), "ok");
        QCOMPARE(other().answer(waiting, SoonMs), "acquired");
        QCOMPARE(one().ask("sem.available - s"), "ok 0");
        QCOMPARE(other().ask("sem.add - s 7"), "ok");
        QCOMPARE(one().ask("sem.drain - s"), "ok 7");
        QTRY_COMPARE(channels(), QByteArray());
    }

    void handsPermitsOver_data() { eachPair(); }
    void handsPermitsOver()
    {
        QCOMPARE(one().ask("permit.set - p 1"), "ok true");
        const QByteArray permit = one().ask("permit.acquire 1 p 1 - 0").mid(9);
        QCOMPARE(permit.size(), 32);
        QCOMPARE(other().ask("permit.acquire 1 p 1 - 0"), "refused");
        const QByteArray waiting = other().start("permit.acquire 1 p 1 - -");
        QTRY_COMPARE(channels(), "redisson_sc:{p}");
        QCOMPARE(one().ask("permit.release - p " + permit), "ok true");
        const QByteArray theirs = other().answer(waiting, SoonMs).mid(9);
        QCOMPARE(theirs.size(), 32);
        QCOMPARE(one().ask("permit.release - p " + permit), "ok false");
        QFETCH(Language, holding);
        const bool findsIt
            = holding != Language::Redisson3; // it knows ids as text only, not the bytes of its successors
        QCOMPARE(one().ask("permit.release - p " + theirs), findsIt ? "ok true" : "ok false");
        QCOMPARE(one().ask("permit.available - p"), findsIt ? "ok 1" : "ok 0");
    }

    void givesBackThePermitsOfTheDead_data() { eachPair(); }
    void givesBackThePermitsOfTheDead()
    {
        QFETCH(Language, holding);
        QVERIFY2(!other().id().isEmpty(), "it runs before the lease does");
        QCOMPARE(one().ask("permit.set - p 1"), "ok true");
        QVERIFY(one().ask("permit.acquire 1 p 1 3000 0").startsWith("acquired "));
        const QByteArray waiting = other().start("permit.acquire 1 p 1 - -");
        QTRY_COMPARE(channels(), "redisson_sc:{p}");
        kill(holding);
        QVERIFY2(!other().isAnswered(waiting), "not before the lease was over");
        QVERIFY(other().answer(waiting, SoonMs).startsWith("acquired "));
    }

    void opensTheGateForTheOther_data() { eachPair(); }
    void opensTheGateForTheOther()
    {
        QCOMPARE(one().ask("latch.set - l 2"), "ok true");
        QCOMPARE(other().ask("latch.set - l 3"), "ok false");
        const QByteArray waiting = other().start("latch.wait 1 l -");
        QTRY_COMPARE(channels(), "redisson_countdownlatch__channel__{l}");
        QCOMPARE(other().ask("latch.down 2 l"), "ok");
        QCOMPARE(one().ask("latch.count - l"), "ok 1");
        QVERIFY(!other().isAnswered(waiting));
        QCOMPARE(one().ask("latch.down - l"), "ok");
        QCOMPARE(other().answer(waiting, SoonMs), "acquired");
        QCOMPARE(m_server.cli({ u"exists"_s, u"l"_s }), "0");
        QCOMPARE(one().ask("latch.wait 1 l 0"), "acquired");
    }

    void letsGoWhenTheOtherDeletesTheLatch()
    {
        PeerProcess &theirs = peer(Language::Redisson4);
        PeerProcess &ours = peer(Language::Cpp);
        QCOMPARE(theirs.ask("latch.set - l 2"), "ok true");
        const QByteArray waiting = ours.start("latch.wait 1 l -");
        QTRY_COMPARE(channels(), "redisson_countdownlatch__channel__{l}");
        QCOMPARE(theirs.ask("latch.delete - l"), "ok true");
        QCOMPARE(ours.answer(waiting, SoonMs), "acquired");
    }

private:
    static void eachPair() { addPairs(pairsWith({ Language::Redisson4, Language::Redisson3 })); }
    void connectPeer(PeerProcess &peer, int) override { peer.connectTo(m_server.url()); }

    QByteArray channels() { return m_server.cli({ u"pubsub"_s, u"channels"_s, u"redisson_*"_s }); }

    RedisServer m_server;
};

QTEST_GUILESS_MAIN(InteropPermitsTest)
#include "tst_interop_permits.moc"
