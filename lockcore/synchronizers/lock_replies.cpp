// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/lock_replies.h"

#include "lockcore/protocol/command.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace lockcore::synchronizers {

namespace reply_values {

namespace {

template <typename Convert>
auto each(const protocol::Reply &reply, Convert convert)
{
    std::vector<decltype(convert(reply))> result;
    if (const auto *array = reply.array()) {
        result.reserve(array->size());
        for (const auto &element : *array)
            result.push_back(convert(element));
    }
    return result;
}

} // namespace

std::optional<std::string> text(const protocol::Reply &reply)
{
    if (const auto *bulk = reply.bulk())
        return *bulk;
    if (const auto *status = reply.status())
        return status->text;
    return std::nullopt;
}

std::int64_t integer(const protocol::Reply &reply, std::int64_t otherwise)
{
    const auto *value = reply.integer();
    return value ? *value : otherwise;
}

std::vector<std::string> texts(const protocol::Reply &reply)
{
    return each(reply, [](const protocol::Reply &element) { return text(element).value_or(std::string()); });
}

std::vector<std::optional<std::string>> optionalTexts(const protocol::Reply &reply) { return each(reply, text); }

std::vector<std::int64_t> integers(const protocol::Reply &reply)
{
    return each(reply, [](const protocol::Reply &element) { return integer(element, 0); });
}

std::vector<std::pair<std::string, std::string>> pairs(const protocol::Reply &reply)
{
    const auto *array = reply.array();
    return array ? pairs(std::span(*array)) : std::vector<std::pair<std::string, std::string>>();
}

std::vector<std::pair<std::string, std::string>> pairs(std::span<const protocol::Reply> flat)
{
    std::vector<std::pair<std::string, std::string>> result;
    const auto textAt = [flat](std::size_t place) { return text(flat[place]).value_or(std::string()); };
    result.reserve(flat.size() / 2);
    for (std::size_t i = 0; i + 1 < flat.size(); i += 2)
        result.emplace_back(textAt(i), textAt(i + 1));
    return result;
}

} // namespace reply_values

namespace {

tl::unexpected<Error> unknownReply(Phrase tried)
{
    return failure(ErrorCode::MalformedReply, { Phrase::AnswerUnknown }, { tried });
}

/// PTTL: -1 never, -2 gone.
std::optional<Millis> timeLeft(std::int64_t pttl)
{
    if (pttl == -1)
        return std::nullopt;
    return reply_values::millis(std::max<std::int64_t>(pttl, 0));
}

std::string describe(const ParsedOwner &holder) { return toString(holder.owner) + (holder.write ? " (write)" : ""); }

/// Null: it is none.
const std::string *tokenIn(const protocol::Reply &part)
{
    const protocol::Reply::Array *parts = part.array();
    return parts && parts->size() == 1 ? parts->front().bulk() : nullptr;
}

tl::unexpected<Error> notHeld(const protocol::Reply::Array &fields)
{
    std::string holders;
    for (const protocol::Reply &field : fields) {
        const std::string *text = field.bulk();
        const std::string *token = tokenIn(field);
        const auto holder = text ? parseOwner(*text) : std::nullopt;
        if (token || holder)
            holders += (holders.empty() ? "" : ", ") + (token ? *token : describe(*holder));
    }
    return failure(ErrorCode::NotHeld,
        holders.empty() ? Said{ Phrase::HeldByNobodyNow } : Said{ Phrase::HeldByOthers, { holders } });
}

} // namespace

