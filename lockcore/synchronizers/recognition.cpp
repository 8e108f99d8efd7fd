// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/recognition.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/counter_recognition.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>

namespace lockcore::synchronizers {

namespace {

bool isOwner(const HolderReading &holder) { return isPlainOwner(toString(holder.owner)); }

std::optional<LockReading> sureLock(const LockName &name, const LockLook &look)
{
    constexpr std::int64_t NoKey = -2;
    if (key_layout::isUnlockLatch(name) || std::ssize(look.fields) > MaxFields)
        return std::nullopt;
    if (look.fields.empty())
        return recogniseFree(name, look);
    if (look.pttl == NoKey)
        return std::nullopt;
    decltype(KindRow::recognise) tried = nullptr;
    for (const KindRow &kind : allKinds()) {
        if (!kind.recognise || kind.recognise == tried)
            continue;
        tried = kind.recognise;
        if (auto reading = tried(name, look))
            return reading;
    }
    return std::nullopt;
}

} // namespace

std::optional<LockReading> recognise(const LockName &name, const LockLook &look, Recognition recognition)
{
    auto reading = sureLock(name, look); // returned by its name: what a condition chooses would be copied
    if (!reading && recognition != Recognition::Sure)
        reading = recogniseDamaged(name, look);
    return reading;
}

std::optional<LockReading> recogniseString(const LockName &name, const CounterLook &look, const TokenNames &names)
{
    auto counter = recogniseCounter(name, look);
    if (!counter && isTokenName(names, name))
        counter = recogniseToken(name, look.text, look.pttl);
    return counter;
}

bool isDamaged(const LockReading &reading)
{
    if (isTokenLock(reading.kind))
        return false; // its holder may be any bytes
    const auto &holders = reading.holders;
    const auto writers = std::count_if(
        holders.begin(), holders.end(), [](const auto &holder) { return holder.mode == HoldMode::Write; });
    const bool tooMany = reading.kind == Kind::ReadWrite
        ? !holders.empty() && writers != (reading.mode == HoldMode::Write ? 1 : 0)
        : reading.kind != Kind::FasterMulti && (holders.size() > 1 || writers > 0);
    return tooMany || !std::all_of(holders.begin(), holders.end(), [](const HolderReading &holder) {
        return holder.count > 0 && isOwner(holder);
    });
}

bool hasRealHolds(const LockReading &reading)
{
    const auto &holders = reading.holders;
    return std::ranges::any_of(holders, isOwner) && std::ranges::all_of(holders, [](const HolderReading &holder) {
        return holder.count > 0 || !isOwner(holder);
    });
}

bool isLockByItsLooks(const LockReading &reading)
{
    constexpr std::size_t Few = 4; // numbers by id and number are an ordinary thing in a larger hash
    const bool isFew
        = reading.kind == Kind::ReadWrite || (reading.kind == Kind::Reentrant && reading.holders.size() <= Few);
    return isFew && reading.ttl && std::ranges::all_of(reading.holders, [](const HolderReading &holder) {
        return isOwner(holder) && !holder.fromPort && holder.count > 0;
    });
}

} // namespace lockcore::synchronizers
