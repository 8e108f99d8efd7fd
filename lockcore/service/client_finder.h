// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/monitor/client_addresses.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

struct ClientFinderLimits {
    Millis duration{ 11'000 }; // a watchdog with Redisson's default speaks every 10 s
    std::int64_t bytes = 8 << 20; // of what the server tells; then it ends at once
};

/// What a look at a server's commands has shown.
struct ClientLook {
    std::vector<monitor::ClientSighting> clients; // all of it inferred
    Millis lasted{ 0 };
    std::int64_t commands = 0;
    bool full = false; // ended for the bytes
    std::optional<Error> namesMissing; // why no names are known; absent: they are

    bool operator==(const ClientLook &) const = default;
};

/// Listens for a short time to all commands that one server gets, to find out where clients are. MONITOR can halve what
/// a server does meanwhile: only when a person asks for it.
/// Errors: those of the connection; server/permission-denied where MONITOR is refused.
/// Thread: that of the object.
class LOCKCORE_EXPORT ClientFinder : public QObject {
    Q_OBJECT
public:
    explicit ClientFinder(QObject *parent = nullptr);
    ~ClientFinder() override;

    void start(
        const transport::Endpoint &endpoint, const ClientFinderLimits &limits = {}); // an earlier look is cancelled
    void finishNow(); // with what was found so far
    void cancel(); // `finished` does not come any more
    bool isRunning() const;
    std::optional<Millis> timeLeft() const; // to listen; absent: it does not listen

Q_SIGNALS:
    void listening();
    void finished(const lockcore::Result<lockcore::service::ClientLook> &look);

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// How to reach the server of that name, as in LockState::node, with the login of the deployment's first.
/// Errors: local/invalid-argument if it is no address.
LOCKCORE_EXPORT Result<transport::Endpoint> endpointOf(
    const transport::Deployment &deployment, const std::string &node);

} // namespace lockcore::service
