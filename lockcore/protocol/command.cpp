// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/command.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace lockcore::protocol {

namespace {

void appendHeader(std::string &out, char type, std::size_t number)
{
    out += type;
    out += std::to_string(number);
    out += "\r\n";
}

} // namespace

std::string format(const Command &command)
{
    constexpr std::size_t HeaderBytes = 16;
    std::size_t size = HeaderBytes;
    for (const std::string &argument : command)
        size += argument.size() + HeaderBytes;
    std::string out;
    out.reserve(size);
    appendHeader(out, '*', command.size());
    for (const std::string &argument : command) {
        appendHeader(out, '$', argument.size());
        out += argument;
        out += "\r\n";
    }
    return out;
}

namespace {

constexpr std::string_view Commands[]{ "ASKING", "AUTH", "DBSIZE", "ECHO", "EVALSHA_RO", "EVAL_RO", "EXISTS", "GET",
    "GETRANGE", "HEXISTS", "HGET", "HGETALL", "HLEN", "HMGET", "HRANDFIELD", "HSCAN", "INFO", "LINDEX", "LLEN",
    "LRANGE", "PEXPIRETIME", "PING", "PSUBSCRIBE", "PTTL", "PUNSUBSCRIBE", "ROLE", "SCAN", "SELECT", "SSUBSCRIBE",
    "STRLEN", "SUBSCRIBE", "SUNSUBSCRIBE", "TIME", "TYPE", "UNSUBSCRIBE", "ZCARD", "ZCOUNT", "ZMSCORE", "ZRANGE",
    "ZSCORE" };

struct SubCommand {
    std::string_view command;
    std::string_view word;
};

constexpr SubCommand SubCommands[]{ { "CLIENT", "GETNAME" }, { "CLIENT", "ID" }, { "CLIENT", "LIST" },
    { "CLIENT", "NO-TOUCH" }, { "CLIENT", "SETINFO" }, { "CLIENT", "SETNAME" }, { "CLIENT", "TRACKING" },
    { "CLIENT", "TRACKINGINFO" }, { "CLUSTER", "SLOTS" }, { "MEMORY", "USAGE" }, { "PUBSUB", "CHANNELS" },
    { "PUBSUB", "NUMPAT" }, { "PUBSUB", "NUMSUB" }, { "PUBSUB", "SHARDCHANNELS" }, { "PUBSUB", "SHARDNUMSUB" },
    { "SCRIPT", "EXISTS" }, { "SENTINEL", "GET-MASTER-ADDR-BY-NAME" }, { "SLOWLOG", "GET" } };

/// Of the settings only this one: others hold secrets.
constexpr std::string_view AskForNotifications[]{ "CONFIG", "GET", "NOTIFY-KEYSPACE-EVENTS" };

/// By ASCII alone: a locale must not decide what is sent.
bool sameWord(std::string_view text, std::string_view upperCase)
{
    const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    return std::ranges::equal(text, upperCase, {}, upper);
}

} // namespace

bool isReadOnly(const Command &command)
{
    if (command.empty())
        return false;
    const auto isCommand = [&](std::string_view known) { return sameWord(command[0], known); };
    const auto isSubCommand = [&](const SubCommand &known) {
        return command.size() > 1 && sameWord(command[0], known.command) && sameWord(command[1], known.word);
    };
    return std::ranges::any_of(Commands, isCommand) || std::ranges::any_of(SubCommands, isSubCommand)
        || std::ranges::equal(command, AskForNotifications, sameWord);
}

namespace {

constexpr std::size_t KeyCountAt = 2;
constexpr std::string_view Late = "LATE ";

} // namespace

Command byDigest(const Script &script, std::span<const std::string> keys, std::span<const std::string> arguments)
{
    Command command{ script.readOnly ? "EVALSHA_RO" : "EVALSHA", std::string(script.sha1),
        std::to_string(keys.size()) };
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

Command bySource(Command byDigest, const Script &script)
{
    byDigest.at(0) = script.readOnly ? "EVAL_RO" : "EVAL";
    byDigest.at(1) = script.text;
    return byDigest;
}

void setLastMoment(Command &call, std::optional<WallTime> moment)
{
    const std::size_t keys = std::stoul(call.at(KeyCountAt));
    call.at(KeyCountAt + 1 + keys) = moment ? std::to_string(moment->time_since_epoch().count()) : AnyTime;
}

std::optional<WallTime> cameLateAt(const Reply &reply)
{
    if (!reply.status() || !reply.status()->text.starts_with(Late))
        return std::nullopt;
    const std::string_view digits = std::string_view(reply.status()->text).substr(Late.size());
    constexpr std::int64_t Latest = 1'000'000'000'000'000; // whatever a server says: what is reckoned from it fits
    std::int64_t millis = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), millis);
    if (read.ec != std::errc() || millis < 0 || millis > Latest)
        return std::nullopt;
    return WallTime(Millis(millis));
}

} // namespace lockcore::protocol
