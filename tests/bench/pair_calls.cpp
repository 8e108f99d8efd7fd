// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/pair_calls.h"

#include "lockcore/synchronizers/lock.h"

namespace lockbench {

using namespace lockcore;
using namespace lockcore::synchronizers;

namespace {

constexpr Millis Lease{ 30'000 };

} // namespace

HoldName holdOf(int lock)
{
    return { "bench:lock:" + std::to_string(lock),
        OwnerId{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", std::to_string(lock) } };
}

ScriptCall acquireCall(const HoldName &hold)
{
    return reentrantLock().acquire({ hold.name, hold.owner, Lease, {}, false, {}, {} });
}

ScriptCall unlockCall(const HoldName &hold, const std::string &requestId)
{
    return reentrantLock().unlock({ hold.name, hold.owner, Lease, requestId, Lease, {} });
}

} // namespace lockbench
