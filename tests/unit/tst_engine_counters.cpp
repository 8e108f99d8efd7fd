// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace testsupport;
using Told = std::vector<std::pair<EventKind, std::optional<std::int64_t>>>;

namespace {

const std::vector<Kind> AnyNumber{ Kind::PermitExpirableSemaphore, Kind::CountDownLatch };

/// Numbers as the reader reads them: nothing but a channel tells what they are.
struct CounterBench : EngineBench {
    using EngineBench::EngineBench;

    void set(const LockName &name, std::int64_t value)
    {
        LockReading reading;
        reading.name = name;
        reading.kind = Kind::Semaphore;
        reading.alsoPossible = AnyNumber;
        reading.permits = PermitsReading{ value, {}, 0, {} };
        reading.keys = { name };
        server[name] = std::move(reading);
    }
    void lease(const LockName &name, std::int64_t free, std::vector<WallTime> deadlines)
    {
        set(name, free);
        auto &reading = server[name];
        reading.kind = Kind::PermitExpirableSemaphore;
        reading.alsoPossible.clear();
        leases[name] = std::move(deadlines);
        runOut();
    }
    /// What the server would count now.
    void runOut()
    {
        for (const auto &[name, deadlines] : leases) {
            auto &permits = *server[name].permits;
            permits.overdue = std::count_if(
                deadlines.begin(), deadlines.end(), [this](WallTime deadline) { return deadline <= now().wall; });
            permits.leased = std::ssize(deadlines) - permits.overdue;
            permits.leases.clear();
            for (std::size_t i = 0; i < deadlines.size(); ++i)
                permits.leases.push_back({ std::string(32, static_cast<char>('a' + i)), deadlines[i] });
        }
    }
    void wait(const LockName &name, Kind kind, std::int64_t clients)
    {
        const auto channel
            = kind == Kind::CountDownLatch ? key_layout::latchChannel(name) : key_layout::semaphoreChannel(name);
        std::erase_if(channels, [&](const auto &other) { return other.first == channel; });
        if (clients > 0)
            channels.emplace_back(channel, clients);
    }
    void publish(const std::string &channel)
    {
        tell(input::MessageHeard{ channel });
        answer();
        pass(Millis{ 60 });
    }
    void change(const LockName &name)
    {
        changed(name);
        pass(Millis{ 60 });
    }
    Told takeTold()
    {
        Told told;
        for (const auto &event : std::exchange(events, {}))
            told.emplace_back(event.kind, event.count);
        return told;
    }

    std::map<LockName, std::vector<WallTime>> leases;
};

/// Time passes, and whoever listens on a channel that is asked about is counted.
void passCounting(EngineBench &bench, Millis duration)
{
    constexpr Millis Step{ 100 };
    for (Millis passed{ 0 }; passed < duration; passed += Step) {
        bench.counted.clear();
        bench.pass(Step);
        if (bench.counted.empty())
            continue;
        input::SubscribersCounted answer;
        const std::map<std::string, std::int64_t> numbers(bench.channels.begin(), bench.channels.end());
        for (const auto &channel : bench.counted)
            answer.channels.emplace_back(channel, numbers.contains(channel) ? numbers.at(channel) : 0);
        bench.tell(answer);
    }
}

} // namespace

