// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/counter_recognition.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/synchronizers/permit_expirable_semaphore.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace lockcore::synchronizers {

namespace {

constexpr std::size_t IdBytes = 16;
constexpr std::size_t IdDigits = 32;
constexpr std::size_t HashLength = 22; // base64 of the hash of a key
constexpr double NoLease = 922337203685477;
constexpr double FirstDeadline = 1e12; // no clock of the last twenty years is before it

bool isText(std::string_view bytes)
{
    return std::ranges::all_of(bytes, [](unsigned char c) { return c >= 0x20 && c < 0x7f; });
}

std::string toHex(std::string_view bytes)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text.push_back(Digits[byte >> 4]);
        text.push_back(Digits[byte & 15]);
    }
    return text;
}

bool isPermit(const std::string &member)
{
    return member.size() == IdBytes || permit_expirable_semaphore::isPermitId(member);
}

/// Sixteen letters are a permit once in ten million times; an ordinary word is more likely.
bool isWord(const std::string &member) { return member.size() == IdBytes && isText(member); }

std::optional<double> deadlineOf(const std::string &score)
{
    double value = 0;
    const bool parsed = std::from_chars(score.data(), score.data() + score.size(), value).ec == std::errc{};
    return parsed && value >= FirstDeadline && value <= NoLease ? std::optional(value) : std::nullopt;
}

bool holdsPermits(const CounterLook &look)
{
    const auto fits = [](const auto &permit) { return isPermit(permit.first) && deadlineOf(permit.second); };
    return !look.otherIsNumber && !look.firstPermits.empty() && std::ranges::all_of(look.firstPermits, fits)
        && std::ranges::all_of(look.lastPermit, fits)
        && !std::ranges::all_of(look.firstPermits, [](const auto &permit) { return isWord(permit.first); });
}

std::vector<PermitReading> leasesOf(const CounterLook &look)
{
    std::vector<PermitReading> leases;
    for (const auto &[member, score] : look.firstPermits) {
        PermitReading lease;
        lease.id = member.size() == IdBytes ? toHex(member) : member;
        const auto deadline = deadlineOf(score);
        if (deadline && *deadline < NoLease)
            lease.deadline = WallTime(Millis(static_cast<std::int64_t>(*deadline)));
        leases.push_back(std::move(lease));
    }
    return leases;
}

/// The part behind the last colon, which is cut off.
std::string_view takeLast(std::string_view &name)
{
    const auto colon = name.rfind(':');
    if (colon == std::string_view::npos)
        return {};
    const auto part = name.substr(colon + 1);
    name = name.substr(0, colon);
    return part;
}

bool isHash(std::string_view text)
{
    return text.size() == HashLength && std::ranges::all_of(text, [](unsigned char c) {
        return (c < 0x80 && std::isalnum(c)) || c == '+' || c == '/';
    });
}

bool isHexId(std::string_view text) { return text.size() == IdDigits && permit_expirable_semaphore::isPermitId(text); }

bool isBraced(std::string_view name) { return name.find('{') < name.rfind('}') && name.rfind('}') != name.npos; }

/// That of the counters of a map's or set's values whose names end with this word.
std::optional<Kind> kindOfValues(std::string_view word)
{
    const auto kind = std::ranges::find_if(
        allKinds(), [word](const KindRow &row) { return row.wordOfValues && word == row.wordOfValues; });
    return kind == allKinds().end() ? std::nullopt : std::optional(kind->value);
}

/// Numbers that Redisson's other objects keep have names of their own.
std::optional<Kind> kindByName(std::string_view name, bool expires)
{
    if (name.starts_with("jcache_sync:") && name.ends_with('}') && name.find(":{") != name.npos)
        return Kind::Semaphore;
    const auto last = takeLast(name);
    const auto id = takeLast(name);
    if (isHexId(last) && ((id == "clear" && expires) || id == "workers-semaphore"))
        return Kind::Semaphore;
    if (!isBraced(name))
        return std::nullopt;
    const auto kind = kindOfValues(last);
    return isHash(id) || (kind == Kind::Semaphore && isHexId(id)) ? kind : std::nullopt;
}

