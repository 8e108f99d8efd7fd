// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/lock_behaviour.h"

#include "lockcore/synchronizers/fair_lock.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/read_write_lock.h"

namespace lockcore {

Result<const LockBehaviour *> lockBehaviour(Kind kind, std::optional<HoldMode> mode)
{
    if (mode && kind != Kind::ReadWrite)
        return failure(ErrorCode::InvalidArgument, "only read/write locks have a mode");
    switch (kind) {
    case Kind::Reentrant:
        return &reentrantLock();
    case Kind::Fair:
        return &fairLock();
    case Kind::ReadWrite:
        if (!mode)
            return failure(ErrorCode::InvalidArgument, "a read/write lock is taken to read or to write: which?");
        return *mode == HoldMode::Read ? &readLock() : &writeLock();
    case Kind::Fenced:
    case Kind::FasterMulti:
    case Kind::Semaphore:
    case Kind::PermitExpirableSemaphore:
    case Kind::CountDownLatch:
        break;
    }
    return failure(
        ErrorCode::NotSupported, "only reentrant, fair and read/write locks can be taken, renewed and released");
}

} // namespace lockcore
