// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/deployment.h"
#include "lockcore/transport/link.h"

#include <memory>

namespace lockcore::transport {

/// The link to a deployment, as its topology needs it; not open yet.
/// Errors: local/not-supported for independent nodes (one link each), local/invalid-argument without seeds.
LOCKCORE_EXPORT Result<std::unique_ptr<Link>> makeLink(const Deployment &deployment, const ConnectionOptions &options);
/// Leads nowhere: every request gets the same error. Spares its users a null link.
std::unique_ptr<Link> makeUnusableLink(Error error);

} // namespace lockcore::transport
