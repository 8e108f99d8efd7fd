// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_server.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

/// Whether it runs; what it says of speed is for people to read.
class MonitorbenchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void measuresEveryFigureOfSeeing()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"figures.json"_s);
        QProcess monitorbench;
        monitorbench.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        monitorbench.start(QStringLiteral(MONITORBENCH), { u"--quick"_s, u"--rounds"_s, u"1"_s, u"--json"_s, path });
        QVERIFY(monitorbench.waitForFinished(105'000));
        QCOMPARE(monitorbench.exitCode(), 0);

        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).object().value(u"rows"_s).toArray();
        QStringList measured;
        for (const QJsonValue &row : rows) {
            if (!row[u"ours"_s][u"rounds"_s].toArray().isEmpty())
                measured << row[u"name"_s].toString();
        }
        for (const QString &expected :
            { u"start to first rows, 500 locks"_s, u"first sweep, 20000 keys"_s, u"memory per lock"_s,
                u"slowest step of a sweep"_s, u"foreground's p99, get"_s, u"foreground's p99, set"_s,
                u"change to snapshot, p99, 20 snapshots/s"_s, u"renewals seen without loss"_s })
            QVERIFY2(measured.contains(expected), qPrintable(expected));
    }
};

QTEST_GUILESS_MAIN(MonitorbenchTest)
#include "tst_monitorbench.moc"
