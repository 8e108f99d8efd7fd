// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lock_actions.h"

#include "lockcore/service/monitor.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/return_permit_dialog.h"
#include "ui/support/freshness.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;

std::optional<EventStore::OwnDeed> deedOf(const AdminCommand &command)
{
    EventStore::OwnDeed deed;
    deed.lock = lockOf(command);
    if (const auto *release = std::get_if<ForceRelease>(&command)) {
        deed.kind = EventKind::ForceReleased;
        for (const ExpectedHolder &holder : release->expected)
            deed.owners.push_back(holder.owner);
        return deed;
    }
    if (const auto *drop = std::get_if<DropWaiter>(&command)) {
        deed.kind = EventKind::Dequeued;
        deed.owners.push_back(drop->waiter);
        return deed;
    }
    return std::nullopt;
}

LockActions::LockActions(Monitor &monitor, const ClientNames &names, const ViewClock &clock, QWidget *window)
    : QObject(window)
    , m_monitor(monitor)
    , m_names(names)
    , m_clock(clock)
    , m_window(window)
{
    connect(&m_monitor, &Monitor::commandSent, this, [this](CommandId command) {
        if (m_dialog && m_command == command)
            m_dialog->setSent();
    });
    connect(
        &m_monitor, &Monitor::commandFinished, this, [this](CommandId command, const Result<CommandOutcome> &outcome) {
            if (!m_dialog || m_command != command)
                return;
            tellDeed(outcome);
            m_dialog->setOutcome(outcome);
        });
}

void LockActions::askToRelease(const Lock &lock, const ConnectionProfile &profile)
{
    if (!isBusy())
        open(new ForceReleaseDialog(lock, at(profile), m_window));
}

void LockActions::askForTtl(const Lock &lock, const ConnectionProfile &profile)
{
    if (!isBusy())
        open(new SetTtlDialog(lock, at(profile), m_window));
}

void LockActions::askToDrop(const Lock &lock, const OwnerId &waiter, const ConnectionProfile &profile)
{
    if (!isBusy())
        open(new DropWaiterDialog(lock, waiter, at(profile), m_window));
}

void LockActions::askToReturn(const Lock &lock, const PermitReading &permit, const ConnectionProfile &profile)
{
    if (!isBusy())
        open(new ReturnPermitDialog(lock, permit, at(profile), m_window));
}

bool LockActions::isBusy()
{
    if (m_dialog) {
        m_dialog->show(); // it may be hidden until its outcome comes
        m_dialog->raise();
    }
    return m_dialog;
}

void LockActions::withdraw()
{
    if (m_dialog)
        m_dialog->withdraw();
}

void LockActions::open(GuardedDialog *dialog)
{
    m_dialog = dialog;
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &GuardedDialog::confirmed, this, [this](const AdminCommand &command) {
        m_deed = deedOf(command);
        if (m_deed)
            m_deed->from = m_clock.wallAt(m_clock.realNow());
        m_command = m_monitor.submit(command);
    });
    connect(m_dialog, &GuardedDialog::cancelled, this, [this] {
        if (m_command)
            m_monitor.cancel(*m_command);
    });
    connect(m_dialog, &QDialog::finished, this, [this] {
        m_dialog = nullptr;
        m_command.reset();
    });
    setSnapshot(*m_monitor.latest());
    m_dialog->open();
}

void LockActions::tellDeed(const Result<CommandOutcome> &outcome)
{
    if (!m_deed || !outcome || !outcome->done)
        return;
    m_deed->to = m_clock.wallAt(m_clock.realNow());
    Q_EMIT done(*m_deed);
}

void LockActions::setSnapshot(const Snapshot &snapshot)
{
    if (!m_dialog)
        return;
    const auto lock = snapshot.locks.find(m_dialog->lockName());
    m_dialog->setCurrent(lock);
    const auto *node = lock ? nodeOf(snapshot, *lock) : nullptr;
    m_dialog->setStatus(node ? node->status : snapshot.status);
}

} // namespace lockui
