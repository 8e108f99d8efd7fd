// SPDX-License-Identifier: Apache-2.0
// What the engine is told of, and what is to be read for it.
#include "lockcore/monitor/engine.h"

#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t MostAnnounced = 20'000;
constexpr std::chrono::seconds LongestLatch{ 20 }; // with the time-outs that clients have by default

} // namespace

void Engine::on(const input::KeysChanged &changed)
{
    for (const auto &key : changed.keys) {
        if (const auto timeout = key_layout::parseReadTimeout(key); timeout && timeout->isFirst) {
            for (const auto &name : timeout->locks)
                m_registry.heardOfReader(name, timeout->owner, m_now.mono);
        }
    }
    std::unordered_map<std::string, int> together;
    for (const auto &key : changed.keys)
        ++together[key];
    for (const auto &[key, times] : together) {
        if (!key_layout::isUnlockLatch(key)) {
            keyChanged(key, times);
            continue;
        }
        const bool isNew = m_latches.isNew(key);
        for (const auto &name : locksOfUnlockLatch(key)) {
            m_throttle.isLock(name);
            // An unlock writes the lock and the latch in one step, though a feed may tell of them one after the other.
            // At the beginning one that is told alone may be the end of a latch from before our time.
            if (isNew && (together.contains(name) || m_toldSince + LongestLatch <= m_now.mono))
                m_registry.heard(name, Heard::Latch, m_now.mono);
        }
    }
}

void Engine::keyChanged(const std::string &key, int times)
{
    auto names = key_layout::possibleParents(key);
    const auto isKnown = [this](const LockName &name) { return m_registry.knows(name); };
    if (names.empty()) {
        names = key_layout::possibleSemaphores(key);
        names.push_back(key);
    } else if (isKnown(key) || std::none_of(names.begin(), names.end(), isKnown)) {
        names.push_back(key); // a lock may be named as the other keys of locks are
    }
    if (std::none_of(names.begin(), names.end(), isKnown))
        m_throttle.announced(names.front(), m_now.mono);
    for (const auto &name : names)
        nameChanged(name, times);
}

void Engine::nameChanged(const LockName &name, int times)
{
    if (m_registry.knows(name) || (isOfInterest(name) && m_nonLockKeys.mayRead(name, m_now.mono)))
        readChanged(name, times);
}

/// What is unreadable waits until we have other rights.
bool Engine::isOfInterest(const LockName &name) const
{
    return matchesPattern(m_settings.keyPattern, name) && !m_unreadable.contains(name);
}

void Engine::readChanged(const LockName &name, int times)
{
    if (!isOfInterest(name))
        return;
    const auto announced
        = m_announced.size() < MostAnnounced ? m_announced.try_emplace(name).first : m_announced.find(name);
    if (announced != m_announced.end()) {
        auto &[at, last, all] = announced->second;
        at = at.value_or(m_now.mono);
        last = m_now.mono;
        all += times;
    }
    m_reads.add(name, m_registry.knows(name) ? ReadReason::Known : ReadReason::Announced);
}

void Engine::readKnown(const LockName &name)
{
    if (m_registry.knows(name))
        m_reads.add(name, ReadReason::Known);
}

void Engine::readAll()
{
    for (const auto &name : m_registry.names())
        m_reads.add(name, ReadReason::Known);
    for (const auto &name : m_mapped.queues())
        m_reads.add(name, ReadReason::Known);
}

/// Client tracking tells of each such command, and so does the count that is read each second, in whatever order: one
/// of either kind belongs to one of the other.
bool Engine::isToldFirst(const input::EverythingChanged &changed)
{
    if (changed.counted == 0) {
        if (m_emptied.counted > 0) {
            --m_emptied.counted;
            return false;
        }
        ++m_emptied.announced;
        return true;
    }
    const std::int64_t known = std::min(changed.counted, m_emptied.announced);
    m_emptied.announced -= known;
    m_emptied.counted += changed.counted - known;
    return changed.counted > known;
}

void Engine::on(const input::EverythingChanged &changed)
{
    const bool isNew = isToldFirst(changed);
    if (isNew)
        reportOfServer(EventKind::DatabaseEmptied, std::nullopt);
    // The count comes up to a second later: what was written since is not lost by what was told before.
    if (isNew || changed.counted == 0)
        readEverythingAgain();
}

/// What is gone here may be held in another database now.
void Engine::on(const input::DatabasesSwapped &)
{
    m_othersHadKeysAt = m_now.mono;
    reportOfServer(EventKind::DatabasesSwapped, std::nullopt);
    readEverythingAgain();
}

void Engine::readEverythingAgain()
{
    m_registry.everythingChanged(m_now.mono);
    readAll();
    m_discovery.hurry(m_now.mono);
}

