// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/engine.h"

#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace lockcore {

namespace {

constexpr Millis RetryReadsAfter{ 300 };

} // namespace

Engine::Engine(EngineSettings settings)
    : m_settings(std::move(settings))
    , m_discovery(m_settings)
{
    m_status.server = m_settings.server;
}

std::vector<EngineAction> Engine::handle(const EngineInput &input, Now now)
{
    m_now = now;
    std::visit([this](const auto &what) { on(what); }, input);
    if (isUp())
        workOnline();
    updatePhase();
    reportEvents();
    publishIfDue();
    armTimer();
    return std::exchange(m_actions, {});
}

template <typename Change>
void Engine::changeStatus(Change change)
{
    const auto before = m_status;
    change(m_status);
    m_statusChanged = m_statusChanged || m_status != before;
}

void Engine::on(const input::SourceUp &up)
{
    const bool wasSeen = !m_runId.empty();
    const bool restarted = wasSeen && up.runId != m_runId;
    if (wasSeen) {
        const auto since = m_status.staleSince.value_or(m_now.mono);
        Event gap;
        gap.at = m_now.wall;
        gap.kind = EventKind::Gap;
        gap.node = m_settings.server;
        gap.ttl = std::chrono::duration_cast<Millis>(m_now.mono - since);
        m_events.push_back(std::move(gap));
    }
    m_book.wentBlind(restarted);
    m_up = true;
    m_runId = up.runId;
    m_role = up.role;
    m_hearsUnlocks = up.hearsUnlocks;
    m_discovery.start(m_now.mono);
    m_rereadAt = m_now.mono + m_settings.rereadEvery;
    m_countAt = m_now.mono;
    readAll();
    changeStatus([&](SourceStatus &status) {
        status.error.reset();
        status.retryAt.reset();
        status.serverVersion = up.serverVersion;
        status.feed = up.feed;
        status.missingRights.clear();
    });
}

void Engine::on(const input::SourceDown &down)
{
    m_up = false;
    m_discovery.stop();
    m_reads.clear();
    m_strangers.clear();
    m_subscribers.clear();
    m_publishedAt.reset(); // at once
    changeStatus([&](SourceStatus &status) {
        const bool everSeen = !m_runId.empty();
        status.phase = everSeen ? SourcePhase::Stale : SourcePhase::Failed;
        if (everSeen && !status.staleSince)
            status.staleSince = m_now.mono;
        status.error = down.error;
        status.retryAt = down.retryAt;
        status.feed = Feed::None;
    });
}

void Engine::on(const input::RightsMissing &rights)
{
    changeStatus([&](SourceStatus &status) {
        for (const auto &sentence : rights.sentences) {
            if (std::find(status.missingRights.begin(), status.missingRights.end(), sentence)
                == status.missingRights.end())
                status.missingRights.push_back(sentence);
        }
    });
}

void Engine::on(const input::KeysChanged &changed)
{
    const std::unordered_set<std::string> together(changed.keys.begin(), changed.keys.end());
    for (const auto &key : together) {
        if (!key_layout::isUnlockLatch(key)) {
            keyChanged(key);
            continue;
        }
        if (!m_latches.isNew(key))
            continue;
        // An unlock writes the lock and the latch in one step; alone it is the end of a latch from before our time.
        for (const auto &name : locksOfUnlockLatch(key)) {
            if (together.contains(name))
                m_book.heard(name, &UnlockTrace::latchAt, m_now.mono);
        }
    }
}

void Engine::keyChanged(const std::string &key)
{
    auto names = key_layout::possibleParents(key);
    if (names.empty())
        names.push_back(key);
    for (const auto &name : names) {
        if (!matchesPattern(m_settings.keyPattern, name))
            continue;
        if (m_book.knows(name))
            m_reads.add(name, ReadReason::Known);
        else if (m_strangers.mayRead(name, m_now.mono))
            m_reads.add(name, ReadReason::Announced);
    }
}

void Engine::readKnown(const LockName &name)
{
    if (m_book.knows(name))
        m_reads.add(name, ReadReason::Known);
}

void Engine::readAll()
{
    m_book.forEachName([this](const LockName &name) { m_reads.add(name, ReadReason::Known); });
}

void Engine::on(const input::EverythingChanged &)
{
    m_book.everythingChanged(m_now.mono);
    readAll();
    m_discovery.hurry(m_now.mono);
}

