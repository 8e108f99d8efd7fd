// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QImage>
#include <QTcpServer>
#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <vector>

using testsupport::Ending;
using testsupport::Environment;
using testsupport::Program;
using testsupport::RedisServer;

namespace {

const QString Lockscope = QStringLiteral(LOCKSCOPE);

struct Process {
    pid_t id = 0;
    QByteArray command;
    QString parent;
};

QByteArray contentOf(const QString &file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

Process processOf(const QString &id)
{
    const QString place = QStringLiteral("/proc/") + id + u'/';
    const QByteArray stat = contentOf(place + QStringLiteral("stat"));
    const QByteArrayList fields = stat.mid(stat.lastIndexOf(')') + 1).simplified().split(' ');
    return { .id = id.toInt(),
        .command = contentOf(place + QStringLiteral("cmdline")),
        .parent = QString::fromLatin1(fields.value(1)) };
}

/// Those which were told to put into this folder what is temporary, and the servers that they started: redis-server
/// writes its title over its environment.
std::vector<Process> processesWithin(const QString &folder)
{
    std::vector<Process> found;
    QStringList told;
    const QStringList all = QDir(QStringLiteral("/proc")).entryList({ QStringLiteral("[0-9]*") }, QDir::Dirs);
    for (const QString &id : all) {
        if (contentOf(QStringLiteral("/proc/%1/environ").arg(id)).contains(folder.toUtf8()))
            told << id;
    }
    for (const QString &id : all) {
        const Process process = processOf(id);
        if (told.contains(id) || told.contains(process.parent))
            found.push_back(process);
    }
    return found;
}

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
    void takesAPictureOfAPlay();
    void playsOnesOwnAndFiles();
    void tellsWhyThereIsNoPicture();
    void endsWithoutTheRecordingItWasToShow();
    void endsTheDemoWithItself();
    void endsAPlayWithItself_data();
    void endsAPlayWithItself();
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
    QTest::newRow("unknown scenario") << QStringLiteral("--scenario|fairy") << QByteArray("'fairy'");
    QTest::newRow("settings in a directory") << QStringLiteral("--config|/") << QByteArray("/ is a directory");
    QTest::newRow("settings nowhere") << QStringLiteral("--config|/nonexistent/a.ini")
                                      << QByteArray("no directory for /nonexistent/a.ini");
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

/// Without any server of a person's.
void LockscopeCli::takesAPictureOfAPlay()
{
    const QString picture = file("play.png");
    const Ending ending = testsupport::run(Lockscope,
        withSettings({ QStringLiteral("--scenario"), QStringLiteral("watchdog"), QStringLiteral("--theme"),
            QStringLiteral("dark"), QStringLiteral("--screenshot"), picture, QStringLiteral("--after"),
            QStringLiteral("100") }));
    QCOMPARE(ending.err, QByteArray());
    QCOMPARE(ending.status, 0);
    QVERIFY(differingColors(QImage(picture)) > 20);
}

/// As lockctl run takes them.
void LockscopeCli::playsOnesOwnAndFiles()
{
    const QByteArray mine = R"({"name": "mine", "title": "Mine", "clients": ["A"],
  "steps": [{"client": "A", "do": "lock", "lock": "orders"}]})";
    const auto write = [this](const char *name, const QByteArray &text) {
        QDir(m_folder.path()).mkpath(QStringLiteral("lockscope/scenarios"));
        QFile written(file(name));
        QVERIFY(written.open(QIODevice::WriteOnly) && written.write(text) == text.size());
    };
    const auto play = [this](const QString &word) {
        return testsupport::run(Lockscope,
            withSettings({ QStringLiteral("--scenario"), word, QStringLiteral("--screenshot"), file("own.png") }),
            { { QStringLiteral("XDG_DATA_HOME"), m_folder.path() } });
    };
    write("lockscope/scenarios/mine.json", mine);
    write("elsewhere.json", QByteArray(mine).replace("\"mine\"", "\"elsewhere\""));
    for (const QString &word : { QStringLiteral("mine"), file("elsewhere.json") }) {
        QFile::remove(file("own.png"));
        const Ending ending = play(word);
        QCOMPARE(ending.err, QByteArray());
        QCOMPARE(ending.status, 0);
        QVERIFY(differingColors(QImage(file("own.png"))) > 20);
    }
    write("lockscope/scenarios/broken.json", QByteArray(mine).replace("\"A\", \"do\"", "\"B\", \"do\""));
    write("broken.json", QByteArray(mine).replace("\"A\", \"do\"", "\"B\", \"do\""));
    write("taken.json", QByteArray(mine).replace("\"mine\"", "\"watchdog\""));
    for (const auto &[word, says, status] : { std::tuple{ QStringLiteral("broken"), "line 2, column 24", 2 },
             std::tuple{ file("broken.json"), "line 2, column 24", 2 },
             std::tuple{ file("taken.json"), "'watchdog'", 2 },
             std::tuple{ QStringLiteral("./nowhere.json"), "./nowhere.json", 3 } }) {
        const Ending ending = play(word);
        QVERIFY2(ending.err.contains(says), ending.err.constData());
        QCOMPARE(ending.err.count('\n'), 1);
        QCOMPARE(ending.status, status);
    }
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

void LockscopeCli::endsAPlayWithItself_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGKILL") << SIGKILL;
}

/// In the middle, with a server that stands still, and hears of nothing.
void LockscopeCli::endsAPlayWithItself()
{
    QFETCH(const int, number);
    const QTemporaryDir folder;
    Program program(Lockscope, withSettings({ QStringLiteral("--scenario"), QStringLiteral("watchdog") }),
        { { QStringLiteral("TMPDIR"), folder.path() } });
    const auto processes = [&folder] { return processesWithin(folder.path()); };
    const auto isClient
        = [](const Process &each) { return each.command.contains(QByteArray("client\0--watchdog", 17)); };
    QTRY_COMPARE_WITH_TIMEOUT(std::ranges::count_if(processes(), isClient), 2, 60'000);
    const std::vector<Process> all = processes();
    const auto server = std::ranges::find_if(
        all, [](const Process &each) { return each.command.contains("redis-server unixsocket:"); });
    QVERIFY(server != all.end());
    ::kill(server->id, SIGSTOP);
    program.signal(number);
    QCOMPARE(program.end().status, number == SIGKILL ? -1 : 0);
    QTRY_VERIFY_WITH_TIMEOUT(processes().empty() && ::kill(server->id, 0) != 0, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(QDir(folder.path()).entryList({ QStringLiteral("lockscope-*") }).isEmpty(), 60'000);
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
