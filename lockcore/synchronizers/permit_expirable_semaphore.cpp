// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/permit_expirable_semaphore.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/synchronizers/scripts.h"
#include "lockcore/synchronizers/semaphore.h"

#include <algorithm>

namespace lockcore::synchronizers::permit_expirable_semaphore {

namespace {

constexpr const char *Never = "922337203685477"; // the deadline of a permit without lease
constexpr std::size_t IdLength = 32;

int nibble(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/// As it stands in Redis. What is no id is held by nobody, and stays as it is.
std::string bytesOf(const std::string &permit)
{
    if (!isPermitId(permit))
        return permit;
    std::string bytes;
    for (std::size_t i = 0; i < permit.size(); i += 2)
        bytes.push_back(static_cast<char>(nibble(permit[i]) * 16 + nibble(permit[i + 1])));
    return bytes;
}

std::string leaseArgument(std::optional<Millis> lease) { return lease ? milliseconds(*lease) : std::string(); }

std::vector<std::string> allKeys(const LockName &name)
{
    return { name, key_layout::permitDeadlines(name), key_layout::semaphoreChannel(name) };
}

ScriptCall count(const LockName &name, const char *what)
{
    return { &scripts::permitCount(), { name, key_layout::permitDeadlines(name) }, { what } };
}

} // namespace

bool isPermitId(std::string_view permit)
{
    return permit.size() == IdLength && std::ranges::all_of(permit, isLowerHex);
}

ScriptCall acquire(const TryPermits &call)
{
    ScriptCall result{ &scripts::permitAcquire(), allKeys(call.name),
        { protocol::AnyTime, leaseArgument(call.lease), Never, call.publish } };
    for (const std::string &permit : call.permits)
        result.arguments.push_back(bytesOf(permit));
    return result;
}

ScriptCall release(const LockName &name, std::span<const std::string> permits, const std::string &publish)
{
    ScriptCall call{ &scripts::permitRelease(), allKeys(name), { publish } };
    for (const std::string &permit : permits) {
        call.arguments.push_back(bytesOf(permit));
        call.arguments.push_back(permit);
    }
    return call;
}

ScriptCall handBack(const ReturnPermit &command, WallTime lastMoment, const std::string &publish)
{
    const auto &seen = command.seen;
    const std::string deadline = !seen ? std::string() : seen->deadline ? epochMilliseconds(*seen->deadline) : Never;
    return { &scripts::returnPermit(), allKeys(command.name),
        { epochMilliseconds(lastMoment), publish, bytesOf(command.permit), command.permit, deadline } };
}

ScriptCall updateLease(
    const LockName &name, const std::string &permit, std::optional<Millis> lease, const std::string &publish)
{
    return { &scripts::permitUpdateLease(), allKeys(name),
        { leaseArgument(lease), Never, publish, bytesOf(permit), permit } };
}

ScriptCall lease(const LockName &name, const std::string &permit)
{
    return { &scripts::permitLease(), { key_layout::permitDeadlines(name) }, { Never, bytesOf(permit), permit } };
}

ScriptCall trySetPermits(const LockName &name, std::int64_t permits, const std::string &publish)
{
    return semaphore::trySetPermits(name, permits, {}, publish);
}

ScriptCall setPermits(const LockName &name, std::int64_t permits, const std::string &publish)
{
    return { &scripts::permitSet(), allKeys(name), { std::to_string(permits), publish } };
}

ScriptCall addPermits(const LockName &name, std::int64_t permits, const std::string &publish)
{
    return semaphore::addPermits(name, permits, publish);
}

ScriptCall availablePermits(const LockName &name) { return count(name, "free"); }

ScriptCall acquiredPermits(const LockName &name) { return count(name, "held"); }

ScriptCall permits(const LockName &name) { return count(name, "all"); }

ScriptCall remove(const LockName &name)
{
    return { &scripts::permitRemove(), { name, key_layout::permitDeadlines(name) }, {} };
}

} // namespace lockcore::synchronizers::permit_expirable_semaphore
