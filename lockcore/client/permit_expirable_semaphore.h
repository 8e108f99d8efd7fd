// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_client.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::synchronizers {
struct ScriptCall;
}

namespace lockcore::client {

using PermitId = std::string; // 32 lower-case hex digits, as Redisson's API shows it

/// The answer to an acquire that went well: the permits got, all that were asked for or none.
/// Units:  milliseconds.
struct PermitOutcome {
    bool acquired = false;
    std::vector<PermitId> permits;
    Millis waited{ 0 };
};

/// A semaphore whose permits have an id each and may have a lease: permits of a client that died come back.
/// A permit is taken back when its lease has run out and any client uses the semaphore.
/// Units:  permits, 1 to 1,000 at once; milliseconds; leases are kept by the wall clock of the client.
/// Errors: as Semaphore. Permits whose answer was lost are given back, and others are asked for.
/// Thread: that of the client; handlers are called on it, exactly once each, never from inside the call.
/// Source: Redisson: RedissonPermitExpirableSemaphore.
class LOCKCORE_EXPORT PermitExpirableSemaphore {
public:
    using AcquireHandler = std::function<void(Result<PermitOutcome>)>;
    using DoneHandler = std::function<void(Result<void>)>;
    using AnswerHandler = std::function<void(Result<bool>)>;
    using CountHandler = std::function<void(Result<std::int64_t>)>;
    using LeaseHandler = std::function<void(Result<std::optional<Millis>>)>;

    PermitExpirableSemaphore(LockClient &client, LockName name);

    /// Lease absent: the permits are held until they are released. Wait as in Semaphore.
    AcquireId acquire(
        std::int64_t permits, std::optional<Millis> lease, std::optional<Millis> wait, AcquireHandler handler);
    /// All of them or none. False: one of them is not held any more.
    void release(std::vector<PermitId> permits, AnswerHandler handler);
    /// False: it is not held any more. Absent: no lease.
    void updateLease(PermitId permit, std::optional<Millis> lease, AnswerHandler handler);
    /// Absent: no lease. Errors: lock/not-held when the permit is gone.
    void lease(PermitId permit, LeaseHandler handler);

    void trySetPermits(std::int64_t permits, AnswerHandler handler); // false: it exists
    void setPermits(std::int64_t permits, DoneHandler handler); // free and held together
    void addPermits(std::int64_t permits, DoneHandler handler);
    void availablePermits(CountHandler handler);
    void acquiredPermits(CountHandler handler);
    void permits(CountHandler handler); // free and held together
    void remove(AnswerHandler handler);

private:
    void count(synchronizers::ScriptCall call, CountHandler handler);

    LockClient *m_client;
    LockName m_name;
};

} // namespace lockcore::client
