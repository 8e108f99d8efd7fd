// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <vector>

namespace lockcore::client {

/// Renews the locks that were taken without a lease: each a third of the lease after it was taken or renewed, those
/// due at about the same time together, a hundred with one script. What fails is tried again soon, and nothing waits
/// for it: neither another slot nor another script.
/// Source: Redisson: lockWatchdogTimeout and lockWatchdogBatchSize; the package org.redisson.renewal.
class Watchdog {
public:
    explicit Watchdog(ClientCore &core);

    // Of a hold that is not renewed these do nothing.
    /// A hold was taken, or taken again, by a request sent then.
    void leaseBegan(const HoldKey &key, Millis lease, MonoTime sent);
    /// A hold may have been taken again: nobody knows whether that request has been carried out.
    void leaseMayHaveBegun(const HoldKey &key, Millis lease, MonoTime sent);
    void leaseWasSet(const HoldKey &key, Millis lease, MonoTime sent);
    void maybeCut(const HoldKey &key); // a release, or a lease that is being set, may have left less time
    void connected(); // a renewal may have been missed, and a server may have lost its data
    void stop() { m_core.holds.stopLooking(); }

private:
    void look(HoldId due);
    void renew(const std::vector<HoldId> &holds);
    void send(const synchronizers::LockBehaviour &behaviour, std::vector<HoldId> holds);
    void answered(const synchronizers::LockBehaviour &behaviour, const std::vector<HoldId> &holds, MonoTime sent,
        const Result<protocol::Reply> &reply);
    void confirmed(HoldTable::Entry &entry, MonoTime sent);
    void lose(const HoldTable::Entry &entry);
    void tryAgain(HoldTable::Entry &entry);
    void checkConfirmed(HoldTable::Entry &entry, MonoTime now);
    void lookAt(HoldTable::Entry &entry, MonoTime at) { m_core.holds.lookAt(entry, at); }
    Millis lease() const { return m_core.options.watchdogTimeout; }

    ClientCore &m_core;
    const Millis m_period;
    const Millis m_ahead; // what is due so soon is renewed together with what is due
};

} // namespace lockcore::client
