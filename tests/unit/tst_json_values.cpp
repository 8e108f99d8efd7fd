// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/act.h"
#include "app/lockctl/diagnose.h"
#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_json.h"
#include "ui/text/suspect_text.h"

#include <QCoreApplication>
#include <QTest>
#include <QTranslator>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using Json = lockui::JsonValue;

namespace {

const QString Mark = QStringLiteral("<translated>");
const OwnerId Owner{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const Now Moment{ MonoTime(Millis{ 90'000 }), WallTime(Millis{ 1'763'709'844'123 }) };

/// Marks every text that passes it.
class Marker : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char *, const char *source, const char *, int) const override
    {
        return Mark + QString::fromUtf8(source);
    }
};

Suspect suspectOf(SuspectKind kind, Observation seen)
{
    return { kind, "stock", "n1", toString(Owner), std::move(seen), Certainty::Inferred, Moment.mono };
}

/// With a number in every place, so that all are told that belong to it.
Observation observation(Observed what)
{
    return { .what = what,
        .since = Millis{ 1 },
        .left = Millis{ 2 },
        .usual = Millis{ 3 },
        .number = 4,
        .permits = 5,
        .waiting = 6,
        .isAtLeast = true,
        .areClients = true,
        .leavesTwinOut = true,
        .mayBeElsewhere = true };
}

std::shared_ptr<const Analysis> analysisOf(std::vector<Suspect> suspects)
{
    auto analysis = std::make_shared<Analysis>();
    analysis->suspects = std::move(suspects);
    analysis->moreSuspects = 2;
    analysis->pending = 3;
    analysis->graph = std::make_shared<const WaitGraph>(
        WaitGraph{ { { Owner, "stock", Owner } }, { { { Owner, "stock", Owner } } } });
    analysis->statistics = std::make_shared<const StatisticsList>(StatisticsList{
        std::make_shared<const LockStatistics>(LockStatistics{ .lock = "stock", .acquires = 1, .holds = 30 }) });
    return analysis;
}

/// Of one kind, and with everything that a lock can have.
LockState lockOf(Kind kind)
{
    LockState lock;
    lock.name = "stock";
    lock.kind = kind;
    lock.mode = HoldMode::Write;
    lock.node = "n1";
    Holder reader;
    reader.owner = Owner;
    lock.holders = { { Owner, 2, Moment.mono, { Moment.mono, false }, HoldMode::Write, true, true }, reader };
    lock.waiters = { { Owner, Moment.wall, { Moment.mono, true }, false } };
    lock.subscribers = 3;
    lock.token = 4;
    lock.permits = PermitsReading{};
    lock.count = 5;
    lock.otherKinds = { Kind::Fair };
    lock.otherKeys = { "redisson_lock_queue:{stock}", "redisson_lock_timeout:{stock}" };
    lock.quorum = Quorum{ 1, 1, 3 };
    lock.members = { std::make_shared<const LockState>(lock) };
    return lock;
}

std::vector<AdminCommand> commands()
{
    ForceRelease release;
    SetTtl setTtl;
    DropWaiter drop;
    ReturnPermit giveBack;
    release.name = setTtl.name = drop.name = giveBack.name = "stock";
    return { release, setTtl, drop, giveBack };
}

Json evidenceOf(Observation seen)
{
    lockctl::Diagnosis diagnosis;
    diagnosis.analysis = analysisOf({ suspectOf(SuspectKind::NoTtl, std::move(seen)) });
    diagnosis.suspected = { "stock" };
    return diagnosisJson(diagnosis)["suspected"][0]["suspects"][0]["evidence"];
}

std::string textOf(const Json &json) { return lockui::json::line(json); }

void checkUnmarked(const Json &json)
{
    const std::string line = textOf(json);
    QVERIFY2(!QString::fromStdString(line).contains(Mark), line.c_str());
}

} // namespace

/// What programs read does not change with the language of the person: no text of it comes from the translator.
class JsonValuesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QCoreApplication::installTranslator(&m_marker); }
    void cleanup() { QCoreApplication::removeTranslator(&m_marker); }

    void theMarkerMarks()
    {
        const auto suspect = suspectOf(SuspectKind::NoTtl, observation(Observed::NeverExpires));
        QVERIFY(lockui::suspectText(suspect, nullptr).contains(Mark));
        QVERIFY(lockui::errorReason(errorOf(ErrorCode::Cancelled, { Phrase::Cancelled })).contains(Mark));
    }

