// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/admin_command.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/synchronizers/scripts.h"

#include <set>

namespace lockcore {

namespace {

constexpr const char *Releasing = "releasing a lock by force";

/// Each field once: the script counts them.
Result<std::set<std::string>> expectedFields(const ForceRelease &command)
{
    if (command.name.empty())
        return failure(ErrorCode::InvalidArgument, "the lock has no name", Releasing);
    if (command.expected.empty())
        return failure(ErrorCode::InvalidArgument, "say which holders were seen", Releasing);
    std::set<std::string> fields;
    for (const ExpectedHolder &holder : command.expected) {
        if (holder.mode.has_value() != (command.kind == Kind::ReadWrite))
            return failure(
                ErrorCode::InvalidArgument, "holders of read/write locks, and only these, have a mode", Releasing);
        fields.insert(ownerField(holder.owner, holder.mode == HoldMode::Write));
    }
    return fields;
}

ScriptCall withFields(ScriptCall call, const std::set<std::string> &fields)
{
    call.arguments.insert(call.arguments.end(), fields.begin(), fields.end());
    return call;
}

Result<ScriptCall> prepareRelease(const ForceRelease &command, WallTime now, const std::string &publish)
{
    const auto fields = expectedFields(command);
    if (!fields)
        return tl::unexpected(fields.error());
    const LockName &name = command.name;
    switch (command.kind) {
    case Kind::Reentrant:
    case Kind::Fair: // a queue may have appeared since, or gone: both kinds of waiters are told
    case Kind::Fenced:
        return withFields(
            { &scripts::forceRelease(),
                { name, key_layout::lockChannel(name), key_layout::fairQueue(name), key_layout::fairTimeouts(name) },
                { epochMilliseconds(now), publish } },
            *fields);
    case Kind::ReadWrite:
        return withFields(
            { &scripts::forceReleaseReadWrite(),
                { name, key_layout::readWriteChannel(name), key_layout::suffixed(name, {}) }, { publish } },
            *fields);
    case Kind::FasterMulti:
        return withFields(
            { &scripts::forceReleaseFasterMulti(), { name, key_layout::lockChannel(name) }, { publish } }, *fields);
    case Kind::Semaphore:
    case Kind::PermitExpirableSemaphore:
    case Kind::CountDownLatch:
        break;
    }
    return failure(ErrorCode::NotSupported, "this kind cannot be released by force", Releasing);
}

} // namespace

Result<ScriptCall> prepare(const AdminCommand &command, WallTime now, const std::string &publish)
{
    return std::visit([&](const ForceRelease &release) { return prepareRelease(release, now, publish); }, command);
}

Result<CommandOutcome> decodeOutcome(const protocol::Reply &reply)
{
    const protocol::Reply::Array *parts = reply.array();
    if (!parts || parts->size() != 3 || !(*parts)[0].bulk() || !(*parts)[1].integer())
        return failure(ErrorCode::MalformedReply, "the script answered in an unknown form", Releasing);
    const std::string &status = *(*parts)[0].bulk();
    if (status == "unlike")
        return failure(ErrorCode::UnknownLayout, "the key is no lock any more; nothing was changed", Releasing);
    auto holders = parseHolders((*parts)[2]);
    if (!holders)
        return tl::unexpected(holders.error());
    return CommandOutcome{ status == "done", std::move(*holders), *(*parts)[1].integer() != 0 };
}

} // namespace lockcore
