// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/quick_run.h"
#include "tests/support/redis_server.h"

using namespace Qt::StringLiterals;

/// Whether it runs; what it says of speed is for people to read.
class MonitorbenchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void measuresEveryFigureOfSeeing()
    {
        const QJsonArray rows = lockbench::quickRows(QStringLiteral(MONITORBENCH), { u"--rounds"_s, u"1"_s }, 105'000);
        QStringList measured;
        for (const QJsonValue &row : rows) {
            if (!row[u"ours"_s][u"rounds"_s].toArray().isEmpty())
                measured << row[u"name"_s].toString();
        }
        for (const QString &expected : { u"start to first rows, 500 locks"_s, u"first sweep, 20000 keys"_s,
                 u"first sweep, its pages in a bare loop"_s, u"first sweep, beside that"_s, u"memory per lock"_s,
                 u"slowest step of a sweep"_s, u"foreground's p99, get"_s, u"foreground's p99, set"_s,
                 u"change to snapshot, p99, 20 snapshots/s"_s, u"renewals seen without loss"_s })
            QVERIFY2(measured.contains(expected), qPrintable(expected));
    }
};

QTEST_GUILESS_MAIN(MonitorbenchTest)
#include "tst_monitorbench.moc"
