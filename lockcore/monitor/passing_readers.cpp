// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/passing_readers.h"

#include "lockcore/monitor/unlock_trace.h"

#include <algorithm>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t MostReaders = 64; // of one lock between two looks
constexpr std::size_t MostChanges = 8; // of one of them

} // namespace

/// Null: there are too many.
PassingReaders::Key *PassingReaders::keyOf(const OwnerId &owner)
{
    auto key = std::ranges::find(m_keys, owner, &Key::owner);
    if (key == m_keys.end() && m_keys.size() < MostReaders)
        key = m_keys.insert(key, { owner, {}, {} });
    return key == m_keys.end() ? nullptr : &*key;
}

void PassingReaders::heard(const OwnerId &owner, MonoTime at)
{
    if (Key *key = keyOf(owner); key && key->changes.size() < MostChanges)
        key->changes.push_back(at);
}

std::vector<PassingReaders::Passed> PassingReaders::looked(
    const std::vector<Holder> &before, const std::vector<Holder> &after, MonoTime askedAt)
{
    for (const Holder &holder : before) {
        if (holder.mode == HoldMode::Read && !hasOwner(after, holder.owner))
            keyOf(holder.owner); // what is told of its end may come later
    }
    std::vector<Passed> passed;
    for (Key &key : m_keys) {
        const auto later = std::ranges::upper_bound(key.changes, askedAt);
        if (hasOwner(before, key.owner) || hasOwner(after, key.owner)) {
            key.heldAt = askedAt;
            key.changes.erase(key.changes.begin(), later);
        } else if (later - key.changes.begin() >= 2) {
            // What is told late may be of the hold that was seen.
            if (!key.heldAt || *key.heldAt + NeverSoLate < key.changes.front())
                passed.push_back({ key.owner, key.changes.front(), *(later - 1) });
            key.changes.erase(key.changes.begin(), later);
        }
        std::erase_if(key.changes, [askedAt](MonoTime at) { return at + NeverSoLate < askedAt; });
    }
    std::erase_if(m_keys, [askedAt](const Key &key) {
        return key.changes.empty() && (!key.heldAt || *key.heldAt + NeverSoLate < askedAt);
    });
    return passed;
}

} // namespace lockcore::monitor
