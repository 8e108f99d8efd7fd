// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/engine_bench.h"

#include <QTest>
#include <functional>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace testsupport;
using std::chrono::seconds;

namespace {

constexpr Millis FullLease{ 30'000 };
constexpr auto Seen = Certainty::Seen;
constexpr auto Inferred = Certainty::Inferred;

using Story = std::function<void(EngineBench &)>;
struct Told {
    EventKind kind;
    Certainty certainty = Seen;
    OwnerId owner = A;

    bool operator==(const Told &) const = default;
};

} // namespace

Q_DECLARE_METATYPE(Story)
Q_DECLARE_METATYPE(std::vector<Told>)

namespace {

/// A row: what happens to a lock that A holds since a moment ago, and what is told of that.
void happens(const char *what, Story story, std::vector<Told> told)
{
    QTest::newRow(what) << std::move(story) << std::move(told);
}

void beginTable()
{
    QTest::addColumn<Story>("story");
    QTest::addColumn<std::vector<Told>>("told");
}

QByteArray inWords(const std::vector<Told> &told)
{
    QByteArray words;
    for (const auto &each : told)
        words += QByteArray::number(static_cast<int>(each.kind)) + (each.certainty == Seen ? " seen " : " inferred ")
            + (each.owner == A ? "A; " : "B; ");
    return words;
}

void compareIn(EngineBench &bench)
{
    QFETCH(const Story, story);
    QFETCH(const std::vector<Told>, told);
    bench.events.clear();
    story(bench);
    bench.pass(Millis{ 100 });
    std::vector<Told> happened;
    for (const auto &event : bench.events) {
        if (event.kind != EventKind::Gap && !isOfServer(event.kind))
            happened.push_back({ event.kind, event.certainty, *event.owner });
    }
    const QByteArray difference = "told: " + inWords(happened) + "expected: " + inWords(told);
    QVERIFY2(happened == told, difference.constData());
}

/// A has taken it just now.
void compare()
{
    EngineBench bench;
    bench.up();
    bench.take("order", A, FullLease);
    bench.changed("order");
    compareIn(bench);
}

std::string latch(EngineBench &bench, const LockName &name = "order")
{
    return key_layout::unlockLatch(name, std::string(31, 'a') + static_cast<char>('a' + bench.latches++));
}
void publish(EngineBench &bench) { bench.tell(input::MessageHeard{ key_layout::lockChannel("order") }); }
void write(EngineBench &bench, std::vector<std::string> keys)
{
    bench.tell(input::KeysChanged{ std::move(keys) });
    bench.answer();
}

void showUnlocksOfA(EngineBench &bench, bool withLatch)
{
    for (int i = 0; i < 2; ++i) {
        bench.take("other", A, FullLease);
        bench.changed("other");
        bench.unlock("other", withLatch);
    }
    bench.events.clear();
}
/// The client of A is seen to leave latches, as those of Redisson 3.24 and later do.
void showThatALeavesLatches(EngineBench &bench) { showUnlocksOfA(bench, true); }
/// It is seen to leave none, as those of older Redisson do.
void showThatALeavesNoLatches(EngineBench &bench) { showUnlocksOfA(bench, false); }

void makeFair(EngineBench &bench)
{
    bench.server["order"].kind = Kind::Fair;
    bench.changed("order");
}
void makeSpin(EngineBench &bench, bool withLatch)
{
    bench.unlock("order", withLatch, false);
    bench.pass(Millis{ 300 });
    bench.take("order", A, FullLease);
    bench.changed("order");
    bench.events.clear();
}
void setTtl(EngineBench &bench) { bench.tell(input::ChangedByUs{ "order", Heard::LeaseSet }); }

/// An answer that left the server before what is told now; it comes after that, or before.
action::ReadLocks ask(EngineBench &bench)
{
    bench.tell(input::KeysChanged{ { "order" } });
    const auto read = std::get<action::ReadLocks>(bench.actions.at(0));
    bench.actions.clear();
    return read;
}

void gone(EngineBench &bench)
{
    bench.server.clear();
    bench.changed("order");
}

/// A lock of the same name that is not here is taken and given back.
void hearAStranger(EngineBench &bench)
{
    publish(bench);
    write(bench, { "order", latch(bench) });
    bench.pass(Millis{ 60 });
}

LockReading &share(EngineBench &bench, std::vector<HolderReading> holders)
{
    auto &lock = bench.server["order"];
    lock.name = "order";
    lock.kind = Kind::ReadWrite;
    lock.keys = { "order" };
    lock.holders = std::move(holders);
    const bool written
        = std::ranges::any_of(lock.holders, [](const auto &holder) { return holder.mode == HoldMode::Write; });
    lock.mode = written ? HoldMode::Write : HoldMode::Read;
    Millis longest{ 0 };
    for (const auto &holder : lock.holders) {
        for (const auto ttl : holder.readTtls)
            longest = std::max(longest, ttl);
        if (holder.mode == HoldMode::Write)
            longest = FullLease;
    }
    bench.renew("order", longest);
    return lock;
}
HolderReading reader(const OwnerId &owner, Millis left, std::int64_t count = 1)
{
    return { owner, count, HoldMode::Read, std::vector<Millis>(static_cast<std::size_t>(count), left), false };
}
HolderReading writer(const OwnerId &owner) { return { owner, 1, HoldMode::Write, {}, false }; }

} // namespace

/// What the monitor tells of a lock is mostly a conclusion from two looks and what was heard between them. Beside what
/// each word means stand the situations that look much like it, in which it would be false.
class EventConclusions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void released_data()
    {
        beginTable();
        happens("an unlock", [](EngineBench &bench) { bench.unlock("order"); }, { { EventKind::Released } });
        happens("an unlock of an older client", [](EngineBench &bench) { bench.unlock("order", false); },
            { { EventKind::Released, Inferred } });
        happens("an older client's spin lock or lone fair lock",
            [](EngineBench &bench) { bench.unlock("order", false, false); }, { { EventKind::Released, Inferred } });
        happens("a message that comes later than the look",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.changed("order");
                publish(bench);
                bench.answer();
            },
            { { EventKind::Released, Inferred } });
        happens("a message that comes later than a look that shows the next holder",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                const auto read = ask(bench); // for another reason
                bench.answer(read, bench.mono);
                publish(bench);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B } });
        happens("a latch that is told of apart from its lock",
            [](EngineBench &bench) {
                bench.pass(seconds{ 21 });
                bench.server.clear();
                publish(bench);
                bench.tell(input::KeysChanged{ { "order" } });
                bench.tell(input::KeysChanged{ { latch(bench) } });
                bench.answer();
            },
            { { EventKind::Released } });
        happens("the end of a latch from before our time",
            [](EngineBench &bench) {
                bench.tell(input::KeysChanged{ { latch(bench) } });
                bench.unlock("order", false);
            },
            { { EventKind::Released, Inferred } });
    }
    void released() { compare(); }

    /// A lock of another library: nobody is told of its end, and its token is of one acquire.
    void ofATokenLock_data()
    {
        beginTable();
        happens("gone before its time", [](EngineBench &bench) { gone(bench); }, { { EventKind::Released, Inferred } });
        happens("gone just before its time",
            [](EngineBench &bench) {
                bench.pass(FullLease - Millis{ 200 });
                gone(bench);
            },
            { { EventKind::Released, Inferred } });
        happens("its time is over", [](EngineBench &bench) { bench.pass(FullLease + Millis{ 100 }); },
            { { EventKind::Expired } });
        happens("another's token",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Seen, B } });
        happens("a renewal, as early as it may be",
            [](EngineBench &bench) {
                bench.pass(Millis{ 500 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("its time is cut",
            [](EngineBench &bench) {
                bench.renew("order", seconds{ 5 });
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("freed by us",
            [](EngineBench &bench) {
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                gone(bench);
            },
            { { EventKind::ForceReleased } });
        happens("its time is set by us",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                setTtl(bench);
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("its time is set by us, which is seen before it is known to be done",
            [](EngineBench &bench) {
                bench.server["order"].kind = Kind::Token;
                bench.changed("order");
                bench.events.clear();
                bench.pass(seconds{ 1 });
                bench.tell(input::ChangedByUs{ "order", Heard::ActionBegun });
                bench.answer();
                bench.renew("order", FullLease);
                bench.changed("order");
                setTtl(bench);
                bench.answer();
            },
            { { EventKind::Renewed } });
        happens("freed by us, which is seen before it is known to be done",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeSpin(bench, false);
                bench.tell(input::ChangedByUs{ "order", Heard::ActionBegun });
                bench.answer();
                gone(bench);
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                bench.answer();
            },
            { { EventKind::ForceReleased } });
        happens("all is deleted",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.tell(input::EverythingChanged{});
                bench.answer();
            },
            { { EventKind::Deleted } });
        happens("an unlock of lockcore, which leaves a latch",
            [](EngineBench &bench) {
                bench.server.clear();
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released } });
        happens("the same by its holder, who takes it again at once",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
    }
    void ofATokenLock()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease).kind = Kind::Token;
        bench.changed("order");
        compareIn(bench);
    }

    /// Where no change is announced, it may as well have been given back in time.
    void isNotSureThatATokenLockExpiredUnseen()
    {
        EngineBench bench(Feed::Rereading);
        bench.up();
        bench.take("order", A, seconds{ 2 }).kind = Kind::Token;
        bench.tell(input::RefreshRequested{});
        bench.answer();
        bench.pass(Millis{ 300 });
        QVERIFY(bench.shown("order"));
        bench.takeEvents();
        bench.pass(seconds{ 4 });
        QCOMPARE(
            bench.takeEvents(), (std::vector<std::pair<EventKind, Certainty>>{ { EventKind::Expired, Inferred } }));
    }

    /// ShedLock, for one, has leases that are no round numbers, and a token was never heard of before.
    void seesATokenLockTakenForAnyLease()
    {
        EngineBench bench;
        bench.up();
        bench.pass(seconds{ 5 });
        bench.take("order", B, Millis{ 29'321 }).kind = Kind::Token;
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), (std::vector<std::pair<EventKind, Certainty>>{ { EventKind::Acquired, Seen } }));
        QVERIFY(bench.shown("order")->holders.front().since.exact);
    }

    /// Nobody listens for it, so that nobody is asked about, and none is not the answer either.
    void doesNotKnowWhoWaitsForATokenLock()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease).kind = Kind::Token;
        bench.changed("order");
        bench.pass(seconds{ 4 });
        QVERIFY(bench.counted.empty());
        QVERIFY(!bench.shown("order")->subscribers);
    }

    void heardBeforeItsLockIsKnown()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        const auto read = ask(bench);
        const auto sentAt = bench.mono;
        bench.passSilently(Millis{ 1 });
        publish(bench);
        bench.tell(input::KeysChanged{ { "order", latch(bench) } });
        bench.actions.clear();
        bench.answer(read, sentAt); // as it was before the unlock
        bench.server.clear();
        bench.answer();
        bench.pass(Millis{ 100 });
        QCOMPARE(bench.takeEvents(),
            (std::vector<std::pair<EventKind, Certainty>>{
                { EventKind::Acquired, Seen }, { EventKind::Released, Seen } }));
    }

    void deleted_data()
    {
        beginTable();
        happens("gone without the latch that its client would leave",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.unlock("order", false, false);
            },
            { { EventKind::Deleted, Inferred } });
        happens("gone without the message that its clients publish",
            [](EngineBench &bench) {
                bench.unlock("order", false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false, false);
            },
            { { EventKind::Deleted, Inferred } });
        happens("gone while others wait for its message",
            [](EngineBench &bench) {
                bench.pass(Millis{ 1'600 }); // it is asked
                bench.tell(input::SubscribersCounted{ { { key_layout::lockChannel("order"), 1 } } });
                bench.unlock("order", false, false);
            },
            { { EventKind::Deleted, Inferred } });
        happens("gone and taken by another at once",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.take("order", B, FullLease);
                bench.changed("order");
            },
            { { EventKind::Deleted, Inferred }, { EventKind::Acquired, Seen, B } });
        happens("a latch that comes later than the look",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                const auto read = ask(bench);
                bench.server.clear();
                bench.answer(read, bench.mono);
                publish(bench);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released } });
        happens("a fair lock, of whose end only its first waiter hears",
            [](EngineBench &bench) {
                bench.server["order"].kind = Kind::Fair;
                bench.changed("order");
                bench.unlock("order", false, false);
            },
            { { EventKind::Released, Inferred } });
    }
    void deleted() { compare(); }

    void passedBetweenTwoLooks_data()
    {
        const auto timeout = key_layout::readTimeout("order", B, 1);
        const Millis Settling{ 60 };
        const auto reads = [Settling](EngineBench &bench, std::vector<OwnerId> owners) {
            std::vector<HolderReading> readers;
            for (const OwnerId &owner : owners)
                readers.push_back(reader(owner, FullLease));
            share(bench, readers);
            bench.changed("order");
            bench.pass(Settling);
            for (HolderReading &each : bench.server["order"].holders)
                each.readTtls[0] -= Settling;
            bench.events.clear();
        };
        const std::vector<Told> aHold{ { EventKind::Acquired, Inferred, B }, { EventKind::Released, Inferred, B } };
        beginTable();
        happens(
            "a reader came and went beside another one",
            [=](EngineBench &bench) {
                reads(bench, { A });
                bench.tell(input::KeysChanged{ { "order", timeout } });
                bench.passSilently(Millis{ 1 });
                bench.tell(input::KeysChanged{ { timeout, "order", latch(bench) } });
                bench.answer();
                bench.changed("order");
            },
            aHold);
        happens(
            "both changes are told of in one go",
            [=](EngineBench &bench) {
                reads(bench, { A });
                write(bench, { "order", timeout, "order", timeout });
                bench.changed("order");
            },
            aHold);
        happens("the keys alone of a hold that was taken twice, and which they outlived, run out",
            [=](EngineBench &bench) {
                reads(bench, { A });
                write(bench, { key_layout::readTimeout("order", B, 2), timeout });
                bench.changed("order");
            },
            {});
        happens("the key alone, which outlived a hold that was freed by force, runs out",
            [=](EngineBench &bench) {
                reads(bench, { A });
                write(bench, { timeout });
                bench.changed("order");
            },
            {});
        happens("its end is told of twice, and late",
            [=](EngineBench &bench) {
                reads(bench, { A, B });
                reads(bench, { A });
                write(bench, { timeout, timeout });
                bench.changed("order");
            },
            {});
        happens("it stays",
            [=](EngineBench &bench) {
                reads(bench, { A });
                bench.server["order"].holders.push_back(reader(B, FullLease));
                write(bench, { "order", timeout, timeout });
                bench.changed("order");
            },
            { { EventKind::Acquired, Seen, B } });
        happens("a lock of another database with the same name",
            [=](EngineBench &bench) {
                reads(bench, { A });
                bench.tell(input::DatabasesSeen{ true, true });
                write(bench, { timeout, timeout });
                bench.changed("order");
            },
            {});
    }
    void passedBetweenTwoLooks() { compare(); }

    void forceReleased_data()
    {
        beginTable();
        happens("a message without the latch that its client would leave",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.unlock("order", false);
            },
            { { EventKind::ForceReleased, Inferred } });
        happens("the latch comes after the look, the message before it",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                const auto read = ask(bench);
                bench.server.clear();
                publish(bench);
                bench.answer(read, bench.mono);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released } });
        happens("an older client, by whose locks others left latches, does not go on to be taken for a newer one",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.unlock("order", false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::Released, Inferred } });
        happens("an older client, whose look-alike left a latch once",
            [](EngineBench &bench) {
                bench.unlock("order");
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::Released, Inferred } });
    }
    void forceReleased() { compare(); }

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
        happens("before any watchdog is due",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("shortly before that",
            [](EngineBench &bench) {
                bench.pass(Millis{ 9'700 });
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
                bench.changed("order");
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
                bench.changed("order");
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("also after a renewal",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                for (const Millis held : { Millis{ 10'000 }, Millis{ 9'900 } }) {
                    bench.pass(held);
                    bench.renew("order", FullLease);
                    bench.changed("order");
                }
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
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a fair lock that nobody waits for, given back without a word and taken again",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.server["order"].kind = Kind::Fair;
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
    }
    void renewed() { compare(); }

    void expired_data()
    {
        beginTable();
        happens(
            "at zero", [](EngineBench &bench) { bench.pass(FullLease + Millis{ 10 }); }, { { EventKind::Expired } });
        happens("its owner releases it too late",
            [](EngineBench &bench) {
                bench.passSilently(FullLease + Millis{ 500 });
                bench.unlock("order");
            },
            { { EventKind::Expired } });
        happens("released just in time",
            [](EngineBench &bench) {
                bench.pass(FullLease - Millis{ 5 });
                bench.unlock("order");
            },
            { { EventKind::Released } });
        happens("renewed just in time",
            [](EngineBench &bench) {
                bench.pass(FullLease - Millis{ 5 });
                bench.renew("order", FullLease);
                bench.pass(Millis{ 10 });
            },
            { { EventKind::Renewed } });
    }
    void expired() { compare(); }

    void takenAgain_data()
    {
        beginTable();
        happens("by another, at once",
            [](EngineBench &bench) {
                publish(bench);
                bench.take("order", B, FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B } });
        happens("by another, who takes it once more while the word of the release is still under way",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                write(bench, { "order", latch(bench) });
                bench.passSilently(Millis{ 30 });
                publish(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B }, { EventKind::Reentered, Inferred, B },
                { EventKind::PartlyReleased, Inferred, B } });
        happens("by another, who gives it back and takes it again while the word of the release is still under way",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                write(bench, { "order", latch(bench) });
                bench.passSilently(Millis{ 8 });
                publish(bench);
                publish(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B }, { EventKind::Released, Seen, B },
                { EventKind::Acquired, Inferred, B } });
        happens("after a release of which the word comes late: it is no spin lock",
            [](EngineBench &bench) {
                bench.unlock("order", true, false);
                publish(bench);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("by another while nothing could be seen",
            [](EngineBench &bench) {
                bench.down();
                bench.take("order", B, FullLease);
                bench.up();
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred, B } });
    }
    void takenAgain() { compare(); }

    void takenAgainAtOnce_data()
    {
        beginTable();
        happens("a fair lock that nobody waits for, for a shorter time",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("after a hold of a few milliseconds",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.unlock("order", false, false);
                bench.take("order", A, FullLease).kind = Kind::Fair;
                bench.changed("order");
                bench.events.clear();
                bench.passSilently(Millis{ 5 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a spin lock of such a client, for a shorter time",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeSpin(bench, false);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a fair lock, for a shorter time, by a client that leaves latches",
            [](EngineBench &bench) {
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a fair lock, by such a client, for longer",
            [](EngineBench &bench) {
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("not so where somebody waits: he would have been told",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.server["order"].waiters = { { B, bench.now().wall + seconds{ 300 } } };
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("nor where somebody waits, and a latch is left: it was taken once more",
            [](EngineBench &bench) {
                makeFair(bench);
                bench.unlock("order", true, false);
                bench.take("order", A, FullLease).kind = Kind::Fair;
                bench.server["order"].waiters = { { B, bench.now().wall + seconds{ 300 } } };
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("nor where its clients would have been told: a multi-lock sets the lease of its members in the end",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(Millis{ 5 });
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("a client that leaves latches took it once more for a shorter time, and gave that back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("a fair lock taken once more for a shorter time, and given back in part",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                for (const int count : { 2, 1 }) {
                    bench.pass(seconds{ 1 });
                    bench.server["order"].holders[0].count = count;
                    bench.renew("order", FullLease / (4 - count));
                    bench.changed("order");
                }
            },
            { { EventKind::Reentered }, { EventKind::PartlyReleased } });
        happens("a fair lock held twice is hardly given back twice and taken twice",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.server["order"].holders[0].count = 2;
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("nor where its lease rose",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.unlock("order", false, false);
                bench.take("order", A, FullLease).kind = Kind::Fair;
                bench.server["order"].holders[0].count = 2;
                bench.changed("order");
                bench.pass(seconds{ 5 });
                bench.events.clear();
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("a fair lock whose lease we have made shorter",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                bench.changed("order");
                setTtl(bench);
                bench.answer();
            },
            { { EventKind::Renewed } });
        happens("nobody touches it",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.changed("order");
            },
            {});
    }
    void takenAgainAtOnce() { compare(); }

    void changedByUs_data()
    {
        beginTable();
        happens("a spin lock that is given back and taken again after we have set its lease",
            [](EngineBench &bench) {
                makeSpin(bench, true);
                bench.pass(seconds{ 10 });
                setTtl(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("of that is heard after the look",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                setTtl(bench);
                const auto read = std::get<action::ReadLocks>(bench.actions.at(0));
                bench.actions.clear();
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 1 });
                publish(bench);
                bench.tell(input::KeysChanged{ { "order", latch(bench) } });
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.answer();
            },
            { { EventKind::Released }, { EventKind::Acquired, Inferred } });
        happens("taken once more and given back beside that",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                setTtl(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("the next rise is not ours",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", 2 * FullLease);
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 2 });
                setTtl(bench); // by the answer to our command, which comes later than the word of the change
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.passSilently(Millis{ 100 });
                bench.renew("order", 2 * FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed }, { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("nor the rise after we have made it shorter",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 2 });
                setTtl(bench);
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.passSilently(Millis{ 100 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed }, { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("we have released it by force, and not what came next",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 2 });
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.passSilently(Millis{ 5 });
                bench.unlock("order");
            },
            { { EventKind::ForceReleased }, { EventKind::Acquired, Seen, B }, { EventKind::Released, Seen, B } });
    }
    void changedByUs() { compare(); }

    void lateWords_data()
    {
        beginTable();
        happens("the words of two releases are under way",
            [](EngineBench &bench) {
                for (const auto &owner : { B, A }) {
                    bench.take("order", owner, FullLease);
                    write(bench, { "order", latch(bench) });
                    bench.passSilently(Millis{ 30 });
                }
                publish(bench);
                publish(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B }, { EventKind::Released, Seen, B },
                { EventKind::Acquired }, { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("of a spin lock there is none, and what is heard is of a release by force",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                makeSpin(bench, true);
                bench.unlock("order", true, false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::ForceReleased, Inferred } });
        for (const Millis held : { Millis{ 5 }, Millis{ 1'000 } }) {
            const auto what = "of a spin lock that is taken again after " + std::to_string(held.count())
                + " ms the latch comes after the look";
            happens(what.c_str(),
                [held](EngineBench &bench) {
                    bench.pass(seconds{ 20 }); // now a latch told alone is none from before our time
                    showThatALeavesLatches(bench);
                    makeSpin(bench, true);
                    bench.passSilently(held);
                    bench.renew("order", FullLease);
                    bench.changed("order");
                    write(bench, { latch(bench) });
                },
                { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        }
        happens("and where no latch ever comes, it was hardly a watchdog",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                makeSpin(bench, true);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("also where it is given back often",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                for (int i = 0; i < 4; ++i) {
                    bench.unlock("order", true, false);
                    bench.pass(Millis{ 20 });
                    bench.take("order", A, FullLease);
                    bench.changed("order");
                }
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::ForceReleased, Inferred } });
        happens("another program deletes it once: that makes it no spin lock",
            [](EngineBench &bench) {
                bench.unlock("order", false, false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
    }
    void lateWords() { compare(); }

    void acquired_data()
    {
        beginTable();
        happens("by anybody",
            [](EngineBench &bench) {
                bench.take("stock", B, FullLease);
                bench.changed("stock");
            },
            { { EventKind::Acquired, Seen, B } });
        happens("read a little later",
            [](EngineBench &bench) {
                bench.take("stock", B, FullLease);
                bench.tell(input::KeysChanged{ { "stock" } });
                bench.passSilently(Millis{ 300 });
                bench.answer();
            },
            { { EventKind::Acquired, Seen, B } });
        happens("with an odd lease, by a client that is known",
            [](EngineBench &bench) {
                bench.pass(Millis{ 3'210 });
                bench.take("stock", A, Millis{ 23'456 });
                bench.changed("stock");
            },
            { { EventKind::Acquired } });
        happens("moved here from another database",
            [](EngineBench &bench) {
                bench.take("stock", B, Millis{ 23'456 });
                bench.changed("stock");
            },
            { { EventKind::Acquired, Inferred, B } });
        happens("renamed or copied by another program",
            [](EngineBench &bench) {
                bench.pass(Millis{ 3'210 });
                bench.take("stock", A, FullLease - Millis{ 3'210 });
                bench.changed("stock");
            },
            { { EventKind::Acquired, Inferred } });
        happens("without a word, as after SWAPDB",
            [](EngineBench &bench) {
                bench.pass(seconds{ 20 });
                bench.unlock("order");
                bench.events.clear();
                bench.take("order", B, 3 * FullLease);
                bench.pass(seconds{ 45 }); // until a sweep
            },
            { { EventKind::Acquired, Inferred, B } });
        happens("written into the hash by another program",
            [](EngineBench &bench) {
                bench.server["order"].holders.push_back(HolderReading{ B, 1, {}, {}, false });
                bench.changed("order");
            },
            { { EventKind::Acquired, Inferred, B } });
    }
    void acquired() { compare(); }

    /// What another program wrote into a lock does not make the lock disappear; what only looks like that is no lock.
    void damaged()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        for (const auto *name : { "order", "sessions" }) {
            auto &hash = bench.server[name];
            hash.name = name;
            hash.holders = { HolderReading{ A, 1, {}, {}, false },
                HolderReading{ { std::string("other"), std::string() }, 1, {}, {}, true } };
            hash.keys = { name };
            bench.changed(name);
        }
        bench.pass(Millis{ 100 });
        QVERIFY(!bench.shown("sessions"));
        QVERIFY(bench.shown("order"));
        QCOMPARE(bench.shown("order")->holders.size(), std::size_t{ 2 });
        bench.channels = { { key_layout::lockChannel("sessions"), 1 } };
        bench.pass(seconds{ 6 });
        bench.changed("sessions");
        bench.pass(Millis{ 100 });
        QVERIFY(bench.shown("sessions")); // somebody waits for it
    }

    void readers_data()
    {
        beginTable();
        happens("one of two is released by us, and the other gives its own back",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { B } });
                share(bench, { reader(A, FullLease) });
                bench.changed("order");
                gone(bench);
            },
            { { EventKind::ForceReleased, Seen, B }, { EventKind::Released, Inferred } });
        happens("two of three are released by us, one by one, between two looks",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease), reader(C, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { B } });
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { C } });
                share(bench, { reader(A, FullLease) });
                bench.changed("order");
            },
            { { EventKind::ForceReleased, Seen, B }, { EventKind::ForceReleased, Seen, C } });
        happens("all are released by us after one of them was, between two looks",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { B } });
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                gone(bench);
            },
            { { EventKind::ForceReleased, Seen, A }, { EventKind::ForceReleased, Seen, B } });
        happens("one renews before another unlocks",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Seen, B }, { EventKind::Renewed } });
        happens("the only one renews before it unlocks what it took once more",
            [](EngineBench &bench) {
                share(bench, { reader(A, Millis{ 20'000 }, 2) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::PartlyReleased } });
        happens("one renews before another gives back one of two",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }, 2) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease), reader(B, Millis{ 20'000 }) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Renewed }, { EventKind::PartlyReleased, Seen, B } });
        happens("one gives back what it has just taken, and takes it again for longer",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.pass(Millis{ 3 });
                share(bench, { reader(A, 2 * FullLease), reader(B, FullLease - Millis{ 3 }) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("one renews while another takes it once more and gives it back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease), reader(B, Millis{ 20'000 }) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Renewed, Inferred } });
        happens("a writer renews, and keeps its read hold only",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), writer(A) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Renewed } });
        happens("a writer takes it to read, too",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.changed("order");
                share(bench, { writer(A) });
                bench.changed("order");
                bench.pass(seconds{ 5 });
                bench.events.clear();
                share(bench, { reader(A, FullLease), writer(A) });
                write(bench, { "order" });
            },
            { { EventKind::Acquired } });
        happens("a writer takes it to read for a shorter time, of which an answer tells that comes late",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.changed("order");
                share(bench, { writer(A) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease / 2), writer(A) });
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 60 });
                bench.answer(read, sentAt);
                bench.changed("order");
            },
            { { EventKind::Acquired } });
        happens("a writer who reads takes it to read once more",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), writer(A) });
                bench.changed("order");
                bench.pass(seconds{ 5 });
                bench.events.clear();
                share(bench, { reader(A, FullLease, 2), writer(A) });
                write(bench, { "order" });
            },
            { { EventKind::Reentered } });
        happens("all released, and one takes it again",
            [](EngineBench &bench) {
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::MessageHeard{ key_layout::readWriteChannel("order") });
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench), latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Released, Seen, B }, { EventKind::Acquired, Inferred } });
        happens("one of an older client, and the last one before it was looked again",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.pass(Millis{ 60 });
                bench.events.clear();
                share(bench, { reader(A, FullLease - Millis{ 60 }) });
                bench.changed("order"); // B leaves no trace
                bench.passSilently(Millis{ 2 });
                bench.server.clear();
                bench.tell(input::MessageHeard{ key_layout::readWriteChannel("order") });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred, B }, { EventKind::Released } });
        happens("one ran out and still counts",
            [](EngineBench &bench) {
                for (int i = 0; i < 20; ++i) {
                    share(bench, { reader(A, FullLease - Millis{ i * 300 }), reader(B, Millis{ -2 }) });
                    write(bench, { "order" });
                    if (i == 0)
                        bench.events.clear();
                    bench.pass(Millis{ 300 });
                }
            },
            {});
    }
    void readers()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease) });
        bench.changed("order");
        compareIn(bench);
    }

    void heldUp_data()
    {
        beginTable();
        happens("the server is held up between its clock and a lock that nobody touches",
            [](EngineBench &bench) {
                bench.heldUp = Millis{ 6 };
                publish(bench);
                bench.answer();
                bench.heldUp = Millis{ 0 };
                publish(bench);
                bench.answer();
            },
            {});
        happens("for longer than is looked for",
            [](EngineBench &bench) {
                bench.heldUp = seconds{ 2 };
                publish(bench);
                bench.answer();
                bench.heldUp = Millis{ 0 };
                publish(bench);
                bench.answer();
            },
            {});
        happens("at a lock that was taken again meanwhile",
            [](EngineBench &bench) {
                bench.heldUp = Millis{ 6 };
                bench.passSilently(Millis{ 15 });
                bench.renew("order", FullLease);
                publish(bench);
                bench.answer();
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
    }
    void heldUp() { compare(); }

    /// Channels know no database, nor do the keys that CLIENT TRACKING tells of.
    void otherDatabases_data()
    {
        beginTable();
        happens("a lock of that name comes and goes there", [](EngineBench &bench) { hearAStranger(bench); }, {});
        happens("and meanwhile it is renewed here",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("it is renewed here, and nothing is heard",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("and meanwhile it runs out here",
            [](EngineBench &bench) {
                bench.passSilently(FullLease - Millis{ 1 });
                publish(bench);
                bench.passSilently(Millis{ 2 });
                bench.server.clear();
                hearAStranger(bench);
            },
            { { EventKind::Expired, Inferred } });
        happens("it runs out here, and nothing is heard",
            [](EngineBench &bench) { bench.pass(FullLease + Millis{ 10 }); }, { { EventKind::Expired } });
        happens("and meanwhile it goes here",
            [](EngineBench &bench) {
                bench.server.clear();
                hearAStranger(bench);
            },
            { { EventKind::Released, Inferred } });
        happens("and meanwhile another owner has it here",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Seen, B } });
        happens("one of them is flushed as it goes here",
            [](EngineBench &bench) {
                bench.tell(input::EverythingChanged{});
                bench.server.clear();
                bench.answer();
            },
            { { EventKind::Deleted, Inferred } });
    }
    void otherDatabases()
    {
        EngineBench bench;
        bench.up();
        bench.tell(input::DatabasesSeen{ true, true });
        bench.tell(input::DatabasesSeen{ false, false }); // each key of theirs is short-lived
        bench.take("order", A, FullLease);
        bench.changed("order");
        compareIn(bench);
    }

    /// The server did not say that other databases have keys, and this is an unlock of a lock that nobody unlocked.
    void strangers_data()
    {
        beginTable();
        happens("renewed after one of that name was seen",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                hearAStranger(bench);
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("long ago",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                hearAStranger(bench);
                bench.renew("order", 100 * FullLease);
                bench.changed("order");
                bench.pass(seconds{ 700 });
                bench.events.clear();
                bench.unlock("order");
            },
            { { EventKind::Released } });
        happens("the latch of its own is told late",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
                bench.passSilently(Millis{ 30 });
                bench.events.clear();
                write(bench, { "order", latch(bench) });
                bench.unlock("order");
            },
            { { EventKind::Released } });
    }
    void strangers() { compare(); }

    void namesake_data()
    {
        beginTable();
        happens("is released while this one is renewed",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("is released while this one runs out",
            [](EngineBench &bench) {
                bench.passSilently(FullLease - Millis{ 1 });
                publish(bench);
                bench.passSilently(Millis{ 2 });
                bench.server.erase("order");
                hearAStranger(bench);
            },
            { { EventKind::Expired, Inferred } });
    }
    /// Of the one is told as of the other.
    void namesake()
    {
        EngineBench bench;
        bench.up();
        bench.take("{order}", A, 10 * FullLease);
        bench.changed("{order}");
        bench.take("order", A, FullLease);
        bench.changed("order");
        compareIn(bench);
    }

    /// Each release of any of its values is told of on the one channel of the group.
    void fasterMultiLock_data()
    {
        beginTable();
        happens("one value is renewed while another one is taken and given back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("one value is held while another one is taken and given back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                hearAStranger(bench);
            },
            {});
    }
    void fasterMultiLock()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease).kind = Kind::FasterMulti;
        bench.changed("order");
        compareIn(bench);
    }

    /// How long it is held is known no better than the conclusion.
    void isNotExactAboutAHoldThatWasConcluded()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("order")->holders.at(0).since.exact);
        bench.renew("order", FullLease);
        publish(bench);
        write(bench, { "order", latch(bench) });
        bench.pass(Millis{ 100 });
        QVERIFY(!bench.shown("order")->holders.at(0).since.exact);
    }

    void lone_data()
    {
        beginTable();
        happens("taken once more and given back between two looks",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("renewed",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
    }
    void lone()
    {
        EngineBench bench;
        bench.up();
        share(bench, { writer(A) });
        bench.changed("order");
        compareIn(bench);
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
            bench.pass(seconds{ 10 });
        }
        QCOMPARE(bench.shown("order")->lease, Lease::Watchdog); // of the one who is left
    }

    /// Each has a deadline of its own, which tells whether it is the same hold; an earlier one, too.
    void aReaderWithAnEarlierDeadlineAfterAGapMayBeAnother()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease), reader(B, FullLease) });
        bench.changed("order");
        bench.pass(seconds{ 5 });
        bench.down();
        bench.passSilently(seconds{ 5 });
        share(bench, { reader(A, Millis{ 8'000 }), reader(B, FullLease - Millis{ 10'000 }) });
        bench.events.clear();
        bench.up();
        QCOMPARE(bench.events.size(), std::size_t{ 2 });
        QCOMPARE(bench.events[1].kind, EventKind::Renewed);
        QCOMPARE(bench.events[1].certainty, Certainty::Inferred);
        QVERIFY(bench.events[1].owner == A); // and of B nothing
        QVERIFY(!bench.shown("order")->holders.at(0).since.exact);
        QVERIFY(bench.shown("order")->holders.at(1).since.exact);
    }

    /// What is thought of a lock, and how many listen, is no change of it.
    void aConclusionIsNoChange()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        const MonoTime taken = bench.shown("order")->readAtMono;
        bench.pass(seconds{ 20 });
        QCOMPARE(bench.shown("order")->lease, Lease::Fixed);
        QCOMPARE(bench.shown("order")->readAtMono, taken);
        bench.renew("order", FullLease);
        bench.changed("order");
        QCOMPARE(bench.shown("order")->readAtMono, bench.mono);
    }

    /// What is found by the first look, or after a gap, may have been so before, or otherwise meanwhile.
    void knowsSinceWhenALockIsAsItIsOnlyWhereThatWasWatched()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.up();
        QVERIFY(!bench.shown("order")->becameSoThen);
        bench.take("stock", B, FullLease);
        bench.changed("stock");
        QVERIFY(bench.shown("stock")->becameSoThen);
        bench.pass(seconds{ 10 });
        bench.renew("order", FullLease);
        bench.changed("order");
        QVERIFY(bench.shown("order")->becameSoThen);
        const MonoTime renewed = bench.mono;
        bench.down();
        bench.pass(seconds{ 1 });
        bench.up();
        QCOMPARE(bench.shown("order")->readAtMono, renewed);
        QVERIFY(!bench.shown("order")->becameSoThen);
    }

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

    void countedListenersAreNoChange()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.server["ghosts"];
        lock.name = "ghosts";
        lock.kind = Kind::Fair;
        const WallTime deadline = bench.now().wall + seconds{ 300 };
        lock.waiters = { { B, deadline } };
        lock.keys = { key_layout::fairQueue("ghosts") };
        bench.changed(key_layout::fairQueue("ghosts"));
        bench.pass(seconds{ 10 });
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("ghosts"));
        const MonoTime found = bench.shown("ghosts")->readAtMono;
        bench.pass(seconds{ 5 });
        input::SubscribersCounted counted;
        for (const std::string &channel : bench.counted)
            counted.channels.emplace_back(channel, 1);
        bench.tell(counted);
        QVERIFY(bench.shown("ghosts")->waiters[0].subscribed == true);
        bench.pass(seconds{ 5 });
        lock.waiters[0].deadline = deadline + Millis{ 2 }; // our clock moved
        bench.changed(key_layout::fairQueue("ghosts"));
        bench.pass(seconds{ 10 });
        QCOMPARE(bench.shown("ghosts")->readAtMono, found);
        lock.waiters.push_back({ A, deadline + seconds{ 5 } });
        bench.changed(key_layout::fairQueue("ghosts"));
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("ghosts")->readAtMono > found);
    }

    void seesWhoLeavesAQueueAndLinesUpAgain_data()
    {
        // Who waits, and each one's deadline in seconds; A left and lined up again, or not.
        using Queue = std::vector<std::pair<OwnerId, int>>;
        QTest::addColumn<Queue>("before");
        QTest::addColumn<Queue>("after");
        QTest::addColumn<bool>("isAnew");
        QTest::newRow("as it was") << Queue{ { A, 300 } } << Queue{ { A, 300 } } << false;
        QTest::newRow("alone, later") << Queue{ { A, 300 } } << Queue{ { A, 330 } } << true;
        QTest::newRow("alone, earlier") << Queue{ { A, 300 } } << Queue{ { A, 200 } } << true;
        QTest::newRow("behind another") << Queue{ { A, 300 }, { B, 600 } } << Queue{ { B, 300 }, { A, 300 } } << true;
        QTest::newRow("behind one who is new") << Queue{ { A, 300 } } << Queue{ { B, 250 }, { A, 300 } } << true;
        QTest::newRow("in its place, later")
            << Queue{ { B, 300 }, { A, 600 } } << Queue{ { B, 300 }, { A, 601 } } << true;
        QTest::newRow("moved up") << Queue{ { B, 300 }, { A, 600 } } << Queue{ { A, 300 } } << false;
        QTest::newRow("moved up after one who was thrown out")
            << Queue{ { B, 300 }, { A, 600 } } << Queue{ { A, 600 } } << false;
        QTest::newRow("another behind it") << Queue{ { A, 300 } } << Queue{ { A, 300 }, { B, 600 } } << false;
        QTest::newRow("one ahead lined up again")
            << Queue{ { B, 300 }, { A, 600 } } << Queue{ { A, 300 }, { B, 600 } } << false;
        const Queue twice{ { A, 300 }, { B, 600 }, { A, 300 } };
        QTest::newRow("stands there twice") << twice << twice << false;
    }
    void seesWhoLeavesAQueueAndLinesUpAgain()
    {
        using Queue = std::vector<std::pair<OwnerId, int>>;
        QFETCH(const Queue, before);
        QFETCH(const Queue, after);
        QFETCH(const bool, isAnew);
        EngineBench bench;
        bench.up();
        const WallTime start = bench.now().wall;
        const auto queueUp = [&](const Queue &queue) {
            auto &lock = bench.server["ghosts"];
            lock.name = "ghosts";
            lock.kind = Kind::Fair;
            lock.keys = { key_layout::fairQueue("ghosts") };
            lock.waiters.clear();
            for (const auto &[owner, at] : queue) {
                const WallTime deadline = start + seconds{ at };
                lock.waiters.push_back({ owner, deadline, deadline.time_since_epoch() });
            }
            bench.changed(key_layout::fairQueue("ghosts"));
        };
        const auto waitOfA = [&] {
            const auto lock = bench.shown("ghosts");
            return *std::ranges::find(lock->waiters, A, &Waiter::owner);
        };
        queueUp(before);
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("ghosts"));
        const Since since = waitOfA().since;
        bench.pass(seconds{ 10 });
        bench.events.clear();
        queueUp(after);
        const auto isOfA = [](const Event &event) { return event.owner == A; };
        QCOMPARE(std::ranges::count_if(bench.events, isOfA), isAnew ? 2 : 0);
        QCOMPARE(waitOfA().since.at > since.at, isAnew);
        if (!isAnew)
            return;
        const auto left = std::ranges::find_if(bench.events, isOfA);
        const auto came = std::find_if(std::next(left), bench.events.end(), isOfA);
        QCOMPARE(left->kind, EventKind::Dequeued);
        QCOMPARE(came->kind, EventKind::Queued);
        QVERIFY(left->certainty == Certainty::Inferred && came->certainty == Certainty::Inferred);
    }

    /// Whoever waited may wait still, and does not know yet that its place is gone.
    void doesNotSayForSureThatAWaiterLeftAServerThatLostItsData()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.take("order", A, FullLease);
        lock.kind = Kind::Fair;
        lock.waiters = { { B, bench.now().wall - seconds{ 1 } } };
        bench.changed("order");
        bench.events.clear();
        bench.server.clear();
        bench.tell(input::EverythingChanged{});
        bench.answer();
        bench.pass(Millis{ 60 });
        const auto left = std::ranges::find(bench.events, B, [](const Event &event) { return event.owner; });
        QVERIFY(left != bench.events.end());
        QCOMPARE(left->kind, EventKind::Dequeued);
        QCOMPARE(left->certainty, Certainty::Inferred);
    }

    /// Who stood in the queue and listened to nothing did not wait: its event is all that a recording has of it.
    void tellsOfWhoLeftTheQueueThatItWasAGhost()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.take("order", A, FullLease);
        lock.kind = Kind::Fair;
        const OwnerId third{ A.client, "99" };
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } }, { third, bench.now().wall + seconds{ 300 } } };
        bench.changed("order");
        for (int sample = 0; sample < 2; ++sample) {
            bench.pass(seconds{ 5 });
            input::SubscribersCounted counted;
            for (const std::string &channel : bench.counted)
                counted.channels.emplace_back(channel, channel.find(B.client) == std::string::npos ? 1 : 0);
            bench.tell(counted);
        }
        QVERIFY(bench.shown("order")->waiters[0].subscribed == false);
        QVERIFY(bench.shown("order")->waiters[1].subscribed == true);
        bench.events.clear();
        lock.waiters.clear();
        bench.changed(key_layout::fairQueue("order"));
        QCOMPARE(bench.events.size(), std::size_t{ 2 });
        QVERIFY(bench.events[0].owner == B);
        QVERIFY(wasGhost(bench.events[0]));
        QVERIFY(!wasGhost(bench.events[1]));
    }

    void tellsOfAWaiterThatCameDuringAGap()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.take("order", A, FullLease);
        lock.kind = Kind::Fair;
        bench.changed("order");
        bench.down();
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } } };
        bench.events.clear();
        bench.up();
        QCOMPARE(bench.takeEvents(),
            (std::vector<std::pair<EventKind, Certainty>>{
                { EventKind::Gap, Seen }, { EventKind::Queued, Inferred } }));
    }
};

QTEST_APPLESS_MAIN(EventConclusions)
#include "tst_event_conclusions.moc"
