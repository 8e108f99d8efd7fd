// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/peer_process.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <algorithm>
#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

using namespace Qt::StringLiterals;

namespace interop {

namespace {

constexpr int BuildLimitMs = 600'000; // the first time everything is downloaded
constexpr int StartLimitMs = 60'000;

QString builtIn(Language language) { return QStringLiteral(INTEROP_BUILD_DIR "/") + QLatin1String(name(language)); }

/// Where its sources are.
QString folderOf(Language language)
{
    switch (language) {
    case Language::Cpp:
        return u"cpp"_s;
    case Language::Redisson4:
    case Language::Redisson3:
        return u"java"_s;
    case Language::Node:
        return u"node"_s;
    case Language::Python:
        return u"python"_s;
    }
    Q_UNREACHABLE();
}

QString build(Language language)
{
    if (language == Language::Cpp)
        return {};
    QProcess script;
    script.setProcessChannelMode(QProcess::MergedChannels);
    script.start(u"bash"_s,
        { QStringLiteral(INTEROP_SOURCE_DIR "/") + folderOf(language) + u"/build.sh"_s, QLatin1String(name(language)),
            builtIn(language) });
    if (!script.waitForFinished(BuildLimitMs))
        return u"building the peers took too long"_s;
    return script.exitCode() == 0 ? QString() : QString::fromUtf8(script.readAll()).trimmed();
}

} // namespace

const char *name(Language language)
{
    switch (language) {
    case Language::Cpp:
        return "lockcore";
    case Language::Redisson4:
        return "redisson-4";
    case Language::Redisson3:
        return "redisson-3";
    case Language::Node:
        return "node-redisson";
    case Language::Python:
        return "redis-py";
    }
    Q_UNREACHABLE();
}

QString whyMissing(Language language)
{
    static QHash<int, QString> known;
    const auto found = known.constFind(int(language));
    return found != known.cend() ? *found : *known.insert(int(language), build(language));
}

QStringList jarsOf(Language language)
{
    QFile file(builtIn(language) + u"/dependencies"_s);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed().split(u':') : QStringList();
}

PeerProcess::PeerProcess(Language language)
    : m_language(language)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    const pid_t parent = getpid();
    m_process.setChildProcessModifier([parent] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) // it died before the line above
            _exit(1);
        setpriority(PRIO_PROCESS, 0, std::max(0, getpriority(PRIO_PROCESS, 0))); // never before what is tested
    });
    switch (language) {
    case Language::Cpp:
        m_process.start(QStringLiteral(LOCK_PEER), {});
        break;
    case Language::Redisson4:
    case Language::Redisson3:
        m_process.start(u"java"_s,
            { u"-XX:+UseSerialGC"_s, u"-XX:TieredStopAtLevel=1"_s, u"-Xmx256m"_s,
                u'@' + builtIn(language) + u"/java.args"_s, u"lockscope.interop.Peer"_s });
        break;
    case Language::Node:
        m_process.start(u"node"_s, { builtIn(language) + u"/peer.js"_s });
        break;
    case Language::Python:
        m_process.start(builtIn(language) + u"/venv/bin/python3"_s, { builtIn(language) + u"/peer.py"_s });
        break;
    }
    m_process.waitForStarted();
}

PeerProcess::~PeerProcess() { kill(); }

bool PeerProcess::connectTo(const QString &url, int watchdogMs, const char *topology, const char *codec)
{
    m_threads.clear();
    const QByteArrayList words{ "connect", "-", topology, url.toUtf8(), QByteArray::number(watchdogMs), codec };
    const QByteArray answered = answer(start(words.join(' ')), StartLimitMs);
    m_id = answered.mid(3);
    if (answered.startsWith("ok "))
        return true;
    qWarning("%s does not connect: %s", name(m_language), answered.constData());
    return false;
}

QByteArray PeerProcess::owner(int thread)
{
    QByteArray &onWire = m_threads[thread];
    if (onWire.isEmpty())
        onWire = ask("thread " + QByteArray::number(thread)).mid(3);
    return m_id + ':' + onWire;
}

QByteArray PeerProcess::start(const QByteArray &command)
{
    const QByteArray tag = QByteArray::number(++m_lastTag);
    m_process.write(tag + ' ' + command + '\n');
    m_process.waitForBytesWritten();
    return tag;
}

QByteArray PeerProcess::answer(const QByteArray &tag, int limitMs)
{
    const QDeadlineTimer limit(limitMs);
    read(0);
    while (!m_answers.contains(tag) && !limit.hasExpired() && m_process.state() == QProcess::Running)
        read(int(limit.remainingTime()));
    return m_answers.value(tag);
}

void PeerProcess::read(int limitMs)
{
    m_process.waitForReadyRead(limitMs);
    while (m_process.canReadLine()) {
        const QByteArray line = m_process.readLine().trimmed();
        const qsizetype space = line.indexOf(' ');
        if (line.startsWith("event "))
            m_events << line.mid(space + 1);
        else
            m_answers[line.left(space)] = line.mid(space + 1);
    }
}

QByteArrayList PeerProcess::takeEvents()
{
    read(0);
    return std::exchange(m_events, {});
}

void PeerProcess::kill()
{
    m_process.kill();
    m_process.waitForFinished();
}

bool isNotHeld(const QByteArray &answer)
{
    return answer.startsWith("error NotHeld") || answer.startsWith("error RedissonLockError")
        || (answer.startsWith("error ") && answer.contains("IllegalMonitorStateException"));
}

} // namespace interop
