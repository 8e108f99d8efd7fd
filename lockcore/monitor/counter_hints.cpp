// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/counter_hints.h"

#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"

#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t MostHinted = 20'000;

void add(CounterHint &hint, CounterHint more)
{
    hint.semaphore = hint.semaphore || more.semaphore;
    hint.latch = hint.latch || more.latch;
}

} // namespace

void CounterHints::heard(const LockName &name, CounterHint hint, MonoTime now)
{
    if (m_heard.size() >= MostHinted && !m_heard.contains(name))
        return; // the next list of channels tells
    auto &heard = m_heard[name];
    add(heard.hint, hint);
    heard.at = now;
}

std::vector<CounterHints::Named> CounterHints::listed(const std::vector<ChannelState> &channels, MonoTime now)
{
    m_listedAt = now;
    auto before = std::exchange(m_listed, {});
    std::vector<Named> names;
    for (const auto &channel : channels) {
        const auto hint = counterHintOf(channel.channel);
        bool first = true;
        for (auto &name : hint ? locksOfChannel(channel.channel) : std::vector<LockName>{}) {
            auto &listed = m_listed[name];
            add(listed.hint, hint);
            listed.clients += channel.subscribers.value_or(0);
            listed.first = std::exchange(first, false);
            const bool known = before.erase(name) > 0;
            names.push_back({ std::move(name), !known });
        }
    }
    for (auto &[name, listed] : before)
        names.push_back({ name, true });
    return names;
}

void CounterHints::used(const LockName &name, MonoTime askedAt)
{
    const auto heard = m_heard.find(name);
    if (heard != m_heard.end() && heard->second.at <= askedAt)
        m_heard.erase(heard);
}

CounterHint CounterHints::of(const LockName &name) const
{
    CounterHint hint;
    if (const auto heard = m_heard.find(name); heard != m_heard.end())
        hint = heard->second.hint;
    if (const auto listed = m_listed.find(name); listed != m_listed.end())
        add(hint, listed->second.hint);
    return hint;
}

std::optional<std::int64_t> CounterHints::waiting(const LockName &name, MonoTime since) const
{
    const auto listed = m_listed.find(name);
    const bool waits
        = m_listedAt >= since && listed != m_listed.end() && listed->second.first && listed->second.clients > 0;
    return waits ? std::optional(listed->second.clients) : std::nullopt;
}

CounterHint counterHintOf(std::string_view channel)
{
    return { .semaphore = channel.starts_with(key_layout::SemaphoreChannels),
        .latch = channel.starts_with(key_layout::LatchChannels) };
}

CounterKinds kindsSeen(const LockState *state)
{
    if (!state || !isCounter(state->kind) || !hasKeys(*state))
        return {};
    CounterKinds kinds{ state->kind };
    const auto others = state->otherKinds;
    kinds.insert(kinds.end(), others.begin(), others.end());
    return kinds;
}

} // namespace lockcore::monitor
