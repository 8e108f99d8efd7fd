// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/hash_recognition.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace lockcore::synchronizers {

namespace {

constexpr std::string_view ModeField = "mode";
constexpr std::size_t HashedValueLength = 22; // of a value locked by a faster multi-lock
constexpr std::size_t ShortestOwner = 38;

struct Hold {
    ParsedOwner owner;
    std::int64_t count = 0;
};

std::optional<Hold> parseHold(const std::pair<std::string, std::string> &field)
{
    auto owner = parseOwner(field.first);
    const auto count = parseInteger(field.second);
    if (!owner || !count || *count < 1)
        return std::nullopt;
    return Hold{ std::move(*owner), *count };
}

std::optional<Hold> exclusiveHold(const HashFields &fields)
{
    if (fields.size() != 1)
        return std::nullopt;
    auto hold = parseHold(fields.front()); // returned by its name: what a condition chooses would be copied
    if (hold && hold->owner.write)
        hold.reset();
    return hold;
}

const std::string *find(const HashFields &fields, std::string_view name)
{
    const auto found
        = std::find_if(fields.begin(), fields.end(), [&](const auto &field) { return field.first == name; });
    return found == fields.end() ? nullptr : &found->second;
}

std::optional<HoldMode> parseMode(const std::string &text)
{
    if (text == "read")
        return HoldMode::Read;
    if (text == "write")
        return HoldMode::Write;
    return std::nullopt;
}

void sortHolders(std::vector<HolderReading> &holders)
{
    std::sort(holders.begin(), holders.end(), [](const HolderReading &a, const HolderReading &b) {
        return std::tie(a.owner, a.mode) < std::tie(b.owner, b.mode);
    });
}

std::vector<WaiterReading> waitersOf(const LockLook &look)
{
    std::vector<WaiterReading> waiters;
    for (std::size_t i = 0; i < look.queue.size(); ++i)
        if (auto waiter = parseWaiter(look.queue[i], i < look.deadlines.size() ? look.deadlines[i] : std::nullopt))
            waiters.push_back(std::move(*waiter));
    return waiters;
}

void attachAuxiliaryKeys(const LockLook &look, LockReading &reading)
{
    reading.waiters = waitersOf(look);
    const bool hasTimeouts = look.firstTimeout && parseWaiter(*look.firstTimeout, {});
    // Where one entry is no owner another program has written it: into the queue, or all of a list of its own.
    const bool isMixed = reading.waiters.size() < look.queue.size();
    const bool isQueue = !reading.waiters.empty() && (hasTimeouts || !reading.holders.empty());
    const bool isUnread = look.queueLength < 0 || (isMixed && isQueue);
    if (isMixed)
        reading.waiters.clear();
    if (!reading.waiters.empty() || isUnread) {
        reading.keys.push_back(key_layout::fairQueue(reading.name));
        const std::int64_t listed = std::ssize(reading.waiters);
        reading.moreWaiters = isUnread ? 0 : std::max(look.queueLength, listed) - listed;
    }
    if (hasTimeouts)
        reading.keys.push_back(key_layout::fairTimeouts(reading.name));
    const auto token = look.token ? parseInteger(*look.token) : std::nullopt;
    if (token && *token >= 1) {
        reading.token = token;
        reading.keys.push_back(key_layout::token(reading.name));
    }
    if (hasTimeouts || !reading.waiters.empty() || isUnread)
        reading.kind = Kind::Fair;
    else if (reading.token)
        reading.kind = Kind::Fenced;
}

LockReading heldReading(const LockName &name, Kind kind, const LockLook &look)
{
    LockReading reading;
    reading.name = name;
    reading.kind = kind;
    if (look.pttl >= 0)
        reading.ttl = reply_values::millis(look.pttl);
    reading.keys.push_back(name);
    return reading;
}

void attachReadHolds(const LockLook &look, const Hold &hold, HolderReading &holder, LockReading &reading)
{
    const auto found = look.readHolds.find(ownerField(hold.owner.owner, false));
    if (found == look.readHolds.end() || std::ssize(found->second) != hold.count)
        return;
    for (std::size_t i = 0; i < found->second.size(); ++i) {
        constexpr std::int64_t Absent = -2;
        const auto pttl = found->second[i];
        holder.readTtls.push_back(reply_values::millis(pttl == Absent ? 0 : pttl));
        if (pttl != Absent)
            reading.keys.push_back(
                key_layout::readTimeout(reading.name, holder.owner, static_cast<std::int64_t>(i) + 1));
    }
}

bool isHashedValue(std::string_view text)
{
    return text.size() == HashedValueLength && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return (c < 0x80 && std::isalnum(c)) || c == '+' || c == '/';
    });
}

