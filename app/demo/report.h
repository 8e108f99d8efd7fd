// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>

namespace app {

/// Somebody who runs a report on the demo's server, once: for some tens of milliseconds nobody else is served.
class Report : public QObject {
    Q_OBJECT
public:
    explicit Report(const lockcore::transport::Endpoint &endpoint, QObject *parent = nullptr);

private:
    void run();

    lockcore::transport::Connection m_connection;
    QTimer m_timer;
};

} // namespace app
