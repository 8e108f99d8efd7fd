// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/private_server.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/scenario.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

namespace app {

/// The private servers of a play, as its scenario wants them. They are gone with this object.
/// Errors: `failed` when one does not start, or replication does not.
class LabServers : public QObject {
    Q_OBJECT
public:
    LabServers(lockui::lab::Setting setting, std::size_t count, bool byTcp, QObject *parent = nullptr);
    ~LabServers() override;

    void start();

    std::size_t count() const { return m_servers.size(); }
    PrivateServer &server(std::size_t index) { return *m_servers[index]; }
    /// A connection of its own, which reads; it comes back by itself.
    lockcore::transport::Connection &reader(std::size_t index) { return *m_readers[index]; }

    lockcore::transport::Deployment deployment() const; // as clients and monitors open it

Q_SIGNALS:
    void ready(); // once
    void failed(const lockcore::Error &error);

private:
    void serverReady();
    void startSentinel();
    void lookForReplication();

    lockui::lab::Setting m_setting;
    std::vector<std::unique_ptr<PrivateServer>> m_servers;
    std::unique_ptr<PrivateServer> m_sentinel; // null: there is none
    std::vector<std::unique_ptr<lockcore::transport::Connection>> m_readers;
    std::unique_ptr<lockcore::transport::Connection> m_sentinelReader;
    std::size_t m_started = 0;
    bool m_isReady = false;
    QTimer m_replication;
    int m_looks = 0;
};

} // namespace app
