// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/quick_run.h"
#include "tests/support/redis_server.h"

using namespace Qt::StringLiterals;

/// Whether it runs; what it says of speed is for people to read.
class UibenchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }

    void measuresEveryFigureOfTheWindow()
    {
        const QJsonArray rows = lockbench::quickRows(QStringLiteral(UIBENCH), { u"--rounds"_s, u"1"_s }, 105'000);
        QStringList measured;
        for (const QJsonValue &row : rows) {
            if (!row[u"ours"_s][u"rounds"_s].toArray().isEmpty())
                measured << row[u"name"_s].toString();
        }
        for (const QString &expected :
            { u"timeline: the whole hour, panned, p99"_s, u"timeline: from the hour to a second and back, p99"_s,
                u"timeline: the hour in memory"_s, u"timeline: three such hours in memory"_s,
                u"events: longest step while a filter is typed, 20 locks"_s,
                u"events: longest step while a filter is typed, 666 locks"_s,
                u"events: until all were looked at, 666 locks"_s, u"start to first rows, 200 locks"_s,
                u"locks by TTL, detail and charts open, p99"_s, u"locks by client, in one group, p99"_s,
                u"dashboard, live, p99"_s, u"timeline, live, p99"_s, u"shown, at rest"_s, u"minimised"_s, u"hidden"_s })
            QVERIFY2(measured.contains(expected), qPrintable(expected));
    }
};

QTEST_GUILESS_MAIN(UibenchTest)
#include "tst_uibench.moc"
