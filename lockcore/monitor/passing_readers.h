// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <optional>
#include <vector>

namespace lockcore::monitor {

/// Readers of one lock who came and went between two looks at it. While others read, nothing else is left of them: the
/// hash is as it was, and nobody is told. But each writes a key of its own with its hold (`key_layout::ReadTimeout`),
/// and deletes it with that: two changes of the first key of somebody who did not hold the lock, neither before nor
/// after, are a hold. One change alone may be the end of a key that outlived its hold.
class PassingReaders {
public:
    void heard(const OwnerId &owner, MonoTime at);

    struct Passed {
        OwnerId owner;
        MonoTime from;
        MonoTime until;
    };
    /// At a look that was asked for then: those who are known to have come and gone, whose keys explain nothing more.
    std::vector<Passed> looked(const std::vector<Holder> &before, const std::vector<Holder> &after, MonoTime askedAt);
    bool isEmpty() const { return m_keys.empty(); }
    void clear() { m_keys.clear(); }

    bool operator==(const PassingReaders &) const = default;

private:
    struct Key {
        OwnerId owner;
        std::vector<MonoTime> changes; // oldest first
        std::optional<MonoTime> heldAt; // when its owner was seen to hold the lock last

        bool operator==(const Key &) const = default;
    };

    Key *keyOf(const OwnerId &owner);

    std::vector<Key> m_keys;
};

} // namespace lockcore::monitor
