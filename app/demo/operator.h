// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/monitor.h"
#include "lockcore/transport/endpoint.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <string>
#include <vector>

namespace app {

/// What the operator does about one lock over and over: looks until somebody has held it for long enough, hesitates as
/// a person who reads and types, acts on the holders that were seen before, and rests.
struct Duty {
    lockcore::LockName lock;
    std::string reason;
    lockcore::Millis heldFor{ 0 };
    lockcore::Millis hesitation{ 0 };
    lockcore::Millis rest{ 0 };
    std::optional<lockcore::Millis> again = {}; // as who clicks twice: the same once more, so long after, and too late
    std::optional<lockcore::Millis> ttl = {}; // that is set; absent: the lock is released by force
};

/// Looks after the shop of the demo, for the audit log: what is done is done on the demo's server, and recorded, as a
/// person does it in the window. What comes too late is refused.
class Operator : public QObject {
public:
    Operator(const lockcore::transport::Endpoint &endpoint, const QString &auditFile, QObject *parent = nullptr);

private:
    struct Turn {
        Duty duty;
        std::optional<lockcore::synchronizers::AdminCommand> intended = {}; // made up the mind
        bool isDone = false; // what was intended, and it is to be done again
        lockcore::MonoTime next = {}; // to do something about it
    };

    void look();
    void see(Turn &turn, lockcore::MonoTime now);

    lockcore::service::Monitor m_monitor;
    std::vector<Turn> m_turns;
    QTimer m_timer;
};

} // namespace app
