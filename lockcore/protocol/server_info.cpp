// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/server_info.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

namespace lockcore::protocol {

namespace {

void readVersion(std::string_view text, ServerInfo &info)
{
    info.version = text;
    const char *end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, info.major);
    if (major.ptr != end && *major.ptr == '.')
        std::from_chars(major.ptr + 1, end, info.minor);
}

/// However large a number it says: what is reckoned from it fits.
std::optional<std::chrono::seconds> secondsOf(std::string_view text)
{
    constexpr std::int64_t Longest = 100'000'000'000;
    std::int64_t seconds = -1;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    return seconds >= 0 && seconds <= Longest ? std::optional(std::chrono::seconds(seconds)) : std::nullopt;
}

/// Zero: they are not paused.
std::optional<Millis> pauseOf(std::string_view text)
{
    constexpr std::int64_t Longest = 100'000'000'000'000;
    std::int64_t millis = 0;
    std::from_chars(text.data(), text.data() + text.size(), millis);
    return millis > 0 && millis <= Longest ? std::optional(Millis(millis)) : std::nullopt;
}

/// Negative: they never met.
void readBehind(std::string_view text, ServerInfo &info)
{
    std::int64_t seconds = -1;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (seconds >= 0)
        info.behindMaster
            = std::max(info.behindMaster.value_or(std::chrono::seconds(0)), std::chrono::seconds(seconds));
}

/// `slave0:ip=10.0.0.5,port=6379,state=online,offset=84,lag=0`; one that is still being filled is left out.
void readReplica(std::string_view text, ServerInfo &info)
{
    ReplicaInfo replica;
    bool online = false;
    while (!text.empty()) {
        const auto field = text.substr(0, text.find(','));
        const auto equals = std::min(field.find('='), field.size());
        const auto name = field.substr(0, equals);
        const auto value = field.substr(std::min(equals + 1, field.size()));
        std::int64_t number = 0;
        std::from_chars(value.data(), value.data() + value.size(), number);
        if (name == "ip")
            replica.host = value;
        else if (name == "port")
            replica.port = static_cast<std::uint16_t>(number);
        else if (name == "lag")
            replica.lag = std::chrono::seconds(number);
        else if (name == "state")
            online = value == "online";
        text.remove_prefix(std::min(field.size() + 1, text.size()));
    }
    if (online)
        info.replicas.push_back(std::move(replica));
}

bool isReplicaLine(std::string_view name)
{
    constexpr std::string_view Start = "slave";
    return name.starts_with(Start) && name.size() > Start.size()
        && name.find_first_not_of("0123456789", Start.size()) == name.npos;
}

/// `db3:keys=12,expires=2,avg_ttl=0`
std::optional<int> databaseOf(std::string_view name, std::string_view value)
{
    int number = 0;
    const char *end = name.data() + name.size();
    if (!name.starts_with("db") || !value.starts_with("keys="))
        return std::nullopt;
    const auto read = std::from_chars(name.data() + 2, end, number);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(number) : std::nullopt;
}

void readLine(std::string_view line, ServerInfo &info)
{
    const auto colon = line.find(':');
    if (colon == line.npos)
        return;
    const auto name = line.substr(0, colon);
    const auto value = line.substr(colon + 1);
    if (name == "redis_version")
        readVersion(value, info);
    else if (name == "redis_mode")
        info.mode = value;
    else if (name == "role")
        info.role = value;
    else if (name == "run_id")
        info.runId = value;
    else if (name == "uptime_in_seconds")
        info.upFor = secondsOf(value);
    else if (name == "master_last_io_seconds_ago" || name == "master_link_down_since_seconds")
        readBehind(value, info);
    else if (name == "cmdstat_client|pause" && value.starts_with("calls="))
        std::from_chars(value.data() + 6, value.data() + value.size(), info.pauseCalls);
    else if (name == "paused_timeout_milliseconds")
        info.pausedFor = pauseOf(value);
    else if (isReplicaLine(name))
        readReplica(value, info);
    else if (const auto database = databaseOf(name, value))
        info.databases.insert(*database);
}

} // namespace

ServerInfo parseServerInfo(std::string_view info)
{
    ServerInfo parsed;
    while (!info.empty()) {
        const auto end = info.find_first_of("\r\n");
        readLine(info.substr(0, end), parsed);
        info.remove_prefix(end == info.npos ? info.size() : end + 1);
    }
    return parsed;
}

namespace {

std::optional<std::int64_t> number(const Reply &part)
{
    std::int64_t number = 0;
    const std::string *text = part.bulk();
    if (!text)
        return std::nullopt;
    const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
    return read.ec == std::errc() && read.ptr == text->data() + text->size() ? std::optional(number) : std::nullopt;
}

} // namespace

Result<WallTime> parseTime(const Reply &reply)
{
    constexpr std::int64_t Latest = 1'000'000'000'000; // whatever a server says: what is reckoned from it fits
    const Reply::Array *parts = reply.array();
    const bool areTwo = parts && parts->size() == 2;
    const auto seconds = areTwo ? number(parts->front()) : std::nullopt;
    const auto micros = areTwo ? number(parts->back()) : std::nullopt;
    const auto isWithin = [](const std::optional<std::int64_t> &value, std::int64_t most) {
        return value && *value >= 0 && *value <= most;
    };
    if (!isWithin(seconds, Latest) || !isWithin(micros, 999'999))
        return failure(ErrorCode::MalformedReply, { Phrase::TimeUnknown }, { Phrase::AskingTime });
    return WallTime(Millis(*seconds * 1'000 + *micros / 1'000));
}

void LatestTime::said(WallTime time, MonoTime asked, MonoTime answered)
{
    constexpr Millis DroppedFraction{ 1 };
    const std::chrono::microseconds told = time.time_since_epoch();
    Ahead ahead{ told - answered.time_since_epoch(), told + DroppedFraction - asked.time_since_epoch() };
    ahead.most = std::min<std::chrono::microseconds>(ahead.most, ahead.least + MostAhead);
    if (m_ahead && m_ahead->least <= ahead.most && ahead.least <= m_ahead->most)
        ahead = { std::max(ahead.least, m_ahead->least), std::min(ahead.most, m_ahead->most) };
    m_ahead = ahead;
}

std::optional<WallTime> LatestTime::at(MonoTime now) const
{
    if (!m_ahead)
        return std::nullopt;
    return WallTime(std::chrono::floor<Millis>(now.time_since_epoch() + m_ahead->most));
}

} // namespace lockcore::protocol
