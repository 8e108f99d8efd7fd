// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/count_down_latch.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore::synchronizers::count_down_latch {

namespace {

constexpr const char *Open = "0";
constexpr const char *Closed = "1"; // a new count, or the latch is gone without having come to zero

std::vector<std::string> withChannel(const LockName &name) { return { name, key_layout::latchChannel(name) }; }

} // namespace

ScriptCall pass(const LockName &name) { return { &scripts::latchPass(), { name }, {} }; }

ScriptCall trySetCount(const LockName &name, std::int64_t count, const std::string &publish)
{
    return { &scripts::counterCreate(), withChannel(name), { std::to_string(count), Closed, publish, {} } };
}

ScriptCall countDown(const LockName &name, const std::string &publish)
{
    return { &scripts::latchCountDown(), withChannel(name), { Open, publish } };
}

ScriptCall count(const LockName &name) { return { &scripts::counterValue(), { name }, {} }; }

ScriptCall remove(const LockName &name, const std::string &publish)
{
    return { &scripts::counterRemove(), withChannel(name), { Closed, publish } };
}

} // namespace lockcore::synchronizers::count_down_latch
