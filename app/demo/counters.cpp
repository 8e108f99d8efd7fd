// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/counters.h"

#include "lockcore/client/count_down_latch.h"
#include "lockcore/client/semaphore.h"

#include <QTimer>

namespace app {

using namespace std::chrono_literals;
using namespace lockcore::client;
using lockcore::Millis;
using lockcore::Result;

namespace {

const lockcore::LockName Import = "batch:import";
constexpr std::int64_t ImportParts = 12;
constexpr Span PartTakes{ 1'200ms, 3'500ms };
constexpr Millis BetweenImports = 3s;

} // namespace

std::vector<PermitStep> permitSteps()
{
    std::vector<PermitStep> steps;
    // Of three permits at the gate there are always some who wait.
    PermitStep upload{ .name = "gate:upload", .permits = 3, .hold = { 1s, 6s }, .rest = { 300ms, 3s } };
    for (const char *service : { "mobile-web", "orders", "stock", "crm", "reports" }) {
        upload.service = service;
        steps.push_back(upload);
        upload.firstAfter += 80ms;
    }
    // Who forgets to give its permit back loses it when the lease is over.
    PermitStep lines{
        .name = "report:lines", .permits = 6, .expires = true, .lease = 20s, .hold = { 4s, 14s }, .rest = { 500ms, 4s }
    };
    for (const char *service : { "reports", "billing", "stock", "pricing", "shards", "crm", "orders" }) {
        lines.service = service;
        lines.forgetsOneOf = lines.service == "pricing" ? 2 : 0;
        steps.push_back(lines);
        lines.firstAfter += 70ms;
    }
    lines.service = "cron";
    lines.lease.reset();
    lines.hold = { 60s, 240s };
    steps.push_back(lines);
    return steps;
}

PermitWorker::PermitWorker(PermitStep step, ShopClient &client, Random::result_type seed)
    : m_step(std::move(step))
    , m_client(client)
    , m_random(seed)
{
}

void PermitWorker::after(Millis delay, std::function<void()> deed)
{
    QTimer::singleShot(delay, this, [this, deed = std::move(deed)] {
        if (!m_isOver)
            deed();
    });
}

/// All of them set it up: the first one does.
void PermitWorker::start()
{
    const auto begin = [this](const Result<bool> &) { after(m_step.firstAfter, [this] { acquire(); }); };
    if (m_step.expires)
        PermitExpirableSemaphore(m_client.locks(), m_step.name).trySetPermits(m_step.permits, begin);
    else
        Semaphore(m_client.locks(), m_step.name).trySetPermits(m_step.permits, {}, begin);
}

void PermitWorker::acquire()
{
    if (m_step.expires)
        PermitExpirableSemaphore(m_client.locks(), m_step.name)
            .acquire(1, m_step.lease, std::nullopt, [this](const Result<PermitOutcome> &outcome) {
                if (!m_isOver)
                    outcome && outcome->acquired ? hold(outcome->permits.front()) : rest();
            });
    else
        Semaphore(m_client.locks(), m_step.name)
            .acquire(1, std::nullopt, [this](const Result<AcquireOutcome> &outcome) {
                if (!m_isOver)
                    outcome && outcome->acquired ? hold({}) : rest();
            });
}

void PermitWorker::hold(const PermitId &permit)
{
    ++m_turns;
    const bool forgets = m_step.forgetsOneOf > 0 && m_turns % m_step.forgetsOneOf == 1;
    after(m_step.hold.draw(m_random), [this, permit, forgets] { forgets ? rest() : giveBack(permit); });
}

void PermitWorker::giveBack(const PermitId &permit)
{
    if (m_step.expires)
        PermitExpirableSemaphore(m_client.locks(), m_step.name).release({ permit }, [](const Result<bool> &) {});
    else
        Semaphore(m_client.locks(), m_step.name).release(1, [](const Result<void> &) {});
    rest();
}

void PermitWorker::rest()
{
    after(m_step.rest.draw(m_random), [this] { acquire(); });
}

ImportWorker::ImportWorker(ShopClient &parts, std::vector<ShopClient *> waiting, Random::result_type seed)
    : m_parts(parts)
    , m_waiting(std::move(waiting))
    , m_random(seed)
{
}

void ImportWorker::after(Millis delay, void (ImportWorker::*step)())
{
    QTimer::singleShot(delay, this, [this, step] {
        if (!m_isOver)
            (this->*step)();
    });
}

void ImportWorker::start() { begin(); }

void ImportWorker::begin()
{
    m_left = ImportParts;
    CountDownLatch(m_parts.locks(), Import).trySetCount(m_left, [this](const Result<bool> &) {
        if (m_isOver)
            return;
        waitForAll();
        after(PartTakes.draw(m_random), &ImportWorker::finishPart);
    });
}

void ImportWorker::waitForAll()
{
    for (ShopClient *client : m_waiting)
        CountDownLatch(client->locks(), Import).wait(std::nullopt, [](const Result<AcquireOutcome> &) {});
}

void ImportWorker::finishPart()
{
    CountDownLatch(m_parts.locks(), Import).countDown([](const Result<void> &) {});
    if (--m_left > 0)
        after(PartTakes.draw(m_random), &ImportWorker::finishPart);
    else
        after(BetweenImports, &ImportWorker::begin);
}

} // namespace app