Result<TryReply> parseTryReply(const protocol::Reply &reply)
{
    if (reply.isNil())
        return TryReply{ true, {}, {}, {} };
    if (const std::int64_t *left = reply.integer())
        return TryReply{ false, timeLeft(*left), timeLeft(*left), {} };
    if (reply.status() && reply.status()->text == "ALREADYHELD")
        return failure(ErrorCode::AlreadyHeld, { Phrase::HeldAlready });
    if (protocol::cameLateAt(reply))
        return failure(ErrorCode::ReplyTimeout, { Phrase::TryCameLate });
    const protocol::Reply::Array *parts = reply.array();
    if (parts && parts->size() == 3 && (*parts)[0].integer() && (*parts)[1].integer() && (*parts)[2].array()) {
        const auto heads = reply_values::pairs((*parts)[2]);
        TryReply refused{ false, timeLeft(*(*parts)[0].integer()), timeLeft(*(*parts)[1].integer()), {} };
        if (!heads.empty())
            refused.head = parseWaiter(heads.front().first, heads.front().second);
        return refused;
    }
    if (!parts || std::ranges::any_of(*parts, [](const protocol::Reply &part) { return !part.integer(); }))
        return unknownReply(Phrase::AcquiringALock);
    const auto part = [parts](std::size_t index) { return *(*parts)[index].integer(); };
    if (parts->size() == 1)
        return TryReply{ true, {}, {}, part(0) };
    if (parts->size() == 2)
        return TryReply{ false, timeLeft(part(0)), timeLeft(part(1)), {} };
    if (parts->size() == 3)
        return TryReply{ true, {}, {}, part(0) < 0 ? std::nullopt : std::optional(part(0)), part(1) };
    return unknownReply(Phrase::AcquiringALock);
}

Result<std::int64_t> parseUnlockReply(const protocol::Reply &reply)
{
    if (const std::int64_t *left = reply.integer())
        return *left;
    if (const protocol::Reply::Array *fields = reply.array())
        return notHeld(*fields);
    return unknownReply(Phrase::ReleasingALock);
}

Result<std::vector<bool>> parseRenewReply(const protocol::Reply &reply, std::size_t locks)
{
    const protocol::Reply::Array *answers = reply.array();
    if (!answers || answers->size() != locks)
        return unknownReply(Phrase::RenewingLocks);
    std::vector<bool> held;
    for (const protocol::Reply &answer : *answers) {
        if (!answer.integer())
            return unknownReply(Phrase::RenewingLocks);
        held.push_back(*answer.integer() != 0);
    }
    return held;
}

Result<std::vector<HolderReading>> parseHolders(const protocol::Reply &fieldsAndValues)
{
    const protocol::Reply::Array *items = fieldsAndValues.array();
    if (!items || items->size() % 2 != 0)
        return unknownReply(Phrase::ReadingHolders);
    const auto text = [items](std::size_t at) { return (*items)[at].bulk() ? *(*items)[at].bulk() : std::string(); };
    const auto isMode
        = [&](std::size_t at) { return text(at) == "mode" && (text(at + 1) == "read" || text(at + 1) == "write"); };
    bool readWrite = false;
    for (std::size_t i = 0; i < items->size(); i += 2)
        readWrite = readWrite || isMode(i);
    std::vector<HolderReading> holders;
    for (std::size_t i = 0; i < items->size(); i += 2) {
        if (isMode(i))
            continue;
        HolderReading holder;
        if (const std::string *token = tokenIn((*items)[i])) {
            holder.owner = ownerOfToken(*token);
            holders.push_back(std::move(holder));
            continue;
        }
        const auto owner = parseOwner(text(i));
        const bool isOne = owner && (readWrite || !owner->write);
        holder.owner = isOne ? owner->owner : ownerOfStrangeField(text(i));
        holder.count = parseInteger(text(i + 1)).value_or(0);
        if (readWrite)
            holder.mode = isOne && owner->write ? HoldMode::Write : HoldMode::Read;
        holder.fromPort = isOne && owner->fromPort;
        holders.push_back(std::move(holder));
    }
    return holders;
}

std::optional<WaiterReading> parseWaiter(const std::string &member, const std::optional<std::string> &score)
{
    constexpr auto Furthest = static_cast<double>(reply_values::FurthestMillis);
    auto parsed = parseOwner(member);
    if (!parsed || parsed->write)
        return std::nullopt;
    WaiterReading waiter{ std::move(parsed->owner), std::nullopt };
    double value = 0;
    if (score && std::from_chars(score->data(), score->data() + score->size(), value).ec == std::errc{}) {
        const double millis = std::floor(std::clamp(value, -Furthest, Furthest));
        waiter.score = Millis(static_cast<std::int64_t>(millis));
        waiter.deadline = WallTime(*waiter.score);
    }
    return waiter;
}

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
        return failure(ErrorCode::NotHeld, { Phrase::PermitNotHeld });
    return *left == NoLease ? std::nullopt : std::optional(reply_values::millis(*left));
}

} // namespace lockcore::synchronizers
