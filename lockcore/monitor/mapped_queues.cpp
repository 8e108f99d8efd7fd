// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/mapped_queues.h"

#include "lockcore/monitor/listeners.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t MostQueues = 1'000;

/// Mappers put something before or behind. A client goes on listening for a moment for a lock that it does not wait for
/// any more, and that of the lock which it waits for next has mostly another name altogether.
bool isMadeOf(const LockName &mapped, const LockName &name)
{
    const auto bare = key_layout::unbraced(name); // `{a}` stands for `a` where that is the name of something else
    return mapped.find(bare.empty() ? name : bare.front()) != LockName::npos;
}

bool isFirstByte(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; } // of a character

} // namespace

void MappedQueues::listed(const std::vector<ChannelState> &channels)
{
    m_listeners.clear();
    for (const ChannelState &channel : channels) {
        if (const auto own = ownChannel(channel.channel))
            m_listeners[own->owner].push_back(own->locks.front());
    }
}

std::optional<LockName> MappedQueues::listenedFor(const std::function<bool(const LockName &)> &isIt) const
{
    for (const auto &[owner, names] : m_listeners) {
        if (const auto found = std::ranges::find_if(names, isIt); found != names.end())
            return *found;
    }
    return std::nullopt;
}

std::optional<LockName> MappedQueues::lockOf(const LockReading &queue) const
{
    const auto known = m_locks.find(queue.name);
    const bool isKnown = known != m_locks.end();
    if (!isKnown && m_queues.size() >= MostQueues)
        return std::nullopt;
    std::optional<LockName> lock;
    if (isKnown)
        lock = known->second;
    for (const WaiterReading &waiter : queue.waiters) {
        const auto listener = m_listeners.find(waiter.owner);
        if (listener == m_listeners.end())
            continue;
        // Whoever listens for several locks, or for this one, tells nothing; two who differ belie each other.
        const auto &names = listener->second;
        if (isKnown && (names.size() != 1 || !isMadeOf(names.front(), queue.name)))
            continue;
        if (names.size() != 1 || key_layout::fairQueue(names.front()) == key_layout::fairQueue(queue.name)
            || !isMadeOf(names.front(), queue.name) || (lock && *lock != names.front()))
            return std::nullopt;
        lock = names.front();
    }
    return lock && (isKnown || !m_queues.contains(*lock)) ? lock : std::nullopt;
}

LockReading MappedQueues::withoutUnknownNewcomers(LockReading queue) const
{
    const auto known = m_locks.find(queue.name);
    if (known == m_locks.end())
        return queue;
    const auto &before = m_queues.at(known->second).waiters;
    std::erase_if(queue.waiters, [&](const WaiterReading &waiter) {
        return !m_listeners.contains(waiter.owner) && !hasOwner(before, waiter.owner);
    });
    return queue;
}

std::map<LockName, std::vector<OwnerId>> MappedQueues::listeners() const
{
    std::map<LockName, std::vector<OwnerId>> byLock;
    for (const auto &[owner, names] : m_listeners) {
        for (const LockName &name : names)
            byLock[name].push_back(owner);
    }
    return byLock;
}

std::vector<LockName> MappedQueues::candidates(const LockName &lock) const
{
    constexpr std::string_view Separators = ":./-_|@#";
    constexpr std::size_t MostCandidates = 200;
    if (m_queues.contains(lock))
        return {};
    std::vector<LockName> parts;
    const auto add = [&](std::string_view part) {
        if (part.empty() || part == lock)
            return;
        // Which of the two names a queue is read under depends on what else has that name.
        for (const LockName &name : { LockName(part), key_layout::namesake(part).value_or(LockName(part)) }) {
            if (parts.size() < MostCandidates && std::ranges::find(parts, name) == parts.end())
                parts.push_back(name);
        }
    };
    const std::string_view name = lock;
    for (auto at = name.find_first_of(Separators); at != name.npos; at = name.find_first_of(Separators, at + 1)) {
        add(name.substr(at + 1)); // without a prefix
        add(name.substr(0, at)); // without a suffix
    }
    for (auto from = name.find_first_of(Separators); from != name.npos;
         from = name.find_first_of(Separators, from + 1)) {
        for (auto to = name.find_last_of(Separators); to > from; to = name.find_last_of(Separators, to - 1))
            add(name.substr(from + 1, to - from - 1));
    }
    for (std::size_t cut = 1; cut < name.size() && parts.size() < MostCandidates; ++cut) { // no separator at all
        if (isFirstByte(name[cut]))
            add(name.substr(cut));
        if (isFirstByte(name[name.size() - cut]))
            add(name.substr(0, name.size() - cut));
    }
    return parts;
}

bool MappedQueues::listensForAnother(const LockName &queue, const OwnerId &waiter) const
{
    const auto listener = m_listeners.find(waiter);
    return listener != m_listeners.end() && listener->second.size() == 1
        && key_layout::fairQueue(listener->second.front()) != key_layout::fairQueue(queue);
}

bool MappedQueues::put(const LockName &lock, const LockReading &queue)
{
    m_locks[queue.name] = lock;
    const auto [place, isNew] = m_queues.try_emplace(lock, queue);
    if (isNew || place->second == queue)
        return isNew;
    place->second = queue;
    return true;
}

std::optional<LockName> MappedQueues::remove(const LockName &queue)
{
    const auto known = m_locks.find(queue);
    if (known == m_locks.end())
        return std::nullopt;
    const auto lock = std::move(known->second);
    m_locks.erase(known);
    m_queues.erase(lock);
    return lock;
}

std::optional<LockName> MappedQueues::removeOf(const LockName &lock)
{
    const auto known = m_queues.find(lock);
    if (known == m_queues.end())
        return std::nullopt;
    auto queue = known->second.name;
    remove(queue);
    return queue;
}

std::vector<LockName> MappedQueues::queues() const
{
    std::vector<LockName> names;
    for (const auto &[queue, lock] : m_locks)
        names.push_back(queue);
    return names;
}

const LockReading *MappedQueues::queueOf(const LockName &lock) const
{
    const auto found = m_queues.find(lock);
    return found == m_queues.end() ? nullptr : &found->second;
}

LockReading withQueue(const LockName &lock, const LockReading *reading, const LockReading &queue)
{
    LockReading whole = reading ? *reading : LockReading{};
    whole.name = lock;
    if (!whole.waiters.empty() || (reading && reading->kind != Kind::Reentrant && reading->kind != Kind::Fenced))
        return whole; // it has its own, or can have none
    whole.kind = Kind::Fair;
    whole.waiters = queue.waiters;
    whole.moreWaiters = queue.moreWaiters;
    whole.keys.insert(whole.keys.end(), queue.keys.begin(), queue.keys.end());
    return whole;
}

} // namespace lockcore::monitor
