// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace testsupport;

namespace {

std::vector<Millis> gaps(const EngineBench &bench)
{
    std::vector<Millis> gaps;
    for (const auto &event : bench.events) {
        if (event.kind == EventKind::Gap)
            gaps.push_back(*event.ttl);
    }
    return gaps;
}

input::FeedChanged changed(bool complete, std::optional<MonoTime> deafSince)
{
    input::FeedChanged changed;
    changed.feed = complete ? Feed::ClientTracking : Feed::Rereading;
    changed.complete = complete;
    changed.deafSince = deafSince;
    return changed;
}

} // namespace

/// A gap begins when something was heard for the last time, not when that is noticed.
class TestEngineGaps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isStaleSinceItHeardOfTheServer()
    {
        EngineBench bench;
        bench.up();
        const auto heardAt = bench.mono;
        bench.pass(Millis{ 3'000 });
        bench.tell(input::SourceDown{ { ErrorCode::ReplyTimeout, "no answer", "" }, {}, heardAt });
        QCOMPARE(bench.last->status.staleSince, std::optional(heardAt));
        bench.pass(Millis{ 1'000 });
        bench.up();
        QCOMPARE(gaps(bench), std::vector{ Millis{ 4'000 } });
    }

    void missesWhatABrokenFeedDidNotTell()
    {
        EngineBench bench;
        bench.up();
        const auto deafSince = bench.mono;
        bench.pass(Millis{ 3'000 });
        bench.tell(changed(true, deafSince)); // another one works at once
        QCOMPARE(gaps(bench), std::vector{ Millis{ 3'000 } });
    }

    void missesUntilAFeedIsCompleteAgain()
    {
        EngineBench bench;
        bench.up();
        const auto deafSince = bench.mono;
        bench.pass(Millis{ 3'000 });
        bench.tell(changed(false, deafSince));
        bench.pass(Millis{ 2'000 });
        bench.tell(changed(false, {}));
        QVERIFY(gaps(bench).empty());
        bench.tell(changed(true, {}));
        QCOMPARE(gaps(bench), std::vector{ Millis{ 5'000 } });
    }
};

QTEST_APPLESS_MAIN(TestEngineGaps)
#include "tst_engine_gaps.moc"
