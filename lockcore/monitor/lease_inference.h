// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <cstdint>
#include <optional>
#include <vector>

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

/// How the time to live of one holder went on at a look.
struct HoldCourse {
    bool isNew = false;
    bool restarted = false; // another lease may run since
    bool renewed = false;
};

/// Judges the lease of each reader while several share a lock. The main key lives as long as the longest of them, so
/// its own course is a mixture that says nothing of any.
class ReaderLeases {
public:
    struct Judgement {
        LeaseInference lease;
        Millis leaseSeen{ 0 }; // the longest time to live of this hold so far

        bool operator==(const Judgement &) const = default;
    };

    bool isEmpty() const { return m_readers.empty(); }
    void clear() { m_readers.clear(); }
    const Judgement *of(const OwnerId &owner) const;

    void began(const OwnerId &owner, Judgement judgement);
    /// Left before, left after: at this look.
    void looked(const OwnerId &owner, const HoldCourse &course, MonoTime at, Millis before, Millis after);
    void keepOnly(const std::vector<Holder> &holders);

    bool operator==(const ReaderLeases &) const = default;

private:
    struct Reader {
        OwnerId owner;
        Judgement judgement;

        bool operator==(const Reader &) const = default;
    };

    std::vector<Reader> m_readers;
};

} // namespace lockcore::monitor
