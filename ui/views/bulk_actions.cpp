// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/bulk_actions.h"

#include "lockcore/service/monitor.h"
#include "ui/support/freshness.h"
#include "ui/views/lock_actions.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;

BulkActions::BulkActions(Monitor &monitor, const ClientNames &names, const ViewClock &clock, QWidget *window)
    : QObject(window)
    , m_monitor(monitor)
    , m_names(names)
    , m_clock(clock)
    , m_window(window)
{
    connect(&monitor, &Monitor::commandSent, this, [this](CommandId command) {
        if (m_dialog && m_command == command)
            m_dialog->setSent();
    });
    connect(
        &monitor, &Monitor::commandFinished, this, [this](CommandId command, const Result<CommandOutcome> &outcome) {
            if (!m_dialog || m_command != command)
                return;
            m_command.reset();
            tellDeed(outcome);
            m_dialog->setOutcome(outcome);
        });
}

void BulkActions::askToRelease(const BulkChoice &choice, const ConnectionProfile &profile)
{
    if (m_dialog) {
        m_dialog->raise();
        return;
    }
    m_dialog = new BulkReleaseDialog(choice, { profile, m_names, m_clock }, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &BulkReleaseDialog::wanted, this, [this](const AdminCommand &command) {
        m_deed = deedOf(command);
        if (m_deed)
            m_deed->from = m_clock.wallAt(m_clock.realNow());
        m_command = m_monitor.submit(command);
    });
    connect(m_dialog, &BulkReleaseDialog::cancelled, this, [this] {
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

void BulkActions::tellDeed(const Result<CommandOutcome> &outcome)
{
    if (!m_deed || !outcome || !outcome->done)
        return;
    m_deed->to = m_clock.wallAt(m_clock.realNow());
    Q_EMIT done(*m_deed);
}

void BulkActions::setSnapshot(const Snapshot &snapshot)
{
    if (m_dialog)
        m_dialog->setSnapshot(snapshot);
}

void BulkActions::withdraw()
{
    if (m_dialog)
        m_dialog->withdraw();
}

} // namespace lockui
