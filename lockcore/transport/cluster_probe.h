// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/transport/inquiry.h"

#include <QObject>
#include <vector>

namespace lockcore {

struct ClusterMap {
    std::vector<protocol::SlotRange> ranges;
    bool sharded = false; // channels belong to slots. Source: wire format, section 8.5
};

/// Finds out from the nodes of a cluster who keeps which slots.
/// Thread: that of the object.
class ClusterProbe : public QObject {
    Q_OBJECT
public:
    explicit ClusterProbe(const ConnectionOptions &options);

    void look(const std::vector<Endpoint> &places) { m_inquiry.start(places); } // ends what went on before
    void stop() { m_inquiry.stop(); }
    bool isLooking() const { return m_inquiry.isGoingOn(); }

Q_SIGNALS:
    void found(const lockcore::ClusterMap &map);
    void failed(const lockcore::Error &error); // the last place's

private:
    void ask(Connection &node);
    void takeSlots(const Endpoint &node, const protocol::Reply &reply);
    void takeSharding(const Connection &node, const protocol::Reply &reply);

    Inquiry m_inquiry;
    ClusterMap m_map;
};

} // namespace lockcore
