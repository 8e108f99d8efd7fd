// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/key_layout.h"

#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <optional>

namespace lockcore::synchronizers::key_layout {

namespace {

constexpr std::string_view Queues = "redisson_lock_queue:";
constexpr std::string_view Timeouts = "redisson_lock_timeout:";
constexpr std::string_view Tokens = "redisson_lock_token:";
constexpr std::string_view Capacities = "redisson_bqs:";
constexpr std::string_view PermitSuffix = ":timeout";
constexpr std::string_view ReadTimeoutMark = ":rwlock_timeout:";
constexpr std::string_view FirstReadTimeout = ":rwlock_timeout:1";

bool hasBrace(std::string_view name) { return name.find('{') != std::string_view::npos; }

std::string braced(std::string_view name)
{
    std::string result(name);
    return hasBrace(name) ? result : '{' + result + '}';
}

/// `prefix{name}`, or `prefixname` if the name has a `{` anywhere.
std::string prefixed(std::string_view prefix, std::string_view name) { return std::string(prefix) + braced(name); }

std::optional<std::string_view> after(std::string_view prefix, std::string_view key)
{
    return key.starts_with(prefix) ? std::optional(key.substr(prefix.size())) : std::nullopt;
}

std::string_view withoutIndex(std::string_view key)
{
    const auto mark = key.rfind(ReadTimeoutMark);
    if (mark == std::string_view::npos)
        return {};
    const auto index = key.substr(mark + ReadTimeoutMark.size());
    const bool digits = !index.empty() && index.find_first_not_of("0123456789") == std::string_view::npos;
    return digits ? key.substr(0, mark) : std::string_view{};
}

} // namespace

std::vector<LockName> unbraced(std::string_view text)
{
    std::vector<LockName> names;
    if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
        const auto inner = text.substr(1, text.size() - 2);
        if (!hasBrace(inner))
            names.emplace_back(inner);
    }
    if (hasBrace(text))
        names.emplace_back(text);
    return names;
}

std::string suffixed(std::string_view name, std::string_view suffix)
{
    return braced(name) + ':' + std::string(suffix);
}

std::string fairQueue(std::string_view name) { return prefixed(Queues, name); }
std::string fairTimeouts(std::string_view name) { return prefixed(Timeouts, name); }
std::string token(std::string_view name) { return prefixed(Tokens, name); }

std::string unlockLatch(std::string_view name, std::string_view requestId)
{
    return prefixed(UnlockLatches, name) + ':' + std::string(requestId);
}

std::string readTimeoutPrefix(std::string_view name, const OwnerId &owner)
{
    return suffixed(name, toString(owner)) + ":rwlock_timeout";
}

std::string readTimeout(std::string_view name, const OwnerId &owner, std::int64_t index)
{
    return readTimeoutPrefix(name, owner) + ':' + std::to_string(index);
}

std::string permitDeadlines(std::string_view name) { return suffixed(name, "timeout"); }

std::vector<std::string> keysOf(std::string_view name)
{
    return { std::string(name), fairQueue(name), fairTimeouts(name), token(name), permitDeadlines(name) };
}

std::string lockChannel(std::string_view name) { return prefixed(LockChannels, name); }

std::string fairChannel(std::string_view name, const OwnerId &waiter)
{
    return lockChannel(name) + ':' + toString(waiter);
}

std::string readWriteChannel(std::string_view name) { return prefixed(ReadWriteChannels, name); }

std::string semaphoreChannel(std::string_view name) { return prefixed(SemaphoreChannels, name); }

std::string latchChannel(std::string_view name) { return std::string(LatchChannels) + std::string(name) + '}'; }

std::vector<LockName> possibleParents(std::string_view key)
{
    for (const auto prefix : { Queues, Timeouts, Tokens }) {
        if (const auto rest = after(prefix, key))
            return unbraced(*rest);
    }
    const auto timeout = parseReadTimeout(key);
    return timeout ? timeout->locks : std::vector<LockName>{};
}

/// An owner in a transaction has one part more.
std::optional<ReadTimeout> parseReadTimeout(std::string_view key)
{
    const auto text = withoutIndex(key);
    auto colon = text.rfind(':');
    for (int parts = 2; parts <= 3 && colon != std::string_view::npos && colon > 0; ++parts) {
        colon = text.rfind(':', colon - 1);
        if (colon == std::string_view::npos)
            break;
        const auto owner = parseOwner(text.substr(colon + 1));
        if (owner && !owner->write)
            return ReadTimeout{ unbraced(text.substr(0, colon)), owner->owner, key.ends_with(FirstReadTimeout) };
    }
    return std::nullopt;
}

std::vector<LockName> possibleSemaphores(std::string_view key)
{
    if (!key.ends_with(PermitSuffix))
        return {};
    return unbraced(key.substr(0, key.size() - PermitSuffix.size()));
}

std::optional<LockName> namesake(std::string_view name)
{
    if (!hasBrace(name))
        return '{' + LockName(name) + '}';
    const auto names = unbraced(name);
    return names.size() == 2 ? std::optional(names.front()) : std::nullopt;
}

bool isUnlockLatch(std::string_view key)
{
    constexpr std::size_t IdLength = 32;
    const auto rest = after(UnlockLatches, key);
    if (!rest || rest->size() < IdLength + 2)
        return false;
    const auto id = rest->substr(rest->size() - IdLength);
    return (*rest)[rest->size() - IdLength - 1] == ':' && std::all_of(id.begin(), id.end(), isLowerHex);
}

bool isQueueCapacity(std::string_view key) { return after(Capacities, key).has_value(); }

} // namespace lockcore::synchronizers::key_layout
