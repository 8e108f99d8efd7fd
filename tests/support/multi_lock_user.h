// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/multi_lock.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_servers.h"

#include <QTimer>
#include <memory>
#include <vector>

namespace testsupport {

/// One lock on each of some servers, taken as one by clients of its own.
class MultiLockUser {
public:
    using Acquired = std::shared_ptr<Answer<lockcore::client::MultiLockOutcome>>;

    /// Member i is targets[i] on servers[i].
    MultiLockUser(const std::vector<lockcore::transport::Endpoint> &servers,
        const std::vector<lockcore::client::LockTarget> &targets, lockcore::client::MultiLockOptions options = {},
        lockcore::client::LockClientOptions clientOptions = {})
    {
        std::vector<lockcore::client::MultiLockMember> members;
        for (std::size_t i = 0; i < servers.size(); ++i) {
            users.push_back(std::make_unique<LockUser>(servers[i], clientOptions));
            members.push_back({ users.back()->client.get(), targets[i] });
        }
        lock = std::make_unique<lockcore::client::MultiLock>(members, options);
    }

    bool waitReady(std::size_t except = std::size_t(-1))
    {
        for (std::size_t i = 0; i < users.size(); ++i) {
            if (i != except && !users[i]->waitReady())
                return false;
        }
        return true;
    }

    Acquired startAcquire(
        std::optional<lockcore::Millis> lease, std::optional<lockcore::Millis> wait, const std::string &thread = "1")
    {
        return startCall<lockcore::client::MultiLockOutcome>(
            [&](auto handler) { lastAcquire = lock->acquire(thread, lease, wait, std::move(handler)); });
    }

    lockcore::Result<lockcore::client::MultiLockOutcome> acquire(
        std::optional<lockcore::Millis> lease, std::optional<lockcore::Millis> wait, const std::string &thread = "1")
    {
        return startAcquire(lease, wait, thread)->awaited();
    }

    /// The members held, none if not acquired.
    std::vector<std::size_t> tryLock(std::optional<lockcore::Millis> lease = std::nullopt)
    {
        const auto outcome = acquire(lease, lockcore::Millis(0));
        return outcome ? outcome->held : std::vector<std::size_t>{};
    }

    std::shared_ptr<Answer<void>> startRelease(const std::string &thread = "1")
    {
        return startCall<void>([&](auto handler) { lock->release(thread, std::move(handler)); });
    }
    lockcore::Result<void> release(const std::string &thread = "1") { return startRelease(thread)->awaited(); }

    std::vector<std::unique_ptr<LockUser>> users;
    std::unique_ptr<lockcore::client::MultiLock> lock;
    lockcore::client::AcquireId lastAcquire{};
};

/// Users that take the same locks again and again, each for a moment.
class TurnTaking {
public:
    TurnTaking(std::vector<MultiLockUser *> users, int turnsEach)
        : m_expected(int(users.size()) * turnsEach)
    {
        for (MultiLockUser *user : users)
            take(user, turnsEach);
    }

    bool wait(int limitMs)
    {
        return QTest::qWaitFor([this] { return m_turns == m_expected || m_violations > 0; }, limitMs)
            && m_violations == 0;
    }

private:
    void take(MultiLockUser *user, int left)
    {
        using namespace std::chrono_literals;
        user->lock->acquire(
            "1", 20s, {}, [this, user, left](const lockcore::Result<lockcore::client::MultiLockOutcome> &got) {
                if (!got || !got->acquired || ++m_inside != 1)
                    ++m_violations;
                QTimer::singleShot(20ms, user->lock.get(), [this, user, left] { leave(user, left); });
            });
    }

    void leave(MultiLockUser *user, int left)
    {
        --m_inside;
        ++m_turns;
        user->lock->release("1", [this](const lockcore::Result<void> &done) {
            if (!done)
                ++m_violations;
        });
        if (left > 1)
            take(user, left - 1);
    }

    int m_expected;
    int m_inside = 0;
    int m_turns = 0;
    int m_violations = 0;
};

} // namespace testsupport
