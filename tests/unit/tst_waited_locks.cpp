// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace testsupport;
using std::chrono::seconds;

namespace {

const std::string Channel = key_layout::lockChannel("order");

void count(EngineBench &bench, std::int64_t clients)
{
    bench.tell(input::SubscribersCounted{ { { Channel, clients } } });
}

bool isAsked(const EngineBench &bench) { return std::ranges::find(bench.counted, Channel) != bench.counted.end(); }

} // namespace

/// Nobody holds them, and they have no key; somebody waits for them all the same.
class TestWaitedLocks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areShownAfterTheFirstLook()
    {
        EngineBench bench;
        bench.channels = { { Channel, 2 }, { key_layout::readWriteChannel("stock"), 1 },
            { key_layout::fairChannel("fair", A), 1 }, { key_layout::lockChannel("nobody"), 0 } };
        bench.up();
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
        QCOMPARE(bench.last->locks.size(), std::size_t{ 3 });
        const auto lock = bench.shown("order");
        QVERIFY(lock && !isHeld(*lock) && lock->holders.empty() && !hasKeys(*lock));
        QCOMPARE(*lock->subscribers, std::int64_t{ 2 });
        QCOMPARE(lock->kind, Kind::Reentrant);
        QCOMPARE(bench.shown("stock")->kind, Kind::ReadWrite);
        QCOMPARE(bench.shown("fair")->kind, Kind::Fair);
        QVERIFY2(bench.events.empty(), "nothing happened");
    }

    /// Its token stays.
    void areFencedLocksToo()
    {
        EngineBench bench;
        auto &lock = bench.server["order"];
        lock.name = "order";
        lock.kind = Kind::Fenced;
        lock.token = 7;
        lock.keys = { key_layout::token("order") };
        bench.channels = { { Channel, 1 } };
        bench.up();
        QCOMPARE(bench.last->locks.size(), std::size_t{ 1 });
        QCOMPARE(bench.shown("order")->kind, Kind::Fenced);
        QCOMPARE(*bench.shown("order")->token, std::int64_t{ 7 });
    }

    void stayUntilNobodyWaits()
    {
        EngineBench bench;
        bench.channels = { { Channel, 1 } };
        bench.up();
        bench.pass(seconds{ 150 }); // what is gone is forgotten by then
        QVERIFY(bench.shown("order"));
        QVERIFY(isAsked(bench));
        bench.channels.clear();
        count(bench, 0);
        bench.pass(Millis{ 100 });
        QVERIFY(!bench.shown("order"));
        bench.pass(seconds{ 150 });
        QVERIFY(!bench.shown("order"));
        QVERIFY(bench.events.empty());
    }

    void areTakenAsAnyLock()
    {
        EngineBench bench;
        bench.channels = { { Channel, 1 } };
        bench.up();
        bench.take("order", A, seconds{ 30 });
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), (std::vector{ std::pair{ EventKind::Acquired, Certainty::Seen } }));
        bench.pass(Millis{ 60 });
        QVERIFY(isHeld(*bench.shown("order")) && bench.shown("order")->holders[0].since.exact);
    }

    /// The channel alone does not tell which of two names it is of.
    void areNotShownBesideANamesakeThatIsHeld()
    {
        EngineBench bench;
        bench.take("{order}", A, seconds{ 600 });
        bench.channels = { { Channel, 1 } };
        bench.up();
        bench.pass(seconds{ 20 });
        QCOMPARE(bench.last->locks.size(), std::size_t{ 1 });
        QVERIFY(bench.shown("{order}"));
    }

    void areShownAgainSoonAfterARelease()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, seconds{ 30 });
        bench.changed("order");
        bench.pass(seconds{ 2 });
        count(bench, 1);
        bench.counted.clear();
        bench.unlock("order");
        bench.pass(Millis{ 60 });
        QVERIFY2(!bench.shown("order"), "who was counted while it was held may be gone");
        bench.pass(Millis{ 60 });
        QVERIFY(isAsked(bench));
        count(bench, 1);
        bench.pass(Millis{ 60 });
        QVERIFY(bench.shown("order") && !isHeld(*bench.shown("order")));
    }

    void areFoundByTheNextListOfChannels()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, seconds{ 30 });
        bench.changed("order");
        bench.unlock("order");
        bench.channels = { { Channel, 1 } };
        bench.pass(seconds{ 6 });
        QVERIFY(bench.shown("order") && !isHeld(*bench.shown("order")));
        bench.channels.clear();
        count(bench, 0);
        bench.pass(Millis{ 100 });
        QVERIFY(!bench.shown("order"));
    }

    void areNotShownOnceTheyMayNotBeCounted()
    {
        EngineBench bench;
        bench.channels = { { Channel, 1 } };
        bench.up();
        bench.tell(input::RefreshRequested{});
        std::erase_if(
            bench.actions, [](const auto &what) { return std::holds_alternative<action::ListChannels>(what); });
        bench.tell(input::ChannelsListed{ .refused = true });
        bench.answer();
        bench.pass(Millis{ 200 });
        QVERIFY(bench.last->locks.empty());
    }

    /// Whoever gets it leaves the channel a moment later.
    void areNotAskedForWhenTheyAreHandedOn()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, seconds{ 30 });
        bench.changed("order");
        bench.pass(seconds{ 2 });
        count(bench, 1);
        bench.unlock("order");
        bench.take("order", B, seconds{ 30 });
        bench.changed("order");
        bench.counted.clear();
        bench.pass(Millis{ 200 });
        QVERIFY(!isAsked(bench));
        QVERIFY(isHeld(*bench.shown("order")));
    }

    void keepToThePatternAndToTheSlotsOfTheNode()
    {
        EngineBench bench(Feed::ClientTracking, true, { .server = "test:6379", .keyPattern = "o*" });
        bench.channels = { { Channel, 1 }, { key_layout::lockChannel("stock"), 1 } };
        bench.up();
        QCOMPARE(bench.last->locks.size(), std::size_t{ 1 });

        EngineBench node;
        node.channels = bench.channels;
        node.tell(input::SlotsKept{ { { 0, 0 } } });
        node.up();
        QVERIFY(node.last->locks.empty());
    }
};

QTEST_GUILESS_MAIN(TestWaitedLocks)
#include "tst_waited_locks.moc"
