// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/operator.h"
#include "app/demo/report.h"
#include "app/demo/shop.h"
#include "lockcore/base/result.h"
#include "lockcore/transport/endpoint.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <string>

namespace app {

/// A private redis-server on a Unix socket in a folder of its own: no port, nothing written to disk. It ends with this
/// object, or with the program, however that ends: a small shell script waits for the end of a pipe from us.
/// Errors: `failed` with local/file-failed when there is no redis-server, or it does not start.
class DemoServer : public QObject {
    Q_OBJECT
public:
    explicit DemoServer(QObject *parent = nullptr);
    ~DemoServer() override; // waits until the server and its folder are gone

    void start();
    lockcore::transport::Endpoint endpoint() const;
    QString auditFile() const; // gone with the server

Q_SIGNALS:
    void ready();
    void failed(const lockcore::Error &error);

private:
    lockcore::Result<void> spawn(const std::string &redisServer);
    void look();

    std::string m_folder;
    int m_pipe = -1;
    int m_guardian = -1;
    QTimer m_timer;
    int m_looks = 0;
};

/// The private server with the shop at work on it.
class Demo : public QObject {
    Q_OBJECT
public:
    explicit Demo(QObject *parent = nullptr);

    void employOperator() { m_hasOperator = true; } // before the start
    void start();
    lockcore::transport::Endpoint endpoint() const { return m_server.endpoint(); }
    QString auditFile() const { return m_server.auditFile(); } // what is done to the demo's locks is recorded there

Q_SIGNALS:
    void ready(); // the server answers
    void opened(); // everybody is at work
    void failed(const lockcore::Error &error);

private:
    DemoServer m_server;
    Shop m_shop; // after the server: gone first
    bool m_hasOperator = false;
    std::unique_ptr<Report> m_report; // null: the server does not answer yet
    std::unique_ptr<Operator> m_operator; // null: nobody acts on locks
};

} // namespace app
