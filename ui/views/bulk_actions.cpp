// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/bulk_actions.h"

#include "lockcore/service/monitor.h"
#include "ui/support/widgets.h"

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
    , m_sender(monitor, clock, this)
{
    connect(&m_sender, &CommandSender::done, this, &BulkActions::done);
    connect(&m_sender, &CommandSender::sent, this, [this] {
        if (m_dialog)
            m_dialog->setSent();
    });
    connect(&m_sender, &CommandSender::finished, this, [this](const Result<CommandOutcome> &outcome) {
        if (m_dialog)
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
    connect(m_dialog, &BulkReleaseDialog::wanted, &m_sender, &CommandSender::submit);
    connect(m_dialog, &BulkReleaseDialog::cancelled, &m_sender, &CommandSender::cancel);
    connect(m_dialog, &QDialog::finished, this, [this] {
        m_dialog = nullptr;
        m_sender.forget();
    });
    setSnapshot(*m_monitor.latest());
    giveKeysBackAfter(*m_dialog);
    m_dialog->open();
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
