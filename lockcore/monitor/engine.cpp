// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/engine.h"

#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/protocol/key_slot.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lockcore {

namespace {

constexpr std::size_t MostRereadAtOnce = 500;
constexpr int RereadsInAPeriod = 10;
constexpr std::size_t MostAnnounced = 20'000;
constexpr std::chrono::seconds LongestLatch{ 20 }; // with the time-outs that clients have by default
constexpr std::chrono::minutes OthersComeBackWithin{ 10 }; // a database with nothing but locks is empty at times

} // namespace

Engine::Engine(EngineSettings settings)
    : m_settings(std::move(settings))
    , m_node(m_settings.server)
    , m_discovery(m_settings)
    , m_channels(m_settings)
    , m_flood(m_settings.mostStrangers)
{
    m_status.server = m_settings.place.empty() ? m_settings.server : m_settings.place;
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
    const bool wasSeen = wasEverSeen();
    const bool othersHadThem = m_adopted && !m_wasUp;
    const bool restarted = othersHadThem || (!m_runId.empty() && !up.runId.empty() && up.runId != m_runId);
    const MonoTime unseenSince = m_status.staleSince.value_or(m_now.mono);
    if (wasSeen)
        reportGap(std::min(unseenSince, m_partialSince.value_or(m_now.mono)));
    m_partialSince = up.complete ? std::nullopt : std::optional(m_now.mono);
    m_book.wentBlind(restarted, unseenSince);
    m_up = m_wasUp = true;
    m_runId = up.runId;
    m_role = up.role;
    m_hearsUnlocks = up.hearsUnlocks;
    m_rereads = up.feed == Feed::Rereading;
    m_scope = {};
    m_toldSince = m_now.mono;
    m_channels.start(m_now.mono);
    m_waited = {};
    m_discovery.start(m_now.mono);
    m_discovery.setAlone(m_rereads, m_now.mono);
    m_feedReason = up.feedReason;
    m_rereadAt = m_now.mono + m_settings.rereadEvery;
    m_countAt = m_now.mono;
    m_flood.start(up.mayLimitFeed);
    m_unreadable.clear();
    m_unread.clear();
    m_uncounted = false;
    readAll();
    changeStatus([&](SourceStatus &status) {
        status.error.reset();
        status.retryAt.reset();
        status.serverVersion = up.serverVersion;
        status.feed = up.feed;
        status.feedReason = feedReason();
        status.feedLimited = false;
        status.missingRights.clear();
        status.aclLine.clear();
    });
}

void Engine::on(const input::FeedChanged &changed)
{
    if (!isUp())
        return;
    const auto deafSince = changed.complete ? changed.deafSince : changed.deafSince.value_or(m_now.mono);
    if (deafSince)
        m_partialSince = std::min(m_partialSince.value_or(*deafSince), *deafSince);
    if (changed.complete && m_partialSince) {
        reportGap(*std::exchange(m_partialSince, std::nullopt));
        m_discovery.hurry(m_now.mono);
    }
    m_hearsUnlocks = changed.hearsUnlocks;
    if (!changed.missedNothing)
        m_toldSince = m_now.mono;
    m_rereadAt = m_now.mono;
    m_flood.feedChanged(changed.scope, changed.mayLimitFeed);
    const bool readBefore = std::exchange(m_rereads, rereadsWith(changed));
    m_discovery.setAlone(m_rereads, m_now.mono);
    m_feedReason = changed.reason;
    const auto scopeBefore = std::exchange(m_scope, changed.scope);
    if (m_rereads ? !readBefore && !changed.missedNothing : readBefore || !changed.missedNothing) {
        m_book.wentBlind(false, changed.deafSince.value_or(MonoTime{}));
        readAll();
        m_discovery.hurry(m_now.mono);
    } else if (!readBefore) {
        rereadUntold(scopeBefore);
    }
    changeStatus([&](SourceStatus &status) {
        status.feed = changed.feed;
        status.feedReason = feedReason();
        status.feedLimited = changed.scope != FeedScope{};
    });
}

