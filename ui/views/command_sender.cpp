// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/command_sender.h"

#include "lockcore/service/monitor.h"
#include "ui/support/freshness.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;

namespace {

/// What will be heard of it.
EventStore::OwnDeed deedOf(const AdminCommand &command)
{
    EventStore::OwnDeed deed;
    deed.lock = lockOf(command);
    const auto to = [&deed](const std::vector<ExpectedHolder> &holders) {
        for (const ExpectedHolder &holder : holders)
            deed.owners.push_back(holder.owner);
    };
    if (const auto *release = std::get_if<ForceRelease>(&command)) {
        deed.kind = EventKind::ForceReleased;
        to(release->expected);
    } else if (const auto *renewal = std::get_if<SetTtl>(&command)) {
        deed.kind = EventKind::Renewed;
        to(renewal->expected);
    } else if (const auto *drop = std::get_if<DropWaiter>(&command)) {
        deed.kind = EventKind::Dequeued;
        deed.owners.push_back(drop->waiter);
    } else {
        deed.kind = EventKind::PermitsChanged;
    }
    return deed;
}

} // namespace

CommandSender::CommandSender(Monitor &monitor, const ViewClock &clock, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_clock(clock)
{
    connect(&m_monitor, &Monitor::commandSent, this, [this](CommandId command) {
        if (m_command == command)
            Q_EMIT sent();
    });
    connect(
        &m_monitor, &Monitor::commandFinished, this, [this](CommandId command, const Result<CommandOutcome> &outcome) {
            if (m_command != command)
                return;
            forget();
            if (outcome && outcome->done) {
                m_deed.to = m_clock.wallAt(m_clock.realNow());
                Q_EMIT done(m_deed);
            }
            Q_EMIT finished(outcome); // the dialog may ask for the next one
        });
}

void CommandSender::submit(const AdminCommand &command)
{
    m_deed = deedOf(command);
    m_deed.from = m_clock.wallAt(m_clock.realNow());
    m_command = m_monitor.submit(command);
}

void CommandSender::cancel()
{
    if (m_command)
        m_monitor.cancel(*m_command);
}

void CommandSender::forget() { m_command.reset(); }

} // namespace lockui
