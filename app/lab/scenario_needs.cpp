// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/scenario_needs.h"

#include "app/lab/private_server.h"
#include "app/lab/redisson.h"
#include "ui/lab/step_text.h"

namespace app {

using lockui::lab::Scenario;

lockcore::Result<void> checkServerProgram()
{
    return PrivateServer::find().map([](const std::string &) {});
}

lockcore::Result<void> checkRedisson(const Scenario &scenario, const QStringList &redissonPlaces)
{
    for (const std::string &version : lockui::lab::redissonVersions(scenario)) {
        if (const auto redisson = findRedisson(redissonPlaces, version); !redisson)
            return tl::unexpected(redisson.error());
    }
    return {};
}

} // namespace app
