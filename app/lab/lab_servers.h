// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/private_cluster.h"
#include "app/lab/private_server.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/scenario.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

namespace app {

/// The servers of a play. Private ones are as its scenario wants them, and are gone with this object.
/// Errors: `failed` when one does not start, or replication does not.
class LabServers : public QObject {
    Q_OBJECT
public:
    /// Or, where there is a foreign one, that alone.
    LabServers(lockui::lab::Setting setting, std::size_t count, bool byTcp,
        std::optional<lockcore::transport::Deployment> foreign, QObject *parent = nullptr);
    ~LabServers() override;

    void start();

    std::size_t count() const { return m_servers.size(); }
    PrivateServer &server(std::size_t index) { return *m_servers[index]; }
    /// A connection of its own, which reads; it comes back by itself.
    lockcore::transport::Connection &reader(std::size_t index) { return *m_readers[index]; }

    lockcore::transport::Deployment deployment() const; // as clients and monitors open it

    /// Of a cluster: the slot of this key, with all that is in it, to that server.
    void moveSlot(const std::string &key, std::size_t to, PrivateCluster::Done done);

Q_SIGNALS:
    void ready(); // once
    void failed(const lockcore::Error &error);

private:
    void serverReady();
    void openReaders();
    void readerReady();
    void startSentinel();
    void joinCluster();
    void beReady();
    void lookForReplication();

    lockui::lab::Setting m_setting;
    std::optional<lockcore::transport::Deployment> m_foreign;
    std::vector<std::unique_ptr<PrivateServer>> m_servers;
    std::unique_ptr<PrivateCluster> m_cluster; // null: they are none
    std::unique_ptr<PrivateServer> m_sentinel; // null: there is none
    std::vector<std::unique_ptr<lockcore::transport::Connection>> m_readers;
    std::unique_ptr<lockcore::transport::Connection> m_sentinelReader;
    std::size_t m_started = 0;
    std::size_t m_connected = 0;
    bool m_isReady = false;
    QTimer m_replication;
    int m_looks = 0;
};

} // namespace app
