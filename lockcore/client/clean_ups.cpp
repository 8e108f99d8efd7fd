// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/clean_ups.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/protocol/server_info.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

namespace {

constexpr int MostCleanUpAttempts = 60; // a user who may not write it now may later

} // namespace

CleanUps::CleanUps(ClientCore &core)
    : m_core(core)
    , m_withdrawalRetries([this](Number number) { sendWithdrawal(number); })
    , m_lastMoments([this](Number number) { copyIsOver(number); })
{
    m_taskRetry.setSingleShot(true);
    m_taskRetry.setInterval(core.options.times.cleanUpAgain);
    QObject::connect(&m_taskRetry, &QTimer::timeout, &m_taskRetry, [this] { sendTasks(); });
}

CleanUps::~CleanUps()
{
    if (m_isScheduled)
        sendTasks();
}

void CleanUps::connected()
{
    for (const auto &[number, withdrawal] : m_withdrawals)
        sendWithdrawal(number);
    sendTasks();
}

void CleanUps::forgetCopies()
{
    m_lastMoments.clear();
    m_copies.clear();
    m_copiesByWhere.clear();
    m_withdrawalRetries.clear();
    m_withdrawals.clear();
}

void CleanUps::failAll(const Error &error)
{
    m_places.clear();
    m_unanswered = 0;
    for (const auto &[number, pending] : std::exchange(m_tasks, {}))
        giveUp(pending.task, error);
}

void CleanUps::start(Task task)
{
    const Number number = ++m_lastNumber;
    if (!task.place.empty())
        m_places.emplace(task.place, number);
    m_tasks.emplace(number, Pending{ std::move(task), randomRequestId() });
    if (std::exchange(m_isScheduled, true))
        return;
    QMetaObject::invokeMethod(
        &m_taskRetry,
        [this] {
            sendTasks();
            m_core.events.ended(); // the places of all may be kept
        },
        Qt::QueuedConnection);
}

void CleanUps::keepPlace(const std::string &place)
{
    const auto [first, last] = m_places.equal_range(place);
    std::vector<Number> notUnderWay;
    for (auto each = first; each != last; ++each) {
        Pending &pending = m_tasks.at(each->second);
        pending.isUnwanted = true;
        if (!pending.isUnderWay)
            notUnderWay.push_back(each->second);
    }
    for (const Number number : notUnderWay)
        endTask(number);
}

void CleanUps::sendTasks()
{
    m_isScheduled = false;
    for (auto newest = m_tasks.rbegin(); newest != m_tasks.rend(); ++newest)
        sendTask(newest->first, newest->second);
}

void CleanUps::sendTask(Number number, Pending &pending)
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
    m_core.send(call, [this, number](const Result<protocol::Reply> &reply) { taskAnswered(number, reply); });
}

void CleanUps::taskAnswered(Number number, const Result<protocol::Reply> &reply)
{
    const auto found = m_tasks.find(number);
    if (found == m_tasks.end())
        return; // closed meanwhile
    Pending &pending = found->second;
    pending.isUnderWay = false;
    --m_unanswered;
    const bool refusedForNow = reply && isPassing(*reply);
    pending.isAnswerLost = pending.isAnswerLost || !reply;
    const bool mayAgain = refusedForNow || (!reply && pending.task.repeatable);
    if (mayAgain && !pending.isUnwanted && pending.attempts < MostCleanUpAttempts) {
        m_taskRetry.start();
        return m_core.events.ended();
    }
    if (!pending.isUnwanted && !reply)
        giveUp(pending.task, afterLostAnswer(reply.error()));
    else if (!pending.isUnwanted && reply->isError())
        giveUp(pending.task, protocol::toError(*reply, {}));
    if (reply && !reply->isError())
        pending.isAnswerLost = false; // its latch is there
    endTask(number);
    m_core.events.ended();
}

void CleanUps::endTask(Number number)
{
    const auto node = m_tasks.extract(number);
    const Pending &pending = node.mapped();
    const std::string &place = pending.task.place;
    if (place.empty())
        return;
    const auto [first, last] = m_places.equal_range(place);
    m_places.erase(std::find_if(first, last, [number](const auto &each) { return each.second == number; }));
    if (pending.isAnswerLost)
        withdraw(pending.task.name, pending.requestId);
}

void CleanUps::giveUp(const Task &task, Error why)
{
    addBefore(why, { task.place.empty() ? Phrase::NotGivenBack : Phrase::QueueNotLeft });
    setTried(why, { Phrase::AfterWaitFor, { task.name } });
    m_core.events.cleanUpFailed(why);
}

void CleanUps::withdraw(const LockName &name, const std::string &requestId)
{
    const Number number = ++m_lastNumber;
    m_withdrawals.emplace(number, Withdrawal{ name, key_layout::unlockLatch(name, requestId) });
    sendWithdrawal(number);
}

void CleanUps::sendWithdrawal(Number number)
{
    Withdrawal &withdrawal = m_withdrawals.at(number);
    if (withdrawal.isUnderWay || !m_core.isReadyFor(withdrawal.name))
        return; // connected() sends it
    m_withdrawalRetries.disarm(number);
    withdrawal.isUnderWay = true;
    m_core.link->send({ "SET", withdrawal.latch, "0", "PX", milliseconds(m_core.options.times.latch), "NX" },
        withdrawal.name, [this, number](const Result<protocol::Reply> &reply) { withdrawalAnswered(number, reply); });
}

void CleanUps::withdrawalAnswered(Number number, const Result<protocol::Reply> &reply)
{
    const auto found = m_withdrawals.find(number);
    if (found == m_withdrawals.end())
        return; // closed meanwhile
    Withdrawal &withdrawal = found->second;
    withdrawal.isUnderWay = false;
    if (!reply)
        return; // connected() sends it again
    if (reply->isError() && ++withdrawal.attempts < MostCleanUpAttempts)
        m_withdrawalRetries.arm(number, monoNow() + m_core.options.times.releaseAgain);
    else
        m_withdrawals.erase(found);
}

// The try was sent no later than now, and its last moment is that of its time-out.
void CleanUps::expectCopy(const std::string &where, std::function<void()> putRight)
{
    const auto [known, isFirst] = m_copiesByWhere.try_emplace(where, m_lastNumber + 1);
    if (isFirst)
        ++m_lastNumber;
    m_copies[known->second] = { where, std::move(putRight) };
    m_lastMoments.arm(known->second, monoNow() + m_core.options.times.answer + protocol::LatestTime::MostAhead);
}

void CleanUps::copyIsOver(Number number)
{
    const auto node = m_copies.extract(number);
    m_copiesByWhere.erase(node.mapped().where);
    node.mapped().putRight();
    m_core.events.ended();
}

} // namespace lockcore::client
