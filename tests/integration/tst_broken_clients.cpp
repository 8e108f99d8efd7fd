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
        QTest::addColumn<QString>("scenario");
        QTest::addColumn<QByteArray>("step");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("mutual exclusion") << u"mutual-exclusion"_s << "mutual-exclusion, 2: B orders.tryLock()"_ba
                                          << "# expected not acquired, got acquired after "_ba;
        QTest::newRow("watchdog") << u"watchdog"_s << "watchdog, 2: "_ba
                                  << "# the monitor on report, held: expected yes, shown no"_ba;
        QTest::newRow("fair order") << u"fair-order"_s << "fair-order, 5: "_ba
                                    << "# redisson_lock_queue:{door}: expected "_ba;
        QTest::newRow("unlock message") << u"waiting"_s << "waiting, B waits: B mail."_ba
                                        << "# expected to take 1000 ms to 20000 ms, took "_ba;
    }
    void eachDefectIsNoticedEachTime()
    {
        QFETCH(const QString, scenario);
        QFETCH(const QByteArray, step);
        QFETCH(const QByteArray, says);
        constexpr int Times = 10;
        constexpr int PlayTakesMs = 250'000; // all at once, on a busy computer
        std::vector<std::unique_ptr<Program>> plays;
        for (int i = 0; i < Times; ++i)
            plays.push_back(std::make_unique<Program>(QStringLiteral(BROKEN_LOCKCTL), QStringList{ u"run"_s, scenario },
                testsupport::Environment{ { u"BROKEN"_s, QString::fromLatin1(QTest::currentDataTag()) } }));
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
