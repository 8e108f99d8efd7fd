// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/shop_worker.h"

namespace app {

using namespace std::chrono_literals;
using lockcore::Millis;
using lockcore::Result;
using lockcore::client::AcquireOutcome;
using lockcore::client::LockClient;
using lockcore::transport::Endpoint;

namespace {
constexpr Millis BetweenReentries = 400ms;
constexpr Millis AfterError = 1'000ms;
} // namespace

ShopClient::ShopClient(const Endpoint &endpoint, const lockcore::client::LockClientOptions &options)
    : m_endpoint(endpoint)
    , m_options(options)
{
    replace();
}

void ShopClient::replace()
{
    m_locks = std::make_unique<LockClient>(m_endpoint, m_options);
    m_locks->open();
}

ShopWorker::ShopWorker(WorkloadStep step, ShopClient &client, Random::result_type seed, QObject *parent)
    : QObject(parent)
    , m_step(std::move(step))
    , m_client(client)
    , m_random(seed)
{
    m_timer.setSingleShot(true);
}

void ShopWorker::start()
{
    m_sinceStart.start();
    after(m_step.firstAfter, &ShopWorker::acquire);
}

void ShopWorker::stop()
{
    ++m_turn;
    m_timer.stop();
}

void ShopWorker::after(Millis delay, void (ShopWorker::*step)())
{
    m_timer.disconnect();
    connect(&m_timer, &QTimer::timeout, this, step);
    m_timer.start(delay);
}

void ShopWorker::acquire()
{
    std::uniform_int_distribution<std::size_t> which(0, m_step.locks.size() - 1);
    m_target = { m_step.locks[which(m_random)], m_step.kind, m_step.mode };
    m_holds = 0;
    reenter();
    if (m_step.dieAfter)
        after(m_step.dieAfter->draw(m_random), &ShopWorker::die);
}

void ShopWorker::reenter()
{
    // Who takes two waits for the second alone in vain.
    const auto wait = m_step.then ? std::nullopt : m_step.wait;
    m_client.locks().acquire(
        { m_target, m_step.thread, m_step.lease, wait }, [this, turn = m_turn](const Result<AcquireOutcome> &outcome) {
            if (turn == m_turn)
                acquired(outcome);
        });
}

void ShopWorker::acquired(const Result<AcquireOutcome> &outcome)
{
    if (m_step.dieAfter)
        return;
    if (!outcome) {
        after(AfterError, &ShopWorker::rest);
    } else if (!outcome->acquired) {
        rest();
    } else if (++m_holds <= m_step.reentries) {
        after(BetweenReentries, &ShopWorker::reenter);
    } else if (m_step.then) {
        after(m_step.beforeThen.draw(m_random), &ShopWorker::acquireSecond);
    } else {
        hold();
    }
}

/// Who waits in vain gives the first one back.
void ShopWorker::acquireSecond()
{
    const lockcore::client::LockTarget second{ *m_step.then, m_step.kind, m_step.mode };
    m_client.locks().acquire({ second, m_step.thread, m_step.lease, m_step.wait },
        [this, second, turn = m_turn](const Result<AcquireOutcome> &outcome) {
            if (turn != m_turn)
                return;
            if (!outcome || !outcome->acquired)
                return release();
            m_second = second;
            hold();
        });
}

void ShopWorker::hold()
{
    const bool dies = m_step.ending == Ending::Die && m_goodTurns >= m_step.goodTurns;
    after(m_step.hold.draw(m_random),
        dies           ? &ShopWorker::die
            : m_second ? &ShopWorker::releaseSecond
                       : &ShopWorker::release);
}

void ShopWorker::releaseSecond()
{
    m_client.locks().release(*m_second, m_step.thread, [](const Result<lockcore::client::ReleaseOutcome> &) {});
    m_second.reset();
    release();
}

void ShopWorker::release()
{
    // A lease that ran out early is part of the play: the release is refused, and the shop goes on.
    m_client.locks().release(
        m_target, m_step.thread, [this, turn = m_turn](const Result<lockcore::client::ReleaseOutcome> &) {
            if (turn != m_turn)
                return;
            if (--m_holds > 0)
                return after(BetweenReentries, &ShopWorker::release);
            ++m_goodTurns;
            rest();
        });
}

void ShopWorker::rest()
{
    ++m_turn;
    after(m_step.every ? *m_step.every - Millis(m_sinceStart.elapsed()) % *m_step.every : m_step.rest.draw(m_random),
        &ShopWorker::acquire);
}

void ShopWorker::die()
{
    m_goodTurns = 0;
    rest();
    m_client.replace();
}

} // namespace app
