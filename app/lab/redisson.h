// SPDX-License-Identifier: GPL-3.0-or-later
// Clients of scenarios that are a real Redisson. Neither Java nor Redisson comes with the program, and nothing is
// fetched.
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/scenario.h"

#include <QString>
#include <QStringList>
#include <string>

namespace app {

/// Java and the jars of one version of Redisson.
struct Redisson {
    QString java;
    QStringList jars;
    QString version;
};

/// In a cluster it publishes messages that go everywhere; newer ones publish them where the key is.
bool knowsPlainMessagesAlone(const Redisson &redisson);

/// Where the person says that it is: LOCKSCOPE_REDISSON, places with colons between them.
QStringList redissonPlaces();

/// Looks at these places, each a jar or a folder of jars. An empty version fits all, "4" all that begin with "4.".
/// Errors: local/file-failed with what is missing and what to do.
[[nodiscard]] lockcore::Result<Redisson> findRedisson(const QStringList &places, const std::string &version);

/// Behind `java`.
QStringList redissonArguments(const Redisson &redisson, const QString &sourceFile,
    const lockcore::transport::Deployment &servers, const lockui::lab::Scenario &scenario);

/// The program, as a file in memory: nothing of it is left on a disk, however we end.
class RedissonSource {
public:
    RedissonSource();
    ~RedissonSource();
    RedissonSource(const RedissonSource &) = delete;
    RedissonSource &operator=(const RedissonSource &) = delete;

    int descriptor() const { return m_descriptor; } // for processes that inherit it
    QString path() const; // where they find it

private:
    int m_descriptor;
};

} // namespace app
