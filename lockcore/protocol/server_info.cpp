// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/server_info.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

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

/// Negative: they never met.
void readBehind(std::string_view text, ServerInfo &info)
{
    std::int64_t seconds = -1;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (seconds >= 0)
        info.behindMaster
            = std::max(info.behindMaster.value_or(std::chrono::seconds(0)), std::chrono::seconds(seconds));
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
    else if (name == "master_last_io_seconds_ago" || name == "master_link_down_since_seconds")
        readBehind(value, info);
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

} // namespace lockcore::protocol
