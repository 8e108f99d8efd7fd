// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/withdrawals.h"

#include "lockcore/client/clock.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore {

namespace {

constexpr int MostWithdrawalAttempts = 60; // a user who may not write it now may later

} // namespace

Withdrawals::Withdrawals(ClientCore &core)
    : m_core(core)
    , m_retries([this](std::uint64_t id) { send(id); })
{
}

void Withdrawals::start(const LockName &name, const std::string &requestId)
{
    const std::uint64_t id = ++m_lastId;
    m_pending.emplace(id, Withdrawal{ name, key_layout::unlockLatch(name, requestId) });
    send(id);
}

void Withdrawals::connected()
{
    for (const auto &[id, withdrawal] : m_pending)
        send(id);
}

void Withdrawals::clear()
{
    for (const auto &[id, withdrawal] : m_pending)
        m_retries.disarm(id);
    m_pending.clear();
}

void Withdrawals::send(std::uint64_t id)
{
    Withdrawal &withdrawal = m_pending.at(id);
    if (withdrawal.isUnderWay || !m_core.isReadyFor(withdrawal.name))
        return; // connected() sends it
    m_retries.disarm(id);
    withdrawal.isUnderWay = true;
    m_core.link->send({ "SET", withdrawal.latch, "0", "PX", milliseconds(m_core.options.times.latch), "NX" },
        withdrawal.name, [this, id](const Result<protocol::Reply> &reply) { answered(id, reply); });
}

void Withdrawals::answered(std::uint64_t id, const Result<protocol::Reply> &reply)
{
    const auto found = m_pending.find(id);
    if (found == m_pending.end())
        return; // closed meanwhile
    Withdrawal &withdrawal = found->second;
    withdrawal.isUnderWay = false;
    if (!reply)
        return; // connected() sends it again
    if (reply->isError() && ++withdrawal.attempts < MostWithdrawalAttempts)
        m_retries.arm(id, monoNow() + m_core.options.times.releaseAgain);
    else
        m_pending.erase(found);
}

} // namespace lockcore
