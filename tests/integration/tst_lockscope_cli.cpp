// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QImage>
#include <QTcpServer>
#include <QTemporaryDir>
#include <csignal>

using testsupport::Ending;
using testsupport::Environment;
using testsupport::Program;
using testsupport::RedisServer;

namespace {

const QString Lockscope = QStringLiteral(LOCKSCOPE);

int differingColors(const QImage &image)
{
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            colors.insert(image.pixel(x, y));
    }
    return static_cast<int>(colors.size());
}

} // namespace

class LockscopeCli : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void refusesWrongUsageInOneLine_data();
    void refusesWrongUsageInOneLine();
    void answersHelpAndVersion();
    void takesAPicture_data();
    void takesAPicture();
    void tellsWhyThereIsNoPicture();
    void endsWithoutTheRecordingItWasToShow();
    void endsTheDemoWithItself();
    void keepsNoPasswordInTheSettings();

private:
    QString file(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QStringList withSettings(const QStringList &arguments) const
    {
        return QStringList{ QStringLiteral("--config"), file("settings.ini") } + arguments;
    }

    QTemporaryDir m_folder;
    RedisServer m_server{ { .password = QStringLiteral("open sesame") } };
};

void LockscopeCli::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_server.start());
}

void LockscopeCli::refusesWrongUsageInOneLine_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("unknown option") << QStringLiteral("--colour") << QByteArray("'colour'");
    QTest::newRow("a word") << QStringLiteral("redis://a") << QByteArray("'redis://a'");
    QTest::newRow("unknown page") << QStringLiteral("--page|cellar") << QByteArray("'cellar'");
    QTest::newRow("unknown theme") << QStringLiteral("--theme|pink") << QByteArray("'pink'");
    QTest::newRow("malformed size") << QStringLiteral("--size|1440") << QByteArray("'1440'");
    QTest::newRow("huge size") << QStringLiteral("--size|99999x99999") << QByteArray("'99999x99999'");
    QTest::newRow("malformed URL") << QStringLiteral("--url|redis://") << QByteArray("URL");
    QTest::newRow("malformed time") << QStringLiteral("--screenshot|a.png|--after|soon") << QByteArray("'soon'");
    QTest::newRow("time without a picture") << QStringLiteral("--after|5") << QByteArray("--screenshot");
    QTest::newRow("demo and URL") << QStringLiteral("--demo|--url|redis://a") << QByteArray("--demo");
}

void LockscopeCli::refusesWrongUsageInOneLine()
{
    QFETCH(const QString, arguments);
    QFETCH(const QByteArray, says);
    const Ending ending = testsupport::run(Lockscope, arguments.split(u'|'));
    QCOMPARE(ending.status, 2);
    QCOMPARE(ending.err.count('\n'), 1);
    QVERIFY2(ending.err.contains(says), ending.err.constData());
}

void LockscopeCli::answersHelpAndVersion()
{
    // Without any display.
    const Environment nowhere{ { QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("none") } };
    const Ending help = testsupport::run(Lockscope, { QStringLiteral("--help") }, nowhere);
    QCOMPARE(help.status, 0);
    QVERIFY(help.out.contains("--screenshot"));
    QVERIFY(testsupport::run(Lockscope, { QStringLiteral("-v") }, nowhere).out.startsWith("lockscope "));
}

void LockscopeCli::takesAPicture_data()
{
    QTest::addColumn<QString>("theme");
    QTest::addColumn<int>("scale");
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << QStringLiteral("dark") << 1 << true;
    QTest::newRow("light") << QStringLiteral("light") << 1 << false;
    QTest::newRow("twice as sharp") << QStringLiteral("dark") << 2 << true;
}

