// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "tests/support/answer_to.h"

#include <QTest>
#include <memory>
#include <optional>

namespace testsupport {

/// A LockClient whose answers can be waited for. An answer that does not come is a ReplyTimeout.
class LockUser {
public:
    using Acquired = std::shared_ptr<Answer<lockcore::client::AcquireOutcome>>;
    using Released = std::shared_ptr<Answer<lockcore::client::ReleaseOutcome>>;

    explicit LockUser(
        const lockcore::transport::Deployment &deployment, lockcore::client::LockClientOptions options = {})
        : client(std::make_unique<lockcore::client::LockClient>(deployment, options))
    {
        client->open();
    }

    bool waitReady()
    {
        return QTest::qWaitFor([this] { return client->isReady(); }, GenerousMs);
    }

    Acquired startAcquire(lockcore::client::AcquireRequest request)
    {
        return startCall<lockcore::client::AcquireOutcome>(
            [&](auto handler) { lastAcquire = client->acquire(std::move(request), std::move(handler)); });
    }

    lockcore::Result<lockcore::client::AcquireOutcome> acquire(lockcore::client::AcquireRequest request)
    {
        return startAcquire(std::move(request))->awaited();
    }

    /// True: acquired.
    bool tryLock(const lockcore::client::LockTarget &target, const std::string &thread = "1",
        std::optional<lockcore::Millis> lease = std::nullopt)
    {
        const auto outcome = acquire({ target, thread, lease, lockcore::Millis(0) });
        return outcome && outcome->acquired;
    }

    Released startRelease(const lockcore::client::LockTarget &target, const std::string &thread = "1")
    {
        return startCall<lockcore::client::ReleaseOutcome>(
            [&](auto handler) { client->release(target, thread, std::move(handler)); });
    }

    lockcore::Result<lockcore::client::ReleaseOutcome> release(
        const lockcore::client::LockTarget &target, const std::string &thread = "1")
    {
        return startRelease(target, thread)->awaited();
    }

    lockcore::Result<void> renew(
        const lockcore::client::LockTarget &target, const std::string &thread, lockcore::Millis lease)
    {
        return answerTo<void>([&](auto handler) { client->renew(target, thread, lease, std::move(handler)); });
    }

    QString owner(const QString &thread = QStringLiteral("1")) const
    {
        return QString::fromStdString(client->id()) + QLatin1Char(':') + thread;
    }

    std::unique_ptr<lockcore::client::LockClient> client;
    lockcore::client::AcquireId lastAcquire{};
};

} // namespace testsupport
