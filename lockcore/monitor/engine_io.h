// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/feed_reason.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/synchronizer.h"
#include "lockcore/synchronizers/token_recognition.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockcore::monitor {

struct EngineSettings {
    std::string server; // the node of its locks: `127.0.0.1:6379`
    std::string place{}; // the same for people, with the database: `127.0.0.1:6379/3`; empty: `server`
    std::string keyPattern{}; // locks with other names are left out; empty: all
    synchronizers::TokenNames tokenNames{}; // of strings that are locks
    Millis sweepEvery{ 60'000 }; // pause between background sweeps
    bool unattended = false; // it is eight times as long: nobody looks
    Millis snapshotEvery{ 50 }; // at the most so often; the first change after quiet goes out at once
    Millis rereadEvery{ 1'000 }; // where no feed tells of changes
    Millis countSubscribersEvery{ 1'500 };
    Millis listChannelsEvery{ 5'000 }; // at the most so often; less often when there are thousands
    Millis pagePause{ 5 }; // at least, between two pages of a background sweep
    int mostNonLockKeys = 3'000; // keys a second that are no locks and are told of: beyond, the feed is limited
};

/// Names a request of the engine; a late answer to one that was given up is recognised by it.
enum class WorkId : std::uint64_t {};

/// What the engine is told.
namespace input {

/// Connected, and whatever feed there is listens already: nothing that happens from now on is missed.
struct SourceUp {
    std::string runId;
    Feed feed = Feed::None;
    bool hearsUnlocks = false; // messages on the unlock channels arrive
    FeedReason feedReason{};
    bool mayLimitFeed = true; // false: chosen by hand
    std::optional<Millis> upFor{}; // absent: we may not know it
};
/// The same connection as before, but changes reach us otherwise; those of the moment between may have been missed.
struct FeedChanged {
    Feed feed = Feed::None;
    FeedReason reason;
    bool hearsUnlocks = false;
    FeedScope scope{};
    bool mayLimitFeed = true;
    bool missedNothing = false; // it began before the one before ended
    std::optional<MonoTime> deafSince{}; // since when the one before may not have told of changes
};
struct SourceDown {
    Error error;
    std::optional<MonoTime> retryAt;
    std::optional<MonoTime> heardAt{}; // for the last time; absent: until now
};
struct KeysChanged {
    std::vector<std::string> keys;
};
/// FLUSHALL or FLUSHDB, of whatever database.
struct EverythingChanged {
    std::int64_t counted = 0; // by so many the server's count of such commands has grown; zero: it was announced
};
/// SWAPDB, of whatever databases, by the server's count.
struct DatabasesSwapped { };
struct MessageHeard {
    std::string channel;
};
struct PageScanned {
    WorkId scan;
    synchronizers::SweepPage page;
    bool byScript = false;
    MonoTime sentAt{};
};
struct LocksRead {
    WorkId read;
    std::vector<synchronizers::LockReading> readings;
    MonoTime sentAt;
    std::vector<LockName> refused{}; // we may not look at these: nothing is known of them
    std::vector<LockName> later{}; // not looked at: the others were much already
    bool forWantOfRights = false; // else another node keeps them
    std::vector<LockName> unread{}; // hashes that may be locks, and are too large to be read
    std::optional<synchronizers::ServerMoment> serverTime{}; // at which all was read; absent: not asked for
};
struct WorkFailed {
    WorkId work;
    bool refused = false; // a scan, for want of the right: it is of no use to ask again soon
};
struct SubscribersCounted {
    std::vector<std::pair<std::string, std::int64_t>> channels;
    bool complete = true; // false: not everywhere where a client may have subscribed
};
struct ChannelsListed {
    std::vector<std::pair<std::string, std::int64_t>> channels{}; // of locks only, with the clients subscribed
    std::int64_t more = 0; // that are not among them
    bool refused = false;
};
/// An action of ours on a lock: begun, over, or what came of it.
struct ChangedByUs {
    LockName name;
    Heard what = Heard::Forced;
    std::vector<OwnerId> owners{}; // Forced: whose holds; none: all
};
/// In a cluster: what belongs to other slots is none of this node's, whatever keys of theirs it still has. Elsewhere
/// there are none, and all is the server's.
struct SlotsKept {
    std::vector<SlotSpan> slots;
};
/// Locks that another node kept until now, as they were known there.
struct LocksArrived {
    std::vector<std::shared_ptr<const LockState>> locks;
    MonoTime unseenSince;
    std::string from; // that node
};
/// Another node claims this lock, while its slot is moving there.
struct LockClaimed {
    LockName name;
};
/// What other nodes know of locks that this one has claimed; null: nothing.
struct ClaimsAnswered {
    std::vector<std::pair<LockName, std::shared_ptr<const LockState>>> locks;
};
/// What stands beside the locks of the next snapshot has changed: see service/sessions/server_facts.h. Alone: a master
/// without replicas, so that outside of a cluster nobody can be subscribed anywhere else.
struct FactsChanged {
    bool isAlone = false;
};
/// The server's clock differs from ours by more or less than was known. What has been read goes by what was known then.
struct ClockChanged { };
/// Whether other databases of the server may have keys: it has one pub/sub for all of them, and the keys that it tells
/// of with CLIENT TRACKING may be in any.
struct DatabasesSeen {
    bool others = false;
    bool haveKeys = false; // they have some at this moment
};
struct RefreshRequested { };
struct SnapshotRequested { }; // at once, with all that has been told until then
struct AttendanceChanged {
    bool unattended = false;
};
struct TimerFired { };

} // namespace input

using EngineInput = std::variant<input::SourceUp, input::SourceDown, input::KeysChanged, input::EverythingChanged,
    input::DatabasesSwapped, input::MessageHeard, input::PageScanned, input::LocksRead, input::WorkFailed,
    input::SubscribersCounted, input::ChannelsListed, input::FeedChanged, input::ChangedByUs, input::SlotsKept,
    input::LocksArrived, input::LockClaimed, input::ClaimsAnswered, input::FactsChanged, input::ClockChanged,
    input::DatabasesSeen, input::RefreshRequested, input::SnapshotRequested, input::AttendanceChanged,
    input::TimerFired>;

/// What the engine wants done.
namespace action {

struct ScanPage {
    WorkId scan;
    synchronizers::SweepPosition from;
    bool atOnce = false; // the page after it will be wanted as soon as this one is there
};
struct ReadLocks {
    WorkId read;
    std::vector<LockName> names;
};
struct CountSubscribers {
    std::vector<std::string> channels;
};
/// In a cluster: these have turned up here, or left again. Other nodes tell what they know of them, and give them up
/// when this one shows them. Nothing is told of them before `ClaimsAnswered`.
struct ClaimLocks {
    std::vector<LockName> names;
};
struct LimitFeed {
    FeedScope scope;
};
struct ListChannels { }; // those of locks, semaphores and latches
/// Not shared with anybody yet: what is known of the server beside its locks is added to it.
struct PublishSnapshot {
    std::shared_ptr<Snapshot> snapshot;
};
struct ReportEvents {
    std::vector<Event> events;
};
struct ArmTimer { // replaces the one before
    MonoTime at;
};

} // namespace action

using EngineAction = std::variant<action::ScanPage, action::ReadLocks, action::CountSubscribers, action::ListChannels,
    action::ClaimLocks, action::LimitFeed, action::PublishSnapshot, action::ReportEvents, action::ArmTimer>;

} // namespace lockcore::monitor
