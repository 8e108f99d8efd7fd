// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/engine.h"

#include <algorithm>
#include <utility>

namespace lockcore::monitor {

namespace {

constexpr std::size_t MostRereadAtOnce = 500;
constexpr int RereadsInAPeriod = 10;

} // namespace

Engine::Engine(EngineSettings settings)
    : m_settings(std::move(settings))
    , m_node(m_settings.server)
    , m_discovery(m_settings)
    , m_channels(m_settings)
    , m_throttle(m_settings.mostNonLockKeys)
{
    m_status.server = m_settings.place.empty() ? m_settings.server : m_settings.place;
}

std::vector<EngineAction> Engine::handle(const EngineInput &input, Now now)
{
    m_now = now;
    std::visit([this](const auto &what) { on(what); }, input);
    if (isUp())
        workOnline();
    if (!m_newClaims.empty())
        m_actions.emplace_back(action::ClaimLocks{ std::exchange(m_newClaims, {}) });
    updatePhase();
    reportEvents();
    publishIfDue();
    armTimer();
    return std::exchange(m_actions, {});
}

void Engine::on(const input::RefreshRequested &)
{
    if (!isUp())
        return;
    readAll();
    m_discovery.hurry(m_now.mono);
    m_channels.hurry(m_now.mono);
}

void Engine::on(const input::SnapshotRequested &)
{
    m_statusChanged = true;
    m_publishedAt.reset();
}

void Engine::on(const input::AttendanceChanged &change)
{
    m_settings.unattended = change.unattended;
    m_discovery.pauseChanged();
}

void Engine::lookedAround()
{
    if (!m_claims.empty() || (m_discovery.isFirst() && m_channels.isAsked()))
        return; // it may tell of more
    if (!m_discovery.finishes(m_now.mono, m_reads.sweptLeft()))
        return;
    if (m_discovery.startedAt() >= m_scopeSince)
        m_sweptScope = {};
    changeStatus([this](SourceStatus &status) {
        status.lastSweep = m_discovery.sweep();
        status.feedReason = feedReason();
        status.sweepProgress = 1;
    });
    for (const auto &name : m_registry.notReadSince(m_discovery.startedAt()))
        m_reads.add(name, ReadReason::Swept);
}

void Engine::workOnline()
{
    forgetUnreadable();
    for (const auto &name : m_registry.takeDue(m_now.mono))
        m_reads.add(name, ReadReason::Known);
    for (const auto &name : m_nonLockKeys.takeDue(m_now.mono))
        readChanged(name);
    if (m_nonLockKeys.takeOverflow())
        m_discovery.hurry(m_now.mono);
    if (m_rereads && m_rereadAt <= m_now.mono)
        rereadSome();
    if (auto scope = m_throttle.decide(
            m_now.mono, [this] { return namesToHearOf(); }, !m_discovery.isFirst()))
        m_actions.emplace_back(action::LimitFeed{ std::move(*scope) });
    if (auto list = m_channels.take(m_now.mono))
        m_actions.emplace_back(*list);
    if (auto page = m_discovery.take(newId(), m_now.mono, m_reads.sweptLeft()))
        m_actions.emplace_back(std::move(*page));
    if (m_readsHeldUntil <= m_now.mono) {
        while (auto read = m_reads.take(newId(), m_now.mono, m_discovery.sweptReads(m_now.mono)))
            m_actions.emplace_back(std::move(*read));
    }
    if (m_countAt <= m_now.mono) {
        m_countAt = m_now.mono + m_settings.countSubscribersEvery;
        if (auto count = m_subscribers.take(m_registry, channelsOfAll(), m_now.mono); !count.channels.empty())
            m_actions.emplace_back(std::move(count));
    }
    if (m_countFreeAt && *m_countFreeAt <= m_now.mono) {
        m_countFreeAt.reset();
        if (auto count = m_subscribers.takeFree(m_registry, m_now.mono); !count.channels.empty())
            m_actions.emplace_back(std::move(count));
    }
    lookedAround();
}

/// Of new locks of other libraries, too, whose names a person has told.
std::vector<LockName> Engine::namesToHearOf() const
{
    auto names = m_registry.names();
    for (const std::string &pattern : m_settings.tokenNames) {
        if (auto start = literalStart(pattern); !start.empty())
            names.insert(std::ranges::upper_bound(names, start), std::move(start));
    }
    return names;
}

/// What is listed, if it tells of all that anybody can have subscribed to.
SubscriberCount::AllChannels Engine::channelsOfAll() const
{
    if (!m_slots.empty() || !m_isAlone || m_channels.more() > 0)
        return {};
    return { m_channels.channels().get(), m_channels.channelsAskedAt() };
}

/// In turn, so that a large number of locks does not keep the server busy.
void Engine::rereadSome()
{
    if (m_toReread.empty())
        m_toReread = m_registry.names();
    for (std::size_t left = MostRereadAtOnce; left > 0 && !m_toReread.empty(); --left) {
        readKnown(m_toReread.back());
        m_toReread.pop_back();
    }
    m_rereadAt = m_now.mono + (m_toReread.empty() ? m_settings.rereadEvery : m_settings.rereadEvery / RereadsInAPeriod);
}

/// What was known is stale until each lock has been looked at again.
void Engine::updatePhase()
{
    if (!isUp())
        return;
    const bool sawNone
        = std::ranges::none_of(m_unreadable, [this](const auto &entry) { return m_registry.knows(entry.first); });
    if (!m_unreadable.empty() && sawNone)
        return changeStatus([this](SourceStatus &status) {
            status.phase = SourcePhase::Failed;
            status.error = errorOf(ErrorCode::PermissionDenied, { Phrase::LockUnreadable },
                { Phrase::LookingAt, { m_unreadable.begin()->first, m_status.server } });
        });
    if (!m_unreadable.empty())
        return changeStatus([this](SourceStatus &status) {
            status.phase = SourcePhase::Stale;
            status.staleSince = status.staleSince.value_or(m_now.mono);
            status.error = errorOf(ErrorCode::PermissionDenied, { Phrase::LocksUnreadable },
                { Phrase::ReadingLocks, { m_status.server } });
        });
    std::erase_if(m_unread, [this](const LockName &name) { return !m_registry.knows(name) && !isNamed(name); });
    if (!m_unread.empty())
        return changeStatus([this](SourceStatus &status) {
            status.phase = SourcePhase::Stale;
            status.staleSince = status.staleSince.value_or(m_now.mono);
            status.error = errorOf(
                ErrorCode::ReplyTooLarge, { Phrase::HashTooLarge }, { Phrase::Reading, { *m_unread.begin() } });
        });
    if (m_registry.blindLeft() > 0)
        return;
    if (m_status.phase == SourcePhase::Sweeping && !m_discovery.isFirst())
        m_countAt = m_now.mono; // all locks are known now, who waits for them is the next question
    changeStatus([this](SourceStatus &status) {
        status.phase = m_discovery.isFirst() && !m_discovery.isRefused() ? SourcePhase::Sweeping : SourcePhase::Live;
        status.staleSince.reset();
        status.error.reset();
    });
}

void Engine::reportEvents()
{
    const auto changesAt = m_rates.changesAt();
    if (changesAt && *changesAt <= m_now.mono)
        changeStatus([this](SourceStatus &status) { status.rates = m_rates.rates(m_now.mono); });
    for (const auto &event : m_events)
        m_rates.count(event.kind, event.certainty, m_now.mono);
    if (m_events.empty())
        return;
    m_lastEventAt = m_now.mono;
    m_actions.emplace_back(action::ReportEvents{ std::exchange(m_events, {}) });
}

/// Each snapshot copies the list of locks, which grows all the time during the first sweep.
Millis Engine::publishEvery() const
{
    constexpr std::size_t Many = 5'000;
    return m_discovery.isFirst() && m_registry.size() > Many ? m_settings.snapshotEvery * 10 : m_settings.snapshotEvery;
}

void Engine::publishIfDue()
{
    if (!m_statusChanged && !m_registry.changed())
        return;
    if (m_publishedAt && m_now.mono - *m_publishedAt < publishEvery())
        return;
    m_publishedAt = m_now.mono;
    m_statusChanged = false;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->revision = ++m_revision;
    snapshot->takenAt = m_now;
    snapshot->status = m_status;
    snapshot->locks = m_registry.takeShown();
    snapshot->channels = m_channels.channels();
    snapshot->moreChannels = m_channels.more();
    snapshot->nodes = { { m_settings.server, NodeRole::Unknown, {}, {}, std::ssize(snapshot->locks), m_status } };
    m_actions.emplace_back(action::PublishSnapshot{ std::move(snapshot) });
}

void Engine::armTimer()
{
    std::optional<MonoTime> next = m_rates.changesAt();
    const auto consider = [&next](std::optional<MonoTime> at) {
        if (at)
            next = next ? std::min(*next, *at) : *at;
    };
    if (m_statusChanged || m_registry.changed())
        consider(*m_publishedAt + publishEvery());
    if (isUp()) {
        consider(m_registry.nextDue());
        consider(m_nonLockKeys.next());
        consider(m_discovery.next(m_now.mono, m_reads.sweptLeft()));
        consider(m_channels.next());
        consider(m_countAt);
        consider(m_countFreeAt);
        consider(m_throttle.next());
        if (m_rereads)
            consider(m_rereadAt);
        if (m_readsHeldUntil > m_now.mono)
            consider(m_readsHeldUntil);
        else
            consider(m_reads.next(m_now.mono));
    }
    if (next == m_armedFor && next && *next > m_now.mono)
        return;
    m_armedFor = next;
    if (next)
        m_actions.emplace_back(action::ArmTimer{ *next });
}

} // namespace lockcore::monitor
