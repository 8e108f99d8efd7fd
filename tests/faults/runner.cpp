// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/runner.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace faults {

namespace {

constexpr int LongestScheduleMs = 180'000;
constexpr qint64 TellEveryMs = 30'000;

class Runner {
public:
    explicit Runner(const RunnerOptions &options)
        : m_options(options)
        , m_next(options.firstSeed)
        , m_nextFresh(options.firstFreshSeed)
    {
    }

    int run()
    {
        m_elapsed.start();
        if (m_nextFresh)
            std::printf(
                "every other seed is a fresh one, from %llu on\n", static_cast<unsigned long long>(*m_nextFresh));
        fill();
        if (m_running != 0)
            m_loop.exec();
        tell();
        return m_failed == 0 && m_notPlayed * 10 <= m_done ? 0 : 1;
    }

private:
    bool hasMore() const
    {
        if (m_failed != 0 && !m_options.goesOn)
            return false;
        if (m_options.seconds && m_elapsed.elapsed() >= *m_options.seconds * 1'000)
            return false;
        return m_options.schedules == 0 || m_started < m_options.schedules;
    }

    void fill()
    {
        while (m_running < m_options.parallel && hasMore())
            start(nextSeed());
        if (m_running == 0)
            m_loop.quit();
    }

    std::uint64_t nextSeed() { return m_nextFresh && m_started % 2 == 1 ? (*m_nextFresh)++ : m_next++; }

    void start(std::uint64_t seed)
    {
        ++m_running;
        ++m_started;
        auto *process = new QProcess(&m_loop);
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->setChildProcessModifier([parent = ::getpid()] {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent)
                ::_exit(1);
        });
        QObject::connect(process, &QProcess::finished, &m_loop,
            [this, process, seed](int code, auto status) { finished(*process, seed, code, status); });
        QStringList arguments{ u"--seed"_s, QString::number(seed), u"--verbose"_s };
        if (!m_options.only.isEmpty())
            arguments << u"--only"_s << m_options.only;
        process->start(QCoreApplication::applicationFilePath(), arguments);
        QTimer::singleShot(LongestScheduleMs, process, [process] { process->kill(); });
    }

    void finished(QProcess &process, std::uint64_t seed, int code, QProcess::ExitStatus status)
    {
        --m_running;
        ++m_done;
        if (status == QProcess::NormalExit && code == NotPlayed) {
            ++m_notPlayed;
        } else if (code != 0 || status != QProcess::NormalExit) {
            ++m_failed;
            const QByteArray said = process.readAll();
            keepLog(seed, said);
            std::printf("seed %llu after %.1f s, schedule %d: %s\n%s\n", static_cast<unsigned long long>(seed),
                double(m_elapsed.elapsed()) / 1e3, m_done,
                status != QProcess::NormalExit ? "it crashed or took too long" : "violations",
                verdict(said).constData());
            std::fflush(stdout);
        }
        process.deleteLater();
        if (m_elapsed.elapsed() >= m_nextTell) {
            m_nextTell += TellEveryMs;
            tell();
        }
        fill();
    }

    void keepLog(std::uint64_t seed, const QByteArray &said) const
    {
        if (m_options.logs.isEmpty())
            return;
        QFile file(m_options.logs + u"/seed-%1.log"_s.arg(seed));
        if (file.open(QIODevice::WriteOnly))
            file.write(said);
    }

    /// Without what the clients said.
    static QByteArray verdict(const QByteArray &said)
    {
        QByteArray verdict;
        for (const QByteArray &line : said.split('\n')) {
            if (!line.startsWith("    ") && !line.isEmpty())
                verdict += line + '\n';
        }
        return verdict;
    }

    void tell() const
    {
        std::printf("%d schedules in %.0f s, %d with violations, %d without servers; the next seed is %llu\n", m_done,
            double(m_elapsed.elapsed()) / 1e3, m_failed, m_notPlayed, static_cast<unsigned long long>(m_next));
        std::fflush(stdout);
    }

    const RunnerOptions m_options;
    QEventLoop m_loop;
    QElapsedTimer m_elapsed;
    std::uint64_t m_next;
    std::optional<std::uint64_t> m_nextFresh;
    int m_running = 0;
    int m_started = 0;
    int m_done = 0;
    int m_failed = 0;
    int m_notPlayed = 0;
    qint64 m_nextTell = TellEveryMs;
};

} // namespace

int runSchedules(const RunnerOptions &options) { return Runner(options).run(); }

} // namespace faults
