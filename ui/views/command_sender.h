// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/synchronizers/admin_command.h"
#include "ui/support/event_store.h"

#include <QObject>
#include <optional>

namespace lockcore::service {
class Monitor;
}

namespace lockui {

class ViewClock;

/// Sends what a dialog asks for, one command at a time, and tells what comes of it.
class CommandSender : public QObject {
    Q_OBJECT
public:
    CommandSender(lockcore::service::Monitor &monitor, const ViewClock &clock, QObject *parent);

    void submit(const lockcore::synchronizers::AdminCommand &command);
    void cancel(); // what is under way, if it is not sent yet
    void forget(); // nobody waits for its outcome any more

Q_SIGNALS:
    void sent();
    void done(const lockui::EventStore::OwnDeed &deed); // and will be heard of
    void finished(const lockcore::Result<lockcore::synchronizers::CommandOutcome> &outcome);

private:
    lockcore::service::Monitor &m_monitor;
    const ViewClock &m_clock;
    std::optional<lockcore::CommandId> m_command; // under way
    EventStore::OwnDeed m_deed; // once it is done
};

} // namespace lockui
