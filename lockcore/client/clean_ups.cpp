// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/clean_ups.h"

#include "lockcore/client/passing_error.h"
#include "lockcore/client/random_ids.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockcore {

namespace {

constexpr int MostCleanUpAttempts = 60;

} // namespace

CleanUps::CleanUps(ClientCore &core, Withdrawals &withdrawals)
    : m_core(core)
    , m_withdrawals(withdrawals)
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
    const Number number = ++m_lastNumber;
    if (!task.place.empty())
        m_places.emplace(task.place, number);
    m_pending.emplace(number, Pending{ std::move(task), randomRequestId() });
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

void CleanUps::withdraw(const std::string &place)
{
    const auto [first, last] = m_places.equal_range(place);
    std::vector<Number> notUnderWay;
    for (auto each = first; each != last; ++each) {
        Pending &pending = m_pending.at(each->second);
        pending.isUnwanted = true;
        if (!pending.isUnderWay)
            notUnderWay.push_back(each->second);
    }
    for (const Number number : notUnderWay)
        end(number);
}

void CleanUps::connected() { sendAll(); }

void CleanUps::failAll(const Error &error)
{
    m_places.clear();
    m_unanswered = 0;
    for (const auto &[number, pending] : std::exchange(m_pending, {}))
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
    for (auto newest = m_pending.rbegin(); newest != m_pending.rend(); ++newest)
        send(newest->first, newest->second);
}

void CleanUps::send(Number number, Pending &pending)
{
    const Task &task = pending.task;
    if (pending.isUnderWay || !m_core.isReadyFor(task.name))
        return; // connected() sends it
    pending.isUnderWay = true;
    ++m_unanswered;
    ++pending.attempts;
    ScriptCall call = task.call;
    if (!task.place.empty()) {
        call.keys.push_back(key_layout::unlockLatch(task.name, pending.requestId));
        call.arguments.push_back(pending.isAnswerLost ? milliseconds(m_core.options.times.latch) : "");
    }
    m_core.send(call, [this, number](const Result<protocol::Reply> &reply) { answered(number, reply); });
}

void CleanUps::answered(Number number, const Result<protocol::Reply> &reply)
{
    const auto found = m_pending.find(number);
    if (found == m_pending.end())
        return; // closed meanwhile
    Pending &pending = found->second;
    pending.isUnderWay = false;
    --m_unanswered;
    const bool refusedForNow = reply && isPassing(*reply);
    pending.isAnswerLost = pending.isAnswerLost || !reply;
    const bool mayAgain = refusedForNow || (!reply && pending.task.repeatable);
    if (mayAgain && !pending.isUnwanted && pending.attempts < MostCleanUpAttempts) {
        m_retry.start();
        return m_core.progress();
    }
    if (!pending.isUnwanted && !reply)
        giveUp(pending.task, afterLostAnswer(reply.error()));
    else if (!pending.isUnwanted && reply->isError())
        giveUp(pending.task, protocol::toError(*reply, {}));
    if (reply && !reply->isError())
        pending.isAnswerLost = false; // its latch is there
    end(number);
    m_core.progress();
}

void CleanUps::end(Number number)
{
    const auto node = m_pending.extract(number);
    const Pending &pending = node.mapped();
    const std::string &place = pending.task.place;
    if (place.empty())
        return;
    const auto [first, last] = m_places.equal_range(place);
    m_places.erase(std::find_if(first, last, [number](const auto &each) { return each.second == number; }));
    if (pending.isAnswerLost)
        m_withdrawals.start(pending.task.name, pending.requestId);
}

} // namespace lockcore