class TestEngineCounters : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsNoNumberThatNothingTellsOf()
    {
        CounterBench bench;
        bench.set("views", 7);
        bench.up();
        bench.set("views", 8);
        bench.change("views");
        QVERIFY(bench.last->locks.empty());
        QVERIFY(bench.events.empty());
    }

    /// Of a number of which nothing else tells, its name does; who listens for it tells more.
    void takesANumberForATokenByItsNameUntilItsWaitersTell()
    {
        CounterBench bench(Feed::ClientTracking, true, { .server = "test:6379", .tokenNames = { "jobs*" } });
        bench.set("jobs", 1);
        bench.set("views", 1);
        bench.up();
        QCOMPARE(bench.last->locks.size(), std::size_t(1));
        QCOMPARE(bench.shown("jobs")->kind, Kind::Token);
        QCOMPARE(bench.shown("jobs")->holders.front().owner.client, std::string("1"));
        QVERIFY(!bench.shown("jobs")->expiresAt);
        bench.wait("jobs", Kind::Semaphore, 1);
        bench.pass(std::chrono::seconds{ 20 });
        bench.change("jobs");
        QCOMPARE(bench.shown("jobs")->kind, Kind::Semaphore);
        QVERIFY(bench.shown("jobs")->holders.empty());
    }

    void knowsASemaphoreByItsWaiters()
    {
        CounterBench bench;
        bench.set("jobs", 0);
        bench.set("views", 0);
        bench.wait("jobs", Kind::Semaphore, 3);
        bench.up();
        QCOMPARE(bench.last->locks.size(), std::size_t(1));
        const auto jobs = bench.shown("jobs");
        QCOMPARE(jobs->kind, Kind::Semaphore);
        QVERIFY(jobs->otherKinds == std::vector<Kind>{ Kind::PermitExpirableSemaphore });
        QVERIFY(jobs->permits->available == 0 && !jobs->permits->leased);
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::Appeared, 0 } }));
        QCOMPARE(bench.counted, std::vector<std::string>{ "redisson_sc:{jobs}" });
        bench.tell(input::SubscribersCounted{ { { "redisson_sc:{jobs}", 3 } } });
        bench.pass(Millis{ 60 });
        QCOMPARE(waitingCount(*bench.shown("jobs")), std::optional<std::int64_t>(3));
    }

    /// Somebody waits for what does not exist, or nobody knew of it: it was not there already when it was first seen.
    void tellsOfACounterThatComesIntoBeingAsOfAChange()
    {
        CounterBench bench;
        bench.wait("mail", Kind::PermitExpirableSemaphore, 1);
        bench.lease("there", 1, {});
        bench.up();
        bench.pass(std::chrono::seconds{ 20 });
        QVERIFY(bench.shown("mail") && !bench.shown("mail")->permits);
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::Appeared, 1 } }));
        bench.lease("mail", 3, {});
        bench.change("mail");
        QVERIFY(bench.shown("mail")->permits);
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::PermitsChanged, 3 } }));
    }

    void staysSureWhenNobodyWaitsAnyMore()
    {
        CounterBench bench;
        bench.set("jobs", 0);
        bench.wait("jobs", Kind::Semaphore, 1);
        bench.up();
        bench.wait("jobs", Kind::Semaphore, 0);
        bench.pass(std::chrono::seconds{ 20 });
        bench.takeTold();
        bench.set("jobs", 4);
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::PermitsChanged, 4 } }));
        QVERIFY(bench.shown("jobs"));
        bench.server.erase("jobs");
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::Deleted, 4 } }));
        QVERIFY(!bench.shown("jobs"));
        bench.set("jobs", 5); // another one: nothing tells of it
        bench.change("jobs");
        QVERIFY(!bench.shown("jobs"));
    }

    void knowsCountersByTheirMessages()
    {
        CounterBench bench;
        bench.up();
        bench.set("jobs", 5);
        bench.set("{jobs}", 5); // has the same channel
        bench.server.erase("{jobs}");
        bench.set("start", 2);
        bench.publish("redisson_sc:{jobs}");
        bench.publish("redisson_countdownlatch__channel__{start}");
        QCOMPARE(bench.last->locks.size(), std::size_t(2));
        const auto start = bench.shown("start");
        QVERIFY(start->kind == Kind::CountDownLatch && start->count == 2 && !start->permits);
        QVERIFY(start->otherKinds.empty());
        bench.takeTold();
        bench.set("start", 1);
        bench.change("start");
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::CountChanged, 1 } }));
    }

    void keepsWhatItHeardUntilItCouldLook()
    {
        CounterBench bench;
        bench.up();
        bench.tell(input::MessageHeard{ "redisson_sc:{jobs}" });
        QCOMPARE(bench.actions.size(), std::size_t(1));
        const auto early = std::get<action::ReadLocks>(bench.actions.front());
        bench.actions.clear();
        bench.pass(Millis{ 5 });
        bench.tell(input::MessageHeard{ "redisson_sc:{jobs}" });
        bench.answer(early, bench.mono - Millis{ 5 }); // did not see it yet
        bench.set("jobs", 5);
        bench.answer();
        bench.pass(Millis{ 500 });
        QVERIFY(bench.shown("jobs"));
    }

    void tellsALatchThatOpensFromOneThatIsDeleted()
    {
        CounterBench bench;
        for (const std::string name : { "opened", "deleted" }) {
            bench.set(name, 1);
            bench.wait(name, Kind::CountDownLatch, 1);
        }
        bench.up();
        bench.takeEvents();
        bench.server.clear();
        bench.channels.clear();
        bench.tell(input::MessageHeard{ "redisson_countdownlatch__channel__{opened}" });
        bench.tell(input::KeysChanged{ { "opened", "deleted" } });
        bench.answer();
        bench.pass(Millis{ 200 });
        QVERIFY(bench.last->locks.empty());
        for (const auto &event : bench.events) {
            const bool opened = event.lock == "opened";
            QCOMPARE(event.kind, opened ? EventKind::CountChanged : EventKind::Deleted);
            QCOMPARE(event.count, std::optional<std::int64_t>(opened ? 0 : 1));
        }
        QCOMPARE(bench.events.size(), std::size_t(2));
    }

    void countsPermitsThatRunOutThoughNobodySaysSo()
    {
        CounterBench bench;
        bench.lease("jobs", 1, { bench.now().wall + std::chrono::seconds{ 2 } });
        bench.up();
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::Appeared, 1 } }));
        QVERIFY(bench.shown("jobs")->otherKinds.empty());
        for (int i = 0; i < 30; ++i) {
            bench.runOut();
            bench.pass(Millis{ 100 });
        }
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::PermitsChanged, 2 } }));
        const auto permits = bench.shown("jobs")->permits;
        QVERIFY(permits->available == 1 && permits->overdue == 1 && permits->leased == 0);
        QCOMPARE(freePermits(*permits), 2);
        // Taken back by a client: nothing has changed for anybody.
        bench.lease("jobs", 2, {});
        bench.server["jobs"].alsoPossible = AnyNumber;
        bench.server["jobs"].kind = Kind::Semaphore;
        bench.server["jobs"].permits->leased.reset();
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), Told{});
        QCOMPARE(bench.shown("jobs")->kind, Kind::PermitExpirableSemaphore);
        QCOMPARE(bench.shown("jobs")->permits->leased, std::optional<std::int64_t>(0));
    }

    /// One is given back, and another one taken before it is looked at.
    void tellsThatAPermitChangedHands()
    {
        CounterBench bench;
        bench.lease("jobs", 1, { bench.now().wall + std::chrono::minutes{ 2 } });
        bench.up();
        bench.takeTold();
        bench.server["jobs"].permits->leases[0].id = std::string(32, 'z');
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::PermitsChanged, 1 } }));
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), Told{});
        bench.server["jobs"].permits->leased = 5'000; // of which not all are listed
        bench.change("jobs");
        bench.takeTold();
        bench.server["jobs"].permits->leases[0].id = std::string(32, 'y');
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), Told{});
    }

    void tellsThatTheLeaseOfAPermitWasSetAnew()
    {
        CounterBench bench;
        const WallTime deadline = bench.now().wall + std::chrono::minutes{ 2 };
        bench.lease("jobs", 1, { deadline });
        bench.up();
        bench.takeTold();
        bench.lease("jobs", 1, { deadline + Millis{ 3 } }); // our clock moved
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), Told{});
        bench.lease("jobs", 1, { deadline + std::chrono::minutes{ 5 } });
        bench.change("jobs");
        const Event &told = bench.events.back();
        QVERIFY(told.ttl == deadline + std::chrono::minutes{ 5 } - told.at);
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::PermitsChanged, 1 } }));
        bench.lease("jobs", 2, { deadline + std::chrono::minutes{ 5 } });
        bench.change("jobs");
        QVERIFY(!bench.events.back().ttl);
    }

    /// Deadlines are told in our time: all of them move with it.
    void saysNothingOfPermitsWhenOurClockIsSet()
    {
        CounterBench bench;
        const WallTime deadline = bench.now().wall + std::chrono::minutes{ 2 };
        bench.lease("jobs", 1, { deadline });
        bench.up();
        bench.takeTold();
        bench.clockSet = std::chrono::minutes{ 1 };
        bench.lease("jobs", 1, { deadline + bench.clockSet });
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), Told{});
        bench.lease("jobs", 1, { deadline });
        bench.change("jobs");
        QCOMPARE(bench.takeTold(), (Told{ { EventKind::PermitsChanged, 1 } }));
    }

    void showsWhatIsWaitedForAndDoesNotExist()
    {
        CounterBench bench;
        bench.wait("jobs", Kind::Semaphore, 2);
        bench.up();
        QCOMPARE(bench.last->locks.size(), std::size_t(1));
        const auto jobs = bench.shown("jobs");
        QVERIFY(jobs && !hasKeys(*jobs) && !jobs->permits && jobs->subscribers == 2);
        QVERIFY(bench.events.empty());
        bench.wait("jobs", Kind::Semaphore, 0);
        bench.pass(std::chrono::seconds{ 11 });
        QVERIFY(!bench.shown("jobs"));
    }

    void takesNoWaiterThatIsOnItsWayOutForOne()
    {
        CounterBench bench;
        bench.set("start", 1);
        bench.wait("start", Kind::CountDownLatch, 2);
        bench.up();
        bench.server.clear();
        bench.publish("redisson_countdownlatch__channel__{start}");
        bench.change("start");
        QVERIFY(!bench.shown("start"));
        // A latch that was deleted lets nobody go.
        bench.pass(std::chrono::seconds{ 11 });
        QVERIFY(bench.shown("start"));
        QCOMPARE(bench.shown("start")->kind, Kind::CountDownLatch);
        bench.wait("start", Kind::CountDownLatch, 0);
        bench.pass(std::chrono::seconds{ 11 });
        QVERIFY(!bench.shown("start"));
    }

    void listsChannelsWithSinceWhen()
    {
        CounterBench bench;
        bench.channels = { { "redisson_lock__channel:{b}", 1 }, { "redisson_lock__channel:{a}", 2 } };
        bench.up();
        const auto first = bench.last->channels;
        QCOMPARE(first->size(), std::size_t(2));
        QCOMPARE(first->front().channel, std::string("redisson_lock__channel:{a}"));
        QCOMPARE(first->front().subscribers, std::optional<std::int64_t>(2));
        bench.pass(std::chrono::seconds{ 6 });
        QVERIFY(bench.last->channels == first);
        bench.channels = { { "redisson_lock__channel:{a}", 3 } };
        bench.pass(std::chrono::seconds{ 6 });
        QCOMPARE(bench.last->channels->size(), std::size_t(1));
        QCOMPARE(bench.last->channels->front().subscribers, std::optional<std::int64_t>(3));
        QVERIFY(bench.last->channels->front().since == first->front().since);
    }

    /// Nearly nobody waits for a hundred thousand locks at rest, and the list of channels says so at once.
    void asksOnlyWhereSomebodyMayWait()
    {
        EngineBench bench;
        for (int i = 1'000; i < 1'600; ++i)
            bench.take("lock:" + std::to_string(i), A, Millis{ 600'000 });
        bench.up();
        bench.tell(input::FactsChanged{ .isAlone = true });
        const auto countOnce = [&](std::int64_t number) {
            bench.counted.clear();
            bench.pass(Millis{ 1'500 });
            input::SubscribersCounted answer;
            for (const auto &channel : bench.counted)
                answer.channels.emplace_back(channel, number);
            bench.tell(answer);
            return bench.counted.size();
        };
        for (int turn = 0; turn < 3; ++turn)
            countOnce(0);
        QCOMPARE(countOnce(0), 0U);
        bench.channels = { { "redisson_lock__channel:{lock:1300}", 2 } };
        bench.pass(Millis{ 6'000 });
        QCOMPARE(countOnce(2), 1U);
        QCOMPARE(countOnce(2), 1U);
        bench.pass(Millis{ 100 });
        QCOMPARE(bench.shown("lock:1300")->subscribers, std::optional<std::int64_t>{ 2 });
        bench.channels.clear();
        bench.pass(Millis{ 6'000 });
        QCOMPARE(countOnce(0), 1U); // it was more
        QCOMPARE(countOnce(0), 0U);
        bench.tell(input::FactsChanged{}); // others may be subscribed there
        QCOMPARE(countOnce(0), 500U);
    }

    /// However many locks there are: who has just come to wait is not found in turn.
    void asksAtOnceWhereTheListTellsOfSomebody()
    {
        EngineBench bench;
        for (int i = 10'000; i < 16'000; ++i)
            bench.take("lock:" + std::to_string(i), A, Millis{ 600'000 });
        bench.up();
        bench.tell(input::FactsChanged{ .isAlone = true });
        bench.pass(Millis{ 9'000 });
        bench.counted.clear();
        bench.pass(Millis{ 9'000 });
        QCOMPARE(bench.counted, std::vector<std::string>{});
        bench.channels = { { "redisson_lock__channel:{lock:10001}", 1 }, { "redisson_lock__channel:{lock:15999}", 1 } };
        for (int turn = 0; turn < 100 && bench.counted.empty(); ++turn)
            bench.pass(Millis{ 100 });
        QCOMPARE(bench.counted,
            (std::vector<std::string>{ "redisson_lock__channel:{lock:10001}", "redisson_lock__channel:{lock:15999}" }));
    }

    /// Between the two counts that are compared, it changes again and again.
    void countsWhoWaitsForABusyLockAmongMany()
    {
        EngineBench bench;
        for (int i = 10'000; i < 13'000; ++i) {
            bench.take("lock:" + std::to_string(i), A, Millis{ 6'000'000 });
            bench.channels.emplace_back("redisson_lock__channel:{lock:" + std::to_string(i) + "}", 1);
        }
        bench.take("zhot", A, Millis{ 600'000 });
        bench.up();
        bench.tell(input::FactsChanged{ .isAlone = true });
        passCounting(bench, std::chrono::seconds{ 30 });
        QCOMPARE(bench.shown("zhot")->subscribers, std::optional<std::int64_t>{ 0 });
        bench.channels.emplace_back("redisson_lock__channel:{zhot}", 3);
        int times = 0;
        for (; times < 150 && bench.shown("zhot")->subscribers != std::optional<std::int64_t>{ 3 }; ++times) {
            bench.take(
                "zhot", times % 2 == 0 ? B : A, Millis{ 600'000 }); // before we look: it is never seen to be free
            bench.tell(input::MessageHeard{ key_layout::lockChannel("zhot") });
            bench.changed("zhot");
            passCounting(bench, Millis{ 300 });
        }
        QVERIFY2(times < 150, "not within 45 s"); // seven turns with 500 each are a round of all
    }

    /// Nobody is told of its release, so nobody listens: a channel is that of the other name.
    void doesNotKnowWhoWaitsForATokenLockAmongMany()
    {
        EngineBench bench(Feed::ClientTracking, true, { .server = "test:6379", .tokenNames = { "order:*" } });
        for (int i = 1'000; i < 1'700; ++i)
            bench.take("lock:" + std::to_string(i), A, Millis{ 600'000 });
        bench.take("{order:5}", A, Millis{ 600'000 });
        bench.take("order:5", { "a token", "" }, Millis{ 600'000 }).kind = Kind::Token;
        bench.up();
        bench.tell(input::FactsChanged{ .isAlone = true });
        bench.channels = { { "redisson_lock__channel:{order:5}", 2 } };
        passCounting(bench, std::chrono::seconds{ 20 });
        QVERIFY(!bench.shown("order:5")->subscribers);
        QCOMPARE(bench.shown("{order:5}")->subscribers, std::optional<std::int64_t>{ 2 });
    }

    /// Each client waits for one of them.
    void doesNotKnowForWhichOfTwoLocksWithOneChannelTheyWait()
    {
        EngineBench bench;
        bench.take("a", A, Millis{ 600'000 });
        bench.take("{a}", B, Millis{ 600'000 });
        bench.up();
        passCounting(bench, Millis{ 3'200 });
        for (const char *name : { "a", "{a}" })
            QCOMPARE(bench.shown(name)->subscribers, std::optional<std::int64_t>{ 0 });
        bench.channels = { { "redisson_lock__channel:{a}", 2 } };
        passCounting(bench, Millis{ 6'400 });
        for (const char *name : { "a", "{a}" })
            QVERIFY(!bench.shown(name)->subscribers);
        bench.unlock("{a}");
        passCounting(bench, Millis{ 6'400 });
        QCOMPARE(bench.shown("a")->subscribers, std::optional<std::int64_t>{ 2 });
    }

    void takesThoseForWaitersOfTheOneThatIsHeld()
    {
        EngineBench bench;
        bench.take("a", A, Millis{ 600'000 });
        bench.take("{a}", B, Millis{ 600'000 });
        bench.channels = { { "redisson_lock__channel:{a}", 2 } };
        bench.up();
        passCounting(bench, Millis{ 6'400 });
        bench.unlock("a");
        for (int times = 0; times < 200; ++times) {
            passCounting(bench, Millis{ 100 });
            QVERIFY(!bench.shown("a"));
        }
        QCOMPARE(bench.shown("{a}")->subscribers, std::optional<std::int64_t>{ 2 });
    }

    /// Else it would take minutes until it is known of a hundred thousand locks that nobody waits for them.
    void theListOfChannelsTellsForWhichLocksNobodyWaits()
    {
        EngineBench bench;
        for (int i = 10'000; i < 14'000; ++i)
            bench.take("lock:" + std::to_string(i), A, Millis{ 600'000 });
        bench.channels = { { "redisson_lock__channel:{lock:13000}", 2 } };
        bench.up();
        const auto unknown = [&] {
            return std::ranges::count_if(
                bench.last->locks, [](const auto &lock) { return !lock->subscribers.has_value(); });
        };
        bench.pass(Millis{ 9'000 });
        QCOMPARE(unknown(), 4'000); // the server may have replicas, to which clients subscribe as well
        bench.tell(input::FactsChanged{ .isAlone = true });
        bench.counted.clear();
        bench.pass(Millis{ 4'600 });
        QCOMPARE(unknown(), 1);
        QVERIFY(!bench.shown("lock:13000")->subscribers);
        QCOMPARE(bench.counted, (std::vector<std::string>{ "redisson_lock__channel:{lock:13000}" }));

        bench.take("lock:12000:new", B, Millis{ 600'000 }); // after the channels were listed
        bench.changed("lock:12000:new");
        bench.pass(Millis{ 100 });
        QVERIFY(bench.shown("lock:12000:new"));
        QVERIFY(!bench.shown("lock:12000:new")->subscribers);
        bench.pass(Millis{ 9'000 });
        QCOMPARE(bench.shown("lock:12000:new")->subscribers, std::optional<std::int64_t>{ 0 });
    }
};

QTEST_APPLESS_MAIN(TestEngineCounters)
#include "tst_engine_counters.moc"
