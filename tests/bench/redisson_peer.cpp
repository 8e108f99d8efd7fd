// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/redisson_peer.h"

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>

using namespace Qt::StringLiterals;

namespace lockbench {

namespace {

constexpr int BuildLimitMs = 900'000; // the first time everything is downloaded
constexpr int StartLimitMs = 120'000;
constexpr int AnswerLimitMs = 300'000;
constexpr int EndLimitMs = 10'000;

} // namespace

RedissonPeer::~RedissonPeer()
{
    m_process.closeWriteChannel(); // which ends it
    m_process.waitForFinished(EndLimitMs);
}

bool RedissonPeer::start(const QString &buildFolder, const QString &url, lockcore::Millis watchdogTimeout)
{
    QProcess build;
    build.setProcessChannelMode(QProcess::MergedChannels);
    build.start(QStringLiteral(LOCKBENCH_PEER_BUILD), { u"redisson-4"_s, buildFolder });
    if (!build.waitForFinished(BuildLimitMs) || build.exitCode() != 0) {
        std::fprintf(stderr, "no Redisson: %s\n", build.readAll().trimmed().constData());
        return false;
    }
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process.start(u"java"_s,
        { u'@' + buildFolder + u"/java.args"_s, QStringLiteral(LOCKBENCH_PEER_SOURCE), url,
            QString::number(watchdogTimeout.count()) });
    if (line(StartLimitMs) == "ready")
        return true;
    std::fprintf(stderr, "Redisson did not start\n");
    return false;
}

std::vector<double> RedissonPeer::ask(const QString &command)
{
    m_process.write(command.toUtf8() + '\n');
    QList<QByteArray> words = line(AnswerLimitMs).split(' ');
    std::vector<double> numbers;
    if (words.takeFirst() != "ok")
        std::fprintf(stderr, "Redisson: %s failed: %s\n", qPrintable(command), words.join(' ').constData());
    else
        for (const QByteArray &word : words)
            numbers.push_back(word.toDouble());
    return numbers;
}

QByteArray RedissonPeer::line(int limitMs)
{
    while (!m_process.canReadLine() && m_process.waitForReadyRead(limitMs)) { }
    return m_process.readLine().trimmed();
}

} // namespace lockbench
