// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/admin_script.h"

#include "lockcore/protocol/acl_line.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/synchronizers/permit_expirable_semaphore.h"
#include "lockcore/synchronizers/scripts.h"

#include <algorithm>
#include <set>

namespace lockcore::synchronizers {

namespace {

Said acting() { return { Phrase::ActingOnLock }; }

using Fields = std::set<std::string>; // each once: the scripts count them

tl::unexpected<Error> invalid(Phrase why, const AdminCommand &command)
{
    return failure(ErrorCode::InvalidArgument, { why }, actionOf(command));
}

tl::unexpected<Error> notOfThisKind(const AdminCommand &command)
{
    return failure(ErrorCode::NotSupported, { Phrase::NoHoldersToActOn }, actionOf(command));
}

template <typename Guarded>
Result<Fields> expectedFields(const Guarded &command)
{
    if (command.expected.empty())
        return invalid(Phrase::NoHoldersExpected, command);
    Fields fields;
    for (const ExpectedHolder &holder : command.expected) {
        if (holder.mode.has_value() != (categoryOf(command.kind) == Category::ReadWriteLock))
            return invalid(Phrase::ModesDiffer, command);
        fields.insert(ownerField(holder.owner, holder.mode == HoldMode::Write));
    }
    return fields;
}

/// As the script takes it.
std::string placeText(const std::optional<SeenPlace> &seen)
{
    if (!seen)
        return {};
    return std::to_string(seen->ahead) + ' ' + (seen->score ? std::to_string(seen->score->count()) : std::string())
        + (seen->isGhost ? " ghost" : "");
}

ScriptCall withFields(ScriptCall call, const Fields &fields)
{
    call.arguments.insert(call.arguments.end(), fields.begin(), fields.end());
    return call;
}

bool isReader(const ExpectedHolder &holder) { return holder.mode == HoldMode::Read; }

struct Preparation {
    WallTime lastMoment;
    const std::string &publish;
    MonoTime here; // the last moment

    Result<ScriptCall> operator()(const ForceRelease &command) const
    {
        if (command.onlyThese && !std::ranges::all_of(command.expected, isReader))
            return invalid(Phrase::OnlyReaders, command);
        return expectedFields(command).and_then([&](const Fields &fields) { return release(command, fields); });
    }
    Result<ScriptCall> operator()(const SetTtl &command) const
    {
        if (command.ttl < Millis(1))
            return invalid(Phrase::TtlTooShort, command);
        return expectedFields(command).and_then([&](const Fields &fields) { return setTtlOf(command, fields); });
    }
    Result<ScriptCall> operator()(const DropWaiter &command) const
    {
        const LockName &name = command.name;
        const LockName &queue = command.queue.value_or(name);
        if (command.waiter.client.empty() || command.waiter.thread.empty())
            return invalid(Phrase::NoWaiter, command);
        return ScriptCall{ &scripts::dropWaiter(),
            { name, key_layout::fairQueue(queue), key_layout::fairTimeouts(queue), key_layout::lockChannel(name) },
            { moment(), toString(command.waiter), publish, placeText(command.seen) } };
    }
    Result<ScriptCall> operator()(const ReturnPermit &command) const
    {
        if (!permit_expirable_semaphore::isPermitId(command.permit))
            return invalid(Phrase::PermitIdForm, command);
        return permit_expirable_semaphore::handBack(command, lastMoment, publish);
    }

private:
    std::string moment() const { return epochMilliseconds(lastMoment); }

    /// With the moments between which the lock has to end, or from which on.
    std::string momentAnd(const std::optional<SeenEnd> &end) const
    {
        if (!end)
            return moment();
        if (!end->at)
            return moment() + " never";
        const WallTime seen = lastMoment + std::chrono::floor<Millis>(*end->at - here);
        const std::string between
            = moment() + ' ' + epochMilliseconds(seen - SameEnd) + ' ' + epochMilliseconds(seen + SameEnd);
        return end->renewedEvery ? between + ' ' + epochMilliseconds(seen + *end->renewedEvery - SameEnd) : between;
    }

    Result<ScriptCall> release(const ForceRelease &command, const Fields &fields) const
    {
        const auto forceRelease = rowOf(command.kind).actions.forceRelease;
        if (!forceRelease)
            return notOfThisKind(command);
        return withFields(forceRelease(command, momentAnd(command.end), publish), fields);
    }

