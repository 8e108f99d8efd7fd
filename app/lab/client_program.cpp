// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/client_program.h"

#include "lockcore/client/count_down_latch.h"
#include "lockcore/client/permit_expirable_semaphore.h"
#include "lockcore/client/semaphore.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace app {

using lockcore::MonoTime;
using lockcore::Result;
using lockcore::client::AcquireOutcome;
using lockcore::client::CountDownLatch;
using lockcore::client::LockClient;
using lockcore::client::LockTarget;
using lockcore::client::MultiLock;
using lockcore::client::MultiLockOutcome;
using lockcore::client::PermitExpirableSemaphore;
using lockcore::client::PermitOutcome;
using lockcore::client::ReleaseOutcome;
using lockcore::client::Semaphore;
using lockcore::synchronizers::Kind;
using lockcore::transport::Deployment;
using lockcore::transport::monoNow;
using lockcore::transport::Topology;
using lockui::lab::Act;
using lockui::lab::Outcome;
using lockui::lab::Step;

namespace {

LockTarget targetOf(const Step &step) { return { step.lock, step.kind, step.mode, step.variant }; }

Outcome acquiredOr(bool acquired) { return acquired ? Outcome::Acquired : Outcome::NotAcquired; }

Outcome doneOr(bool done) { return done ? Outcome::Done : Outcome::No; }

} // namespace

ClientProgram::ClientProgram(const lockcore::client::LockClientOptions &options, AtEndOfInput atEnd, QObject *parent)
    : QObject(parent)
    , m_options(options)
    , m_atEnd(atEnd)
{
}

ClientProgram::~ClientProgram() = default;

void ClientProgram::start(const Deployment &deployment)
{
    m_input = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
    connect(m_input.get(), &QSocketNotifier::activated, this, &ClientProgram::readInput);
    if (deployment.topology != Topology::Nodes)
        return openClient(deployment);
    for (const auto &seed : deployment.seeds)
        openClient(seed);
}

void ClientProgram::openClient(const Deployment &deployment)
{
    auto client = std::make_unique<LockClient>(deployment, m_options);
    connect(client.get(), &LockClient::ready, this, &ClientProgram::clientReady);
    connect(client.get(), &LockClient::renewed, this, [this](const LockTarget &target, const std::string &thread) {
        say(ClientNews{ ClientNews::What::Renewed, {}, target.name, thread, {} });
    });
    connect(client.get(), &LockClient::lockLost, this, [this](const LockTarget &target, const std::string &thread) {
        say(ClientNews{ ClientNews::What::Lost, {}, target.name, thread, {} });
    });
    connect(
        client.get(), &LockClient::lockUnconfirmed, this, [this](const LockTarget &target, const std::string &thread) {
            say(ClientNews{ ClientNews::What::Unconfirmed, {}, target.name, thread, {} });
        });
    connect(client.get(), &LockClient::cleanUpFailed, this, [this] { m_isAllGivenBack = false; });
    connect(client.get(), &LockClient::lost, this, [this](const lockcore::Error &error) {
        say(ClientNews{ ClientNews::What::Disconnected, {}, {}, {}, toString(error) });
    });
    m_clients.push_back(std::move(client));
    m_clients.back()->open();
}

/// Whoever gives orders waits until all servers answer.
void ClientProgram::clientReady()
{
    if (++m_ready < m_clients.size())
        return;
    const bool isFirst = m_ready == m_clients.size();
    say(ClientNews{ isFirst ? ClientNews::What::Ready : ClientNews::What::Reconnected, id(), {}, {}, {} });
}

void ClientProgram::readInput()
{
    char buffer[4096];
    const auto size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (size <= 0)
        return end();
    m_unread.append(buffer, size);
    for (qsizetype end = m_unread.indexOf('\n'); end >= 0; end = m_unread.indexOf('\n')) {
        const QByteArray line = m_unread.left(end);
        m_unread.remove(0, end + 1);
        if (const auto order = readOrder(line))
            take(*order);
        else
            answerError(0, monoNow(), order.error());
    }
}

void ClientProgram::end()
{
    if (std::exchange(m_isEnding, true))
        return;
    m_input->setEnabled(false);
    if (m_atEnd == AtEndOfInput::GivesBack)
        giveBack();
    else
        Q_EMIT finished(true);
}

/// A client that closes still answers releases, and leaves the queues in which it waits.
void ClientProgram::giveBack()
{
    for (const Step &step : std::exchange(m_held, {}))
        unlock({ .step = step });
    m_closing = m_clients.size();
    for (const auto &client : m_clients) {
        connect(client.get(), &LockClient::closed, this, [this] {
            if (--m_closing == 0)
                Q_EMIT finished(m_isAllGivenBack);
        });
        client->close();
    }
}

