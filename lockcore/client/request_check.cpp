// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/request_check.h"

#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/owner_format.h"

namespace lockcore::client {

using namespace synchronizers;

namespace {

// Far beyond any use, and safe to add to a time in microseconds here and to one in a double on the server; and below
// the deadline that means none among permits.
constexpr Millis Longest{ std::int64_t(1) << 49 };
constexpr std::int64_t Most = std::int64_t(1) << 53; // which Lua counts exactly

tl::unexpected<Error> invalid(Said why, const LockName &name)
{
    return failure(ErrorCode::InvalidArgument, std::move(why), { Phrase::Words, { name } });
}

Result<void> checkValues(const LockTarget &target)
{
    const bool wanted = target.kind == Kind::FasterMulti;
    if (target.values.empty() && wanted)
        return invalid({ Phrase::NoValues }, target.name);
    if (!target.values.empty() && !wanted)
        return invalid({ Phrase::ValuesUnused }, target.name);
    return {};
}

} // namespace

Result<void> checkName(const LockName &name)
{
    if (name.empty())
        return failure(ErrorCode::InvalidArgument, { Phrase::NoName });
    return {};
}

Result<void> checkSlots(const ClientCore &core, const LockName &name, const std::string &channel)
{
    if (core.link->isSharded() && protocol::keySlot(channel) != protocol::keySlot(name))
        return invalid({ Phrase::BracesElsewhere }, name);
    return {};
}

Result<void> checkWait(std::optional<Millis> wait, const LockName &name)
{
    if (wait && (*wait < Millis(0) || *wait > Longest))
        return invalid({ Phrase::WaitOutOfRange, { std::to_string(wait->count()) } }, name);
    return {};
}

Result<void> checkLease(std::optional<Millis> lease, const LockName &name)
{
    if (lease && (*lease <= Millis(0) || *lease > Longest))
        return invalid({ Phrase::LeaseOutOfRange, { std::to_string(lease->count()) } }, name);
    return {};
}

Result<void> checkCount(std::int64_t count, std::int64_t least, const LockName &name)
{
    if (count < least || count >= Most)
        return invalid({ Phrase::CountOutOfRange, { std::to_string(least), std::to_string(count) } }, name);
    return {};
}

Result<void> checkSemaphore(const ClientCore &core, const LockName &name)
{
    return checkName(name).and_then([&] { return checkSlots(core, name, key_layout::semaphoreChannel(name)); });
}

Result<void> checkPermits(const ClientCore &core, const LockName &name, std::int64_t permits, std::int64_t least)
{
    return checkSemaphore(core, name).and_then([&] { return checkCount(permits, least, name); });
}

Result<const LockBehaviour *> checkHold(const LockTarget &target, const std::string &thread)
{
    if (const auto name = checkName(target.name); !name)
        return tl::unexpected(name.error());
    if (!parseInteger(thread))
        return invalid({ Phrase::ThreadForm, { thread } }, target.name);
    auto behaviour = lockBehaviour(target.kind, target.mode, target.variant);
    if (!behaviour)
        return behaviour;
    return checkValues(target).map([&] { return *behaviour; });
}

Result<const LockBehaviour *> checkRenewal(const LockTarget &target, const std::string &thread, Millis lease)
{
    return checkLease(lease, target.name).and_then([&] { return checkHold(target, thread); });
}

Result<const LockBehaviour *> checkAcquire(const AcquireRequest &request)
{
    const LockName &name = request.target.name;
    return checkWait(request.wait, name).and_then([&] { return checkLease(request.lease, name); }).and_then([&] {
        return checkHold(request.target, request.thread);
    });
}

} // namespace lockcore::client
