// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/endpoint.h"

namespace lockcore::transport {

std::string Endpoint::display() const
{
    if (!socketPath.empty())
        return socketPath;
    const bool ipv6 = host.find(':') != std::string::npos;
    return (ipv6 ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

std::string Endpoint::displayWithDatabase() const
{
    if (database == 0)
        return display();
    return display() + (socketPath.empty() ? "/" : "?db=") + std::to_string(database);
}

} // namespace lockcore::transport
