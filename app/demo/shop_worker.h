// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/workload_step.h"
#include "lockcore/transport/endpoint.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace app {

/// One client instance of the shop; it can die and be replaced by another, as a process that is restarted.
class ShopClient {
public:
    ShopClient(const lockcore::transport::Endpoint &endpoint, const lockcore::client::LockClientOptions &options);

    lockcore::client::LockClient &locks() { return *m_locks; }
    void replace();

private:
    lockcore::transport::Endpoint m_endpoint;
    lockcore::client::LockClientOptions m_options;
    std::unique_ptr<lockcore::client::LockClient> m_locks;
};

/// Runs one step, again and again.
class ShopWorker : public QObject {
public:
    ShopWorker(WorkloadStep step, ShopClient &client, Random::result_type seed, QObject *parent = nullptr);

    void start();
    void stop(); // whatever is still under way is forgotten

private:
    void after(lockcore::Millis delay, void (ShopWorker::*step)());
    void acquire();
    void acquired(const lockcore::Result<lockcore::client::AcquireOutcome> &outcome);
    void reenter();
    void acquireSecond();
    void hold();
    void release();
    void releaseSecond();
    void rest();
    void die();

    WorkloadStep m_step;
    ShopClient &m_client;
    Random m_random;
    QTimer m_timer;
    QElapsedTimer m_sinceStart;
    lockcore::client::LockTarget m_target;
    std::optional<lockcore::client::LockTarget> m_second; // while it is held
    int m_holds = 0;
    int m_goodTurns = 0; // of this client instance
    int m_turn = 0; // tells a late answer to an earlier turn
};

} // namespace app
