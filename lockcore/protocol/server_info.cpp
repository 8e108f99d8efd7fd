// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/server_info.h"

#include <charconv>

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
