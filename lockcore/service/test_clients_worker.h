// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/deadline_timer.h"
#include "lockcore/client/hold_table.h"
#include "lockcore/client/lock_client.h"
#include "lockcore/service/test_clients.h"

#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockcore {

/// What TestClients does, on its own thread.
class TestClientsWorker : public QObject {
    Q_OBJECT
public:
    struct Sink {
        std::function<void(TestClientStates)> publish;
        std::function<void(CommandId, Result<std::string>)> report;
    };

    explicit TestClientsWorker(Sink sink);
    ~TestClientsWorker() override;

    void open(const Deployment &deployment, const std::vector<std::string> &names);
    void close(std::function<void()> done); // called when all is released, or cannot be

    void acquire(CommandId id, const std::string &name, const AcquireRequest &request);
    void cancel(const std::string &name, const HoldKey &hold);
    void release(CommandId id, const std::string &name, const HoldKey &hold);
    void renew(CommandId id, const std::string &name, const HoldKey &hold, Millis lease);

private:
    struct Use {
        std::int64_t count = 0;
        std::vector<AcquireId> waits;
        bool renewed = false; // by the watchdog
        Millis lease{ 0 }; // otherwise
        std::uint64_t number = 0; // in the queue of leases
    };
    struct Client {
        std::string name;
        std::unique_ptr<LockClient> client;
        std::map<HoldKey, Use> uses;
    };

    Client *find(const std::string &name);
    Client *findOrReport(CommandId id, const std::string &name);
    std::unique_ptr<Client> newClient(const Deployment &deployment, const std::string &name);
    void leave(std::unique_ptr<Client> client);
    void acquired(Client &client, const AcquireRequest &request, AcquireId wait, const Result<AcquireOutcome> &outcome);
    void released(CommandId id, Client &client, const HoldKey &hold, const Result<ReleaseOutcome> &outcome);
    void leaseStarts(Use &use);
    void leaseEnded(std::uint64_t number);
    void forget(Client &client, const HoldKey &hold);
    void publish();

    Sink m_sink;
    std::vector<std::unique_ptr<Client>> m_clients;
    std::vector<std::unique_ptr<Client>> m_leaving;
    std::function<void()> m_left;
    DeadlineTimer m_leases; // one ends without a word from anybody
    std::uint64_t m_lastUse = 0;
};

} // namespace lockcore
