// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/lock_reader.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/counter_recognition.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/recognition.h"
#include "lockcore/synchronizers/scripts.h"

#include <algorithm>

namespace lockcore::synchronizers {

namespace {

constexpr const char *HashType = "hash";
constexpr const char *StringType = "string";

tl::unexpected<Error> malformed(const Said &tried)
{
    return failure(ErrorCode::MalformedReply, { Phrase::UnexpectedReply }, tried);
}

/// The elements of an array of a known length; null: something else.
const protocol::Reply::Array *tuple(const protocol::Reply &reply, std::size_t size)
{
    const auto *array = reply.array();
    return array && array->size() == size ? array : nullptr;
}

/// One of each name, and maybe the time.
const protocol::Reply::Array *looksIn(const protocol::Reply &reply, std::size_t names)
{
    if (const auto *looks = tuple(reply, names))
        return looks;
    const auto *timed = tuple(reply, names + 1);
    return timed && tuple(timed->back(), 2) ? timed : nullptr;
}

/// A hash that has no other key: { PTTL, field, value, … }.
const protocol::Reply::Array *hashAlone(const protocol::Reply &reply)
{
    const auto *parts = reply.array();
    return parts && !parts->empty() && parts->front().integer() ? parts : nullptr;
}

/// In the order of read_locks.lua.
std::optional<LockLook> decodeLook(const protocol::Reply &reply)
{
    namespace values = reply_values;
    LockLook look;
    if (const auto *alone = hashAlone(reply)) {
        look.pttl = *alone->front().integer();
        look.fields = values::pairs(std::span(*alone).subspan(1));
        return look;
    }
    if (const auto *onTheMove = tuple(reply, 3)) {
        look.fields = values::pairs((*onTheMove)[1]);
        look.pttl = values::integer((*onTheMove)[2], look.pttl);
        return look;
    }
    const auto *parts = tuple(reply, 9);
    if (!parts)
        return std::nullopt;
    const auto part = parts->begin();
    look.fields = values::pairs(part[0]);
    look.pttl = values::integer(part[1], look.pttl);
    look.queue = values::texts(part[2]);
    look.queueLength = values::integer(part[3], 0);
    look.deadlines = values::optionalTexts(part[4]);
    look.firstTimeout = values::text(part[5]);
    look.token = values::text(part[6]);
    if (const auto *holds = part[7].array()) {
        for (const auto &hold : *holds) {
            const auto *pair = tuple(hold, 2);
            if (!pair)
                return std::nullopt;
            look.readHolds[values::text(pair->front()).value_or("")] = values::integers(pair->back());
        }
    }
    if (const auto *namesake = tuple(part[8], 2)) {
        look.namesakeType = values::text(namesake->front());
        look.namesakeFields = values::pairs(namesake->back());
    }
    return look;
}

/// The same for a number.
CounterLook decodeCounter(const protocol::Reply::Array &parts)
{
    namespace values = reply_values;
    const auto part = parts.begin();
    CounterLook look;
    look.text = values::text(part[0]).value_or("");
    look.pttl = values::integer(part[1], look.pttl);
    look.firstPermits = values::pairs(part[2]);
    look.lastPermit = values::pairs(part[3]);
    look.permits = values::integer(part[4], 0);
    look.overdue = values::integer(part[5], 0);
    look.otherIsNumber = values::integer(part[6], 0) != 0;
    return look;
}

/// The same for what is read as a token: { { text, PTTL } }.
std::optional<CounterLook> decodeToken(const protocol::Reply &reply)
{
    const auto *whole = tuple(reply, 1);
    const auto *parts = whole ? tuple(whole->front(), 2) : nullptr;
    if (!parts)
        return std::nullopt;
    CounterLook look;
    look.text = reply_values::text(parts->front()).value_or("");
    look.pttl = reply_values::integer(parts->back(), look.pttl);
    return look;
}

constexpr std::string_view Elsewhere = "elsewhere";
constexpr std::string_view Later = "later";
constexpr std::string_view Unread = "unread";

bool says(const protocol::Reply &look, std::string_view word)
{
    const auto *onTheMove = tuple(look, 3);
    const auto *text = (onTheMove ? onTheMove->front() : look).bulk();
    return text && *text == word;
}

std::vector<LockName> namesThatSay(std::string_view word, std::span<const LockName> names, const protocol::Reply &reply)
{
    std::vector<LockName> found;
    const auto *looks = looksIn(reply, names.size());
    for (std::size_t i = 0; looks && i < names.size(); ++i) {
        if (says((*looks)[i], word))
            found.push_back(names[i]);
    }
    return found;
}

constexpr const char *Start = "0"; // a walk's first cursor, and what the server says at its end
constexpr std::size_t PageParts = 7;

/// The cursors to go on from: those of the beginning are not written down.
std::vector<std::string> cursorsAt(const SweepPosition &position, std::size_t walks)
{
    auto cursors = position.cursors;
    if (cursors.empty())
        cursors.assign(walks, Start);
    cursors.resize(walks);
    return cursors;
}

void addParents(const protocol::Reply &keys, std::vector<LockName> &names)
{
    for (const auto &key : reply_values::texts(keys)) {
        auto parents = key_layout::possibleParents(key);
        if (parents.empty())
            parents = isNamedCounter(key) ? std::vector{ key } : key_layout::possibleSemaphores(key);
        std::move(parents.begin(), parents.end(), std::back_inserter(names));
    }
}

} // namespace

const protocol::Script &readLocksScript() { return scripts::readLocks(); }

std::vector<std::string> readLocksArguments(
    WallTime now, bool asks, std::span<const LockName> names, const TokenNames &tokens)
{
    std::string argument = epochMilliseconds(now) + (asks ? "?" : "");
    if (tokens.empty())
        return { argument };
    for (const LockName &name : names)
        argument += isTokenName(tokens, name) ? 't' : '-';
    return { argument };
}

Result<std::vector<LockReading>> decodeReadLocks(
    std::span<const LockName> names, protocol::Reply reply, Recognition recognition, const TokenNames &tokens)
{
    const Said tried{ Phrase::ReadingSomeLocks };
    if (reply.isError())
        return tl::unexpected(protocol::toError(reply, tried));
    if (!looksIn(reply, names.size()))
        return malformed(tried);
    std::vector<LockReading> readings;
    readings.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        // Of a page it is a great part of the work to have memory for its many small pieces: what one look gives back
        // the next one takes.
        const auto one = std::move((*reply.array())[i]);
        if (one.isNil() || (one.bulk() && (says(one, Elsewhere) || says(one, Later) || says(one, Unread))))
            continue;
        constexpr std::size_t NumberParts = 7;
        const auto *number = hashAlone(one) ? nullptr : tuple(one, NumberParts);
        const auto string = number ? std::optional(decodeCounter(*number)) : decodeToken(one);
        const auto look = string ? std::nullopt : decodeLook(one);
        if (!string && !look)
            return malformed(tried);
        auto reading = string ? recogniseString(names[i], *string, tokens) : recognise(names[i], *look, recognition);
        if (reading)
            readings.push_back(std::move(*reading));
    }
    return readings;
}