/// `H:owner:expire_time` or `H:owner:lock_count`; what an earlier holder left behind counts too.
bool isFasterMultiDetail(std::string_view field)
{
    if (field.size() <= HashedValueLength + 1 || field[HashedValueLength] != ':'
        || !isHashedValue(field.substr(0, HashedValueLength)))
        return false;
    const auto colon = field.rfind(':');
    const auto detail = field.substr(colon + 1);
    return colon > HashedValueLength && (detail == "expire_time" || detail == "lock_count")
        && parseOwner(field.substr(HashedValueLength + 1, colon - HashedValueLength - 1));
}

/// One value locked in the group: its holder, with what the holder's two other fields say.
std::optional<HolderReading> parseGroupHold(
    const HashFields &fields, const std::string &hash, const std::string &ownerText)
{
    const auto owner = parseOwner(ownerText);
    if (!isHashedValue(hash) || !owner || owner->write)
        return std::nullopt;
    const auto *expiry = find(fields, hash + ':' + ownerText + ":expire_time");
    const auto *count = find(fields, hash + ':' + ownerText + ":lock_count");
    const auto expires = expiry ? parseInteger(*expiry) : std::nullopt;
    const auto holds = count ? parseInteger(*count) : std::nullopt;
    if (!expires || !holds || *holds < 1)
        return std::nullopt;
    HolderReading holder;
    holder.owner = owner->owner;
    holder.count = *holds;
    holder.fromPort = owner->fromPort;
    holder.heldUntil = WallTime(reply_values::millis(*expires));
    return holder;
}

} // namespace

std::optional<LockReading> recogniseExclusive(const LockName &name, const LockLook &look)
{
    auto hold = exclusiveHold(look.fields);
    if (!hold)
        return std::nullopt;
    // A named part of something that has an id is ordinary; that it ends by itself is not.
    const auto &owner = hold->owner.owner;
    const bool isNamed = hold->owner.fromPort && owner.thread.size() != owner.client.size();
    if (isNamed && look.pttl < 0)
        return std::nullopt;
    auto reading = heldReading(name, Kind::Reentrant, look);
    HolderReading holder;
    holder.owner = std::move(hold->owner.owner);
    holder.count = hold->count;
    holder.fromPort = hold->owner.fromPort;
    reading.holders.push_back(std::move(holder));
    attachAuxiliaryKeys(look, reading);
    return reading;
}

std::optional<LockReading> recogniseReadWrite(const LockName &name, const LockLook &look)
{
    const std::string *text = find(look.fields, ModeField);
    const auto mode = text ? parseMode(*text) : std::nullopt;
    if (!mode || look.fields.size() < 2)
        return std::nullopt;
    auto reading = heldReading(name, Kind::ReadWrite, look);
    reading.mode = mode;
    int writers = 0;
    for (const auto &field : look.fields) {
        if (field.first == ModeField)
            continue;
        const auto hold = parseHold(field);
        if (!hold)
            return std::nullopt;
        HolderReading holder;
        holder.owner = hold->owner.owner;
        holder.count = hold->count;
        holder.mode = hold->owner.write ? HoldMode::Write : HoldMode::Read;
        holder.fromPort = hold->owner.fromPort;
        if (hold->owner.write)
            ++writers;
        else
            attachReadHolds(look, *hold, holder, reading);
        reading.holders.push_back(std::move(holder));
    }
    if (writers != (mode == HoldMode::Write ? 1 : 0))
        return std::nullopt;
    sortHolders(reading.holders);
    std::sort(reading.keys.begin() + 1, reading.keys.end());
    return reading;
}

std::optional<LockReading> recogniseFasterMulti(const LockName &name, const LockLook &look)
{
    auto reading = heldReading(name, Kind::FasterMulti, look);
    for (const auto &[field, value] : look.fields) {
        if (isFasterMultiDetail(field))
            continue;
        auto holder = parseGroupHold(look.fields, field, value);
        if (!holder)
            return std::nullopt;
        const auto known = std::find_if(reading.holders.begin(), reading.holders.end(),
            [&](const HolderReading &other) { return other.owner == holder->owner; });
        if (known == reading.holders.end()) {
            reading.holders.push_back(std::move(*holder));
        } else {
            known->count = std::max(known->count, holder->count);
            known->heldUntil = std::max(known->heldUntil, holder->heldUntil);
        }
    }
    if (reading.holders.empty())
        return std::nullopt;
    sortHolders(reading.holders);
    return reading;
}