void Engine::on(const input::MessageHeard &message)
{
    for (const auto &name : locksOfChannel(message.channel)) {
        m_strangers.forget(name);
        m_book.heard(name, &UnlockTrace::messageAt, m_now.mono);
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
    if (m_discovery.isFirst())
        changeStatus([this](SourceStatus &status) { status.sweepProgress = m_discovery.progress(); });
}

void Engine::on(const input::LocksRead &read)
{
    const auto batch = m_reads.finish(read.read);
    if (!batch)
        return;
    std::unordered_map<std::string_view, const LockReading *> readings;
    for (const auto &reading : read.readings)
        readings.emplace(reading.name, &reading);

    const auto halfway = (m_now.mono - read.sentAt) / 2;
    Look look{ .askedAt = read.sentAt,
        .at = read.sentAt + halfway,
        .wall = m_now.wall,
        .uncertainty = std::chrono::ceil<Millis>(halfway),
        .exact = m_status.feed == Feed::ClientTracking || m_status.feed == Feed::KeyspaceNotifications,
        .hearsUnlocks = m_hearsUnlocks,
        .node = m_settings.server };
    for (const auto &[name, reason] : *batch) {
        const auto found = readings.find(name);
        const LockReading *reading = found == readings.end() ? nullptr : found->second;
        look.absenceKnown = reason == ReadReason::Announced && !m_discovery.isFirst();
        if (!reading && reason == ReadReason::Announced)
            m_strangers.foundNoLock(name, m_now.mono);
        m_book.enter(name, reading, look, m_now.mono, m_events);
    }
}

void Engine::on(const input::WorkFailed &failed)
{
    if (m_discovery.failed(failed.work, m_now.mono))
        return;
    const auto batch = m_reads.finish(failed.work);
    if (!batch)
        return;
    m_readsHeldUntil = m_now.mono + RetryReadsAfter;
    for (const auto &[name, reason] : *batch)
        m_reads.add(name, reason);
}

void Engine::on(const input::SubscribersCounted &counted) { m_subscribers.counted(counted, m_book); }

void Engine::on(const input::ForceReleased &released)
{
    m_book.heard(released.name, &UnlockTrace::forcedAt, m_now.mono);
    readKnown(released.name);
}

void Engine::on(const input::RefreshRequested &)
{
    if (!isUp())
        return;
    readAll();
    m_discovery.hurry(m_now.mono);
}

void Engine::lookedAround()
{
    if (!m_discovery.finishes(m_now.mono, m_reads.sweptLeft()))
        return;
    changeStatus([this](SourceStatus &status) {
        status.lastSweep = m_discovery.sweep();
        status.sweepProgress = 1;
    });
    for (const auto &name : m_book.notReadSince(m_discovery.startedAt()))
        m_reads.add(name, ReadReason::Swept);
}

void Engine::workOnline()
{
    for (const auto &name : m_book.takeDue(m_now.mono))
        m_reads.add(name, ReadReason::Known);
    for (const auto &name : m_strangers.takeDue(m_now.mono))
        keyChanged(name);
    if (m_strangers.takeOverflow())
        m_discovery.hurry(m_now.mono);
    if (m_status.feed == Feed::Rereading && m_rereadAt <= m_now.mono) {
        m_rereadAt = m_now.mono + m_settings.rereadEvery;
        readAll();
    }
    if (auto page = m_discovery.take(newId(), m_now.mono, m_reads.sweptLeft()))
        m_actions.emplace_back(std::move(*page));
    if (m_readsHeldUntil <= m_now.mono) {
        while (auto read = m_reads.take(newId()))
            m_actions.emplace_back(std::move(*read));
    }
    if (m_countAt <= m_now.mono) {
        m_countAt = m_now.mono + m_settings.countSubscribersEvery;
        if (auto count = m_subscribers.take(m_book); !count.channels.empty())
            m_actions.emplace_back(std::move(count));
    }
    lookedAround();
}

/// What was known is stale until each lock has been looked at again.
void Engine::updatePhase()
{
    if (!isUp() || m_book.blindLeft() > 0)
        return;
    if (m_status.phase == SourcePhase::Sweeping && !m_discovery.isFirst())
        m_countAt = m_now.mono; // all locks are known now, who waits for them is the next question
    changeStatus([this](SourceStatus &status) {
        status.phase = m_discovery.isFirst() ? SourcePhase::Sweeping : SourcePhase::Live;
        status.staleSince.reset();
    });
}

void Engine::reportEvents()
{
    const auto changesAt = m_rates.changesAt();
    if (changesAt && *changesAt <= m_now.mono)
        changeStatus([this](SourceStatus &status) { status.rates = m_rates.rates(m_now.mono); });
    for (const auto &event : m_events)
        m_rates.count(event.kind, m_now.mono);
    if (!m_events.empty())
        m_actions.emplace_back(action::ReportEvents{ std::exchange(m_events, {}) });
}

void Engine::publishIfDue()
{
    if (!m_statusChanged && !m_book.changed())
        return;
    if (m_publishedAt && m_now.mono - *m_publishedAt < m_settings.snapshotEvery)
        return;
    m_publishedAt = m_now.mono;
    m_statusChanged = false;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->revision = ++m_revision;
    snapshot->takenAt = m_now;
    snapshot->status = m_status;
    snapshot->locks = m_book.takeShown();
    snapshot->nodes
        = { { m_settings.server, m_role, {}, {}, static_cast<std::int64_t>(snapshot->locks.size()), m_status } };
    m_actions.emplace_back(action::PublishSnapshot{ std::move(snapshot) });
}

void Engine::armTimer()
{
    std::optional<MonoTime> next = m_rates.changesAt();
    const auto consider = [&next](std::optional<MonoTime> at) {
        if (at)
            next = next ? std::min(*next, *at) : *at;
    };
    if (m_statusChanged || m_book.changed())
        consider(*m_publishedAt + m_settings.snapshotEvery);
    if (isUp()) {
        consider(m_book.nextDue());
        consider(m_strangers.next());
        consider(m_discovery.next());
        consider(m_countAt);
        if (m_status.feed == Feed::Rereading)
            consider(m_rereadAt);
        if (m_readsHeldUntil > m_now.mono)
            consider(m_readsHeldUntil);
    }
    if (next == m_armedFor && next && *next > m_now.mono)
        return;
    m_armedFor = next;
    if (next)
        m_actions.emplace_back(action::ArmTimer{ *next });
}

} // namespace lockcore