void become(LockReading &reading, CounterKinds kinds)
{
    reading.kind = kinds.front();
    kinds.erase(kinds.begin());
    reading.alsoPossible = std::move(kinds);
    if (!reading.permits)
        return;
    if (reading.kind == Kind::CountDownLatch) {
        reading.count = reading.permits->available;
        reading.permits.reset();
    } else if (reading.kind == Kind::PermitExpirableSemaphore && !reading.permits->leased) {
        reading.permits->leased = 0;
    }
}

} // namespace

CounterKinds kindsOf(const CounterHint &hint)
{
    CounterKinds kinds;
    if (hint.semaphore)
        kinds = { Kind::Semaphore, Kind::PermitExpirableSemaphore };
    if (hint.latch)
        kinds.push_back(Kind::CountDownLatch);
    return kinds;
}

CounterKinds both(const CounterKinds &before, const CounterKinds &hinted)
{
    if (before.empty() || hinted.empty())
        return before.empty() ? hinted : before;
    CounterKinds kinds = before;
    std::erase_if(kinds, [&](Kind kind) { return std::ranges::find(hinted, kind) == hinted.end(); });
    return kinds.empty() ? hinted : kinds;
}

std::optional<LockReading> recogniseCounter(const LockName &name, const CounterLook &look)
{
    const auto value = mayBeCounter(look.text) ? parseInteger(look.text) : std::nullopt;
    constexpr std::int64_t NoKey = -2;
    if (!value || look.pttl == NoKey || key_layout::isQueueCapacity(name) || key_layout::isUnlockLatch(name))
        return std::nullopt;
    LockReading reading;
    reading.name = name;
    if (look.pttl >= 0)
        reading.ttl = reply_values::millis(look.pttl);
    reading.keys.push_back(name);
    reading.permits.emplace();
    reading.permits->available = *value;
    if (holdsPermits(look)) {
        become(reading, { Kind::PermitExpirableSemaphore });
        reading.permits->leased = look.permits - look.overdue;
        reading.permits->overdue = look.overdue;
        reading.permits->leases = leasesOf(look);
        reading.keys.push_back(key_layout::permitDeadlines(name));
        return reading;
    }
    if (const auto kind = kindByName(name, look.pttl >= 0))
        become(reading, { *kind });
    else if (look.otherIsNumber)
        return std::nullopt; // the channel that might tell is that of the other
    else
        become(reading, { Kind::Semaphore, Kind::PermitExpirableSemaphore, Kind::CountDownLatch });
    return reading;
}

bool isPlainNumber(const LockReading &reading)
{
    return reading.kind == Kind::Semaphore && reading.permits && reading.alsoPossible.size() == 2;
}

bool isNamedCounter(std::string_view key) { return key.find('{') != key.npos && kindOfValues(takeLast(key)); }

bool mayBeCounter(const std::string &text)
{
    const auto digits = text.starts_with('-') ? 1U : 0U;
    return text.size() > digits && text.size() <= LongestNumber
        && text.find_first_not_of("0123456789", digits) == text.npos;
}

std::optional<LockReading> resolveCounter(LockReading reading, const CounterKinds &before, const CounterHint &hint)
{
    if (!isPlainNumber(reading))
        return reading;
    auto kinds = both(before, kindsOf(hint));
    if (kinds.empty())
        return std::nullopt;
    // Redisson gives a latch neither.
    if (kinds.size() > 1 && (reading.permits->available < 0 || reading.ttl))
        std::erase(kinds, Kind::CountDownLatch);
    become(reading, std::move(kinds));
    return reading;
}

LockReading absentCounter(const LockName &name, const CounterHint &hint)
{
    LockReading reading;
    reading.name = name;
    become(reading, kindsOf(hint));
    return reading;
}

} // namespace lockcore::synchronizers
