// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/access_check.h"

#include "lockcore/transport/connection.h"

namespace app {

using lockcore::Connection;

AccessCheck::AccessCheck(QObject *parent)
    : QObject(parent)
{
}

AccessCheck::~AccessCheck() = default;

void AccessCheck::start(const lockcore::Endpoint &endpoint)
{
    lockcore::ConnectionOptions options;
    options.reconnect = false;
    m_connection = std::make_unique<Connection>(endpoint, options);
    // Queued: whoever hears of it may start the next check, or end this one.
    connect(m_connection.get(), &Connection::ready, this, &AccessCheck::granted, Qt::QueuedConnection);
    connect(
        m_connection.get(), &Connection::lost, this, [this](const lockcore::Error &error) { Q_EMIT denied(error); },
        Qt::QueuedConnection);
    m_connection->open();
}

} // namespace app
