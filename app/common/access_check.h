// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <deque>
#include <memory>
#include <vector>

namespace lockcore::transport {
class Connection;
class Link;
} // namespace lockcore::transport

namespace app {

/// One try to connect and log in, so that a program can end with the reason where its services would go on trying.
/// Of several servers one that lets us in is enough.
class AccessCheck : public QObject {
    Q_OBJECT
public:
    explicit AccessCheck(QObject *parent = nullptr);
    ~AccessCheck() override;

    void start(const lockcore::transport::Deployment &deployment);
    /// Of the server that has let us in: it keeps a part of the locks only, and is not taken for the whole.
    bool isPartOfCluster() const { return m_isPart; }
    /// Of independent servers: why those before the last one did not let us in, once that one has not either.
    const std::vector<lockcore::Error> &earlierRefusals() const { return m_earlier; }

Q_SIGNALS:
    void granted();
    void denied(const lockcore::Error &error); // the last server's

private:
    void tryNext();
    void letIn();
    void tryMaster(const lockcore::transport::Deployment &deployment);

    bool m_isAlone = false; // of one server
    bool m_areIndependent = false; // each has a reason of its own; of a cluster any seed will do
    bool m_isPart = false;
    std::deque<lockcore::transport::Endpoint> m_untried;
    std::vector<lockcore::Error> m_earlier;
    std::unique_ptr<lockcore::transport::Connection> m_connection;
    std::unique_ptr<lockcore::transport::Link> m_link; // to the master that sentinels name
};

} // namespace app
