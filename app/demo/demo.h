// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/shop.h"
#include "app/lab/private_server.h"
#include "lockcore/base/error.h"
#include "lockcore/transport/endpoint.h"

#include <QObject>

#include <memory>

namespace app {

class Operator;

/// A private server with the shop at work on it.
class Demo : public QObject {
    Q_OBJECT
public:
    explicit Demo(QObject *parent = nullptr);
    ~Demo() override;

    void employOperator() { m_hasOperator = true; } // before the start
    void start();
    lockcore::transport::Endpoint endpoint() const { return m_server.endpoint(); }
    QString auditFile() const; // what is done to the demo's locks is recorded there; gone with the server

Q_SIGNALS:
    void ready(); // the server answers
    void opened(); // everybody is at work
    void failed(const lockcore::Error &error);

private:
    class Report;

    PrivateServer m_server;
    Shop m_shop; // after the server: gone first
    bool m_hasOperator = false;
    std::unique_ptr<Report> m_report; // null: the server does not answer yet
    std::unique_ptr<Operator> m_operator; // null: nobody acts on locks
};

} // namespace app
