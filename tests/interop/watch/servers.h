// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"

#include <QString>
#include <memory>
#include <string>
#include <vector>

namespace crowdwatch {

/// Private servers of one topology, without faults.
class Servers {
public:
    virtual ~Servers() = default;

    virtual bool start() = 0;
    virtual lockcore::transport::Deployment deployment() const = 0;
    virtual std::vector<std::string> masters() = 0; // their Unix sockets: each lock is on one of them
    virtual QString urls() = 0; // as the peers want them
};

/// Null: there is no such topology.
std::unique_ptr<Servers> makeServers(const QString &topology);

} // namespace crowdwatch
