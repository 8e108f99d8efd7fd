// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <vector>

namespace lockcore {

/// Renews the locks that were taken without a lease: each a third of the lease after it was taken or renewed, those
/// due at about the same time together, a hundred with one script. What fails is tried again soon, and nothing waits
/// for it: neither another slot nor another script.
/// Source: wire format, section 2.
class Watchdog {
public:
    explicit Watchdog(ClientCore &core);

    // What is not renewed is of no interest here.
    /// Taken, or taken again, by a request sent then.
    void leaseBegan(const HoldKey &key, Millis lease, MonoTime sent);
    /// The same, if that request has been carried out, which nobody knows.
    void leaseMayHaveBegun(const HoldKey &key, Millis lease, MonoTime sent);
    void leaseWasSet(const HoldKey &key, Millis lease, MonoTime sent);
    void maybeCut(const HoldKey &key); // by a release, or by a lease that is being set
    void connected(); // a renewal may have been missed, and a server may have lost its data
    void stop() { m_core.holds.stopLooking(); }

private:
    void look(HoldId due);
    void renew(const std::vector<HoldId> &holds);
    void send(const LockBehaviour &behaviour, std::vector<HoldId> holds);
    void answered(const LockBehaviour &behaviour, const std::vector<HoldId> &holds, MonoTime sent,
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

} // namespace lockcore