void Engine::on(const input::MessageHeard &message)
{
    const auto hint = counterHintOf(message.channel);
    for (const auto &name : locksOfChannel(message.channel)) {
        m_registry.heard(name, Heard::Message, m_now.mono);
        if (message.channel == key_layout::lockChannel(name) && !sharesWithDatabases())
            m_registry.heardOnItsChannel(name);
        if (hint) {
            m_hints.heard(name, hint, m_now.mono);
            nameChanged(name);
            continue;
        }
        m_nonLockKeys.forget(name);
        m_throttle.isLock(name);
        readKnown(name);
    }
}

void Engine::on(const input::PageScanned &page)
{
    if (!m_discovery.scanned(page, m_now.mono))
        return;
    for (const auto &name : page.page.candidates) {
        if (matchesPattern(m_settings.keyPattern, name))
            m_reads.add(name, ReadReason::Swept);
    }
    for (const auto &reading : page.page.readings) {
        if (matchesPattern(m_settings.keyPattern, reading.name))
            enter(reading.name, &reading, ReadReason::Swept, lookSince(page.sentAt));
    }
    if (m_discovery.isFirst())
        changeStatus([this](SourceStatus &status) { status.sweepProgress = m_discovery.progress(); });
}

void Engine::on(const input::ChannelsListed &listed)
{
    if (!m_channels.isAsked())
        return;
    if (m_channels.listed(listed, m_now.mono))
        m_statusChanged = true;
    if (listed.refused) {
        m_statusChanged = m_channels.forget() || m_statusChanged;
        m_waited = {};
        m_stray.clear();
        m_hidden.clear();
        if (!std::exchange(m_uncounted, true))
            m_registry.forgetCounts();
        readUnclaimed();
        return;
    }
    m_mapped.listed(*m_channels.channels());
    lookForQueueOfNamed();
    lookForHiddenWaiters();
    lookAtWaitedLocks();
    readUnclaimed();
    for (const auto &[name, isNew] : m_hints.listed(*m_channels.channels(), m_now.mono)) {
        const auto *known = m_registry.find(name);
        if (known ? !hasKeys(*known) : isNew)
            m_reads.add(name, known ? ReadReason::Known : ReadReason::Swept);
    }
}

/// Those that wait for the list, and those of a waiter who listens for another lock: of the rest it tells nothing.
void Engine::readUnclaimed()
{
    for (auto &[name, shownFrom] : m_unclaimedQueues) {
        if (shownFrom && *shownFrom > m_now.mono && !m_uncounted)
            continue;
        const bool wasHidden = std::exchange(shownFrom, std::nullopt).has_value();
        const auto *known = m_registry.find(name);
        const auto listensForAnother
            = [this, &queue = name](const Waiter &waiter) { return m_mapped.listensForAnother(queue, waiter.owner); };
        if (!known || std::ranges::any_of(known->waiters, listensForAnother))
            m_reads.add(name, wasHidden && !known ? ReadReason::Announced : ReadReason::Known);
    }
}

/// Where one lock alone is looked at, no sweep finds a queue under another name.
void Engine::lookForQueueOfNamed()
{
    const auto name = m_mapped.listenedFor([this](const LockName &lock) { return isNamed(lock); });
    const LockState *known = name ? m_registry.find(*name) : nullptr; // null: free, or not read yet
    if (!name || (known && !known->waiters.empty()))
        return;
    for (const auto &part : m_mapped.candidates(*name))
        m_reads.add(part, ReadReason::Swept);
}

void Engine::on(const input::SubscribersCounted &counted)
{
    m_subscribers.counted(counted, m_registry);
    for (const auto &[channel, number] : counted.channels) {
        const auto hint = number > 0 ? counterHintOf(channel) : CounterHint();
        for (const auto &name : hint ? locksOfChannel(channel) : std::vector<LockName>()) {
            const auto kinds = kindsSeen(m_registry.find(name));
            if (!kinds.empty() && both(kinds, kindsOf(hint)) != kinds)
                learnKind(name, hint);
        }
    }
}

/// Of a number that a person asked for by its name. What its waiters tell is shown together with them.
void Engine::learnKind(const LockName &name, CounterHint hint)
{
    LockRegistry::Count unknown;
    unknown.subscribersUnknown = true;
    m_registry.counted(name, unknown);
    m_hints.heard(name, hint, m_now.mono);
    m_reads.add(name, ReadReason::Known);
    m_countAt = m_now.mono;
}

void Engine::on(const input::ChangedByUs &changed)
{
    if (changed.what == Heard::Forced)
        m_registry.forcedOnly(changed.name, changed.owners);
    m_registry.heard(changed.name, changed.what, m_now.mono);
    if (changed.what != Heard::ActionBegun)
        readKnown(changed.name);
}

} // namespace lockcore::monitor
