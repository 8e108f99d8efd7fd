// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QTest>
#include <memory>
#include <vector>

using testsupport::Ending;
using testsupport::Program;
using namespace Qt::StringLiterals;

namespace {

/// The lines below that of a step.
/// Of the step, wherever it comes in the order of the ends. Empty: it did not fail.
QByteArray problemsBehind(const QByteArray &step, const QByteArray &tap)
{
    QByteArray problems;
    bool isIt = false;
    for (const QByteArray &line : tap.split('\n')) {
        if (!line.startsWith("  #"))
            isIt = line.startsWith("not ok ") && line.contains(QByteArray(" - " + step));
        else if (isIt)
            problems += line;
    }
    return problems;
}

} // namespace

/// A scenario is worth something if it fails whenever what it shows is broken, and says at which step.
class TestBrokenClients : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void eachDefectIsNoticedEachTime_data()
    {
        QTest::addColumn<QString>("defect");
        QTest::addColumn<QString>("scenario");
        QTest::addColumn<QByteArray>("step");
        QTest::addColumn<QByteArray>("says");
        const auto add = [](const char *defect, const char *scenario, const char *step, const char *says) {
            QTest::addRow("%s: %s", defect, scenario) << QString::fromLatin1(defect) << QString::fromLatin1(scenario)
                                                      << QByteArray(scenario) + ", " + step << QByteArray("# ") + says;
        };
        add("mutual exclusion", "mutual-exclusion", "2: B orders.tryLock()",
            "expected not acquired, got acquired after ");
        add("mutual exclusion", "holder-crashes", "B waits: B invoice.", "expected to take 1000 ms to 12000 ms, took ");
        add("watchdog", "watchdog", "2: ", "the monitor on report, held: expected yes, shown no");
        add("fair order", "fair-order", "5: ", "redisson_lock_queue:{door}: expected ");
        add("unlock message", "waiting", "B waits: B mail.", "expected to take 1000 ms to 10000 ms, took ");
        add("lease of a re-entry", "re-entry", "2: A stock.lock()",
            "stock: expected a time to live of 15000 ms to 30000 ms");
        add("latch", "latch", "C waits: C ready.await(30 s)", "expected to take 1000 ms to 15000 ms, took ");
    }
    void eachDefectIsNoticedEachTime()
    {
        QFETCH(const QString, defect);
        QFETCH(const QString, scenario);
        QFETCH(const QByteArray, step);
        QFETCH(const QByteArray, says);
        constexpr int Times = 10;
        constexpr int PlayTakesMs = 250'000; // all at once, on a busy computer
        std::vector<std::unique_ptr<Program>> plays;
        for (int i = 0; i < Times; ++i)
            plays.push_back(std::make_unique<Program>(QStringLiteral(BROKEN_LOCKCTL), QStringList{ u"run"_s, scenario },
                testsupport::Environment{ { u"BROKEN"_s, defect } }));
        for (const auto &play : plays) {
            const Ending played = play->end(PlayTakesMs);
            QVERIFY2(played.status == 1, QByteArray(played.out + played.err).constData());
            const QByteArray problems = problemsBehind(step, played.out);
            QVERIFY2(problems.contains(says), played.out.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestBrokenClients)
#include "tst_broken_clients.moc"
