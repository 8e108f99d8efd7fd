// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/quick_run.h"
#include "tests/support/redis_server.h"

using namespace Qt::StringLiterals;

/// Whether the benchmarks run; what they say of speed is for people to read.
class LockbenchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void measuresEveryFigureOnceARound()
    {
        const QJsonArray rows = lockbench::quickRows(
            QStringLiteral(LOCKBENCH), { u"--without-redisson"_s, u"--rounds"_s, u"2"_s }, 100'000);
        QStringList names;
        for (const QJsonValue &row : rows) {
            names << row[u"name"_s].toString();
            QStringList series{ u"ours"_s };
            if (row[u"ofLimit"_s][u"goal"_s].isDouble())
                series << u"limit"_s << u"bare"_s;
            for (const QString &each : series) {
                const QJsonArray rounds = row[each][u"rounds"_s].toArray();
                QVERIFY2(rounds.size() == 2, qPrintable(QString(names.constLast() + each)));
                QVERIFY2(rounds.first().toDouble() > 0, qPrintable(QString(names.constLast() + each)));
            }
        }
        for (const QString &expected : { u"own locks, 1 clients"_s, u"own locks, 8 clients"_s,
                 u"own locks, 64 clients"_s, u"own locks, 64 users of a client"_s, u"one lock, 8 users of a client"_s,
                 u"one lock, 64 clients"_s, u"hand-over, median"_s, u"hand-over, p99"_s, u"300 watchdogs, CPU"_s,
                 u"300 watchdogs, renewals told"_s })
            QVERIFY2(names.contains(expected), qPrintable(expected));
    }
};

QTEST_GUILESS_MAIN(LockbenchTest)
#include "tst_lockbench.moc"
