// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <cstdint>
#include <optional>

namespace lockcore::monitor {

/// Judges during one hold whether a watchdog renews it. Redis does not say; only the TTL's course does.
///
/// Watchdog: renewed to the full lease when a third of it had passed, as a tick of the watchdog does, or twice a third
/// of
///        the lease apart (a late one: three times to the full lease).
/// Fixed: the TTL fell clearly below the two thirds at which a watchdog renews. The longest TTL seen is at most the
///        whole lease, so this holds also for a lock first seen in the middle of its hold. A holder that died before
///        its first renewal looks the same.
/// A lease other than the 30 s of Redisson's default proves nothing: the watchdog's timeout can be set.
class LeaseInference {
public:
    LeaseInference() = default;
    explicit LeaseInference(Lease judged)
        : m_lease(judged)
    {
    }

    void renewed(MonoTime at, Millis ttlBefore, Millis ttlAfter, Millis leaseSeen);
    void looked(Millis ttl, Millis leaseSeen);
    void restarted(); // a re-entry or partial release set another TTL

    Lease lease() const { return m_lease; }
    /// Absent: none was seen since it was taken, or since another lease was set.
    std::optional<MonoTime> lastRenewal() const
    {
        return m_lastRenewal == Never ? std::nullopt : std::optional(m_lastRenewal);
    }

    /// When a look would settle it, for a hold that is not renewed until then.
    static MonoTime verdictAt(MonoTime expiresAt, Millis leaseSeen);

    bool operator==(const LeaseInference &) const = default;

private:
    static constexpr MonoTime Never = MonoTime::min();

    MonoTime m_lastRenewal = Never; // of this lease
    std::uint8_t m_renewalsToFull = 0; // up to as many as prove
    Lease m_lease = Lease::Unknown;
};

} // namespace lockcore::monitor
