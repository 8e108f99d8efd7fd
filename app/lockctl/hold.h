// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/one_sweep.h"
#include "lockcore/client/permit_expirable_semaphore.h"

#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

namespace lockctl {

/// Takes a lock, or one permit of a semaphore, as a client of its own, holds it, and gives it back. Ends when all of
/// that has been answered, the place in a queue too, or said not to be.
class Hold : public Command {
public:
    Hold(HoldRequest request, const Globals &globals);

    void start(const lockcore::transport::Deployment &deployment) override;
    void interrupt() override;

private:
    enum class State { Connecting, Waiting, Holding, Releasing, Over };

    void lost(const lockcore::Error &error);
    void acquire();
    void acquirePermit();
    void answered(const lockcore::Result<lockcore::client::AcquireOutcome> &outcome);
    QString holderText(const lockcore::client::AcquireOutcome &outcome, const lockcore::monitor::Snapshot *seen) const;
    void notAcquired(const lockcore::client::AcquireOutcome &outcome, const QString &why);
    void look(std::function<void(const lockcore::monitor::Snapshot *seen)> take);
    bool lacksPermits(const lockcore::monitor::Snapshot *seen) const;
    void tellWhatIsWaitedFor(const lockcore::monitor::Snapshot *seen) const;
    lockcore::Error interruption() const;
    void unconfirmed();
    void hold(lockcore::MonoTime since);
    void timeIsUp();
    void release();
    void releasePermit();
    void released(const lockcore::Result<lockcore::client::ReleaseOutcome> &outcome);
    void giveUp();
    QString whatIsLeft() const;
    QString leaseText() const;
    std::string context() const;
    void lose(const QString &how);
    void end(const lockcore::Error &error);
    void leave(int status);
    void tell(const char *event, const QString &text, std::optional<lockcore::Millis> waited = {}) const;

    HoldRequest m_request;
    lockcore::transport::Deployment m_deployment;
    bool m_asJson;
    State m_state = State::Connecting;
    std::unique_ptr<lockcore::client::LockClient> m_client;
    lockcore::client::AcquireId m_acquire{};
    lockcore::client::PermitId m_permit; // of a semaphore whose permits have ids
    std::optional<std::int64_t> m_token; // of a fenced lock
    QTimer m_timer;
    QTimer m_longWait; // so long that a person wants to know what for
    std::unique_ptr<OneSweep> m_look; // at the lock that is waited for
    QTimer m_patience; // with the server that is to answer a release
    lockcore::MonoTime m_endsAt; // the hold, or its lease
    std::optional<lockcore::MonoTime> m_leaseEndsAt; // absent: it has none
    bool m_ranOut = false; // the lease, before the lock was given back
    std::string m_user;
    std::string m_aclLine; // permits the commands that holding a lock needs
};

} // namespace lockctl
