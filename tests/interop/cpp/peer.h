// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/interop/cpp/crowd.h"
#include "tests/interop/cpp/locks.h"
#include "tests/interop/cpp/permits.h"

#include <QObject>
#include <memory>
#include <vector>

namespace interop {

/// A client of lockcore that does what the lines on stdin say: `TAG COMMAND ARGUMENT…`. Each is answered by one line
/// `TAG WORD…` once it is done, so a wait is answered late, and others before it.
class Peer : public QObject {
    Q_OBJECT
public:
    void take(std::string_view line);

private:
    void connectTo(const Arguments &arguments);
    void answerIfReady(const std::string &tag) const;
    void gather(const Arguments &arguments);

    std::vector<std::unique_ptr<lockcore::client::LockClient>> m_clients; // one, or one for each of independent servers
    std::unique_ptr<Locks> m_locks;
    std::unique_ptr<Permits> m_permits;
    std::unique_ptr<Crowd> m_crowd;
    lockcore::transport::Deployment m_deployment;
};

} // namespace interop
