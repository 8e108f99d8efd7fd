// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_client.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace lockcore::client {

/// A gate that opens for all when its count has come to zero, or when it is gone.
/// Units:  milliseconds.
/// Errors: as Semaphore; local/invalid-argument for a name with a hash tag in a cluster, where its channel, which
///         always gets braces, would be in another slot than its key.
/// Thread: that of the client; handlers are called on it, exactly once each, never from inside the call.
/// Source: Redisson: RedissonCountDownLatch.
class LOCKCORE_EXPORT CountDownLatch {
public:
    using DoneHandler = std::function<void(Result<void>)>;
    using AnswerHandler = std::function<void(Result<bool>)>;
    using CountHandler = std::function<void(Result<std::int64_t>)>;

    CountDownLatch(LockClient &client, LockName name);

    /// Acquired: the count is zero. Wait absent: without limit; zero: one look. `cancel()` of the client ends it.
    AcquireId wait(std::optional<Millis> wait, LockClient::AcquireHandler handler);
    void trySetCount(std::int64_t count, AnswerHandler handler); // false: it has one
    void countDown(DoneHandler handler);
    void count(CountHandler handler); // 0: also when it does not exist
    void remove(AnswerHandler handler);

private:
    LockClient *m_client;
    LockName m_name;
};

} // namespace lockcore::client
