// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

namespace testsupport {

inline void forgetCalls(const RedisServer &server)
{
    server.cli({ QStringLiteral("config"), QStringLiteral("resetstat") });
}

/// How often a server was given a command since forgetCalls(), by clients and by scripts.
inline int commandCalls(const RedisServer &server, const char *command)
{
    const QByteArray key = QByteArray("cmdstat_") + command + ":calls=";
    const QByteArray stats = server.cli({ QStringLiteral("info"), QStringLiteral("commandstats") });
    const auto at = stats.indexOf(key);
    return at < 0 ? 0 : stats.mid(at + key.size()).split(',').first().toInt();
}

} // namespace testsupport