    void locks()
    {
        std::vector<Suspect> suspects;
        for (const auto &kind : SuspectKinds)
            suspects.push_back(suspectOf(kind.value, observation(Observed::NeverExpires)));
        Snapshot snapshot;
        snapshot.analysis = analysisOf(suspects);
        for (const KindRow &kind : allKinds()) {
            for (const auto &lease : Leases) {
                LockState lock = lockOf(kind.value);
                lock.lease = lease.value;
                checkUnmarked(lockui::lockJson(lock, Moment, snapshot));
            }
        }
    }

    void events()
    {
        for (const auto &kind : EventKinds)
            checkUnmarked(lockui::eventJson({ .at = Moment.wall,
                .kind = kind.value,
                .lock = "stock",
                .lockKind = Kind::Fair,
                .owner = Owner,
                .count = 1,
                .ttl = Millis{ 5 },
                .node = "n1",
                .certainty = Certainty::Inferred }));
        Event found;
        found.at = Moment.wall;
        found.since = KnownSince{ Moment.wall, true };
        const Json known = lockui::eventJson(found);
        QVERIFY(known["since"] == known["at"]);
        QVERIFY(known["sinceIsAtLatest"] == false);
    }

    void diagnoses()
    {
        std::vector<Suspect> suspects;
        for (const auto &what : Observations)
            suspects.push_back(suspectOf(SuspectKind::NoTtl, observation(what.value)));
        lockctl::Diagnosis diagnosis;
        diagnosis.analysis = analysisOf(std::move(suspects));
        diagnosis.suspected = { "stock" };
        diagnosis.deadlocks = diagnosis.analysis->graph->cycles;
        const Json json = diagnosisJson(diagnosis);
        checkUnmarked(json);
        const Json &told = json["suspected"][0]["suspects"];
        QCOMPARE(told.size(), std::size(Observations));
        for (const auto &what : Observations)
            QCOMPARE(told[static_cast<std::size_t>(what.value)]["evidence"]["observed"].get<std::string>(), what.name);
    }

    void outcomes()
    {
        HolderReading holder;
        holder.owner = Owner;
        WaiterReading waiter;
        waiter.owner = Owner;
        const CommandOutcome outcome{ false, { holder }, true, { waiter } };
        for (const AdminCommand &command : commands())
            checkUnmarked(lockctl::outcomeJson(command, outcome, "n1"));
    }

    /// The numbers that belong to what was seen, and no others.
    void tellsWhatWasSeenAsValues()
    {
        const auto told = [](Observed what) { return textOf(evidenceOf(observation(what))); };
        QCOMPARE(told(Observed::NeverExpires),
            textOf(Json{ { "observed", "neverExpires" }, { "waiters", nullptr }, { "subscribers", 6 } }));
        QCOMPARE(told(Observed::RenewalLate),
            textOf(Json{ { "observed", "renewalLate" }, { "overdueMs", 1 }, { "leftMs", 2 }, { "leaseMs", 3 } }));
        QCOMPARE(told(Observed::StrangeField), textOf(Json{ { "observed", "strangeField" } }));
        QCOMPARE(told(Observed::HeldLong),
            textOf(Json{ { "observed", "heldLong" }, { "heldMs", 1 }, { "usualMs", 3 }, { "renewals", 4 },
                { "isAtLeast", true }, { "waiters", nullptr }, { "subscribers", 6 } }));
        QCOMPARE(told(Observed::PermitsFree),
            textOf(Json{ { "observed", "permitsFree" }, { "listenedMs", 1 }, { "subscribers", 4 }, { "permits", 5 },
                { "otherDatabasePossible", true }, { "twinLeftOut", true } }));
        QCOMPARE(textOf(evidenceOf({ .what = Observed::WaiterGone, .number = 2 })),
            textOf(Json{ { "observed", "waiterGone" }, { "timeoutInMs", nullptr }, { "queueBlockedMs", nullptr },
                { "position", 2 }, { "idleFirst", 0 } }));
        QCOMPARE(textOf(evidenceOf({ .recorded = "It was so." })),
            textOf(Json{ { "observed", nullptr }, { "recorded", "It was so." } }));
    }

private:
    Marker m_marker;
};

QTEST_GUILESS_MAIN(JsonValuesTest)
#include "tst_json_values.moc"
