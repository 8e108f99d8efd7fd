// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"

#include <functional>
#include <map>
#include <vector>

namespace lockcore {

/// Asks whether replicas have what this client wrote. The connection is blocked meanwhile, so one question stands for
/// all that was written before it, and few are under way at once.
/// Source: wire format, section 9.2.
class ReplicaWaits {
public:
    using Handler = std::function<void(const Result<void> &)>;

    explicit ReplicaWaits(ClientCore &core);

    /// Call when the write to `name` was answered. Without replicas there is nobody to wait for.
    /// Errors: local/not-replicated; network and server errors.
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

} // namespace lockcore
