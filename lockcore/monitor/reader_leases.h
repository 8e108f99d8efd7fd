// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/lease_inference.h"
#include "lockcore/monitor/snapshot.h"

#include <vector>

namespace lockcore::monitor {

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
