// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/hold_table.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace lockcore::client {

using namespace synchronizers;

namespace {

bool sharesValue(const HoldKey &key, const HoldKey &other)
{
    return std::ranges::any_of(key.target.values,
        [&](const std::string &value) { return std::ranges::count(other.target.values, value) > 0; });
}

/// For two of the same thread and name.
bool areCountedTogether(const HoldKey &key, const HoldKey &other)
{
    const bool isGroup = key.target.kind == Kind::FasterMulti;
    if (isGroup != (other.target.kind == Kind::FasterMulti))
        return false;
    if (isGroup)
        return sharesValue(key, other);
    return (key.target.mode == HoldMode::Write) == (other.target.mode == HoldMode::Write);
}

} // namespace

std::strong_ordering HoldKey::operator<=>(const HoldKey &other) const
{
    return std::tie(target.name, thread, target) <=> std::tie(other.target.name, other.thread, other.target);
}

std::string placeOf(const HoldKey &key)
{
    const char half = key.target.kind == Kind::FasterMulti ? 'g' : key.target.mode == HoldMode::Write ? 'w' : 'l';
    return half + key.thread + ':' + key.target.name;
}

bool Hold::hasNoLease(std::size_t holds) const
{
    return std::any_of(leases.begin(), leases.begin() + static_cast<std::ptrdiff_t>(holds),
        [](const HoldLease &lease) { return !lease.time; });
}

bool Hold::staysRenewed() const
{
    const auto asked = static_cast<std::size_t>(std::max(0, releasing));
    return asked < leases.size() && hasNoLease(leases.size() - asked);
}

MonoTime Hold::sureUntil() const
{
    const auto asked = std::min(static_cast<std::size_t>(std::max(0, releasing)), leases.size() - 1);
    return std::max_element(leases.begin(), leases.end() - static_cast<std::ptrdiff_t>(asked),
        [](const HoldLease &a, const HoldLease &b) { return a.sureUntil < b.sureUntil; })
        ->sureUntil;
}

void HoldTable::acquired(const HoldKey &key, std::optional<Millis> lease, MonoTime sureUntil)
{
    const auto [place, isNew] = m_holds.try_emplace(key);
    Hold &hold = place->second;
    if (isNew) {
        hold.id = HoldId(++m_lastId);
        m_byId.emplace(m_lastId, &*place);
    }
    if (!lastsApart(key))
        leaseSet(*place, sureUntil);
    hold.leases.push_back({ lease, sureUntil });
    if (lease)
        hold.newestLease = *lease;
}

void HoldTable::renewed(Entry &entry, Millis lease, MonoTime sent)
{
    for (const Millis shorter : entry.second.beingSet) // after the renewal, perhaps
        lease = std::min(lease, shorter);
    for (HoldLease &each : entry.second.leases)
        each.sureUntil = lastsApart(entry.first) ? std::max(each.sureUntil, sent + lease) : sent + lease;
}

void HoldTable::leaseSet(Entry &entry, MonoTime sureUntil)
{
    for (HoldLease &lease : entry.second.leases)
        lease.sureUntil = sureUntil;
}

void HoldTable::leaseMayBeSet(Entry &entry, MonoTime sureUntil)
{
    for (HoldLease &lease : entry.second.leases)
        lease.sureUntil = std::min(lease.sureUntil, sureUntil);
}

void HoldTable::released(const HoldKey &key, std::int64_t left)
{
    dropNewest(key);
    drop(key, known(key).ofOwner - left);
}

void HoldTable::dropNewest(const HoldKey &key)
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end())
        return;
    hold->second.leases.pop_back();
    if (hold->second.leases.empty())
        erase(hold);
}

void HoldTable::ranOut(const HoldKey &key, std::int64_t fewer)
{
    if (key.target.kind == Kind::FasterMulti)
        forget(key); // one of its objects is gone, and it is held with all of them or not at all
    else
        drop(key, fewer);
}

/// The oldest ones first.
void HoldTable::drop(const HoldKey &key, std::int64_t holds)
{
    for (auto hold = m_holds.lower_bound({ { key.target.name, Kind{} }, key.thread });
         holds > 0 && isOfThread(hold, key);) {
        const auto next = std::next(hold);
        auto &leases = hold->second.leases;
        if (areCountedTogether(key, hold->first)) {
            const auto dropped = std::min(holds, static_cast<std::int64_t>(leases.size()));
            leases.erase(leases.begin(), leases.begin() + dropped);
            holds -= dropped;
            if (leases.empty())
                erase(hold);
        }
        hold = next;
    }
}

