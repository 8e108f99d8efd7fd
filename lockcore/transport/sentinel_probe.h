// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/deployment.h"
#include "lockcore/transport/inquiry.h"
#include "lockcore/transport/node_address.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <memory>
#include <vector>

namespace lockcore {

/// Finds out from the sentinels who is the master, and hears from them when that changes.
/// Thread: that of the object.
class SentinelProbe : public QObject {
    Q_OBJECT
public:
    SentinelProbe(const Deployment &deployment, const ConnectionOptions &options);

    void open();
    void close();
    /// Doubt: the master named last does not serve. Who named it may be cut off from the others, and is asked last.
    enum class Trust { Usual, Doubt };
    void look(Trust trust = Trust::Usual); // ends what went on before
    bool isLooking() const { return m_inquiry.isGoingOn(); }

Q_SIGNALS:
    void found(const lockcore::NodeAddress &master);
    void failed(const lockcore::Error &error); // the last sentinel's
    void changed(); // somewhen, to somebody: worth a look

private:
    void ask(Connection &sentinel);
    void take(const Endpoint &sentinel, const protocol::Reply &reply);

    const std::string m_masterName;
    std::vector<Endpoint> m_sentinels; // the one that answered last is asked first
    Inquiry m_inquiry;
    std::vector<std::unique_ptr<Subscriber>> m_watches; // one sentinel may be cut off from the others
};

} // namespace lockcore
