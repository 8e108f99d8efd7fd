// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/conclusion_table.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

/// Whether a lease was set anew, and what that tells of it: that a watchdog keeps it, or that it is a fixed one.
class RenewalConclusions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void renewed_data()
    {
        beginTable();
        happens("a renewal",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("anything may have been while nothing could be seen",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.down();
                bench.renew("order", FullLease);
                bench.up();
            },
            { { EventKind::Renewed, Inferred } });
        happens("taken again by the same owner after it was seen absent",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.server.clear();
                bench.changed("order");
                bench.take("order", A, FullLease);
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired } });
        happens("taken again by the same owner between two looks",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                publish(bench);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Inferred } });
        happens("taken again for a shorter time between two looks",
            [](EngineBench &bench) {
                bench.pass(Millis{ 30 });
                bench.renew("order", FullLease / 2);
                publish(bench);
                write(bench, { "order" });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("taken again two milliseconds later",
            [](EngineBench &bench) {
                bench.passSilently(Millis{ 2 });
                bench.renew("order", FullLease);
                publish(bench);
                write(bench, { "order" });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("taken again some milliseconds later, of which is heard after the look",
            [](EngineBench &bench) {
                bench.passSilently(Millis{ 9 });
                bench.renew("order", FullLease);
                bench.changed("order");
                bench.passSilently(Millis{ 3 });
                publish(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a late word of who had it before",
            [](EngineBench &bench) {
                bench.passSilently(Millis{ 2 });
                publish(bench);
                write(bench, { "order" });
            },
            {});
        happens("renewed, and given back before the answer is there",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 1 });
                publish(bench);
                bench.tell(input::KeysChanged{ { "order", latch(bench) } });
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.server.clear();
                bench.answer();
            },
            { { EventKind::Renewed }, { EventKind::Released } });
        happens("a spin lock taken again by the same owner between two looks",
            [](EngineBench &bench) {
                bench.unlock("order", true, false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.pass(seconds{ 10 });
                bench.events.clear();
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("taken once more and given back between two looks",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("a latch alone, as of an unlock that found nothing to give back",
            [](EngineBench &bench) {
                for (int i = 0; i < 2; ++i) { // now a latch told alone is none from before our time
                    bench.pass(seconds{ 10 });
                    bench.renew("order", FullLease);
                    bench.changed("order");
                }
                bench.events.clear();
                bench.pass(seconds{ 5 });
                bench.tell(input::KeysChanged{ { latch(bench) } });
                bench.pass(seconds{ 5 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("before any watchdog is due",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("before that by as much as a timer may be early",
            [](EngineBench &bench) {
                bench.pass(Millis{ 9'700 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("earlier than that",
            [](EngineBench &bench) {
                bench.pass(Millis{ 8'900 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("for longer than before, when a third of the time that it had is over",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", 2 * FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("its time to live is taken away, and it is given another one",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                bench.expiries.erase("order");
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed }, { EventKind::Renewed } });
        for (const bool isLate : { false, true })
            happens(isLate ? "given back without a time to live, and taken again, of which is heard after the look"
                           : "given back without a time to live, and taken again",
                [isLate](EngineBench &bench) {
                    bench.expiries.erase("order");
                    bench.changed("order");
                    bench.pass(seconds{ 1 });
                    bench.events.clear();
                    bench.renew("order", FullLease);
                    if (!isLate)
                        publish(bench);
                    bench.changed("order");
                    bench.passSilently(Millis{ 3 });
                    if (isLate)
                        publish(bench);
                },
                { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("the same while nothing could be seen",
            [](EngineBench &bench) {
                bench.down();
                bench.expiries.erase("order");
                bench.up();
            },
            { { EventKind::Renewed, Inferred } });
        happens("taken once more, and given back",
            [](EngineBench &bench) {
                for (const int count : { 2, 1 }) {
                    bench.pass(seconds{ 1 });
                    bench.server["order"].holders[0].count = count;
                    bench.renew("order", FullLease);
                    bench.changed("order");
                }
            },
            { { EventKind::Reentered }, { EventKind::PartlyReleased } });
        happens("who takes it once more adds one: by more it may have been written anew",
            [](EngineBench &bench) {
                for (const int count : { 3, 1 }) {
                    bench.pass(seconds{ 1 });
                    bench.server["order"].holders[0].count = count;
                    bench.renew("order", FullLease / 2);
                    bench.changed("order");
                }
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("given back twice, with a latch each",
            [](EngineBench &bench) {
                bench.server["order"].holders[0].count = 3;
                bench.changed("order");
                bench.events.clear();
                bench.server["order"].holders[0].count = 1;
                write(bench, { "order", latch(bench), latch(bench) });
            },
            { { EventKind::PartlyReleased } });
        happens("before its own is due, by a client that leaves latches and renews all its locks together",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("taken again at once, of which is heard after the look",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
                bench.passSilently(Millis{ 5 });
                publish(bench);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Inferred } });
        happens("taken once more and given back by a client that leaves no latches",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("a client that leaves no latches renews when a third of the lease is over",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("shortly before that it has taken it once more and given that back",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(Millis{ 9'700 });
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("also after a renewal",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
                bench.pass(Millis{ 9'900 });
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Renewed }, { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("but not where it was renewed after a re-entry, which sets the lease and leaves the watchdog as it was",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(seconds{ 8 });
                for (const int count : { 2, 1 }) {
                    bench.server["order"].holders[0].count = count;
                    bench.renew("order", FullLease);
                    bench.changed("order");
                    bench.pass(Millis{ 20 });
                }
                bench.pass(Millis{ 1'840 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Reentered }, { EventKind::PartlyReleased }, { EventKind::Renewed } });
        happens("renewed by its holder, while an action of ours comes to nothing",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.tell(input::ChangedByUs{ "order", Heard::ActionBegun });
                bench.answer();
                bench.renew("order", FullLease);
                bench.changed("order");
                bench.tell(input::ChangedByUs{ "order", Heard::ActionOver });
                bench.answer();
            },
            { { EventKind::Renewed } });
        happens("prolonged by us before a watchdog is due",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", 2 * FullLease);
                bench.changed("order");
                bench.tell(input::ChangedByUs{ "order", Heard::LeaseSet });
                bench.answer();
            },
            { { EventKind::Renewed } });
        happens("a spin lock of such a client, given back without a word and taken again",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.unlock("order", false, false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.pass(Millis{ 9'900 });
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a fair lock that nobody waits for, given back without a word and taken again",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.server["order"].kind = Kind::Fair;
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        for (const bool isFair : { false, true }) {
            const auto end = [isFair](EngineBench &bench, Millis left) {
                showThatALeavesNoLatches(bench);
                if (isFair)
                    makeFair(bench);
                else
                    makeSpin(bench, false);
                bench.pass(seconds{ 1 });
                bench.renew("order", left);
                bench.changed("order");
            };
            happens(isFair ? "a fair lock of such a client that somebody else gives less time"
                           : "a lock of such a client that was deleted before, and that somebody else gives less time",
                [end](EngineBench &bench) { end(bench, FullLease / 2); }, { { EventKind::Renewed, Inferred } });
            happens(isFair ? "a fair lock of such a client that somebody else gives more time"
                           : "a lock of such a client that was deleted before, and that somebody else gives more time",
                [end](EngineBench &bench) { end(bench, 2 * FullLease); }, { { EventKind::Renewed, Inferred } });
        }
    }
    void renewed() { compare(); }

    /// Since when it is held is not known; of the lease, that it cannot have been set long ago.
    void aLockThatWasFoundHeldIsProbablyRenewedBeforeAWatchdogIsDue()
    {
        for (const auto &[left, certainty] : { std::pair(seconds{ 25 }, Inferred), std::pair(seconds{ 20 }, Seen) }) {
            EngineBench bench;
            bench.take("order", A, left);
            bench.up();
            bench.pass(Millis{ 800 });
            bench.events.clear();
            bench.renew("order", FullLease);
            bench.changed("order");
            bench.pass(Millis{ 100 });
            QCOMPARE(bench.events.size(), std::size_t{ 1 });
            QCOMPARE(bench.events[0].kind, EventKind::Renewed);
            QCOMPARE(bench.events[0].certainty, certainty);
        }
    }

    void infersAWatchdogFromARenewalAtAThirdOfTheLease()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.pass(seconds{ 10 });
        QCOMPARE(bench.shown("order")->lease, Lease::Unknown);
        bench.renew("order", FullLease);
        bench.changed("order");
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.shown("order")->lease, Lease::Watchdog);
    }

    void infersAWatchdogWhereUnlocksAreNotHeard_data()
    {
        QTest::addColumn<bool>("alone");
        QTest::addColumn<Certainty>("certainty");
        QTest::addColumn<Lease>("lease");
        QTest::newRow("one command each time") << true << Seen << Lease::Watchdog;
        QTest::newRow("given back and taken again each time") << false << Inferred << Lease::Unknown;
    }
    /// As in a cluster, whose messages go by shards: nobody hears those of a lock that nobody waits for.
    void infersAWatchdogWhereUnlocksAreNotHeard()
    {
        QFETCH(const bool, alone);
        EngineBench bench(Feed::ClientTracking, false);
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.takeEvents();
        for (int i = 0; i < 3; ++i) {
            bench.pass(i == 0 ? seconds{ 10 } : seconds{ 10 } - Millis{ 300 });
            bench.renew("order", FullLease);
            if (alone)
                bench.changed("order");
            else
                changedTwice(bench);
            bench.pass(Millis{ 300 });
        }
        QFETCH(const Certainty, certainty);
        QCOMPARE(bench.takeEvents(), Happened(3, { EventKind::Renewed, certainty }));
        QTEST(bench.shown("order")->lease, "lease");
    }

    /// Until it comes next, its time to live has nothing to do with the one that was set.
    void callsNoWatchdogLateBecauseOfATimeThatWasSet()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        for (int i = 0; i < 3; ++i) {
            bench.pass(seconds{ 10 });
            bench.renew("order", FullLease);
            bench.changed("order");
        }
        bench.pass(seconds{ 5 });
        QCOMPARE(bench.shown("order")->lease, Lease::Watchdog);
        bench.tell(input::ChangedByUs{ "order", Heard::LeaseSet });
        bench.renew("order", seconds{ 60 });
        bench.changed("order");
        for (int i = 0; i < 31; ++i) { // it lets a longer time run down
            bench.pass(seconds{ 1 });
            QVERIFY(!renewalLate(*bench.shown("order"), bench.mono));
        }
        for (int second = 0; second < 60; ++second) {
            if (second % 10 == 0) {
                bench.renew("order", FullLease);
                bench.changed("order");
            }
            bench.pass(seconds{ 1 });
            QVERIFY2(!renewalLate(*bench.shown("order"), bench.mono), std::to_string(second).c_str());
        }
        QCOMPARE(bench.shown("order")->lease, Lease::Watchdog);
    }

    void infersAWatchdogFromTwoSteadyRenewals()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        for (const auto pause : { seconds{ 4 }, seconds{ 10 } }) { // the first round of a watchdog comes at any time
            bench.pass(pause);
            QCOMPARE(bench.shown("order")->lease, Lease::Unknown);
            bench.renew("order", FullLease);
            bench.changed("order");
            bench.pass(Millis{ 60 });
        }
        const auto lock = bench.shown("order");
        QCOMPARE(lock->lease, Lease::Watchdog);
        QCOMPARE(lock->renewals, 2);
        QCOMPARE(ttlHistoryOf(*lock).size(), std::size_t{ 3 });
        QVERIFY(!ttlHistoryOf(*lock)[0].renewal && ttlHistoryOf(*lock)[1].renewal && ttlHistoryOf(*lock)[2].renewal);
        QVERIFY(!renewalLate(*lock, bench.mono + seconds{ 10 }));
        QVERIFY(renewalLate(*lock, bench.mono + seconds{ 13 }));
    }

    void infersAFixedLeaseFromAMissingRenewal()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.pass(seconds{ 12 });
        QCOMPARE(bench.shown("order")->lease, Lease::Unknown);
        bench.pass(seconds{ 2 });
        QCOMPARE(bench.shown("order")->lease, Lease::Fixed);
        bench.renew("order", FullLease); // a late watchdog after all, or somebody's hand
        bench.changed("order");
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.shown("order")->lease, Lease::Unknown);
    }

    void unlocksProveNoWatchdog_data()
    {
        QTest::addColumn<bool>("reads");
        QTest::newRow("a writer") << false;
        QTest::newRow("a writer who reads, too") << true;
    }
    /// A fixed lease rises each time when the inner one of two holds is given back, at a third of the lease as if a
    /// watchdog had renewed it.
    void unlocksProveNoWatchdog()
    {
        QFETCH(const bool, reads);
        EngineBench bench;
        bench.up();
        std::vector holders{ writer(A) };
        if (reads)
            holders.push_back(reader(A, FullLease));
        for (int i = 0; i < 6; ++i) {
            share(bench, holders);
            write(bench, { "order", latch(bench) });
            bench.pass(seconds{ 10 });
            QVERIFY(bench.shown("order")->lease != Lease::Watchdog);
        }
    }

    void lease_data()
    {
        QTest::addColumn<bool>("shared");
        QTest::newRow("a watchdog alone") << false;
        QTest::newRow("beside a reader with a longer fixed lease") << true;
    }
    /// A renews every ten seconds, and nothing is late.
    void lease()
    {
        QFETCH(const bool, shared);
        EngineBench bench;
        bench.up();
        const Millis longLease{ 90'000 };
        for (int second = 0; second <= 100; ++second) {
            std::vector holders{ reader(A, FullLease - Millis{ second % 10 * 1'000 }) };
            if (shared && second >= 21 && second < 111)
                holders.push_back(reader(B, longLease - Millis{ (second - 21) * 1'000 }));
            share(bench, holders);
            if (second % 10 == 0 || second == 21)
                bench.changed("order");
            bench.pass(Millis{ 1'000 });
            QVERIFY2(!renewalLate(*bench.shown("order"), bench.mono), std::to_string(second).c_str());
        }
        QCOMPARE(bench.shown("order")->lease, shared ? Lease::Unknown : Lease::Watchdog);
    }

    void leasesThatDiffer_data()
    {
        QTest::addColumn<bool>("fasterMulti");
        QTest::newRow("readers") << false;
        QTest::newRow("holders of a faster multi-lock") << true;
    }
    /// A has a watchdog and B a longer fixed lease: the lock is renewed, and is not called one of a fixed lease.
    void leasesThatDiffer()
    {
        QFETCH(const bool, fasterMulti);
        EngineBench bench;
        bench.up();
        const Millis longLease{ 900'000 };
        const WallTime endOfB = bench.now().wall + longLease;
        for (int second = 0; second <= 600; second += 10) {
            const bool areBoth = second < 550;
            std::vector holders{ reader(A, FullLease) };
            if (areBoth)
                holders.push_back(reader(B, longLease - Millis{ second * 1'000 }));
            auto &lock = share(bench, holders);
            if (fasterMulti) {
                lock.kind = Kind::FasterMulti;
                lock.mode.reset();
                for (HolderReading &holder : lock.holders)
                    holder
                        = { holder.owner, 1, {}, {}, false, holder.owner == A ? bench.now().wall + FullLease : endOfB };
            }
            bench.changed("order");
            if (areBoth)
                QVERIFY2(bench.shown("order")->lease == Lease::Unknown, std::to_string(second).c_str());
            if (second == 540) {
                QCOMPARE(bench.shown("order")->holders[0].lease, Lease::Watchdog);
                QVERIFY(bench.shown("order")->holders[1].lease != Lease::Watchdog);
            }
            bench.pass(seconds{ 10 });
        }
        QCOMPARE(bench.shown("order")->lease, Lease::Watchdog); // of the one who is left
    }
};

QTEST_APPLESS_MAIN(RenewalConclusions)
#include "tst_renewal_conclusions.moc"
