// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace lockcore {

/// What a server said and allowed when it was tried; of several servers what all of them allow.
struct ConnectionReport {
    std::string version; // `7.0.15`; empty: INFO is not permitted
    std::string role; // master, slave; empty: not known
    std::string mode; // standalone, sentinel, cluster; empty: not known
    std::chrono::microseconds roundTrip{ 0 }; // the fastest of a few PINGs; of several servers the slowest of them
    bool readOnlyScripts = false; // EVAL_RO
    bool clientTracking = false;
    bool pubSub = false;
    std::vector<std::string> missing; // one sentence each: what is refused, what it costs, what helps
    std::string aclLine; // `ACL SETUSER …`: permits all that is missing; empty: nothing is
    std::vector<std::string> servers; // of several: one sentence on all, then one each: who answers

    bool operator==(const ConnectionReport &) const = default;
};

/// Tries all servers of a deployment once, on read-only connections of its own: nothing on them is changed. Sentinels
/// are asked for the master, nodes of a cluster for the others.
/// Errors: those of the connection, when no server answers.
/// Thread: that of the object.
class LOCKCORE_EXPORT ConnectionProbe : public QObject {
    Q_OBJECT
public:
    explicit ConnectionProbe(QObject *parent = nullptr);
    ~ConnectionProbe() override;

    void start(const Deployment &deployment); // an earlier probe is cancelled
    void cancel(); // `finished` does not come any more
    bool isRunning() const;

Q_SIGNALS:
    void finished(const lockcore::Result<lockcore::ConnectionReport> &report);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore
