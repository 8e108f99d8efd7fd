// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/missing_rights.h"

#include "lockcore/protocol/server_error.h"

#include <string_view>

namespace lockcore {

namespace {

struct Loss {
    std::string_view what;
    std::string_view cost;
    std::string_view rule;
};

constexpr std::string_view NoTracking
    = "changes are not announced, so locks are read again and again, and new ones are found late";

Loss lossOf(Right right)
{
    switch (right) {
    case Right::Info:
        return { "INFO", "version and role of the server stay unknown", "+info" };
    case Right::Scan:
        return { "SCAN", "locks that exist already cannot be found", "+scan ~*" };
    case Right::ReadScripts:
        return { "EVALSHA_RO", "locks are read in several steps instead of at one moment", "+eval_ro +evalsha_ro" };
    case Right::CountWaiters:
        return { "PUBSUB NUMSUB", "how many wait for a lock that is not fair stays unknown", "+pubsub|numsub" };
    case Right::Tracking:
        return { "CLIENT TRACKING", NoTracking, "+client|tracking" };
    case Right::Invalidations:
        return { "SUBSCRIBE __redis__:invalidate", NoTracking, "+subscribe &__redis__:invalidate" };
    case Right::ConnectionId:
        return { "CLIENT ID", NoTracking, "+client|id" };
    case Right::UnlockMessages:
        return { "PSUBSCRIBE redisson_*", "many releases can only be guessed from the time",
            "+psubscribe &redisson_*" };
    }
    return {};
}

} // namespace

std::string missingRight(Right right)
{
    const Loss loss = lossOf(right);
    std::string text(loss.what);
    return text.append(" is refused to this user: ")
        .append(loss.cost)
        .append(". The ACL rule ")
        .append(loss.rule)
        .append(" permits it.");
}

std::string missingRight(Right right, const protocol::Reply &refusal)
{
    const Error error = protocol::toError(refusal, {});
    if (error.code == ErrorCode::PermissionDenied)
        return missingRight(right);
    const Loss loss = lossOf(right);
    std::string text(loss.what);
    return text.append(" does not work here: ").append(loss.cost).append(". The server said: ").append(error.message);
}

} // namespace lockcore
