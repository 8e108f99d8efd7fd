// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/replica_waits.h"

#include <cstdint>
#include <functional>
#include <map>

namespace lockcore {

/// Acquires that are done once replicas have them. What they do not get in time is given back and tried again a few
/// times.
class ReplicatedAcquires {
public:
    struct Client {
        std::function<AcquireId(AcquireRequest, AcquireHandler)> acquire;
        std::function<void(AcquireId)> cancel;
        std::function<void(const LockTarget &, const std::string &thread, ReleaseHandler)> release;
    };

    ReplicatedAcquires(ClientCore &core, Client client)
        : m_outbox(core.outbox)
        , m_waits(core)
        , m_client(std::move(client))
    {
    }

    AcquireId start(AcquireRequest request, AcquireHandler handler);
    void cancel(AcquireId acquire);

private:
    struct Operation {
        AcquireRequest request;
        AcquireHandler handler;
        MonoTime start;
        AcquireId attempt{};
        int attempts = 1;
        bool isGot = false; // replicas are waited for, or it is given back
        bool isCancelled = false;
    };
    void answered(AcquireId id, const Result<AcquireOutcome> &outcome);
    void confirmed(AcquireId id, AcquireOutcome outcome, const Result<void> &replicated);
    void givenBack(AcquireId id, const Error &why);
    void finish(AcquireId id, Result<AcquireOutcome> outcome);

    Outbox &m_outbox;
    ReplicaWaits m_waits;
    Client m_client;
    std::map<AcquireId, Operation> m_operations;
};

} // namespace lockcore