template <typename Value, typename ToOutcome>
auto ClientProgram::answering(const ClientOrder &order, ToOutcome toOutcome)
{
    return [this, number = order.number, since = monoNow(), toOutcome](const Result<Value> &result) {
        if (!result)
            return answerError(number, since, result.error());
        if constexpr (std::is_void_v<Value>)
            answer({ .number = number, .outcome = toOutcome() }, since);
        else
            answer({ .number = number, .outcome = toOutcome(*result) }, since);
    };
}

void ClientProgram::take(const ClientOrder &order)
{
    if (order.givesUp)
        return giveUp(order);
    const Step &step = order.step;
    m_underWay[order.number] = step;
    LockClient &client = *m_clients.front();
    switch (step.act) {
    case Act::Lock:
        return lock(order);
    case Act::Unlock:
        forgetHold(step);
        return unlock(order);
    case Act::Renew:
        return renew(order);
    case Act::SetPermits:
        if (step.kind == Kind::PermitExpirableSemaphore)
            return PermitExpirableSemaphore(client, step.lock)
                .trySetPermits(step.count, answering<bool>(order, doneOr));
        return Semaphore(client, step.lock).trySetPermits(step.count, {}, answering<bool>(order, doneOr));
    case Act::SetCount:
        return CountDownLatch(client, step.lock).trySetCount(step.count, answering<bool>(order, doneOr));
    case Act::CountDown:
        return CountDownLatch(client, step.lock).countDown(answering<void>(order, [] { return Outcome::Done; }));
    case Act::Await:
        m_waits[order.number]
            = CountDownLatch(client, step.lock)
                  .wait(step.wait, answering<AcquireOutcome>(order, [](const AcquireOutcome &outcome) {
                      return acquiredOr(outcome.acquired);
                  }));
        return;
    default:
        answerError(order.number, monoNow(),
            lockcore::errorOf(lockcore::ErrorCode::NotSupported,
                { lockcore::Phrase::Words, { std::string("a client is not told to ") + nameOf(step.act) } }));
    }
}

void ClientProgram::lock(const ClientOrder &order)
{
    const Step &step = order.step;
    if (isSemaphore(step.kind))
        return lockPermit(order);
    if (m_clients.size() > 1 || !step.locks.empty())
        return lockTogether(order);
    m_waits[order.number] = m_clients.front()->acquire({ targetOf(step), step.thread, step.lease, step.wait },
        [this, number = order.number, since = monoNow()](const Result<AcquireOutcome> &outcome) {
            if (!outcome)
                return answerError(number, since, outcome.error());
            answer({ .number = number, .outcome = acquiredOr(outcome->acquired), .token = outcome->token }, since);
        });
}

void ClientProgram::lockTogether(const ClientOrder &order)
{
    togetherOf(order.step)
        .acquire(order.step.thread, order.step.lease, order.step.wait,
            answering<MultiLockOutcome>(
                order, [](const MultiLockOutcome &outcome) { return acquiredOr(outcome.acquired); }));
}

void ClientProgram::lockPermit(const ClientOrder &order)
{
    const Step &step = order.step;
    LockClient &client = *m_clients.front();
    if (step.kind == Kind::Semaphore) {
        m_waits[order.number]
            = Semaphore(client, step.lock)
                  .acquire(step.count, step.wait, answering<AcquireOutcome>(order, [](const AcquireOutcome &outcome) {
                      return acquiredOr(outcome.acquired);
                  }));
        return;
    }
    m_waits[order.number]
        = PermitExpirableSemaphore(client, step.lock)
              .acquire(step.count, step.lease, step.wait,
                  [this, number = order.number, name = step.lock, since = monoNow()](
                      const Result<PermitOutcome> &outcome) {
                      if (!outcome)
                          return answerError(number, since, outcome.error());
                      auto &permits = m_permits[name];
                      permits.insert(permits.end(), outcome->permits.begin(), outcome->permits.end());
                      answer({ .number = number,
                                 .outcome = acquiredOr(outcome->acquired),
                                 .permit = outcome->permits.empty() ? std::string() : outcome->permits.front() },
                          since);
                  });
}

void ClientProgram::unlock(const ClientOrder &order)
{
    const Step &step = order.step;
    if (isSemaphore(step.kind))
        return unlockPermit(order);
    if (m_clients.size() > 1 || !step.locks.empty())
        return unlockTogether(order);
    m_clients.front()->release(
        targetOf(step), step.thread, answering<ReleaseOutcome>(order, [](ReleaseOutcome outcome) {
            return outcome == ReleaseOutcome::StillHeld ? Outcome::StillHeld : Outcome::Released;
        }));
}

