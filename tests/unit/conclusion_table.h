// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/unit/engine_bench.h"

#include <QTest>
#include <functional>

namespace testsupport {

using Story = std::function<void(EngineBench &)>;
struct Told {
    EventKind kind;
    Certainty certainty = Seen;
    OwnerId owner = A;

    bool operator==(const Told &) const = default;
};

} // namespace testsupport

Q_DECLARE_METATYPE(testsupport::Story)
Q_DECLARE_METATYPE(std::vector<testsupport::Told>)

namespace testsupport {

/// A row: what happens to a lock that A holds since a moment ago, and what is told of that.
inline void happens(const char *what, const Story &story, const std::vector<Told> &told)
{
    QTest::newRow(what) << story << told;
}

inline void beginTable()
{
    QTest::addColumn<Story>("story");
    QTest::addColumn<std::vector<Told>>("told");
}

inline QByteArray inWords(const std::vector<Told> &told)
{
    QByteArray words;
    for (const auto &each : told)
        words += QByteArray::number(static_cast<int>(each.kind)) + (each.certainty == Seen ? " seen " : " inferred ")
            + (each.owner == A ? "A; " : "B; ");
    return words;
}

inline void compareIn(EngineBench &bench)
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
inline void compare()
{
    EngineBench bench;
    bench.up();
    bench.take("order", A, FullLease);
    bench.changed("order");
    compareIn(bench);
}

inline std::string latch(EngineBench &bench, const LockName &name = "order")
{
    return key_layout::unlockLatch(name, std::string(31, 'a') + static_cast<char>('a' + bench.latches++));
}
inline void publish(EngineBench &bench) { bench.tell(input::MessageHeard{ key_layout::lockChannel("order") }); }
inline void write(EngineBench &bench, std::vector<std::string> keys)
{
    bench.tell(input::KeysChanged{ std::move(keys) });
    bench.answer();
}

/// What its owner did by two commands is told twice before it is read.
inline void changedTwice(EngineBench &bench)
{
    bench.tell(input::KeysChanged{ { "order" } });
    bench.changed("order");
}

inline void showUnlocksOfA(EngineBench &bench, bool withLatch)
{
    for (int i = 0; i < 2; ++i) {
        bench.take("other", A, FullLease);
        bench.changed("other");
        bench.unlock("other", withLatch);
    }
    bench.events.clear();
}
/// The client of A is seen to leave latches, as those of Redisson 3.24 and later do.
inline void showThatALeavesLatches(EngineBench &bench) { showUnlocksOfA(bench, true); }
/// It is seen to leave none, as those of older Redisson do.
inline void showThatALeavesNoLatches(EngineBench &bench) { showUnlocksOfA(bench, false); }

inline void makeFair(EngineBench &bench)
{
    bench.server["order"].kind = Kind::Fair;
    bench.changed("order");
}
inline void makeSpin(EngineBench &bench, bool withLatch)
{
    bench.unlock("order", withLatch, false);
    bench.pass(Millis{ 300 });
    bench.take("order", A, FullLease);
    bench.changed("order");
    bench.events.clear();
}
inline void setTtl(EngineBench &bench) { bench.tell(input::ChangedByUs{ "order", Heard::LeaseSet }); }

/// An answer that left the server before what is told now; it comes after that, or before.
inline action::ReadLocks ask(EngineBench &bench)
{
    bench.tell(input::KeysChanged{ { "order" } });
    auto read = std::get<action::ReadLocks>(bench.actions.at(0));
    bench.actions.clear();
    return read;
}

inline void gone(EngineBench &bench)
{
    bench.server.clear();
    bench.changed("order");
}

inline LockReading &share(EngineBench &bench, std::vector<HolderReading> holders)
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
inline HolderReading reader(const OwnerId &owner, Millis left, std::int64_t count = 1)
{
    return { owner, count, HoldMode::Read, std::vector<Millis>(static_cast<std::size_t>(count), left), false };
}
inline HolderReading writer(const OwnerId &owner) { return { owner, 1, HoldMode::Write, {}, false }; }

} // namespace testsupport
