// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/clean_ups.h"

#include "lockcore/client/passing_error.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace lockcore {

namespace {

constexpr int MostAttempts = 60;

} // namespace

CleanUps::CleanUps(ClientCore &core)
    : m_core(core)
{
    m_retry.setSingleShot(true);
    m_retry.setInterval(core.options.times.cleanUpAgain);
    QObject::connect(&m_retry, &QTimer::timeout, &m_retry, [this] { sendAll(); });
}

CleanUps::~CleanUps()
{
    if (m_isScheduled)
        sendAll();
}

void CleanUps::start(Task task)
{
    keep({ std::move(task), ++m_lastNumber, 0 });
    if (std::exchange(m_isScheduled, true))
        return;
    QMetaObject::invokeMethod(
        &m_retry,
        [this] {
            sendAll();
            m_core.progress(); // all may have been withdrawn
        },
        Qt::QueuedConnection);
}

void CleanUps::withdraw(const std::string &place) { m_pending.erase(place); }

void CleanUps::connected() { sendAll(); }

void CleanUps::failAll(const Error &error)
{
    for (const auto &[place, pending] : std::exchange(m_pending, {}))
        giveUp(pending.task, error);
}

void CleanUps::giveUp(const Task &task, Error why)
{
    const std::string what
        = task.place.empty() ? "what it got is not given back" : "the place in the queue is not left";
    failed({ why.code, what + ": " + why.message, "after a wait for " + task.name });
}

void CleanUps::sendAll()
{
    m_isScheduled = false;
    std::vector<Pending> newestFirst;
    for (auto &[place, pending] : std::exchange(m_pending, {}))
        newestFirst.push_back(std::move(pending));
    std::ranges::sort(newestFirst, std::ranges::greater(), &Pending::number);
    for (Pending &pending : newestFirst)
        send(std::move(pending));
}

void CleanUps::send(Pending pending)
{
    if (!m_core.isReadyFor(pending.task.name))
        return keep(std::move(pending)); // connected() sends it
    ++m_unanswered;
    ++pending.attempts;
    const ScriptCall call = pending.task.call;
    m_core.send(call, [this, pending = std::move(pending)](const Result<protocol::Reply> &reply) mutable {
        answered(std::move(pending), reply);
    });
}

void CleanUps::answered(Pending pending, const Result<protocol::Reply> &reply)
{
    --m_unanswered;
    const bool refusedForNow = reply && isPassing(*reply);
    const bool lost = !reply && pending.task.repeatable;
    if ((refusedForNow || lost) && pending.attempts < MostAttempts) {
        keep(std::move(pending));
        m_retry.start();
    } else if (!reply) {
        giveUp(pending.task, afterLostAnswer(reply.error()));
    } else if (reply->isError()) {
        giveUp(pending.task, protocol::toError(*reply, {}));
    }
    m_core.progress();
}

void CleanUps::keep(Pending pending)
{
    std::string place = pending.task.place;
    m_pending.emplace(std::move(place), std::move(pending));
}

} // namespace lockcore
