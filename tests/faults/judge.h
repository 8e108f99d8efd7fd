// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/ledger.h"
#include "tests/faults/plan.h"
#include "tests/faults/servers.h"

#include <string>
#include <vector>

namespace faults {

/// Compares what the clients say with what the servers say, once all faults have ended. Reads Redis with plain
/// commands.
class Judge {
public:
    Judge(const Plan &plan, Servers &servers, const Ledger &ledger)
        : m_plan(plan)
        , m_servers(servers)
        , m_ledger(ledger)
    {
    }

    /// As soon as all is healed: those whose clients were closed have left the queues, or have told that they could
    /// not.
    std::vector<std::string> lookForClosed();

    /// While all hold on to what they have and wait for what they wait: counts agree, nobody stands in a queue who does
    /// not wait, nobody waits for what is free. What has to be so within a while; empty: it is.
    std::vector<std::string> lookAtStandstill();

    /// After all was released: nothing is left, but for latches that run out, and what the dead have left in queues.
    std::vector<std::string> lookAtEnd();

private:
    struct Held {
        std::map<std::string, std::string> fields; // of the lock's hash
        std::vector<std::string> queue;
    };
    bool isFaster(const std::string &key) const;
    Held read(const std::string &name);
    void compareCounts(const LockTarget &lock, const Held &held, std::vector<std::string> &complaints) const;
    void compareWaiters(const LockTarget &lock, const Held &held, std::vector<std::string> &complaints) const;

    const Plan &m_plan;
    Servers &m_servers;
    const Ledger &m_ledger;
};

} // namespace faults
