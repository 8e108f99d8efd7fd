// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QDirIterator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <array>

using testsupport::Ending;
using testsupport::Program;
using testsupport::RedisServer;
using testsupport::run;

namespace {

constexpr int Patience = 100'000;
const QString Cmake = QStringLiteral(CMAKE_PROGRAM);
const QString Generator = QStringLiteral(GENERATOR);
const QString Compiler = QStringLiteral(COMPILER);
const QString Sanitizers = QStringLiteral(SANITIZERS); // as the library was built, or it does not load
const QString Examples = QStringLiteral(SOURCES "/lockcore/examples");
const QString Name = QStringLiteral("orders:4711");

QStringList words(const QByteArray &text)
{
    return QString::fromLocal8Bit(text).simplified().split(u' ', Qt::SkipEmptyParts);
}

Ending build(const QString &program, const QStringList &arguments, const testsupport::Environment &environment = {})
{
    return Program(program, arguments, environment).end(Patience);
}

#define SUCCEEDED(ending) QVERIFY2((ending).status == 0, QByteArray((ending).out + (ending).err).constData())

} // namespace

/// What another project gets when it uses lockcore: everything here happens in an installed tree.
class Installed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void programsFindTheLibrary();
    void shellsFindTheirCompletion_data();
    void shellsFindTheirCompletion();
    void headersStandAlone();
    void pkgConfigIsEnough();
    void examplesBuildWithFindPackage();
    void holdsALock();
    void saysWhyItCannot();
    void servesAFairQueueInOrder();
    void redLockNeedsAMajority();
    void watchesLocks();

private:
    QString in(const char *path) const { return m_folder.filePath(QString::fromLatin1(path)); }
    QString example(const char *name) const { return in("examples/") + QString::fromLatin1(name); }
    QStringList pkgConfig(const QString &what) const
    {
        const Ending ending = build(QStringLiteral("pkg-config"), { what, QStringLiteral("lockcore") },
            { { QStringLiteral("PKG_CONFIG_PATH"), in("tree/" LIBDIR "/pkgconfig") } });
        return words(ending.out) + words(Sanitizers.toLocal8Bit());
    }
    QByteArray cli(const QStringList &command) const { return m_servers[0].cli(command); }

    QTemporaryDir m_folder;
    std::array<RedisServer, 3> m_servers;
};

void Installed::initTestCase()
{
    NEED_REDIS_SERVER();
    for (RedisServer &server : m_servers)
        QVERIFY(server.start());
    const Ending ending = build(
        Cmake, { QStringLiteral("--install"), QStringLiteral(BUILD_FOLDER), QStringLiteral("--prefix"), in("tree") });
    SUCCEEDED(ending);
}

void Installed::init() { cli({ QStringLiteral("FLUSHALL") }); }

void Installed::programsFindTheLibrary()
{
    for (const char *program : { "tree/bin/lockctl", "tree/bin/lockscope" }) {
        const Ending ending = run(in(program), { QStringLiteral("--version") });
        SUCCEEDED(ending);
        QVERIFY2(ending.out.contains(VERSION), ending.out.constData());
    }
}

void Installed::shellsFindTheirCompletion_data()
{
    QTest::addColumn<QString>("script"); // told where the tree is; says what can follow `lockctl sh`
    // Bash's own loader looks there by the name of the command; without it the file is read as the loader would.
    QTest::newRow("bash") << QStringLiteral(
        "XDG_DATA_DIRS=$1/share; loader=/usr/share/bash-completion/bash_completion\n"
        "if [ -r $loader ]; then . $loader; _completion_loader lockctl\n"
        "else . $1/share/bash-completion/completions/lockctl; fi\n"
        "complete -p lockctl | grep -q -- '-F _lockctl lockctl' || exit 1\n"
        "COMP_LINE='lockctl sh'; COMP_POINT=10; COMP_WORDS=(lockctl sh); COMP_CWORD=1; _lockctl\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\"");
    QTest::newRow("fish") << QStringLiteral("set -p fish_complete_path $argv[1]/share/fish/vendor_completions.d\n"
                                            "complete -C 'lockctl sh' | string replace -r '\\t.*' ''");
    QTest::newRow("zsh") << QStringLiteral("fpath=($1/share/zsh/site-functions $fpath)\n"
                                           "autoload -Uz compinit; compinit -u -D; words=(lockctl sh); CURRENT=2\n"
                                           "_describe() { print -l ${candidates%%:*} }\n"
                                           "$_comps[lockctl]");
}

