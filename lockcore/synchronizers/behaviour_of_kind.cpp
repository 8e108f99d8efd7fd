// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/lock_behaviour.h"

#include "lockcore/synchronizers/fair_lock.h"
#include "lockcore/synchronizers/faster_multi_lock.h"
#include "lockcore/synchronizers/fenced_lock.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/read_write_lock.h"
#include "lockcore/synchronizers/spin_lock.h"

namespace lockcore {

namespace {

Result<const LockBehaviour *> variantOf(Kind kind, LockVariant variant)
{
    if (variant == LockVariant::Spin && kind == Kind::Reentrant)
        return &spinLock();
    if (variant == LockVariant::NonReentrant && kind == Kind::Reentrant)
        return &nonReentrantLock();
    if (variant == LockVariant::NonReentrant && kind == Kind::Fair)
        return &nonReentrantFairLock();
    return failure(ErrorCode::InvalidArgument,
        variant == LockVariant::Spin ? "only a reentrant lock can be a spin lock"
                                     : "only reentrant and fair locks can be non-reentrant");
}

} // namespace

Result<const LockBehaviour *> lockBehaviour(Kind kind, std::optional<HoldMode> mode, LockVariant variant)
{
    if (mode && kind != Kind::ReadWrite)
        return failure(ErrorCode::InvalidArgument, "only read/write locks have a mode");
    if (variant != LockVariant::Standard)
        return variantOf(kind, variant);
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
        return &fencedLock();
    case Kind::FasterMulti:
        return &fasterMultiLock();
    case Kind::Semaphore:
    case Kind::PermitExpirableSemaphore:
    case Kind::CountDownLatch:
        break;
    }
    return failure(ErrorCode::NotSupported, "permits and latches have no holder: they are no locks");
}

} // namespace lockcore
