// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace testsupport {

/// Whether a master, by its `INFO replication`, sends what it is told to so many replicas. That their links are up is
/// not enough: until its first acknowledgement, up to a second later, a replica is sent nothing.
inline bool isSentTo(int replicas, std::string_view info)
{
    constexpr std::string_view Online = "state=online,offset=";
    int acknowledged = 0;
    for (auto at = info.find(Online); at != info.npos; at = info.find(Online, at + 1))
        acknowledged += info.substr(at + Online.size(), 2) == "0," ? 0 : 1;
    return acknowledged == replicas;
}

} // namespace testsupport
