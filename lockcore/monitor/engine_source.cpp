// SPDX-License-Identifier: Apache-2.0
// Where the engine's news come from: the server, its feed and its slots.
#include "lockcore/monitor/engine.h"

#include "lockcore/protocol/cluster_slots.h"

#include <algorithm>
#include <utility>

namespace lockcore::monitor {

namespace {

constexpr std::chrono::minutes OthersComeBackWithin{ 10 }; // a database with nothing but locks is empty at times

} // namespace

void Engine::on(const input::SourceUp &up)
{
    const bool wasSeen = wasEverSeen();
    const bool othersHadThem = m_adopted && !m_wasUp;
    const bool restarted = othersHadThem || (!m_runId.empty() && !up.runId.empty() && up.runId != m_runId);
    const MonoTime unseenSince = m_status.staleSince.value_or(m_now.mono);
    if (wasSeen)
        reportGap(unseenSince, std::exchange(m_formerMaster, {}));
    if (restarted && !othersHadThem)
        reportOfServer(EventKind::ServerRestarted, up.upFor);
    m_registry.wentBlind(restarted, unseenSince);
    m_up = m_wasUp = true;
    m_runId = up.runId;
    m_hearsUnlocks = up.hearsUnlocks;
    m_rereads = up.feed == Feed::Rereading;
    m_scope = m_sweptScope = {};
    m_emptied = {};
    m_toldSince = m_now.mono;
    m_channels.start(m_now.mono);
    m_waited = {};
    m_discovery.start(m_now.mono);
    m_discovery.setAlone(m_rereads, m_now.mono);
    m_feedReason = up.feedReason;
    m_rereadAt = m_now.mono + m_settings.rereadEvery;
    m_countAt = m_now.mono;
    m_throttle.start(up.mayLimitFeed);
    m_rates.start(m_now.mono);
    m_unreadable.clear();
    m_unread.clear();
    m_uncounted = false;
    readAll();
    changeStatus([&](SourceStatus &status) {
        status.error.reset();
        status.retryAt.reset();
        status.rates = m_rates.rates(m_now.mono);
        status.feed = up.feed;
        status.feedReason = feedReason();
        status.feedLimited = false;
    });
}

void Engine::on(const input::FeedChanged &changed)
{
    if (!isUp())
        return;
    m_emptied = {};
    if (changed.deafSince)
        reportGap(std::max(*changed.deafSince, m_toldSince));
    m_hearsUnlocks = changed.hearsUnlocks;
    if (!changed.missedNothing || m_rereads) // what was read in turn was not told
        m_toldSince = m_now.mono;
    m_rereadAt = m_now.mono;
    m_throttle.feedChanged(changed.scope, changed.mayLimitFeed);
    const bool readBefore = std::exchange(m_rereads, rereadsWith(changed));
    m_discovery.setAlone(m_rereads, m_now.mono);
    m_feedReason = changed.reason;
    const auto scopeBefore = std::exchange(m_scope, changed.scope);
    readUntold(changed, readBefore, scopeBefore);
    forgetAbsence(changed.missedNothing && !readBefore ? scopeBefore : FeedScope{ FeedScope::Extent::Nothing, {} });
    changeStatus([&](SourceStatus &status) {
        status.feed = changed.feed;
        status.feedReason = feedReason();
        status.feedLimited = changed.scope != FeedScope{};
    });
}

/// With what it leaves out, as soon as that is known.
FeedReason Engine::feedReason() const
{
    FeedReason reason = m_feedReason;
    reason.mayMiss = m_discovery.findsWithin();
    return reason;
}

/// A trial may be over in a moment.
bool Engine::rereadsWith(const input::FeedChanged &changed) const
{
    return changed.feed == Feed::Rereading || (changed.scope.trial && m_rereads);
}

/// Whether the feed tells of each change of this lock.
bool Engine::isTold(const LockName &name) const
{
    return isAnnouncing(m_status.feed) && !m_rereads && tellsOf(m_scope, name);
}

/// What was read in turn until now is compared with the last look of that, as in each turn; of other changes that were
/// not told, nothing is known.
void Engine::readUntold(const input::FeedChanged &changed, bool readBefore, const FeedScope &before)
{
    const bool wasUnseen = !changed.missedNothing && !(readBefore && m_rereads);
    const bool isAnyUntold = wasUnseen || (readBefore && !m_rereads);
    if (wasUnseen)
        m_registry.wentBlind(false, changed.deafSince.value_or(MonoTime{}));
    if (isAnyUntold)
        readAll();
    else if (!readBefore)
        rereadUntold(before);
    if (isAnyUntold || (before != FeedScope{} && m_scope == FeedScope{}))
        m_discovery.hurry(m_now.mono);
}

/// What happened to these was missed, whatever took over without a gap.
void Engine::rereadUntold(const FeedScope &before)
{
    for (const auto &name : m_registry.names()) {
        if (tellsOf(before, name))
            continue;
        m_registry.wentBlind(name);
        m_reads.add(name, ReadReason::Known);
    }
}

/// Of names that were not told of before, one that is unknown may be held already, until a sweep has looked for it.
void Engine::forgetAbsence(const FeedScope &toldBefore)
{
    const bool sameKeys = toldBefore.extent == m_scope.extent && toldBefore.prefixes == m_scope.prefixes;
    if (sameKeys || toldBefore.extent == FeedScope::Extent::Everything)
        return;
    const bool wasSwept = m_sweptScope.extent == FeedScope::Extent::Everything;
    m_sweptScope = wasSwept ? toldBefore : FeedScope{ FeedScope::Extent::Nothing, {} };
    m_scopeSince = m_now.mono;
}

/// What is told to be unseen is so once: a gap does not begin in the one before.
void Engine::reportGap(MonoTime since, std::string formerMaster)
{
    since = std::max(since, std::exchange(m_gapEnd, m_now.mono));
    Event gap;
    gap.at = m_now.wall;
    gap.kind = EventKind::Gap;
    gap.node = m_settings.server;
    gap.ttl = std::chrono::duration_cast<Millis>(m_now.mono - since);
    gap.formerMaster = std::move(formerMaster);
    m_events.push_back(std::move(gap));
}

void Engine::reportOfServer(EventKind kind, std::optional<Millis> length)
{
    Event event;
    event.at = m_now.wall;
    event.kind = kind;
    event.node = m_settings.server;
    event.ttl = length;
    m_events.push_back(std::move(event));
}

/// All that can be read at all was looked at since the connection was made.
bool Engine::isSeenButForUnread() const
{
    return m_registry.blindLeft() == 0 || !m_registry.isAnyBlind([this](const LockName &name) {
        return !m_unread.contains(name) && !m_unreadable.contains(name);
    });
}

void Engine::on(const input::SourceDown &down)
{
    const bool wasSeen = std::exchange(m_up, false) && isSeenButForUnread();
    m_discovery.stop();
    m_channels.stop();
    m_reads.clear();
    m_announced.clear();
    m_claims.clear();
    m_newClaims.clear();
    m_claimed.clear();
    m_passing.clear();
    m_unclaimedQueues.clear();
    m_regrouped.clear();
    m_stray.clear();
    m_hidden.clear();
    m_nonLockKeys.clear();
    m_subscribers.clear();
    m_publishedAt.reset(); // at once
    changeStatus([&](SourceStatus &status) {
        const bool everSeen = wasEverSeen();
        status.phase = everSeen ? SourcePhase::Stale : SourcePhase::Failed;
        if (wasSeen || (everSeen && !status.staleSince)) // what has been told since the last sign of life was seen, too
            status.staleSince = std::max(down.heardAt.value_or(m_now.mono), m_lastEventAt);
        status.error = down.error;
        status.retryAt = down.retryAt;
        status.feed = Feed::None;
        status.feedReason = {};
        status.feedLimited = false;
    });
}

void Engine::on(const input::ClockChanged &)
{
    if (isUp())
        readAll();
}

void Engine::on(const input::DatabasesSeen &seen)
{
    if (seen.haveKeys)
        m_othersHadKeysAt = m_now.mono;
    changeStatus([&](SourceStatus &status) { status.channelsShared = seen.others; });
}

/// What is heard may be of a lock of the same name in another database.
bool Engine::sharesWithDatabases() const
{
    return m_othersHadKeysAt && m_now.mono < *m_othersHadKeysAt + OthersComeBackWithin;
}

bool Engine::isOurs(const LockName &name) const
{
    return m_slots.empty() || m_slots[static_cast<std::size_t>(protocol::keySlot(name))];
}

void Engine::on(const input::SlotsKept &kept)
{
    std::vector<bool> slots(kept.slots.empty() ? 0 : protocol::SlotCount);
    for (const SlotSpan &span : kept.slots)
        std::fill(slots.begin() + span.first, slots.begin() + span.last + 1, true);
    const auto before = std::exchange(m_slots, slots);
    if (before == slots)
        return;
    m_passing.clear(); // with this map, they have a new chance
    // Locks of slots that are still moving here stay.
    m_registry.abandonUnless([&](const LockName &name) {
        return isOurs(name) || (!before.empty() && !before[static_cast<std::size_t>(protocol::keySlot(name))]);
    });
    if (isUp())
        m_discovery.hurry(m_now.mono); // what came with a slot was announced before it was ours
}

void Engine::on(const input::LocksArrived &arrived)
{
    for (const auto &lock : arrived.locks) {
        m_registry.adopt(lock);
        readKnown(lock->name);
    }
    m_publishedAt.reset(); // at once: nobody else shows them any more
    if (wasEverSeen())
        return;
    m_adopted = true;
    m_formerMaster = arrived.from;
    changeStatus([&](SourceStatus &status) {
        status.phase = SourcePhase::Stale;
        status.staleSince = arrived.unseenSince;
    });
}

void Engine::on(const input::FactsChanged &facts)
{
    m_isAlone = facts.isAlone;
    m_statusChanged = true;
}

} // namespace lockcore::monitor
