// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockcore {

struct EngineSettings {
    std::string server; // for people: `127.0.0.1:6379`
    std::string keyPattern{}; // locks with other names are left out; empty: all
    Millis sweepEvery{ 60'000 }; // pause between background sweeps
    Millis snapshotEvery{ 50 }; // at the most so often; the first change after quiet goes out at once
    Millis rereadEvery{ 1'000 }; // where no feed tells of changes
    Millis countSubscribersEvery{ 1'500 };
    Millis pagePause{ 20 }; // between two pages of a background sweep
};

/// Names a request of the engine; a late answer to one that was given up is recognised by it.
enum class WorkId : std::uint64_t {};

/// What the engine is told.
namespace input {

/// Connected, and whatever feed there is listens already: nothing that happens from now on is missed.
struct SourceUp {
    std::string serverVersion;
    std::string runId;
    Feed feed = Feed::None;
    bool hearsUnlocks = false; // messages on the unlock channels arrive
    NodeRole role = NodeRole::Unknown;
};
struct SourceDown {
    Error error;
    std::optional<MonoTime> retryAt;
};
struct RightsMissing {
    std::vector<std::string> sentences;
};
struct KeysChanged {
    std::vector<std::string> keys;
};
struct EverythingChanged { }; // FLUSHALL or FLUSHDB, of whatever database
struct MessageHeard {
    std::string channel;
};
struct PageScanned {
    WorkId scan;
    SweepPage page;
    bool byScript = false;
};
struct LocksRead {
    WorkId read;
    std::vector<LockReading> readings;
    MonoTime sentAt;
};
struct WorkFailed {
    WorkId work;
};
struct SubscribersCounted {
    std::vector<std::pair<std::string, std::int64_t>> channels;
};
struct ForceReleased {
    LockName name;
};
struct RefreshRequested { };
struct TimerFired { };

} // namespace input

using EngineInput = std::variant<input::SourceUp, input::SourceDown, input::RightsMissing, input::KeysChanged,
    input::EverythingChanged, input::MessageHeard, input::PageScanned, input::LocksRead, input::WorkFailed,
    input::SubscribersCounted, input::ForceReleased, input::RefreshRequested, input::TimerFired>;

/// What the engine wants done.
namespace action {

struct ScanPage {
    WorkId scan;
    std::string cursor;
    std::string type;
};
struct ReadLocks {
    WorkId read;
    std::vector<LockName> names;
};
struct CountSubscribers {
    std::vector<std::string> channels;
};
struct PublishSnapshot {
    std::shared_ptr<const Snapshot> snapshot;
};
struct ReportEvents {
    std::vector<Event> events;
};
struct ArmTimer { // replaces the one before
    MonoTime at;
};

} // namespace action

using EngineAction = std::variant<action::ScanPage, action::ReadLocks, action::CountSubscribers,
    action::PublishSnapshot, action::ReportEvents, action::ArmTimer>;

} // namespace lockcore
