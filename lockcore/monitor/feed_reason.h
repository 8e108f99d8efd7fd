// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/feed_scope.h"

#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

/// How changes reach us, best first.
enum class Feed { None, ClientTracking, KeyspaceNotifications, Rereading };
/// Whether the server tells of changes.
constexpr bool isAnnouncing(Feed feed) { return feed == Feed::ClientTracking || feed == Feed::KeyspaceNotifications; }

/// Why a feed that would be better is not in use.
enum class FeedObstacle {
    InvalidationsRefused,
    ConnectionIdRefused,
    TrackingRefused,
    TrackingFails, // detail: what the server said
    SettingsUnknown, // whether there are notifications may not be asked
    NotificationsOff,
    NotificationsTellTooLittle, // detail: those that are on
    NotificationsRefused,
    AnnouncementsLost, // the connection for them is; detail: why
};

/// Why one way that would be better is not taken.
struct FeedDetour {
    FeedObstacle obstacle = FeedObstacle::NotificationsOff;
    std::string detail{};

    bool operator==(const FeedDetour &) const = default;
};

/// Why changes reach us in this way, and what that leaves out.
struct FeedReason {
    bool isByHand = false;
    std::vector<FeedDetour> detours{};
    FeedScope scope{};
    bool leavesChannelsOut = false; // there are more than are listened to
    std::string partOfCluster{}; // one node is watched alone: its address
    std::optional<Millis> mayMiss{}; // a lock that is held for less
    std::string node{}; // of several, the one it is about; empty: all
    std::string recorded{}; // in place of all these, in recordings of before they were: a sentence in English

    bool operator==(const FeedReason &) const = default;
};

} // namespace lockcore::monitor
