// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/hand_over.h"

#include "lockcore/client/lock_client.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <cstdio>

namespace lockbench {

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;

namespace {

constexpr Millis Pause{ 5 }; // until the waiter is surely waiting; the peer makes the same one

class HandOverRun {
public:
    HandOverRun(const Endpoint &endpoint, int times)
        : m_times(static_cast<std::size_t>(times))
        , m_first(endpoint)
        , m_second(endpoint)
    {
        for (LockClient *client : { &m_first, &m_second }) {
            QObject::connect(client, &LockClient::ready, &m_loop, [this] {
                if (m_first.isReady() && m_second.isReady())
                    begin();
            });
            client->open();
        }
    }

    std::vector<double> run()
    {
        m_loop.exec();
        return m_latencies;
    }

private:
    void begin()
    {
        m_first.acquire({ m_target, "1", {}, {} }, [this](const Result<AcquireOutcome> &held) {
            if (!held)
                return failed(held.error());
            m_second.acquire({ m_target, "2", {}, {} }, [this](const Result<AcquireOutcome> &got) { handedOver(got); });
            QTimer::singleShot(Pause, Qt::PreciseTimer, &m_loop, [this] {
                m_time.start();
                m_first.release(m_target, "1", [](const Result<ReleaseOutcome> &) {});
            });
        });
    }

    void handedOver(const Result<AcquireOutcome> &got)
    {
        const auto latency = static_cast<double>(m_time.nsecsElapsed()) / 1'000;
        if (!got)
            return failed(got.error());
        m_latencies.push_back(latency);
        m_second.release(m_target, "2", [this](const Result<ReleaseOutcome> &released) {
            if (!released)
                return failed(released.error());
            if (m_latencies.size() < m_times)
                begin();
            else
                m_loop.quit();
        });
    }

    void failed(const Error &error)
    {
        std::fprintf(stderr, "hand-over: %s: %s\n", error.context.c_str(), error.message.c_str());
        m_latencies.clear();
        m_loop.quit();
    }

    const LockTarget m_target{ "bench:handover" };
    const std::size_t m_times;
    QEventLoop m_loop;
    LockClient m_first;
    LockClient m_second;
    QElapsedTimer m_time;
    std::vector<double> m_latencies;
};

} // namespace

std::vector<double> handOvers(const Endpoint &endpoint, int times) { return HandOverRun(endpoint, times).run(); }

} // namespace lockbench
