// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/watchdog.h"

#include "lockcore/protocol/key_slot.h"
#include "lockcore/synchronizers/lock_replies.h"

#include <algorithm>
#include <map>

namespace lockcore {

namespace {

constexpr std::size_t LocksPerScript = 100;
constexpr Millis RetryAfter{ 1'000 };

} // namespace

Watchdog::Watchdog(ClientCore &core, Callbacks callbacks)
    : m_core(core)
    , m_callbacks(std::move(callbacks))
{
    m_timer.setSingleShot(true);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { round(); });
}

void Watchdog::holdAdded()
{
    if (!m_timer.isActive())
        m_timer.start(period());
}

void Watchdog::connected()
{
    if (m_timer.isActive() && !m_core.options.renewEvery)
        round();
}

Millis Watchdog::period() const { return m_core.options.renewEvery.value_or(m_core.options.watchdogTimeout / 3); }

void Watchdog::round()
{
    std::vector<HoldKey> held = m_core.holds.withoutLease();
    if (held.empty())
        return;
    m_timer.start(period());
    std::map<std::pair<const LockBehaviour *, int>, std::vector<HoldKey>> groups;
    for (HoldKey &key : held) {
        if (!m_core.isReadyFor(key.target.name))
            continue; // a round comes with the connection
        const int slot = m_core.link->isSharded() ? protocol::keySlot(key.target.name) : 0;
        if (const auto behaviour = lockBehaviour(key.target.kind, key.target.mode))
            groups[{ *behaviour, slot }].push_back(std::move(key));
    }
    for (const auto &[group, keys] : groups) {
        for (std::size_t first = 0; first < keys.size(); first += LocksPerScript) {
            const auto end = std::min(keys.size(), first + LocksPerScript);
            renew(*group.first,
                { keys.begin() + static_cast<std::ptrdiff_t>(first), keys.begin() + static_cast<std::ptrdiff_t>(end) });
        }
    }
}

void Watchdog::renew(const LockBehaviour &behaviour, std::vector<HoldKey> keys)
{
    std::vector<HoldName> holds;
    for (const HoldKey &key : keys)
        holds.push_back({ key.target.name, m_core.owner(key.thread) });
    const ScriptCall call = behaviour.renew(holds, m_core.options.watchdogTimeout);
    m_core.send(call, [this, keys = std::move(keys)](const Result<protocol::Reply> &reply) {
        if (!reply)
            return; // a round comes with the connection
        const auto held = parseRenewReply(*reply, keys.size());
        if (held)
            answered(keys, *held);
        else
            retrySoon();
    });
}

// Answers come in the order in which the server acted: a hold still in the table that the server does not know is lost.
void Watchdog::answered(const std::vector<HoldKey> &keys, const std::vector<bool> &held)
{
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!m_core.holds.isRenewed(keys[i]))
            continue; // released meanwhile, or about to be
        if (held[i]) {
            m_callbacks.renewed(keys[i]);
        } else {
            m_core.holds.forget(keys[i]);
            m_callbacks.lost(keys[i]);
        }
    }
}

void Watchdog::retrySoon() { m_timer.start(std::min(RetryAfter, period())); }

} // namespace lockcore
