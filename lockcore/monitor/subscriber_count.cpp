// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/subscriber_count.h"

#include "lockcore/synchronizers/key_layout.h"

#include <iterator>
#include <map>

namespace lockcore {

namespace {

constexpr std::size_t LocksATime = 500;
constexpr std::size_t MostWaiters = 50; // of one lock

} // namespace

action::CountSubscribers SubscriberCount::take(LockBook &book)
{
    m_asked.clear();
    action::CountSubscribers count;
    const auto ask = [&](std::string channel, const LockName &lock, std::optional<OwnerId> waiter) {
        count.channels.push_back(channel);
        m_asked.insert_or_assign(std::move(channel), Asked{ lock, std::move(waiter) });
    };
    const auto &locks = book.shown();
    auto place = locks.upperBound(m_lastLock);
    for (std::size_t left = LocksATime; left > 0 && place != locks.end(); --left, ++place) {
        const auto &lock = *place;
        if (lock->kind == Kind::ReadWrite) {
            ask(key_layout::readWriteChannel(lock->name), lock->name, {});
        } else if (lock->kind == Kind::CountDownLatch) {
            ask(key_layout::latchChannel(lock->name), lock->name, {});
        } else if (isCounter(lock->kind)) {
            ask(key_layout::semaphoreChannel(lock->name), lock->name, {});
        } else if (lock->kind == Kind::Fair) {
            for (std::size_t i = 0; i < lock->waiters.size() && i < MostWaiters; ++i)
                ask(key_layout::fairChannel(lock->name, lock->waiters[i].owner), lock->name, lock->waiters[i].owner);
        } else {
            ask(key_layout::lockChannel(lock->name), lock->name, {});
        }
    }
    m_lastLock = place == locks.end() ? LockName{} : (*std::prev(place))->name;
    return count;
}

void SubscriberCount::counted(const input::SubscribersCounted &answer, LockBook &book)
{
    std::map<LockName, LockBook::Count> byLock;
    for (const auto &[channel, number] : answer.channels) {
        const auto asked = m_asked.find(channel);
        if (asked == m_asked.end())
            continue;
        auto &count = byLock[asked->second.lock];
        const bool isKnown = number > 0 || answer.complete; // some are some, wherever else there may be others
        if (asked->second.waiter)
            count.waiters.emplace_back(*asked->second.waiter, isKnown ? std::optional(number > 0) : std::nullopt);
        else if (isKnown)
            count.subscribers = number;
        else
            count.subscribersUnknown = true;
    }
    for (const auto &[lock, count] : byLock)
        book.counted(lock, count);
}

} // namespace lockcore