std::optional<ServerMoment> timeOfLooks(std::span<const LockName> names, const protocol::Reply &reply)
{
    const auto *looks = looksIn(reply, names.size());
    const auto *times = looks && looks->size() > names.size() ? tuple(looks->back(), 2) : nullptr;
    if (!times)
        return std::nullopt;
    const auto from = reply_values::millis(reply_values::integer(times->front(), 0));
    const auto until = reply_values::millis(reply_values::integer(times->back(), 0));
    return ServerMoment{ WallTime(from), std::max(until - from, Millis{ 0 }) };
}

std::vector<LockName> namesElsewhere(std::span<const LockName> names, const protocol::Reply &reply)
{
    return namesThatSay(Elsewhere, names, reply);
}

std::vector<LockName> namesForLater(std::span<const LockName> names, const protocol::Reply &reply)
{
    return namesThatSay(Later, names, reply);
}

std::vector<LockName> namesUnread(std::span<const LockName> names, const protocol::Reply &reply)
{
    return namesThatSay(Unread, names, reply);
}

bool SweepPosition::isAtEnd() const
{
    return !cursors.empty() && std::ranges::all_of(cursors, [](const std::string &cursor) { return cursor.empty(); });
}

std::vector<SweepWalk> sweepWalks(const std::string &keyPattern, const TokenNames &tokens)
{
    std::vector<SweepWalk> walks{ { HashType, keyPattern }, { {}, std::string(key_layout::BracedNames) } };
    for (const std::string &pattern : tokens)
        walks.push_back({ StringType, pattern });
    return walks;
}

