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

LockActions::LockActions(Monitor &monitor, const ClientNames &names, const ViewClock &clock, QWidget *window)
    : QObject(window)
    , m_monitor(monitor)
    , m_names(names)
    , m_clock(clock)
    , m_window(window)
    , m_sender(monitor, clock, this)
{
    connect(&m_sender, &CommandSender::done, this, &LockActions::done);
    connect(&m_sender, &CommandSender::sent, this, [this] {
        if (m_dialog)
            m_dialog->setSent();
    });
    connect(&m_sender, &CommandSender::finished, this, [this](const Result<CommandOutcome> &outcome) {
        if (m_dialog)
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
    connect(m_dialog, &GuardedDialog::confirmed, &m_sender, &CommandSender::submit);
    connect(m_dialog, &GuardedDialog::cancelled, &m_sender, &CommandSender::cancel);
    connect(m_dialog, &QDialog::finished, this, [this] {
        m_dialog = nullptr;
        m_sender.forget();
    });
    setSnapshot(*m_monitor.latest());
    m_dialog->open();
}

void LockActions::setSnapshot(const Snapshot &snapshot)
{
    if (!m_dialog)
        return;
    const auto lock = snapshot.locks.find(m_dialog->lockName());
    m_dialog->setCurrent(lock);
    const LockState &known = lock ? *lock : m_dialog->seen();
    const NodeStatus *server = serverOf(snapshot, known);
    m_dialog->setStatus(
        server ? server->status : snapshot.status, lostServersOf(snapshot, known), serversOutOfSight(snapshot, known));
}

} // namespace lockui
