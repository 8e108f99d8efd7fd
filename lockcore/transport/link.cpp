// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/link.h"

namespace lockcore {

const std::string &Link::publishCommand() const
{
    static const std::string Command = "PUBLISH";
    return Command;
}

} // namespace lockcore
