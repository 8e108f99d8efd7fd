// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/lock_changes.h"

#include "tests/bench/pair_calls.h"
#include "tests/support/blocking_client.h"

#include <algorithm>

namespace lockbench {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

constexpr int Locks = 1'000;

HoldName hold(int lock, const std::string &thread = {})
{
    return { "bench:change:" + std::to_string(lock), OwnerId{ "0c5d1be0-41c2-4e0b-9f55-7f21aa09a7d2", thread } };
}

std::string requestId(std::int64_t number)
{
    const std::string digits = std::to_string(number);
    return std::string(32 - digits.size(), '0') + digits;
}

} // namespace

LockChanges::LockChanges(const testsupport::RedisServer &server, int perSecond)
    : m_socketPath(server.socketPath().toStdString())
    , m_perSecond(perSecond)
    , m_thread([this] { run(); })
{
}

LockChanges::~LockChanges()
{
    m_stop = true;
    m_thread.join();
}

double LockChanges::perSecond() const
{
    return static_cast<double>(m_done) / std::chrono::duration<double>(Clock::now() - m_begin).count();
}

void LockChanges::run()
{
    testsupport::BlockingClient client(m_socketPath);
    for (const ScriptCall &call : { acquireCall(hold(0)), unlockCall(hold(0), requestId(0)) })
        client.run({ "SCRIPT", "LOAD", std::string(call.script->text) });
    std::vector<std::string> holders(Locks);
    for (std::int64_t number = 0; !m_stop; ++number) {
        std::this_thread::sleep_until(m_begin + std::chrono::microseconds(number * 1'000'000 / m_perSecond));
        change(client, static_cast<int>(number % Locks), holders.at(static_cast<std::size_t>(number % Locks)), number);
        ++m_done;
    }
    for (int lock = 0; lock < Locks; ++lock)
        client.run({ "DEL", hold(lock).name });
}

void LockChanges::change(testsupport::BlockingClient &client, int lock, std::string &holder, std::int64_t number)
{
    const std::string thread = holder.empty() ? std::to_string(number + 1) : std::string();
    {
        const std::lock_guard guard(m_mutex);
        m_changes.push_back({ lock, thread, Clock::now() });
    }
    if (thread.empty()) {
        const ScriptCall unlock = unlockCall(hold(lock, holder), requestId(number));
        client.runAll({ command(unlock), { "DEL", unlock.keys.at(1) } });
    } else {
        client.run(command(acquireCall(hold(lock, thread))));
    }
    holder = thread;
}

void LockChanges::fetch()
{
    std::vector<Change> fresh;
    {
        const std::lock_guard guard(m_mutex);
        fresh.swap(m_changes);
    }
    for (auto &change : fresh) {
        const auto old = std::find_if(
            m_pending.begin(), m_pending.end(), [&](const Change &each) { return each.lock == change.lock; });
        if (old != m_pending.end()) {
            ++m_unseen;
            m_pending.erase(old);
        }
        m_pending.push_back(std::move(change));
    }
}

void LockChanges::seen(const Snapshot &snapshot)
{
    const auto now = Clock::now();
    fetch();
    std::erase_if(m_pending, [&](const Change &change) {
        const auto lock = snapshot.locks.find(hold(change.lock).name);
        const bool isShown = lock && !lock->holders.empty();
        if (isShown ? lock->holders.front().owner.thread != change.thread : !change.thread.empty())
            return false;
        m_latencies.push_back(std::chrono::duration<double, std::milli>(now - change.at).count());
        return true;
    });
}

} // namespace lockbench