void ClientProgram::unlockTogether(const ClientOrder &order)
{
    togetherOf(order.step).release(order.step.thread, answering<void>(order, [] { return Outcome::Released; }));
}

/// The oldest that it has.
void ClientProgram::unlockPermit(const ClientOrder &order)
{
    const Step &step = order.step;
    LockClient &client = *m_clients.front();
    if (step.kind == Kind::Semaphore)
        return Semaphore(client, step.lock).release(step.count, answering<void>(order, [] {
            return Outcome::Released;
        }));
    std::vector<std::string> &held = m_permits[step.lock];
    if (held.empty())
        return answerError(order.number, monoNow(),
            lockcore::errorOf(
                lockcore::ErrorCode::NotHeld, { lockcore::Phrase::Words, { "this client has no permit of it" } }));
    const std::string permit = held.front();
    held.erase(held.begin());
    PermitExpirableSemaphore(client, step.lock).release({ permit }, answering<bool>(order, [](bool done) {
        return done ? Outcome::Released : Outcome::No;
    }));
}

void ClientProgram::renew(const ClientOrder &order)
{
    const Step &step = order.step;
    m_clients.front()->renew(targetOf(step), step.thread, step.lease.value_or(m_options.watchdogTimeout),
        answering<void>(order, [] { return Outcome::Done; }));
}

/// The same locks as one, however often: what is held of them is known to the object.
MultiLock &ClientProgram::togetherOf(const Step &step)
{
    const std::vector<lockcore::LockName> names = step.locks.empty() ? std::vector{ step.lock } : step.locks;
    auto &together = m_together[names];
    if (together)
        return *together;
    std::vector<lockcore::client::MultiLockMember> members;
    for (const auto &client : m_clients) {
        for (const lockcore::LockName &name : names)
            members.push_back({ client.get(), { name, step.kind, step.mode, step.variant } });
    }
    const bool isRedLock = m_clients.size() > 1;
    const auto options = isRedLock ? lockcore::client::redLock(members.size()) : lockcore::client::MultiLockOptions{};
    together = std::make_unique<MultiLock>(std::move(members), options);
    const auto tellOf = [this, name = names.front()](ClientNews::What what) {
        return [this, name, what](const std::string &thread) { say(ClientNews{ what, {}, name, thread, {} }); };
    };
    connect(together.get(), &MultiLock::lockLost, this, tellOf(ClientNews::What::Lost));
    connect(together.get(), &MultiLock::lockUnconfirmed, this, tellOf(ClientNews::What::Unconfirmed));
    return *together;
}

void ClientProgram::giveUp(const ClientOrder &order)
{
    const auto wait = m_waits.find(*order.givesUp);
    if (wait != m_waits.end())
        m_clients.front()->cancel(wait->second);
    answer({ .number = order.number, .outcome = doneOr(wait != m_waits.end()) }, monoNow());
}

/// Of what is held several times each hold is given back by itself, and none twice: a semaphore takes what it is given.
void ClientProgram::forgetHold(const Step &unlock)
{
    const auto last = std::ranges::find_if(m_held.rbegin(), m_held.rend(), [&unlock](const Step &held) {
        return held.lock == unlock.lock && held.locks == unlock.locks && held.thread == unlock.thread
            && held.mode == unlock.mode;
    });
    if (last != m_held.rend())
        m_held.erase(std::next(last).base());
}

void ClientProgram::answer(ClientAnswer answer, MonoTime since)
{
    const auto order = m_underWay.extract(answer.number);
    if (order && order.mapped().act == Act::Lock && answer.outcome == Outcome::Acquired)
        m_held.push_back(order.mapped());
    m_waits.erase(answer.number);
    answer.took = monoNow() - since;
    say(answer);
}

void ClientProgram::answerError(std::uint64_t number, MonoTime since, const lockcore::Error &error)
{
    // What is not held any more need not be given back, and what a wait leaves behind is told by itself.
    const auto order = m_underWay.find(number);
    const bool isWait = order != m_underWay.end() && order->second.act != Act::Unlock;
    const bool leavesNothing
        = error.code == lockcore::ErrorCode::NotHeld || (isWait && error.code == lockcore::ErrorCode::Cancelled);
    m_isAllGivenBack = m_isAllGivenBack && (m_closing == 0 || leavesNothing);
    answer({ .number = number, .outcome = Outcome::Failed, .error = nameOf(error.code), .message = toString(error) },
        since);
}

/// Whoever listens may be gone: then the input ends, too.
} // namespace app
