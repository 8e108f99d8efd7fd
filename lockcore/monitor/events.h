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
    Appeared, // found held, since when nobody can say
    Acquired,
    Reentered, // by its holder, who holds it once more
    Renewed, // its lease was set anew
    PartlyReleased, // by its holder, who still holds it
    Released,
    Expired, // its lease ran out before it was released
    ForceReleased, // freed by somebody else
    Deleted, // its key is gone, and no client of Redisson did that
    Queued, // somebody waits for a fair lock
    Dequeued, // somebody waits for it no more
    WaiterTimedOut, // its time in the queue was over, and another waiter has removed it
    PermitsChanged, // of a semaphore
    CountChanged, // of a latch
    Gap, // nothing could be seen for a time
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
    std::optional<std::int64_t>
        count; // how often the owner holds it then; of a semaphore its free permits, of a latch its count
    std::optional<Millis> ttl; // Gap: how long nothing could be seen
    std::string node; // where it happened; Gap: of which node, empty for all
    Certainty certainty = Certainty::Seen;

    bool operator==(const Event &) const = default;
};

using EventList = std::shared_ptr<const std::vector<Event>>;

} // namespace lockcore::monitor
