// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/access_check.h"

#include "lockcore/transport/link_factory.h"

namespace app {

using lockcore::Error;
using lockcore::transport::Connection;
using lockcore::transport::Link;

namespace {

lockcore::transport::ConnectionOptions once()
{
    lockcore::transport::ConnectionOptions options;
    options.reconnect = false;
    return options;
}

} // namespace

AccessCheck::AccessCheck(QObject *parent)
    : QObject(parent)
{
}

AccessCheck::~AccessCheck() = default;

void AccessCheck::start(const lockcore::transport::Deployment &deployment)
{
    m_earlier.clear();
    m_areIndependent = deployment.topology == lockcore::transport::Topology::Nodes;
    m_isAlone = deployment.topology == lockcore::transport::Topology::Single;
    if (deployment.topology == lockcore::transport::Topology::Sentinel)
        return tryMaster(deployment);
    m_untried.assign(deployment.seeds.begin(), deployment.seeds.end());
    tryNext();
}

void AccessCheck::tryNext()
{
    m_connection = std::make_unique<Connection>(m_untried.front(), once());
    m_untried.pop_front();
    // Queued: whoever hears of it may start the next check, or end this one.
    connect(m_connection.get(), &Connection::ready, this, &AccessCheck::letIn, Qt::QueuedConnection);
    connect(
        m_connection.get(), &Connection::lost, this,
        [this](const Error &error) {
            if (m_untried.empty())
                return Q_EMIT denied(error);
            if (m_areIndependent)
                m_earlier.push_back(error);
            tryNext();
        },
        Qt::QueuedConnection);
    m_connection->open();
}

/// One who was let in is not turned away later: what becomes of this connection says nothing of those that work.
void AccessCheck::letIn()
{
    m_isPart = m_isAlone && m_connection && m_connection->serverInfo().mode == "cluster";
    m_connection.reset();
    m_link.reset();
    Q_EMIT granted();
}

void AccessCheck::tryMaster(const lockcore::transport::Deployment &deployment)
{
    auto link = makeLink(deployment, once());
    if (!link) {
        QMetaObject::invokeMethod(
            this, [this, error = link.error()] { Q_EMIT denied(error); }, Qt::QueuedConnection);
        return;
    }
    m_link = std::move(*link);
    connect(m_link.get(), &Link::ready, this, &AccessCheck::letIn, Qt::QueuedConnection);
    connect(
        m_link.get(), &Link::lost, this,
        [this](const Error &error) {
            m_link->disconnect(this); // it would go on trying
            Q_EMIT denied(error);
        },
        Qt::QueuedConnection);
    m_link->open();
}

} // namespace app
