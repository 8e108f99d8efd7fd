// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace lockcore::client {

/// Asks whether replicas have what this client wrote. The connection is blocked meanwhile, so one question stands for
/// all that was written before it, and few are under way at once.
/// Source: Redis: WAIT; Redisson: the syncedEval methods of CommandAsyncService.
class ReplicaWaits {
public:
    using Handler = std::function<void(const Result<void> &)>;

    explicit ReplicaWaits(ClientCore &core);

    /// Call when the write to `name` was answered. Without replicas there is nobody to wait for.
    /// Errors: lock/not-replicated; network and server errors.
    void confirm(const LockName &name, Handler handler);

private:
    struct Question {
        LockName name; // any of its slot
        std::uint64_t losses = 0; // before the first of the writes
        std::vector<Handler> handlers;
    };
    void askNext();
    void askWho(int slot);
    void askForReplicas(int slot, std::int64_t connected);
    void answered(int slot, const Result<void> &answer);
    Result<void> read(const Result<protocol::Reply> &reply, std::int64_t needed) const;

    ClientCore &m_core;
    QObject m_context;
    std::map<int, Question> m_waiting; // by slot
    std::map<int, Question> m_asked;
    std::uint64_t m_losses = 0; // of connections: another one knows nothing of what was written
};

/// Acquires that are done once replicas have what they wrote. A lock that replicas do not get in time is given back and
/// taken again, a few times.
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

} // namespace lockcore::client
