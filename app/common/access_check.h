// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/transport/endpoint.h"

#include <QObject>
#include <memory>

namespace lockcore {
class Connection;
}

namespace app {

/// One try to connect and log in, so that a program can end with the reason where its services would go on trying.
class AccessCheck : public QObject {
    Q_OBJECT
public:
    explicit AccessCheck(QObject *parent = nullptr);
    ~AccessCheck() override;

    void start(const lockcore::Endpoint &endpoint);

Q_SIGNALS:
    void granted();
    void denied(const lockcore::Error &error);

private:
    std::unique_ptr<lockcore::Connection> m_connection;
};

} // namespace app
