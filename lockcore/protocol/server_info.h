// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::protocol {

/// A replica that follows its master, as the master knows it.
struct ReplicaInfo {
    std::string host;
    std::uint16_t port = 0;
    std::chrono::seconds lag{ 0 }; // since it was last heard of

    bool operator==(const ReplicaInfo &) const = default;
};

/// What a server says of itself in INFO. Empty or zero where it did not say.
struct ServerInfo {
    std::string version; // `7.0.15`
    int major = 0;
    int minor = 0;
    std::string mode; // standalone, sentinel, cluster
    std::string role; // master, slave
    std::string runId; // changes when the server restarts
    std::optional<std::chrono::seconds> upFor = {};
    /// A replica: since it heard of its master, or since they lost each other. Whole seconds.
    std::optional<std::chrono::seconds> behindMaster = {};
    std::vector<ReplicaInfo> replicas = {}; // a master's
    std::set<int> databases = {}; // that have keys
    std::int64_t pauseCalls = 0; // of CLIENT PAUSE since the server started; it is counted since version 7.0
    std::optional<Millis> pausedFor = {}; // how long clients are still paused; Valkey tells since 8.1, Redis does not

    bool atLeast(int wantedMajor, int wantedMinor) const
    {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }
    bool operator==(const ServerInfo &) const = default;
};

/// Reads the text of INFO; unknown lines are skipped.
ServerInfo parseServerInfo(std::string_view info);

/// The reply to TIME.
[[nodiscard]] Result<WallTime> parseTime(const Reply &reply);

/// What time it is at a server at the latest. It was so late there as it said at some moment between the question and
/// the answer; several answers narrow that down, until one contradicts them, since a clock was set or goes wrong.
class LatestTime {
public:
    /// It is told too late by no more than this, also where answers are slow: what is reckoned from it is over when
    /// this has passed, too.
    static constexpr Millis MostAhead{ 1'000 };

    void said(WallTime time, MonoTime asked, MonoTime answered);
    void forget() { m_ahead.reset(); }
    std::optional<WallTime> at(MonoTime now) const; // absent: nothing is known

private:
    /// The server's clock is so far ahead of the one of MonoTime.
    struct Ahead {
        std::chrono::microseconds least;
        std::chrono::microseconds most;
    };
    std::optional<Ahead> m_ahead;
};

} // namespace lockcore::protocol
