// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/pair_calls.h"

#include "lockcore/synchronizers/lock.h"

namespace lockbench {

using namespace lockcore;

namespace {

constexpr Millis Lease{ 30'000 };

std::string nameOf(int lock) { return "bench:lock:" + std::to_string(lock); }

OwnerId ownerOf(int lock) { return { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", std::to_string(lock) }; }

} // namespace

ScriptCall acquireCall(int lock)
{
    return reentrantLock().acquire({ nameOf(lock), ownerOf(lock), Lease, {}, false, {}, {} });
}

ScriptCall unlockCall(int lock, const std::string &requestId)
{
    return reentrantLock().unlock({ nameOf(lock), ownerOf(lock), Lease, requestId, Lease, {} });
}

} // namespace lockbench
