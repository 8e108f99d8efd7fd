// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/soak_crowd.h"

#include "lockcore/client/lock_client.h"

#include <QCoreApplication>
#include <QTimer>
#include <cstdio>
#include <random>

namespace lockbench {

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;

namespace {

constexpr int Threads = 40;
constexpr Millis WatchdogTimeout{ 3'000 }; // so that locks of who is killed run out soon
constexpr Millis FixedLease{ 2'000 };
constexpr Millis UserPatience{ 2'000 };

class Crowd {
public:
    explicit Crowd(const Deployment &deployment)
        : m_client(deployment, { .watchdogTimeout = WatchdogTimeout })
    {
        m_client.open();
        for (int thread = 1; thread <= Threads; ++thread)
            later(Millis(below(500)), [this, thread] { take(thread); });
    }

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

    void later(Millis pause, std::function<void()> what) { QTimer::singleShot(pause, &m_client, std::move(what)); }

    void take(int thread)
    {
        AcquireRequest request{ { soakLock(below(SoakLocks)) }, std::to_string(thread), {}, UserPatience };
        if (below(3) == 0)
            request.lease = FixedLease;
        const LockTarget target = request.target;
        m_client.acquire(request, [this, thread, target](const Result<AcquireOutcome> &outcome) {
            if (outcome && outcome->acquired)
                later(Millis(below(4'000)), [this, thread, target] { giveBack(thread, target); });
            else
                later(Millis(100), [this, thread] { take(thread); });
        });
    }

    void giveBack(int thread, const LockTarget &target)
    {
        m_client.release(target, std::to_string(thread), [this, thread](const Result<ReleaseOutcome> &) {
            later(Millis(below(200)), [this, thread] { take(thread); });
        });
    }

    std::mt19937 m_random{ std::random_device{}() };
    LockClient m_client;
};

} // namespace

std::string soakLock(int number) { return "soak:" + std::to_string(number); }

int runCrowd(const std::string &url)
{
    const auto deployment = parseDeployment(url);
    if (!deployment) {
        std::fprintf(stderr, "%s\n", deployment.error().message.c_str());
        return 1;
    }
    const Crowd crowd(*deployment);
    return QCoreApplication::exec();
}

} // namespace lockbench
