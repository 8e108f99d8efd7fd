// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"

#include <string>
#include <vector>

namespace lockcore {

/// Whether what is shown of a server is of now.
bool isSeenNow(const SourceStatus &status);

/// How all servers together are seen: the worst phase, summed rates; what concerns one of them names it.
SourceStatus joinStatus(const std::string &deployment, const std::vector<NodeStatus> &nodes);

/// Makes of two lines `ACL SETUSER name …` one that permits what both do. Another user's rules are left out.
LOCKCORE_EXPORT void addAclRules(std::string &line, const std::string &other);

} // namespace lockcore
