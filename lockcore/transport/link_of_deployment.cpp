// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/cluster_link.h"
#include "lockcore/transport/link.h"
#include "lockcore/transport/sentinel_link.h"
#include "lockcore/transport/single_link.h"

namespace lockcore {

Result<std::unique_ptr<Link>> Link::create(const Deployment &deployment, const ConnectionOptions &options)
{
    const std::string context = "connecting to " + deployment.display();
    if (deployment.seeds.empty())
        return failure(ErrorCode::InvalidArgument, "the deployment names no server", context);
    switch (deployment.topology) {
    case Topology::Single:
        return std::make_unique<SingleLink>(deployment.seeds.front(), options);
    case Topology::Cluster:
        return std::make_unique<ClusterLink>(deployment, options);
    case Topology::Sentinel:
        if (deployment.masterName.empty())
            return failure(ErrorCode::InvalidArgument, "the name of the master is missing", context);
        return std::make_unique<SentinelLink>(deployment, options);
    case Topology::Nodes:
        break;
    }
    return failure(
        ErrorCode::NotSupported, "independent nodes are not one place: each takes a client of its own", context);
}

} // namespace lockcore
