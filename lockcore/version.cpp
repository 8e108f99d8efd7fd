// SPDX-License-Identifier: Apache-2.0
#include "lockcore/version.h"

namespace lockcore {

const char *version() { return LOCKCORE_VERSION; }

} // namespace lockcore
