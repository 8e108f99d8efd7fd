// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/server_time.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

namespace lockcore::protocol {

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
        return failure(ErrorCode::MalformedReply, "the server told its time in an unknown form", "asking for its time");
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
