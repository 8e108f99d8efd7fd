// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/recording/archive.h"

#include <memory>

namespace lockcore {

/// One lock with all that is known of it; what `previous` has of the TTL's history and of the members is not repeated.
void writeLock(ArchiveWriter &archive, const LockState &lock, const LockState *previous);

/// `previous`: all locks as they were when it was written.
std::shared_ptr<const LockState> readLock(ArchiveReader &archive, const LockList &previous);

} // namespace lockcore
