// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"

#include <QTest>
#include <memory>
#include <optional>

namespace testsupport {

constexpr int GenerousMs = 20'000;

/// Where the answer to one request arrives.
template <typename Value>
struct Answer {
    std::optional<lockcore::Result<Value>> result;

    bool isHere() const { return result.has_value(); }
    bool wait(int limitMs = GenerousMs) const
    {
        return QTest::qWaitFor([this] { return isHere(); }, limitMs);
    }
};

/// A LockClient whose answers can be waited for. An answer that does not come is a ReplyTimeout.
class LockUser {
public:
    using Acquired = std::shared_ptr<Answer<lockcore::AcquireOutcome>>;
    using Released = std::shared_ptr<Answer<lockcore::ReleaseOutcome>>;

    explicit LockUser(const lockcore::Deployment &deployment, lockcore::LockClientOptions options = {})
        : client(std::make_unique<lockcore::LockClient>(deployment, options))
    {
        client->open();
    }

    bool waitReady()
    {
        return QTest::qWaitFor([this] { return client->isReady(); }, GenerousMs);
    }

    Acquired startAcquire(lockcore::AcquireRequest request)
    {
        auto answer = std::make_shared<Answer<lockcore::AcquireOutcome>>();
        lastAcquire = client->acquire(std::move(request),
            [answer](lockcore::Result<lockcore::AcquireOutcome> result) { answer->result = result; });
        return answer;
    }

    lockcore::Result<lockcore::AcquireOutcome> acquire(lockcore::AcquireRequest request)
    {
        return result(*startAcquire(std::move(request)));
    }

    /// True: acquired.
    bool tryLock(const lockcore::LockTarget &target, const std::string &thread = "1",
        std::optional<lockcore::Millis> lease = std::nullopt)
    {
        const auto outcome = acquire({ target, thread, lease, lockcore::Millis(0) });
        return outcome && outcome->acquired;
    }

    Released startRelease(const lockcore::LockTarget &target, const std::string &thread = "1")
    {
        auto answer = std::make_shared<Answer<lockcore::ReleaseOutcome>>();
        client->release(
            target, thread, [answer](lockcore::Result<lockcore::ReleaseOutcome> result) { answer->result = result; });
        return answer;
    }

    lockcore::Result<lockcore::ReleaseOutcome> release(
        const lockcore::LockTarget &target, const std::string &thread = "1")
    {
        return result(*startRelease(target, thread));
    }

    lockcore::Result<void> renew(const lockcore::LockTarget &target, const std::string &thread, lockcore::Millis lease)
    {
        Answer<void> answer;
        client->renew(target, thread, lease, [&](lockcore::Result<void> result) { answer.result = result; });
        return result(answer);
    }

    QString owner(const QString &thread = QStringLiteral("1")) const
    {
        return QString::fromStdString(client->id()) + QLatin1Char(':') + thread;
    }

    std::unique_ptr<lockcore::LockClient> client;
    lockcore::AcquireId lastAcquire{};

private:
    template <typename Value>
    static lockcore::Result<Value> result(const Answer<Value> &answer)
    {
        if (!answer.wait())
            return lockcore::failure(lockcore::ErrorCode::ReplyTimeout, "the test waited in vain");
        return *answer.result;
    }
};

} // namespace testsupport
