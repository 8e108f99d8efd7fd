// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/endpoint.h"

#include <QObject>
#include <QThread>

#include <cstdint>

namespace app {

/// A small shop whose services contend for locks, for the demo: real clients of lockcore on a thread of their own.
class Shop : public QObject {
    Q_OBJECT
public:
    explicit Shop(QObject *parent = nullptr);
    ~Shop() override; // waits for the thread

    /// The same seed draws the same holds and rests.
    void start(const lockcore::transport::Endpoint &endpoint, std::uint32_t seed);

Q_SIGNALS:
    void opened(); // those who start at once had their first try

private:
    QThread m_thread;
};

} // namespace app