void LockscopeCli::takesAPicture()
{
    QFETCH(const QString, theme);
    QFETCH(const int, scale);
    QFETCH(const bool, dark);
    m_server.cli({ QStringLiteral("HSET"), QStringLiteral("order:1"),
        QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"), QStringLiteral("1") });
    const QString picture = file("picture.png");
    QFile::remove(picture);
    const Ending ending = testsupport::run(Lockscope,
        withSettings({ QStringLiteral("--url"), m_server.url(), QStringLiteral("--theme"), theme,
            QStringLiteral("--size"), QStringLiteral("1000x700"), QStringLiteral("--select"), QStringLiteral("order:1"),
            QStringLiteral("--screenshot"), picture, QStringLiteral("--after"), QStringLiteral("200") }),
        { { QStringLiteral("QT_SCALE_FACTOR"), QString::number(scale) } });
    QCOMPARE(ending.err, QByteArray());
    QCOMPARE(ending.status, 0);
    const QImage image(picture);
    QCOMPARE(image.size(), QSize(1000, 700) * scale);
    QVERIFY(differingColors(image) > 20);
    QCOMPARE(qGray(image.pixel(image.width() / 2, 5)) < 128, dark);
}

void LockscopeCli::tellsWhyThereIsNoPicture()
{
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const QString url = QStringLiteral("redis://127.0.0.1:%1").arg(closed.serverPort());
    closed.close();
    const Ending refused = testsupport::run(
        Lockscope, withSettings({ QStringLiteral("--url"), url, QStringLiteral("--screenshot"), file("none.png") }));
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains("refused"), refused.err.constData());
    const Ending nowhere = testsupport::run(Lockscope,
        withSettings({ QStringLiteral("--url"), m_server.url(), QStringLiteral("--screenshot"),
            QStringLiteral("/nowhere/picture.png") }));
    QCOMPARE(nowhere.status, 3);
    QVERIFY2(nowhere.err.contains("/nowhere/picture.png"), nowhere.err.constData());
}

void LockscopeCli::endsWithoutTheRecordingItWasToShow()
{
    const Ending ending
        = testsupport::run(Lockscope, withSettings({ QStringLiteral("--replay"), QStringLiteral("/nowhere/a.rec") }));
    QCOMPARE(ending.status, 3);
    QCOMPARE(ending.err.count('\n'), 1);
    QVERIFY2(ending.err.contains("/nowhere/a.rec"), ending.err.constData());
    const Ending folder
        = testsupport::run(Lockscope, withSettings({ QStringLiteral("--replay"), QStringLiteral("/") }));
    QCOMPARE(folder.status, 3);
    QFile note(file("note.txt"));
    QVERIFY(note.open(QIODevice::WriteOnly) && note.write("buy milk\n") > 0);
    note.close();
    QFile empty(file("empty.lockrec"));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.close();
    for (const QString &name : { note.fileName(), empty.fileName() }) {
        const Ending other = testsupport::run(Lockscope, withSettings({ QStringLiteral("--replay"), name }));
        QCOMPARE(other.status, 3);
        QCOMPARE(other.err.count('\n'), 1);
        QVERIFY2(other.err.contains(name.toUtf8()) && other.err.contains("recording"), other.err.constData());
    }
}

void LockscopeCli::endsTheDemoWithItself()
{
    for (const int number : { SIGTERM, SIGKILL }) {
        const QTemporaryDir folder;
        Program program(
            Lockscope, withSettings({ QStringLiteral("--demo") }), { { QStringLiteral("TMPDIR"), folder.path() } });
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder.path()).isEmpty(), 30'000);
        program.signal(number);
        QCOMPARE(program.end().status, number == SIGKILL ? -1 : 0);
        QTRY_VERIFY_WITH_TIMEOUT(QDir(folder.path()).isEmpty(), 30'000);
    }
}

void LockscopeCli::keepsNoPasswordInTheSettings()
{
    QFile settings(file("settings.ini"));
    QVERIFY(settings.open(QIODevice::ReadOnly));
    const QByteArray text = settings.readAll();
    QVERIFY2(text.contains(QByteArray::number(m_server.port())), text.constData());
    QVERIFY(!text.contains("sesame"));
}

QTEST_GUILESS_MAIN(LockscopeCli)
#include "tst_lockscope_cli.moc"
