// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/engine.h"
#include "lockcore/synchronizers/key_pattern.h"

#include <QTest>
#include <chrono>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

/// An engine whose user may not read any lock, after its first look.
SourceStatus statusOfBlind(const std::string &keyPattern)
{
    using namespace std::chrono_literals;
    Engine engine(EngineSettings{ .server = "test:6379", .keyPattern = keyPattern });
    Now now{ MonoTime(1'000s), WallTime(1'700'000'000'000ms) };
    SourceStatus status;
    std::vector<EngineAction> actions = engine.handle(input::SourceUp{ "run", Feed::Rereading }, now);
    for (int turn = 0; turn < 100; ++turn) {
        std::vector<EngineInput> answers;
        for (const EngineAction &each : actions) {
            if (const auto *snapshot = std::get_if<action::PublishSnapshot>(&each))
                status = snapshot->snapshot->status;
            if (const auto *scan = std::get_if<action::ScanPage>(&each))
                answers.emplace_back(
                    input::PageScanned{ scan->scan, { .next = { { "" } }, .candidates = { "stuck" } }, false });
            if (std::holds_alternative<action::ListChannels>(each))
                answers.emplace_back(input::ChannelsListed{});
            if (const auto *read = std::get_if<action::ReadLocks>(&each)) {
                input::LocksRead refused{ read->read, {}, now.mono, read->names };
                refused.forWantOfRights = true;
                answers.emplace_back(std::move(refused));
            }
        }
        now.mono += 100ms;
        now.wall += 100ms;
        answers.emplace_back(input::TimerFired{});
        actions.clear();
        for (const EngineInput &answer : answers) {
            for (EngineAction &next : engine.handle(answer, now))
                actions.push_back(std::move(next));
        }
    }
    return status;
}

} // namespace

/// What may not be read is not said to be absent.
class TestEngineRights : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void doesNotKnowTheOnlyLockThatItIsAskedFor()
    {
        const SourceStatus status = statusOfBlind(exactPattern("stuck"));
        QCOMPARE(status.phase, SourcePhase::Failed);
        QVERIFY(status.error);
        QCOMPARE(status.error->code, ErrorCode::PermissionDenied);
        QVERIFY2(status.error->message.find("may not be read") != std::string::npos, status.error->message.c_str());
    }

    void goesOnWhereOthersMayBeRead() { QCOMPARE(statusOfBlind({}).phase, SourcePhase::Live); }
};

QTEST_APPLESS_MAIN(TestEngineRights)
#include "tst_engine_rights.moc"