/// With what it leaves out, as soon as that is known.
std::string Engine::feedReason() const
{
    const auto within = m_discovery.findsWithin();
    if (!within)
        return m_feedReason;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*within).count();
    return m_feedReason + " A lock held for less than " + std::to_string(seconds) + " s may not be seen.";
}

/// A trial may be over in a moment.
bool Engine::rereadsWith(const input::FeedChanged &changed) const
{
    return changed.feed == Feed::Rereading || (changed.scope.trial && m_rereads);
}

/// Whether the feed tells of each change of this lock.
bool Engine::isTold(const LockName &name) const
{
    const bool tells = m_status.feed == Feed::ClientTracking || m_status.feed == Feed::KeyspaceNotifications;
    return tells && !m_rereads && tellsOf(m_scope, name);
}

/// What happened to these was missed, whatever took over without a gap.
void Engine::rereadUntold(const FeedScope &before)
{
    m_book.forEachName([&](const LockName &name) {
        if (tellsOf(before, name))
            return;
        m_book.wentBlind(name);
        m_reads.add(name, ReadReason::Known);
    });
}

void Engine::reportGap(MonoTime since)
{
    Event gap;
    gap.at = m_now.wall;
    gap.kind = EventKind::Gap;
    gap.node = m_settings.server;
    gap.ttl = std::chrono::duration_cast<Millis>(m_now.mono - since);
    m_events.push_back(std::move(gap));
}

void Engine::on(const input::SourceDown &down)
{
    m_up = false;
    m_discovery.stop();
    m_channels.stop();
    m_reads.clear();
    m_announced.clear();
    m_claimed.clear();
    m_passing.clear();
    m_unclaimedQueues.clear();
    m_regrouped.clear();
    m_stray.clear();
    m_hidden.clear();
    m_strangers.clear();
    m_subscribers.clear();
    m_publishedAt.reset(); // at once
    changeStatus([&](SourceStatus &status) {
        const bool everSeen = wasEverSeen();
        status.phase = everSeen ? SourcePhase::Stale : SourcePhase::Failed;
        if (everSeen && !status.staleSince)
            status.staleSince = down.heardAt.value_or(m_now.mono);
        status.error = down.error;
        status.retryAt = down.retryAt;
        status.feed = Feed::None;
        status.feedReason.clear();
        status.feedLimited = false;
    });
}

