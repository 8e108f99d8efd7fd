// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <QProcess>
#include <QString>
#include <vector>

namespace lockbench {

/// Redisson in a process of its own, RedissonBench.java, warm from its first measurement on.
class RedissonPeer {
public:
    ~RedissonPeer();

    /// The folder is where the interop tests have built theirs (or will): its class path is used.
    /// False: not available, told on stderr.
    bool start(const QString &buildFolder, const QString &url, lockcore::Millis watchdogTimeout);
    bool isRunning() const { return m_process.state() == QProcess::Running; }

    /// The numbers of the answer; empty: something failed, told on stderr.
    std::vector<double> ask(const QString &command);

private:
    QByteArray line(int limitMs);

    QProcess m_process;
};

} // namespace lockbench
