// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

/// Of which keys a feed is to tell. Limited while other keys are written too often.
struct FeedScope {
    enum class Extent { Everything, Prefixes, Nothing };

    Extent extent = Extent::Everything;
    std::vector<std::string> prefixes; // none is the beginning of another
    bool trial = false; // of everything, to find out whether other keys are written less often now
    int nonLockKeys = 0; // keys a second that are no locks, when it was limited

    bool operator==(const FeedScope &) const = default;
};

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
    AnnouncementsLost, // the connection that announces changes is lost; detail: why
};

/// Why one feed that would be better is not used.
struct FeedDetour {
    FeedObstacle obstacle = FeedObstacle::NotificationsOff;
    std::string detail{};

    bool operator==(const FeedDetour &) const = default;
};

/// Why changes reach us by this feed, and what it leaves out.
struct FeedReason {
    bool isByHand = false; // a person has chosen the feed
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
