// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <QTimer>
#include <functional>
#include <vector>

namespace lockcore {

/// Renews the locks that were taken without a lease, all in one round, a hundred with one script.
/// Source: wire format, section 2.
class Watchdog {
public:
    struct Callbacks {
        std::function<void(const HoldKey &)> renewed;
        std::function<void(const HoldKey &)> lost; // the answer said so; no longer in the table
    };

    Watchdog(ClientCore &core, Callbacks callbacks);

    void holdAdded(); // the first one starts the rounds
    void connected(); // a round may have been missed
    void stop() { m_timer.stop(); }

private:
    void round();
    void renew(const LockBehaviour &behaviour, std::vector<HoldKey> keys);
    void answered(const std::vector<HoldKey> &keys, const std::vector<bool> &held);
    void retrySoon();
    Millis period() const;

    ClientCore &m_core;
    Callbacks m_callbacks;
    QTimer m_timer;
};

} // namespace lockcore
