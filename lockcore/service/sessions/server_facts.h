// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

/// A replica that a master tells of.
struct ReplicaFacts {
    std::string node;
    Millis lag{ 0 }; // since the master last heard of it

    bool operator==(const ReplicaFacts &) const = default;
};

/// What is known of a server beside its locks, and stands beside them in each snapshot.
struct ServerFacts {
    std::string version;
    monitor::NodeRole role = monitor::NodeRole::Unknown;
    /// A replica: since it last heard of its master; while the link is down, since then.
    std::optional<Millis> replicaLag;
    std::vector<ReplicaFacts> replicas;
    std::vector<monitor::MissingRight> missingRights; // on this connection
    std::string aclLine; // permits all of them
    std::optional<Millis> clockAhead; // of ours; absent: not compared yet

    bool operator==(const ServerFacts &) const = default;
};

bool isAlone(const ServerFacts &facts); // a master without replicas

/// Adds the rights that were found missing since; the line permits all that is missing.
void addMissing(ServerFacts &facts, const std::vector<monitor::MissingRight> &missing, const std::string &aclLine);

/// Beside a node of a cluster its replicas are listed, too: they are as live or as stale as the node that tells of
/// them.
void addFacts(monitor::Snapshot &snapshot, const ServerFacts &facts, bool isUp, bool isOfCluster);

} // namespace lockcore::service
