// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/operator.h"

#include "lockcore/transport/clock.h"

#include <algorithm>

namespace app {

using namespace std::chrono_literals;
using namespace lockcore::synchronizers;
using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::monitor::Holder;
using lockcore::monitor::LockState;
using lockcore::monitor::SourcePhase;
using lockcore::transport::monoNow;

namespace {

constexpr auto OperatorLooksEvery = 250ms;

std::vector<Duty> operatorDuties()
{
    return {
        // Its holder died with a long lease: see addLabels() of the shop.
        { .lock = "label:printer:2",
            .reason = "the printing process is gone, labels are piling up",
            .heldFor = 5s,
            .hesitation = 300ms,
            .rest = 15s,
            .again = 700ms },
        { .lock = "user:5518:merge",
            .reason = "this merge needs a minute more tonight",
            .heldFor = 7s,
            .hesitation = 1s,
            .rest = 150s,
            .ttl = 60s },
    };
}

lockcore::service::MonitorOptions operatorOptions(const QString &auditFile)
{
    lockcore::service::MonitorOptions options;
    options.snapshotsPerSecond = 10;
    options.auditFile = auditFile;
    options.auditedConnection.actor = "the demo's operator"; // the person at the window does nothing of it
    return options;
}

/// As long as each of those who hold it now.
bool isHeldFor(const LockState &lock, Millis time, MonoTime now)
{
    return !lock.holders.empty()
        && std::ranges::all_of(lock.holders, [&](const Holder &holder) { return now - holder.since.at >= time; });
}

AdminCommand commandFor(const Duty &duty, const LockState &lock)
{
    std::vector<ExpectedHolder> expected;
    for (const Holder &holder : lock.holders)
        expected.push_back({ holder.owner, holder.mode });
    if (duty.ttl)
        return SetTtl{ lock.name, lock.kind, std::move(expected), *duty.ttl, duty.reason };
    return ForceRelease{ lock.name, lock.kind, std::move(expected), duty.reason };
}

} // namespace

Operator::Operator(const lockcore::transport::Endpoint &endpoint, const QString &auditFile, QObject *parent)
    : QObject(parent)
    , m_monitor(operatorOptions(auditFile))
{
    for (Duty &duty : operatorDuties())
        m_turns.push_back({ std::move(duty) });
    connect(&m_timer, &QTimer::timeout, this, &Operator::look);
    m_monitor.open(endpoint);
    m_monitor.setWritable(true);
    m_timer.start(OperatorLooksEvery);
}

void Operator::look()
{
    const MonoTime now = monoNow();
    for (Turn &turn : m_turns) {
        if (now < turn.next)
            continue;
        if (!turn.intended) {
            see(turn, now);
            continue;
        }
        m_monitor.submit(*turn.intended);
        turn.isDone = !turn.isDone && turn.duty.again;
        turn.next = now + (turn.isDone ? *turn.duty.again : turn.duty.rest);
        if (!turn.isDone)
            turn.intended.reset();
    }
}

void Operator::see(Turn &turn, MonoTime now)
{
    const auto snapshot = m_monitor.latest();
    const auto lock = snapshot->locks.find(turn.duty.lock);
    if (snapshot->status.phase != SourcePhase::Live || !lock || !isHeldFor(*lock, turn.duty.heldFor, now))
        return;
    turn.intended = commandFor(turn.duty, *lock);
    turn.next = now + turn.duty.hesitation;
}

} // namespace app