    Result<ScriptCall> setTtlOf(const SetTtl &command, const Fields &fields) const
    {
        const auto setTtl = rowOf(command.kind).actions.setTtl;
        if (!setTtl)
            return notOfThisKind(command);
        return withFields(setTtl(command, momentAnd(command.end)), fields);
    }
};

/// What the server said to a script that was at work.
Error refusal(const protocol::Reply::Array &parts, Phrase consequence)
{
    const std::string *words = parts.size() > 4 ? parts[4].bulk() : nullptr;
    Error error
        = protocol::toError(protocol::Reply(protocol::Reply::ServerError{ words ? *words : "refused" }), acting());
    add(error, { consequence });
    return error;
}

tl::unexpected<Error> unknownTime() { return failure(ErrorCode::MalformedReply, { Phrase::TimeUnknown }, acting()); }

std::vector<WaiterReading> parseWaiters(const protocol::Reply &reply)
{
    std::vector<WaiterReading> waiters;
    for (const auto &[member, score] : reply_values::pairs(reply)) {
        if (auto waiter = parseWaiter(member, score))
            waiters.push_back(std::move(*waiter));
    }
    return waiters;
}

} // namespace

const LockName &lockOf(const AdminCommand &command)
{
    return std::visit([](const auto &action) -> const LockName & { return action.name; }, command);
}

namespace {

struct Actions {
    Phrase operator()(const ForceRelease &) const { return Phrase::ForceReleasing; }
    Phrase operator()(const SetTtl &) const { return Phrase::Renewing; }
    Phrase operator()(const DropWaiter &) const { return Phrase::DroppingWaiter; }
    Phrase operator()(const ReturnPermit &) const { return Phrase::ReturningPermit; }
};

struct ActionsOn {
    Phrase operator()(const ForceRelease &) const { return Phrase::ForceReleasingOn; }
    Phrase operator()(const SetTtl &) const { return Phrase::RenewingOn; }
    Phrase operator()(const DropWaiter &) const { return Phrase::DroppingWaiterOn; }
    Phrase operator()(const ReturnPermit &) const { return Phrase::ReturningPermitOn; }
};

} // namespace

Said actionOf(const AdminCommand &command) { return { std::visit(Actions(), command) }; }

Said actionOn(const AdminCommand &command, const std::string &server)
{
    return { std::visit(ActionsOn(), command), { server } };
}

Result<ScriptCall> prepare(const AdminCommand &command, WallTime lastMoment, const std::string &publish, MonoTime here)
{
    if (lockOf(command).empty())
        return invalid(Phrase::LockHasNoName, command);
    return std::visit(Preparation{ lastMoment, publish, here }, command);
}

std::string aclLineFor(const AdminCommand &command, const std::string &user, const std::string &publish)
{
    struct Writes {
        const char *operator()(const ForceRelease &) const { return " +del +hdel +lpop +pexpire +zrem"; }
        const char *operator()(const SetTtl &) const { return " +hset +pexpire"; }
        const char *operator()(const DropWaiter &) const { return " +lrem +zadd +zrem"; }
        const char *operator()(const ReturnPermit &) const { return " +incrby +zrem"; }
    };
    std::string rules = "~* +@read +time +eval +evalsha";
    if (!std::holds_alternative<SetTtl>(command))
        rules += publish == "SPUBLISH" ? " +spublish" : " +publish";
    return protocol::aclLine(user, rules + std::visit(Writes(), command));
}

ScriptCall askServerTime(const LockName &lock) { return { &scripts::serverTime(), { lock }, {} }; }

Result<WallTime> parseServerTime(const protocol::Reply &reply)
{
    if (!reply.integer())
        return unknownTime();
    return WallTime(Millis(*reply.integer()));
}

Result<CommandOutcome> decodeOutcome(const protocol::Reply &reply)
{
    const protocol::Reply::Array *parts = reply.array();
    if (!parts || parts->size() < 3 || !(*parts)[0].bulk() || !(*parts)[1].integer())
        return failure(ErrorCode::MalformedReply, { Phrase::AnswerUnknown }, acting());
    const std::string &status = *(*parts)[0].bulk();
    if (status == "unlike")
        return failure(ErrorCode::HolderChanged, { Phrase::OtherKindNow }, acting());
    if (status == "unread")
        return failure(ErrorCode::HolderChanged, { Phrase::TooLargeForALock }, acting());
    if (status == "late")
        return failure(ErrorCode::Cancelled, { Phrase::CameTooLate }, acting());
    if (status == "gone")
        return failure(ErrorCode::NotHeld, { Phrase::NoSuchSemaphore }, acting());
    if (status == "refused")
        return tl::unexpected(refusal(*parts, Phrase::NothingChanged));
    if (status == "partly")
        return tl::unexpected(refusal(*parts, Phrase::PartlyDone));
    return parseHolders((*parts)[2]).map([&](std::vector<HolderReading> holders) {
        CommandOutcome outcome{ .done = status == "done",
            .found = std::move(holders),
            .published = *(*parts)[1].integer() != 0,
            .waiting = parts->size() > 3 ? parseWaiters((*parts)[3]) : std::vector<WaiterReading>(),
            .isAnew = status == "anew" };
        if (outcome.isAnew && parts->size() > 4 && (*parts)[4].integer())
            outcome.endsAt = WallTime(Millis(*(*parts)[4].integer()));
        return outcome;
    });
}

} // namespace lockcore::synchronizers
