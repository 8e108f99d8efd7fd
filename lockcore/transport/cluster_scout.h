// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <deque>
#include <memory>
#include <vector>

namespace lockcore {

struct ClusterMap {
    std::vector<protocol::SlotRange> ranges;
    bool sharded = false; // channels belong to slots. Source: wire format, section 8.5
};

/// Asks the nodes of a cluster in turn who keeps which slots, over a connection of its own.
/// Thread: that of the object.
class ClusterScout : public QObject {
    Q_OBJECT
public:
    explicit ClusterScout(const ConnectionOptions &options);
    ~ClusterScout() override;

    void look(const std::vector<Endpoint> &places); // ends what went on before
    void stop();
    bool isLooking() const { return m_connection != nullptr; }

Q_SIGNALS:
    void found(const lockcore::ClusterMap &map);
    void failed(const lockcore::Error &error); // the last place's

private:
    void tryNext(const Error &error);
    void ask();
    void takeSlots(const protocol::Reply &reply);
    void takeSharding(const protocol::Reply &reply);

    ConnectionOptions m_options;
    std::deque<Endpoint> m_places; // not yet tried
    std::unique_ptr<Connection> m_connection;
    ClusterMap m_map;
};

} // namespace lockcore
