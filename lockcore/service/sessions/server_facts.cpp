// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/server_facts.h"

#include <algorithm>

namespace lockcore::service {

using namespace monitor;

bool isAlone(const ServerFacts &facts) { return facts.role == NodeRole::Master && facts.replicas.empty(); }

void addMissing(ServerFacts &facts, const std::vector<MissingRight> &missing, const std::string &aclLine)
{
    for (const MissingRight &each : missing) {
        if (std::ranges::find(facts.missingRights, each) == facts.missingRights.end())
            facts.missingRights.push_back(each);
    }
    if (!aclLine.empty())
        facts.aclLine = aclLine;
}

void addFacts(Snapshot &snapshot, const ServerFacts &facts, bool isUp, bool isOfCluster)
{
    NodeStatus &node = snapshot.nodes.front();
    node.role = facts.role;
    node.replicaLag = facts.replicaLag;
    for (SourceStatus *status : { &snapshot.status, &node.status }) {
        status->serverVersion = facts.version;
        status->missingRights = facts.missingRights;
        status->aclLine = facts.aclLine;
        status->clockAhead = facts.clockAhead;
    }
    if (!isOfCluster)
        return;
    for (const ReplicaFacts &replica : facts.replicas) {
        NodeStatus listed{ replica.node, NodeRole::Replica, {}, replica.lag, 0, {} };
        listed.status.phase = isUp ? SourcePhase::Live : snapshot.status.phase;
        listed.status.staleSince = snapshot.status.staleSince;
        snapshot.nodes.push_back(std::move(listed));
    }
}

} // namespace lockcore::service
