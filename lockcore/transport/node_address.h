// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/transport/endpoint.h"

namespace lockcore {

using protocol::NodeAddress;

/// A node that was found, with the login and all else of the server that was named.
inline Endpoint endpointAt(Endpoint named, const NodeAddress &node)
{
    named.socketPath.clear();
    named.host = node.host;
    named.port = node.port;
    return named;
}

} // namespace lockcore
