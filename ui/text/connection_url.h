// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"

#include <QString>

#include <span>

namespace lockui {

/// The deployment as parseDeployment reads it, without passwords: it is shown and kept.
QString connectionUrl(const lockcore::transport::Deployment &deployment);

/// `host:port,host:port` as it stands in a URL.
QString serverList(std::span<const lockcore::transport::Endpoint> servers);

/// What a connection is tagged with asks for more care: `PROD`, `prod-eu`.
bool isProductionTag(const QString &environment);

} // namespace lockui