HoldsKnown HoldTable::known(const HoldKey &key) const
{
    HoldsKnown known;
    known.ofValues.resize(key.target.values.size());
    for (auto hold = m_holds.lower_bound({ { key.target.name, Kind{} }, key.thread }); isOfThread(hold, key); ++hold) {
        if (!areCountedTogether(key, hold->first))
            continue;
        const auto count = static_cast<std::int64_t>(hold->second.leases.size());
        known.ofOwner += count;
        for (std::size_t i = 0; i < known.ofValues.size(); ++i) {
            if (std::ranges::count(hold->first.target.values, key.target.values[i]) > 0)
                known.ofValues[i] += count;
        }
    }
    if (!known.ofValues.empty())
        known.ofOwner = std::ranges::max(known.ofValues);
    return known;
}

void HoldTable::forget(const HoldKey &key)
{
    if (const auto hold = m_holds.find(key); hold != m_holds.end())
        erase(hold);
}

void HoldTable::clear()
{
    m_holds.clear();
    m_byId.clear();
    m_looks.clear();
}

std::int64_t HoldTable::count(const HoldKey &key) const
{
    const auto hold = m_holds.find(key);
    return hold == m_holds.end() ? 0 : static_cast<std::int64_t>(hold->second.leases.size());
}

Millis HoldTable::leaseAfterRelease(const HoldKey &key, Millis watchdogTimeout) const
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end() || hold->second.newestLease == Millis(0)
        || hold->second.hasNoLease(hold->second.leases.size() - 1))
        return watchdogTimeout;
    return hold->second.newestLease;
}

Millis HoldTable::leaseNeeded(const HoldKey &key, Millis watchdogTimeout) const
{
    const auto hold = m_holds.find(key);
    return hold == m_holds.end() || hold->second.isRenewed() ? watchdogTimeout : hold->second.newestLease;
}

void HoldTable::settingBegins(const HoldKey &key, Millis lease, MonoTime now)
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end())
        return;
    hold->second.beingSet.push_back(lease);
    leaseMayBeSet(*hold, now + lease);
}

void HoldTable::settingEnds(const HoldKey &key, Millis lease)
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end())
        return;
    auto &leases = hold->second.beingSet;
    if (const auto set = std::ranges::find(leases, lease); set != leases.end()) // else of an earlier hold
        leases.erase(set);
}

void HoldTable::releaseBegins(const HoldKey &key, MonoTime sureUntil)
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end())
        return;
    ++hold->second.releasing;
    if (!lastsApart(key))
        leaseMayBeSet(*hold, sureUntil);
}

void HoldTable::releaseEnds(const HoldKey &key)
{
    if (const auto hold = m_holds.find(key); hold != m_holds.end())
        hold->second.releasing = std::max(0, hold->second.releasing - 1); // another one than at the beginning, perhaps
}

HoldTable::Entry *HoldTable::find(const HoldKey &key)
{
    const auto hold = m_holds.find(key);
    return hold == m_holds.end() ? nullptr : &*hold;
}

HoldTable::Entry *HoldTable::find(HoldId id)
{
    const auto entry = m_byId.find(static_cast<std::uint64_t>(id));
    return entry == m_byId.end() ? nullptr : entry->second;
}

void HoldTable::lookAt(Entry &entry, MonoTime at)
{
    Hold &hold = entry.second;
    hold.looksAt = at;
    m_looks.arm(static_cast<std::uint64_t>(hold.id), at);
}

std::vector<HoldId> HoldTable::takeLooks(MonoTime until)
{
    std::vector<HoldId> ids;
    for (const std::uint64_t id : m_looks.take(until))
        ids.push_back(HoldId(id));
    return ids;
}

std::vector<HoldId> HoldTable::renewed() const
{
    std::vector<HoldId> ids;
    for (const auto &[key, hold] : m_holds) {
        if (hold.isRenewed())
            ids.push_back(hold.id);
    }
    return ids;
}

void HoldTable::erase(Holds::iterator hold)
{
    m_looks.disarm(static_cast<std::uint64_t>(hold->second.id));
    m_byId.erase(static_cast<std::uint64_t>(hold->second.id));
    m_holds.erase(hold);
}

void HoldTurns::take(const std::string &place, Rank rank, std::function<void()> go)
{
    const auto [waiting, isFree] = m_waiting.try_emplace(place);
    if (isFree)
        go();
    else if (rank == Rank::First)
        waiting->second.push_front(std::move(go));
    else
        waiting->second.push_back(std::move(go));
}

void HoldTurns::end(const std::string &place)
{
    const auto waiting = m_waiting.find(place);
    if (waiting->second.empty())
        return void(m_waiting.erase(waiting));
    const auto next = std::move(waiting->second.front());
    waiting->second.pop_front();
    next();
}

} // namespace lockcore::client
