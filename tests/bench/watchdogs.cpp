// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/watchdogs.h"

#include "lockcore/client/lock_client.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <cstdio>
#include <sys/resource.h>

namespace lockbench {

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;

namespace {

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class WatchdogRun {
public:
    WatchdogRun(const Endpoint &endpoint, const WatchdogLoad &load)
        : m_load(load)
        , m_client(endpoint, { .watchdogTimeout = load.watchdogTimeout })
    {
        QObject::connect(&m_client, &LockClient::ready, &m_loop, [this] { takeAll(); });
        QObject::connect(&m_client, &LockClient::renewed, &m_loop, [this] { ++m_renewals; });
        QObject::connect(&m_client, &LockClient::lockLost, &m_loop,
            [this](const LockTarget &target) { failed(target.name + " was lost"); });
        m_client.open();
    }

    std::optional<WatchdogCost> run()
    {
        m_loop.exec();
        return m_cost;
    }

private:
    void takeAll()
    {
        for (int i = 0; i < m_load.locks; ++i) {
            m_client.acquire(
                { { "bench:held:" + std::to_string(i) }, "1", {}, {} }, [this](const Result<AcquireOutcome> &held) {
                    if (!held)
                        failed(held.error().message);
                    else if (++m_held == m_load.locks) // begins between two renewals, so that whole periods count
                        QTimer::singleShot(m_load.watchdogTimeout / 6, &m_loop, [this] { measure(); });
                });
        }
    }

    void measure()
    {
        m_renewals = 0;
        m_cpuBefore = cpuSeconds();
        m_time.start();
        QTimer::singleShot(m_load.measured, Qt::PreciseTimer, &m_loop, [this] {
            const double seconds = static_cast<double>(m_time.nsecsElapsed()) / 1e9;
            m_cost = WatchdogCost{ 100 * (cpuSeconds() - m_cpuBefore) / seconds,
                static_cast<double>(m_renewals) / seconds };
            m_loop.quit();
        });
    }

    void failed(const std::string &why)
    {
        std::fprintf(stderr, "watchdogs: %s\n", why.c_str());
        m_loop.quit();
    }

    const WatchdogLoad m_load;
    QEventLoop m_loop;
    LockClient m_client;
    QElapsedTimer m_time;
    double m_cpuBefore = 0;
    std::int64_t m_renewals = 0;
    int m_held = 0;
    std::optional<WatchdogCost> m_cost;
};

} // namespace

std::optional<WatchdogCost> watchdogCost(const Endpoint &endpoint, const WatchdogLoad &load)
{
    return WatchdogRun(endpoint, load).run();
}

} // namespace lockbench