const protocol::Script &sweepPageScript() { return scripts::sweepPage(); }

std::vector<std::string> sweepPageArguments(
    std::span<const SweepWalk> walks, const SweepPosition &from, int count, bool asksTime)
{
    std::vector<std::string> arguments{ std::to_string(count), asksTime ? "1" : "" };
    const auto cursors = cursorsAt(from, walks.size());
    for (std::size_t i = 0; i < walks.size(); ++i)
        arguments.insert(arguments.end(), { cursors[i], walks[i].type, walks[i].pattern });
    return arguments;
}

std::optional<SweepPageHead> headOfSweepPage(const protocol::Reply &reply)
{
    const auto *parts = tuple(reply, PageParts);
    if (!parts || !parts->front().array() || parts->front().array()->empty())
        return std::nullopt;
    const std::chrono::microseconds took(reply_values::integer(parts->back(), 0));
    return SweepPageHead{ { reply_values::texts(parts->front()) },
        took.count() > 0 ? std::optional(took) : std::nullopt };
}

Result<SweepPage> decodeSweepPage(protocol::Reply reply, Recognition recognition)
{
    const Said tried{ Phrase::Sweeping };
    if (reply.isError())
        return tl::unexpected(protocol::toError(reply, tried));
    auto head = headOfSweepPage(reply);
    if (!head)
        return malformed(tried);
    const auto part = reply.array()->begin();
    SweepPage page{ .next = std::move(head->next),
        .keysSeen = reply_values::integer(part[1], 0),
        .candidates = reply_values::texts(part[3]) };
    addParents(part[2], page.candidates);
    auto readings = decodeReadLocks(reply_values::texts(part[4]), std::move(part[5]), recognition);
    if (!readings)
        return tl::unexpected(readings.error());
    page.readings = std::move(*readings);
    return page;
}

std::vector<protocol::Command> scanCommands(std::span<const SweepWalk> walks, const SweepPosition &from, int count)
{
    std::vector<protocol::Command> commands;
    const auto cursors = cursorsAt(from, walks.size());
    for (std::size_t i = 0; i < walks.size(); ++i) {
        if (cursors[i].empty())
            continue;
        auto &command = commands.emplace_back(protocol::Command{ "SCAN", cursors[i], "COUNT", std::to_string(count) });
        if (!walks[i].pattern.empty())
            command.insert(command.end(), { "MATCH", walks[i].pattern });
        if (!walks[i].type.empty())
            command.insert(command.end(), { "TYPE", walks[i].type });
    }
    return commands;
}

Result<SweepPage> decodeScans(
    std::span<const SweepWalk> walks, const SweepPosition &from, std::span<const protocol::Reply> replies)
{
    const Said tried{ Phrase::Words, { "SCAN" } };
    SweepPage page;
    page.next.cursors = cursorsAt(from, walks.size());
    auto reply = replies.begin();
    for (std::size_t i = 0; i < walks.size(); ++i) {
        std::string &next = page.next.cursors[i];
        if (next.empty())
            continue;
        if (reply == replies.end())
            return malformed(tried);
        if (reply->isError())
            return tl::unexpected(protocol::toError(*reply, tried));
        const auto *parts = tuple(*reply, 2);
        const auto cursor = parts ? reply_values::text(parts->front()) : std::nullopt;
        if (!cursor)
            return malformed(tried);
        next = *cursor == Start ? std::string() : *cursor;
        if (!walks[i].type.empty()) {
            auto names = reply_values::texts(parts->back());
            std::ranges::move(names, std::back_inserter(page.candidates));
        } else {
            addParents(parts->back(), page.candidates);
        }
        ++reply;
    }
    return page;
}

} // namespace lockcore::synchronizers
