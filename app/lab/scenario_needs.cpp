// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/scenario_needs.h"

#include "app/common/words.h"
#include "app/lab/private_server.h"
#include "app/lab/redisson.h"

#include <set>

namespace app {

using lockui::lab::ClientProgramKind;
using lockui::lab::Scenario;
using lockui::lab::Setting;

namespace {

QString serversText(const Scenario &scenario)
{
    switch (scenario.setting) {
    case Setting::Replicated:
        return Words::tr("a master, its replica and a Sentinel");
    case Setting::Independent:
        return Words::tr("%n independent servers", nullptr, static_cast<int>(scenario.servers));
    case Setting::Cluster:
        return Words::tr("a cluster of three masters");
    case Setting::One:
        break;
    }
    return Words::tr("one server");
}

/// Of its clients; an empty one stands for any.
std::set<std::string> redissonVersions(const Scenario &scenario)
{
    std::set<std::string> versions;
    for (const auto &client : scenario.clients) {
        if (client.program == ClientProgramKind::Redisson)
            versions.insert(client.version);
    }
    return versions;
}

} // namespace

QString needsText(const Scenario &scenario)
{
    QString text = serversText(scenario);
    for (const std::string &version : redissonVersions(scenario))
        text += QStringLiteral("; ")
            + (version.empty() ? Words::tr("Java and Redisson")
                               : Words::tr("Java and Redisson %1").arg(QString::fromStdString(version)));
    return text;
}

lockcore::Result<void> checkServerProgram()
{
    return PrivateServer::find().map([](const std::string &) {});
}

lockcore::Result<void> checkRedisson(const Scenario &scenario, const QStringList &redissonPlaces)
{
    for (const std::string &version : redissonVersions(scenario)) {
        if (const auto redisson = findRedisson(redissonPlaces, version); !redisson)
            return tl::unexpected(redisson.error());
    }
    return {};
}

} // namespace app