void Engine::on(const input::ClocksCompared &compared)
{
    changeStatus([&](SourceStatus &status) { status.clockAhead = compared.ahead; });
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

void Engine::on(const input::RightsMissing &rights)
{
    changeStatus([&](SourceStatus &status) {
        for (const auto &sentence : rights.sentences) {
            if (std::find(status.missingRights.begin(), status.missingRights.end(), sentence)
                == status.missingRights.end())
                status.missingRights.push_back(sentence);
        }
        if (!rights.aclLine.empty())
            status.aclLine = rights.aclLine;
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
        const bool isNew = m_latches.isNew(key);
        for (const auto &name : locksOfUnlockLatch(key)) {
            m_flood.isLock(name);
            // An unlock writes the lock and the latch in one step, though a feed may tell of them one after the other.
            // At the beginning one that is told alone may be the end of a latch from before our time.
            if (isNew && (together.contains(name) || m_toldSince + LongestLatch <= m_now.mono))
                m_book.heard(name, Heard::Latch, m_now.mono);
        }
    }
}

void Engine::keyChanged(const std::string &key)
{
    auto names = key_layout::possibleParents(key);
    const auto isKnown = [this](const LockName &name) { return m_book.knows(name); };
    if (names.empty()) {
        names = key_layout::possibleSemaphores(key);
        names.push_back(key);
    } else if (isKnown(key) || std::none_of(names.begin(), names.end(), isKnown)) {
        names.push_back(key); // a lock may be named as the other keys of locks are
    }
    if (std::none_of(names.begin(), names.end(), isKnown))
        m_flood.announced(names.front(), m_now.mono);
    for (const auto &name : names)
        nameChanged(name);
}

void Engine::nameChanged(const LockName &name)
{
    if (m_book.knows(name) || (isOfInterest(name) && m_strangers.mayRead(name, m_now.mono)))
        readChanged(name);
}

/// What is unreadable waits until we have other rights.
bool Engine::isOfInterest(const LockName &name) const
{
    return matchesPattern(m_settings.keyPattern, name) && !m_unreadable.contains(name);
}

void Engine::readChanged(const LockName &name)
{
    if (!isOfInterest(name))
        return;
    if (m_announced.size() < MostAnnounced)
        m_announced.try_emplace(name, m_now.mono);
    m_reads.add(name, m_book.knows(name) ? ReadReason::Known : ReadReason::Announced);
}

void Engine::readKnown(const LockName &name)
{
    if (m_book.knows(name))
        m_reads.add(name, ReadReason::Known);
}

void Engine::readAll()
{
    m_book.forEachName([this](const LockName &name) { m_reads.add(name, ReadReason::Known); });
    for (const auto &name : m_mapped.queues())
        m_reads.add(name, ReadReason::Known);
}

void Engine::on(const input::EverythingChanged &)
{
    m_book.everythingChanged(m_now.mono);
    readAll();
    m_discovery.hurry(m_now.mono);
}

void Engine::on(const input::MessageHeard &message)
{
    const auto hint = counterHintOf(message.channel);
    for (const auto &name : locksOfChannel(message.channel)) {
        m_book.heard(name, Heard::Message, m_now.mono);
        if (message.channel == key_layout::lockChannel(name) && !sharesWithDatabases())
            m_book.heardOnItsChannel(name);
        if (hint) {
            m_hints.heard(name, hint, m_now.mono);
            nameChanged(name);
            continue;
        }
        m_strangers.forget(name);
        m_flood.isLock(name);
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
            m_book.forgetCounts();
        readUnclaimed();
        return;
    }
    m_mapped.listed(*m_channels.channels());
    lookForQueueOfNamed();
    lookForHiddenWaiters();
    lookAtWaitedLocks();
    readUnclaimed();
    for (const auto &[name, isNew] : m_hints.listed(*m_channels.channels(), m_now.mono)) {
        const auto *known = m_book.find(name);
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
        const auto *known = m_book.find(name);
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
    const LockState *known = name ? m_book.find(*name) : nullptr; // null: free, or not read yet
    if (!name || (known && !known->waiters.empty()))
        return;
    for (const auto &part : m_mapped.candidates(*name))
        m_reads.add(part, ReadReason::Swept);
}

void Engine::on(const input::SubscribersCounted &counted)
{
    m_subscribers.counted(counted, m_book);
    for (const auto &[channel, number] : counted.channels) {
        const auto hint = number > 0 ? counterHintOf(channel) : CounterHint();
        for (const auto &name : hint ? locksOfChannel(channel) : std::vector<LockName>()) {
            const auto kinds = kindsSeen(m_book.find(name));
            if (!kinds.empty() && both(kinds, kindsOf(hint)) != kinds)
                learnKind(name, hint);
        }
    }
}

/// Of a number that a person asked for by its name. What its waiters tell is shown together with them.
void Engine::learnKind(const LockName &name, CounterHint hint)
{
    LockBook::Count unknown;
    unknown.subscribersUnknown = true;
    m_book.counted(name, unknown);
    m_hints.heard(name, hint, m_now.mono);
    m_reads.add(name, ReadReason::Known);
    m_countAt = m_now.mono;
}

void Engine::on(const input::ForceReleased &released)
{
    m_book.heard(released.name, Heard::Forced, m_now.mono);
    readKnown(released.name);
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
    m_book.abandonUnless([&](const LockName &name) {
        return isOurs(name) || (!before.empty() && !before[static_cast<std::size_t>(protocol::keySlot(name))]);
    });
    if (isUp())
        m_discovery.hurry(m_now.mono); // what came with a slot was announced before it was ours
}

void Engine::on(const input::LocksArrived &arrived)
{
    for (const auto &lock : arrived.locks) {
        m_book.adopt(lock);
        readKnown(lock->name);
    }
    m_publishedAt.reset(); // at once: nobody else shows them any more
    if (wasEverSeen())
        return;
    m_adopted = true;
    changeStatus([&](SourceStatus &status) {
        status.phase = SourcePhase::Stale;
        status.staleSince = arrived.unseenSince;
    });
}

void Engine::on(const input::RoleSeen &seen)
{
    m_statusChanged
        = m_statusChanged || m_role != seen.role || m_replicaLag != seen.replicaLag || m_replicas != seen.replicas;
    m_replicas = seen.replicas;
    m_role = seen.role;
    m_replicaLag = seen.replicaLag;
}

void Engine::on(const input::RefreshRequested &)
{
    if (!isUp())
        return;
    readAll();
    m_discovery.hurry(m_now.mono);
    m_channels.hurry(m_now.mono);
}

void Engine::lookedAround()
{
    if (m_discovery.isFirst() && m_channels.isAsked())
        return; // it may tell of more
    if (!m_discovery.finishes(m_now.mono, m_reads.sweptLeft()))
        return;
    changeStatus([this](SourceStatus &status) {
        status.lastSweep = m_discovery.sweep();
        status.feedReason = feedReason();
        status.sweepProgress = 1;
    });
    for (const auto &name : m_book.notReadSince(m_discovery.startedAt()))
        m_reads.add(name, ReadReason::Swept);
}

void Engine::workOnline()
{
    forgetUnreadable();
    for (const auto &name : m_book.takeDue(m_now.mono))
        m_reads.add(name, ReadReason::Known);
    for (const auto &name : m_strangers.takeDue(m_now.mono))
        readChanged(name);
    if (m_strangers.takeOverflow())
        m_discovery.hurry(m_now.mono);
    if (m_rereads && m_rereadAt <= m_now.mono)
        rereadSome();
    if (auto scope = m_flood.decide(
            m_now.mono, [this] { return m_book.names(); }, !m_discovery.isFirst()))
        m_actions.emplace_back(action::LimitFeed{ std::move(*scope) });
    if (auto list = m_channels.take(m_now.mono))
        m_actions.emplace_back(*list);
    if (auto page = m_discovery.take(newId(), m_now.mono, m_reads.sweptLeft()))
        m_actions.emplace_back(std::move(*page));
    if (m_readsHeldUntil <= m_now.mono) {
        while (auto read = m_reads.take(newId(), m_discovery.sweptReads(m_now.mono)))
            m_actions.emplace_back(std::move(*read));
    }
    if (m_countAt <= m_now.mono) {
        m_countAt = m_now.mono + m_settings.countSubscribersEvery;
        if (auto count = m_subscribers.take(m_book, channelsOfAll()); !count.channels.empty())
            m_actions.emplace_back(std::move(count));
    }
    if (m_countFreeAt && *m_countFreeAt <= m_now.mono) {
        m_countFreeAt.reset();
        if (auto count = m_subscribers.takeFree(m_book); !count.channels.empty())
            m_actions.emplace_back(std::move(count));
    }
    lookedAround();
}

/// What is listed, if it tells of all that anybody can have subscribed to.
SubscriberCount::AllChannels Engine::channelsOfAll() const
{
    const bool isAlone = m_slots.empty() && m_role == NodeRole::Master && m_replicas.empty();
    if (!isAlone || m_channels.more() > 0)
        return {};
    return { m_channels.channels().get(), m_channels.channelsAskedAt() };
}

/// In turn, so that a large number of locks does not keep the server busy.
void Engine::rereadSome()
{
    m_nextReread = m_book.forSomeNames(
        m_nextReread, MostRereadAtOnce, [this](const LockName &name) { m_reads.add(name, ReadReason::Known); });
    const bool isRoundOver = m_nextReread == 0;
    m_rereadAt = m_now.mono + (isRoundOver ? m_settings.rereadEvery : m_settings.rereadEvery / RereadsInAPeriod);
}

/// What was known is stale until each lock has been looked at again.
void Engine::updatePhase()
{
    if (!isUp())
        return;
    const bool sawNone
        = std::ranges::none_of(m_unreadable, [this](const auto &entry) { return m_book.knows(entry.first); });
    if (!m_unreadable.empty() && sawNone)
        return changeStatus([this](SourceStatus &status) {
            status.phase = SourcePhase::Failed;
            status.error = Error{ ErrorCode::PermissionDenied,
                "it may not be read by this user, so whether there is such a lock is not known",
                "looking at " + m_unreadable.begin()->first + " of " + m_status.server };
        });
    if (!m_unreadable.empty())
        return changeStatus([this](SourceStatus &status) {
            status.phase = SourcePhase::Stale;
            status.staleSince = status.staleSince.value_or(m_now.mono);
            status.error = Error{ ErrorCode::PermissionDenied, "the user may no longer read some of the locks",
                "reading locks of " + m_status.server };
        });
    std::erase_if(m_unread, [this](const LockName &name) { return !m_book.knows(name) && !isNamed(name); });
    if (!m_unread.empty())
        return changeStatus([this](SourceStatus &status) {
            status.phase = SourcePhase::Stale;
            status.staleSince = status.staleSince.value_or(m_now.mono);
            status.error = Error{ ErrorCode::ReplyTooLarge,
                "the hash is too large to be read: who holds it by now is not known", "reading " + *m_unread.begin() };
        });
    if (m_book.blindLeft() > 0)
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
        m_rates.count(event.kind, m_now.mono);
    if (!m_events.empty())
        m_actions.emplace_back(action::ReportEvents{ std::exchange(m_events, {}) });
}

/// Each snapshot copies the list of locks, which grows all the time during the first sweep.
Millis Engine::publishEvery() const
{
    constexpr std::size_t Many = 5'000;
    return m_discovery.isFirst() && m_book.size() > Many ? m_settings.snapshotEvery * 10 : m_settings.snapshotEvery;
}

/// Ourselves first; in a cluster then the replicas, of which is known what we know.
std::vector<NodeStatus> Engine::nodes(std::int64_t locks) const
{
    std::vector<NodeStatus> nodes{ { m_settings.server, m_role, {}, m_replicaLag, locks, m_status } };
    if (m_slots.empty())
        return nodes;
    for (const input::ReplicaSeen &replica : m_replicas) {
        NodeStatus &listed = nodes.emplace_back();
        listed.node = replica.node;
        listed.role = NodeRole::Replica;
        listed.replicaLag = replica.lag;
        listed.status.phase = isUp() ? SourcePhase::Live : m_status.phase;
        listed.status.staleSince = m_status.staleSince;
    }
    return nodes;
}

void Engine::publishIfDue()
{
    if (!m_statusChanged && !m_book.changed())
        return;
    if (m_publishedAt && m_now.mono - *m_publishedAt < publishEvery())
        return;
    m_publishedAt = m_now.mono;
    m_statusChanged = false;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->revision = ++m_revision;
    snapshot->takenAt = m_now;
    snapshot->status = m_status;
    snapshot->locks = m_book.takeShown();
    snapshot->channels = m_channels.channels();
    snapshot->moreChannels = m_channels.more();
    snapshot->nodes = nodes(std::ssize(snapshot->locks));
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
        consider(*m_publishedAt + publishEvery());
    if (isUp()) {
        consider(m_book.nextDue());
        consider(m_strangers.next());
        consider(m_discovery.next(m_now.mono, m_reads.sweptLeft()));
        consider(m_channels.next());
        consider(m_countAt);
        consider(m_countFreeAt);
        consider(m_flood.next());
        if (m_rereads)
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