std::optional<LockReading> recogniseFree(const LockName &name, const LockLook &look)
{
    if (look.namesakeType) {
        const bool braced = name.find('{') != LockName::npos;
        const bool absent = *look.namesakeType == "none";
        if (exclusiveHold(look.namesakeFields) || (braced && absent))
            return std::nullopt;
    }
    LockReading reading;
    reading.name = name;
    attachAuxiliaryKeys(look, reading);
    const bool hasQueue = std::ranges::find(reading.keys, key_layout::fairQueue(name)) != reading.keys.end();
    return hasQueue ? std::optional(std::move(reading)) : std::nullopt;
}

namespace {

/// Of a hash that is no read/write lock's, the mark of a write hold makes a field as strange as any other.
HolderReading damagedHold(const std::pair<std::string, std::string> &field, Kind kind)
{
    HolderReading holder;
    const auto owner = parseOwner(field.first);
    const bool isOne = owner && (kind == Kind::ReadWrite || !owner->write);
    holder.owner = isOne ? owner->owner : ownerOfStrangeField(field.first);
    holder.count = parseInteger(field.second).value_or(0);
    holder.fromPort = isOne && owner->fromPort;
    if (isOne && owner->write)
        holder.mode = HoldMode::Write;
    return holder;
}

/// The holders of a group, and each field that is none of its own.
std::optional<LockReading> recogniseDamagedGroup(const LockName &name, const LockLook &look)
{
    LockLook group = look;
    std::vector<HolderReading> strangers;
    std::erase_if(group.fields, [&](const auto &field) {
        if (isFasterMultiDetail(field.first) || isHashedValue(field.first))
            return false;
        strangers.push_back(damagedHold(field, Kind::FasterMulti));
        return true;
    });
    auto reading = recogniseFasterMulti(name, group);
    if (reading)
        std::move(strangers.begin(), strangers.end(), std::back_inserter(reading->holders));
    return reading;
}

} // namespace

std::optional<LockReading> recogniseDamaged(const LockName &name, const LockLook &look)
{
    constexpr std::int64_t NoKey = -2;
    if (key_layout::isUnlockLatch(name) || look.pttl == NoKey || look.fields.empty()
        || std::ssize(look.fields) > MaxFields)
        return std::nullopt;
    if (std::any_of(
            look.fields.begin(), look.fields.end(), [](const auto &field) { return isFasterMultiDetail(field.first); }))
        return recogniseDamagedGroup(name, look);
    const auto *modeText = find(look.fields, ModeField);
    const auto mode = modeText ? parseMode(*modeText) : std::nullopt;
    auto reading = heldReading(name, mode ? Kind::ReadWrite : Kind::Reentrant, look);
    reading.mode = mode;
    for (const auto &field : look.fields) {
        if (mode && field.first == ModeField)
            continue;
        auto holder = damagedHold(field, reading.kind);
        if (mode && !holder.mode) {
            holder.mode = HoldMode::Read;
            if (const auto hold = parseHold(field))
                attachReadHolds(look, *hold, holder, reading);
        }
        reading.holders.push_back(std::move(holder));
    }
    if (std::ranges::none_of(look.fields, [](const auto &field) { return parseOwner(field.first).has_value(); }))
        return std::nullopt;
    if (!mode)
        attachAuxiliaryKeys(look, reading);
    sortHolders(reading.holders);
    std::sort(reading.keys.begin() + 1, reading.keys.end());
    return reading;
}

bool mayBeLock(std::string_view field)
{
    if (std::ssize(field) > LongestElement)
        return false;
    if (field.size() < ShortestOwner)
        return field == ModeField || isHashedValue(field);
    return parseOwner(field) || isFasterMultiDetail(field);
}

std::vector<std::pair<std::string, std::int64_t>> readHoldsToAsk(const HashFields &fields)
{
    std::vector<std::pair<std::string, std::int64_t>> result;
    std::int64_t left = MaxReadHolds;
    for (const auto &field : fields) {
        const auto hold = parseHold(field);
        if (!hold || hold->owner.write || hold->count > left)
            continue;
        left -= hold->count;
        result.emplace_back(field.first, hold->count);
    }
    return result;
}

} // namespace lockcore::synchronizers
