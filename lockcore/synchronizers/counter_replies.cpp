// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/counter_replies.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/reply_values.h"

namespace lockcore {

Result<std::int64_t> parseCount(const protocol::Reply &reply)
{
    if (const std::int64_t *count = reply.integer())
        return *count;
    return tl::unexpected(protocol::toError(reply, {}));
}

Result<void> parseDone(const protocol::Reply &reply)
{
    return parseCount(reply).map([](std::int64_t) {});
}

Result<bool> parseAnswer(const protocol::Reply &reply)
{
    return parseCount(reply).map([](std::int64_t answer) { return answer != 0; });
}

Result<std::optional<Millis>> parsePermitLease(const protocol::Reply &reply)
{
    constexpr std::int64_t NoLease = -1;
    constexpr std::int64_t Gone = -2;
    const auto left = parseCount(reply);
    if (!left)
        return tl::unexpected(left.error());
    if (*left == Gone)
        return failure(ErrorCode::NotHeld, "the permit is not held any more");
    return *left == NoLease ? std::nullopt : std::optional(reply_values::millis(*left));
}

} // namespace lockcore
