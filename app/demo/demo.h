// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/demo_server.h"
#include "app/demo/shop.h"

namespace app {

/// The private server with the shop at work on it.
class Demo : public QObject {
    Q_OBJECT
public:
    explicit Demo(QObject *parent = nullptr);

    void start();
    lockcore::Endpoint endpoint() const { return m_server.endpoint(); }

Q_SIGNALS:
    void ready(); // the server answers
    void opened(); // everybody is at work
    void failed(const lockcore::Error &error);

private:
    DemoServer m_server;
    Shop m_shop; // after the server: gone first
};

} // namespace app
