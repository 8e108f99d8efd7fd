// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/request_check.h"

#include "lockcore/synchronizers/owner_format.h"

namespace lockcore {

namespace {

// Far beyond any use, and safe to add to a time in microseconds here and to one in a double on the server.
constexpr Millis Longest{ std::int64_t(1) << 50 };

tl::unexpected<Error> invalid(std::string message, const LockName &name)
{
    return failure(ErrorCode::InvalidArgument, std::move(message), "the lock " + name);
}

bool isTooLong(Millis time) { return time > Longest; }

} // namespace

Result<const LockBehaviour *> checkHold(const LockTarget &target, const std::string &thread)
{
    if (target.name.empty())
        return failure(ErrorCode::InvalidArgument, "the lock has no name");
    if (!parseInteger(thread))
        return invalid("a thread is a decimal 64-bit number, not '" + thread + "'", target.name);
    return lockBehaviour(target.kind, target.mode);
}

Result<const LockBehaviour *> checkRenewal(const LockTarget &target, const std::string &thread, Millis lease)
{
    if (lease <= Millis(0) || isTooLong(lease))
        return invalid("a lease is a positive number of milliseconds below 2^50, not " + std::to_string(lease.count()),
            target.name);
    return checkHold(target, thread);
}

Result<const LockBehaviour *> checkAcquire(const AcquireRequest &request)
{
    if (request.wait && (*request.wait < Millis(0) || isTooLong(*request.wait)))
        return invalid("a wait is not negative and below 2^50 ms, not " + std::to_string(request.wait->count()),
            request.target.name);
    if (request.lease)
        return checkRenewal(request.target, request.thread, *request.lease);
    return checkHold(request.target, request.thread);
}

} // namespace lockcore
