// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

enum class EventKind : std::uint8_t {
    Appeared,
    Acquired,
    Reentered,
    Renewed,
    PartlyReleased,
    Released,
    Expired,
    ForceReleased,
    Deleted,
    Queued,
    Dequeued,
    WaiterTimedOut,
    PermitsChanged,
    CountChanged,
    Gap,
};

/// Seen: read from Redis as such. Inferred: the only likely explanation of what was read.
enum class Certainty : std::uint8_t { Seen, Inferred };

/// Something that happened to a lock, or a time during which nothing could be seen.
struct Event {
    WallTime at;
    EventKind kind = EventKind::Appeared;
    LockName lock; // empty: Gap concerns everything
    std::optional<synchronizers::Kind> lockKind;
    std::optional<OwnerId> owner;
    std::optional<std::int64_t> count;
    std::optional<Millis> ttl; // Gap: how long nothing could be seen
    std::string node; // where it happened; Gap: of which node, empty for all
    Certainty certainty = Certainty::Seen;

    bool operator==(const Event &) const = default;
};

using EventList = std::shared_ptr<const std::vector<Event>>;

} // namespace lockcore::monitor