void Installed::shellsFindTheirCompletion()
{
    QFETCH(const QString, script);
    const QString shell = QString::fromLatin1(QTest::currentDataTag());
    if (QStandardPaths::findExecutable(shell).isEmpty())
        QSKIP("this shell is not installed");
    const QString path = in("tree/bin:") + qEnvironmentVariable("PATH");
    const QStringList arguments = shell == QStringLiteral("fish")
        ? QStringList{ QStringLiteral("--no-config"), QStringLiteral("-c"), script, in("tree") }
        : QStringList{ QStringLiteral("-c"), script, shell, in("tree") };
    const Ending ending = run(shell, arguments, { { QStringLiteral("PATH"), path } });
    QVERIFY2(ending.out == "show\n", QByteArray(ending.out + ending.err).constData());
}

void Installed::headersStandAlone()
{
    const QStringList flags = QStringList{ QStringLiteral("-std=c++20"), QStringLiteral("-fsyntax-only"),
        QStringLiteral("-Wall"), QStringLiteral("-Wextra"), QStringLiteral("-Werror"), QStringLiteral("-xc++") }
        + pkgConfig(QStringLiteral("--cflags"));
    const QString root = in("tree/include/");
    int headers = 0;
    for (QDirIterator it(root, { QStringLiteral("*.h") }, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
        const QString header = it.next().mid(root.size());
        const Ending ending
            = build(Compiler, flags + QStringList{ QStringLiteral("-include"), header, QStringLiteral("/dev/null") });
        SUCCEEDED(ending);
        ++headers;
    }
    QVERIFY(headers > 0);
}

void Installed::pkgConfigIsEnough()
{
    const QString program = in("by_pkg_config");
    const Ending ending = build(Compiler,
        QStringList{
            QStringLiteral("-std=c++20"), Examples + QStringLiteral("/hold_a_lock.cpp"), QStringLiteral("-o"), program }
            + pkgConfig(QStringLiteral("--cflags")) + pkgConfig(QStringLiteral("--libs")));
    SUCCEEDED(ending);
    const Ending held = run(program, { m_servers[0].url(), Name, QStringLiteral("0") },
        { { QStringLiteral("LD_LIBRARY_PATH"), in("tree/" LIBDIR) } });
    SUCCEEDED(held);
    QCOMPARE(held.out, QByteArray("held\nreleased\n"));
}

void Installed::examplesBuildWithFindPackage()
{
    const auto setting = [](const char *name, const QString &value) -> QString { return QLatin1String(name) + value; };
    const Ending configured = build(Cmake,
        { QStringLiteral("-S"), Examples, QStringLiteral("-B"), in("examples"), QStringLiteral("-G"), Generator,
            setting("-DCMAKE_PREFIX_PATH=", in("tree")), setting("-DCMAKE_CXX_COMPILER=", Compiler),
            setting("-DCMAKE_CXX_COMPILER_LAUNCHER=", QStringLiteral(LAUNCHER)),
            setting("-DCMAKE_CXX_FLAGS=", QStringLiteral("-Wall -Wextra -Werror ") + Sanitizers) });
    SUCCEEDED(configured);
    const Ending built = build(Cmake, { QStringLiteral("--build"), in("examples") });
    SUCCEEDED(built);
}

void Installed::holdsALock()
{
    Program holder(example("hold_a_lock"), { m_servers[0].url(), Name, QStringLiteral("500") });
    QTRY_COMPARE(cli({ QStringLiteral("HVALS"), Name }), QByteArray("1"));
    QVERIFY(cli({ QStringLiteral("PTTL"), Name }).toInt() > 20'000);
    const Ending ending = holder.end();
    SUCCEEDED(ending);
    QCOMPARE(ending.out, QByteArray("held\nreleased\n"));
    QCOMPARE(cli({ QStringLiteral("EXISTS"), Name }), QByteArray("0"));
}

void Installed::saysWhyItCannot()
{
    cli({ QStringLiteral("SET"), Name, QStringLiteral("not a lock") });
    const Ending wrongType = run(example("hold_a_lock"), { m_servers[0].url(), Name, QStringLiteral("0") });
    QCOMPARE(wrongType.status, 1);
    QVERIFY2(wrongType.err.contains("WRONGTYPE"), wrongType.err.constData());
    const Ending noServer
        = run(example("fair_queue"), { QStringLiteral("unix:///nowhere/redis.sock"), QStringLiteral("queue") });
    QCOMPARE(noServer.status, 1);
    QVERIFY2(noServer.err.contains("/nowhere/redis.sock"), noServer.err.constData());
}

void Installed::servesAFairQueueInOrder()
{
    const Ending ending = run(example("fair_queue"), { m_servers[0].url(), Name });
    SUCCEEDED(ending);
    QByteArray expected;
    for (int task = 1; task <= 5; ++task)
        expected += "task " + QByteArray::number(task) + " has the lock\n";
    QCOMPARE(ending.out, expected);
}

void Installed::redLockNeedsAMajority()
{
    QStringList arguments{ Name };
    for (const RedisServer &server : m_servers)
        arguments += server.url();
    const Ending all = run(example("red_lock"), arguments);
    SUCCEEDED(all);
    QVERIFY2(all.out.contains("released"), all.out.constData());
    m_servers[1].stop();
    const Ending two = run(example("red_lock"), arguments);
    SUCCEEDED(two);
    QVERIFY2(two.out.startsWith("held on 2 of 3 servers\n"), two.out.constData());
    m_servers[2].stop();
    const Ending one = run(example("red_lock"), arguments);
    QCOMPARE(one.status, 1);
    QVERIFY(!one.out.contains("held"));
    QCOMPARE(cli({ QStringLiteral("EXISTS"), Name }), QByteArray("0"));
}

void Installed::watchesLocks()
{
    Program holder(example("hold_a_lock"), { m_servers[0].url(), Name, QStringLiteral("60000") });
    QTRY_COMPARE(cli({ QStringLiteral("HVALS"), Name }), QByteArray("1"));
    Program watcher(example("watch_locks"), { m_servers[0].url() });
    QVERIFY(watcher.lineWith("orders:4711: 1 holders, ").contains(" ms left, 0 in its queue"));
    SUCCEEDED(run(example("hold_a_lock"), { m_servers[0].url(), QStringLiteral("other"), QStringLiteral("500") }));
    QVERIFY(!watcher.lineWith("other was acquired").isEmpty());
    QVERIFY(!watcher.lineWith("other was released").isEmpty());
    cli({ QStringLiteral("HSET"), QStringLiteral("evil\x1b[2J\nheld"),
        QStringLiteral("0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:1"), QStringLiteral("1") });
    QVERIFY(!watcher.lineWith("evil?[2J?held was acquired").isEmpty());
    cli(words("ACL SETUSER blind on nopass ~* &* +@all -scan"));
    QString blind = m_servers[0].url();
    blind.replace(QStringLiteral("://"), QStringLiteral("://blind:x@"));
    Program unable(example("watch_locks"), { blind });
    QVERIFY(unable.complains("SCAN"));
}

QTEST_GUILESS_MAIN(Installed)

#include "tst_installed.moc"
