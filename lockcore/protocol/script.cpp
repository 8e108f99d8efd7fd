// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/script.h"

#include <charconv>
#include <cstdint>

namespace lockcore::protocol {

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
