// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_client.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace lockcore::client {

/// A counter of free permits that many share. Redis records no holders: permits of a client that died are lost until
/// somebody releases them. A light handle; waits belong to the client.
/// Units:  permits, at least 1; milliseconds.
/// Errors: local/invalid-argument; server/wrong-type when the key is something else (it is left as it is); network
///         errors, of which one during a try says that permits may have been taken.
/// Thread: that of the client; handlers are called on it, exactly once each, never from inside the call.
/// Source: Redisson: RedissonSemaphore.
class LOCKCORE_EXPORT Semaphore {
public:
    using DoneHandler = std::function<void(Result<void>)>;
    using AnswerHandler = std::function<void(Result<bool>)>;
    using CountHandler = std::function<void(Result<std::int64_t>)>;

    Semaphore(LockClient &client, LockName name);

    /// All of them or none. Wait absent: without limit; zero: one try. `cancel()` of the client ends it.
    AcquireId acquire(std::int64_t permits, std::optional<Millis> wait, LockClient::AcquireHandler handler);
    void release(std::int64_t permits, DoneHandler handler); // creates the semaphore if it does not exist
    void releaseIfExists(std::int64_t permits, AnswerHandler handler); // false: it does not exist

    void trySetPermits(std::int64_t permits, std::optional<Millis> ttl, AnswerHandler handler); // false: it exists
    void addPermits(std::int64_t permits, DoneHandler handler); // also fewer; drops a time to live
    void drainPermits(CountHandler handler); // takes all that are free
    void availablePermits(CountHandler handler); // 0: also when it does not exist
    void remove(AnswerHandler handler);

private:
    LockClient *m_client;
    LockName m_name;
};

} // namespace lockcore::client
