// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorded_world.h"

#include "lockcore/recording/codes.h"
#include "lockcore/synchronizers/catalog.h"

#include <utility>

namespace recordingtest {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::recording;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;

namespace {
constexpr std::size_t Corners = 8;
}

std::string World::text(int length)
{
    std::string text;
    for (int i = 0; i < length; ++i)
        text.push_back(static_cast<char>(below(256)));
    return text;
}

OwnerId World::owner() { return { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d" + std::to_string(below(9)), text(below(4)) }; }

Kind World::anyKind()
{
    const auto kinds = allKinds();
    return kinds[static_cast<std::size_t>(below(static_cast<int>(kinds.size())))].value;
}

LockState World::lock(const LockName &name, Now now, const LockState *before)
{
    LockState lock;
    lock.name = name;
    lock.kind = anyKind();
    for (int i = below(3); i > 0; --i) {
        lock.holders.push_back({ owner(), below(5) - 2, maybe() ? std::optional(now.mono + 30s) : std::nullopt,
            { now.mono - 1us * below(1'000'000), maybe() }, maybe() ? std::optional(HoldMode::Write) : std::nullopt,
            maybe(), maybe(), Codes<Lease>[static_cast<std::size_t>(below(3))] });
        lock.waiters.push_back({ owner(), maybe() ? std::optional(now.wall + 5min) : std::nullopt,
            { now.mono - 3s, maybe() }, maybe() ? std::optional(maybe()) : std::nullopt,
            maybe() ? std::optional(Millis(below(9))) : std::nullopt,
            maybe() ? std::optional(now.mono - 2s) : std::nullopt });
    }
    if (maybe()) {
        lock.mode = HoldMode::Read;
        lock.expiresAt = now.mono + 29'999'999us;
        lock.leaseSeen = Millis(30'000);
        lock.subscribers = below(9);
        lock.token = std::numeric_limits<std::int64_t>::max() - below(9);
        lock.permits = PermitsReading{ -3, 17, 2, { { text(32), now.wall + 1h }, { text(32), std::nullopt } } };
        lock.count = std::numeric_limits<std::int64_t>::min();
        lock.otherKinds = { Kind::CountDownLatch, Kind::Semaphore };
        lock.quorum = Quorum{ 3, 1, 5 };
        lock.hasMainKey = true;
        lock.otherKeys = { "redisson_lock_queue:{" + name + "}", "another:" + text(5), "" };
    }
    lock.lease = Codes<Lease>[static_cast<std::size_t>(below(3))];
    lock.renewals = below(1'000);
    lock.node = "127.0.0.1:" + std::to_string(7000 + below(3));
    lock.slot = below(16'384);
    lock.readAt = now.wall;
    lock.readAtMono = now.mono - 1ms;
    lock.lastChange = { now.mono - 5ms, EventKind::Renewed, Certainty::Inferred };
    std::vector<TtlCorner> corners;
    if (before != nullptr && below(5) > 0)
        corners = ttlHistoryOf(*before);
    for (int i = below(4); i > 0; --i)
        corners.push_back({ now.mono - 1us * i, Millis(below(30'000)), Millis(30'000), maybe() });
    if (corners.size() > Corners)
        corners.erase(corners.begin(), corners.end() - Corners);
    lock.ttlHistory = corners;
    for (int i = below(6) - 2; i > 0; --i) {
        LockState part = lock;
        part.members.clear();
        part.node = part.node + std::to_string(i);
        const bool kept = before != nullptr && static_cast<std::size_t>(i) <= before->members.size() && maybe();
        lock.members.push_back(kept ? before->members[static_cast<std::size_t>(i - 1)]
                                    : std::make_shared<const LockState>(std::move(part)));
    }
    return lock;
}

SourceStatus World::status(Now now)
{
    SourceStatus status;
    status.phase = Codes<SourcePhase>[static_cast<std::size_t>(below(5))];
    if (maybe()) {
        status.error = Error{ ErrorCode::ClusterBusy, text(20), "reading" };
        status.staleSince = now.mono - 4s;
        status.retryAt = now.mono + 2s;
        status.lastSweep = SweepInfo{ 1'030'000, 1'310ms, now.mono - 12s, maybe() };
        status.missingRights = { { Right::Scan, text(9), { "a", text(3) } }, { Right::Info } };
    }
    status.server = "127.0.0.1:6379";
    status.serverVersion = "7.0.15";
    status.feed = Codes<Feed>[static_cast<std::size_t>(below(4))];
    status.feedReason = { .isByHand = maybe(),
        .detours = { { FeedObstacle::TrackingFails, text(7) }, { FeedObstacle::NotificationsOff } },
        .scope = { FeedScope::Extent::Prefixes, { text(3), "b" }, maybe(), below(9) },
        .leavesChannelsOut = maybe(),
        .partOfCluster = text(4),
        .mayMiss = Millis(below(9)),
        .node = text(2) };
    status.aclLine = "ACL SETUSER";
    status.sweepProgress = below(1'000) / 7.0;
    status.rates = { 1.5, below(1'000) / 3.0, 0, 1e9 };
    return status;
}

std::shared_ptr<const Analysis> World::analysis(Now now)
{
    auto analysis = std::make_shared<Analysis>();
    analysis->at = now.mono;
    analysis->suspects = { { SuspectKind::DeadWaiter, name(), "node", text(8),
        { .what = Observed::HeldLong, .since = 5s, .left = -3s, .number = below(9), .isAtLeast = maybe() },
        Certainty::Seen, now.mono } };
    analysis->moreSuspects = below(5);
    analysis->pending = below(5);
    const WaitEdge edge{ owner(), name(), owner() };
    if (m_analysis && maybe())
        analysis->graph = m_analysis->graph;
    else
        analysis->graph = std::make_shared<const WaitGraph>(WaitGraph{ { edge }, { { edge, edge }, {} } });
    for (int i = below(5); i > 0; --i) {
        LockStatistics of;
        of.lock = name();
        of.acquires = below(100);
        of.blocked = Millis(below(100'000));
        if (maybe())
            of.blockedUntil = now.mono - 2s;
        m_statistics[of.lock] = std::make_shared<const LockStatistics>(of);
    }
    if (!m_statistics.empty() && maybe())
        m_statistics.erase(m_statistics.begin());
    auto list = std::make_shared<StatisticsList>();
    list->apply(m_statistics);
    analysis->statistics = std::move(list);
    return analysis;
}

std::shared_ptr<const Snapshot> World::next(Now now, int changes)
{
    for (int i = 0; i < changes; ++i) {
        const LockName name = this->name();
        const auto before = m_locks.find(name);
        if (before != m_locks.end() && below(4) == 0)
            m_locks.erase(before);
        else
            m_locks[name] = std::make_shared<const LockState>(
                lock(name, now, before == m_locks.end() ? nullptr : before->second.get()));
    }
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->revision = ++m_revision;
    snapshot->takenAt = now;
    snapshot->status = status(now);
    for (int i = below(4); i > 0; --i)
        snapshot->nodes.push_back({ "node", NodeRole::Replica, { { 0, 5460 }, { 7, 7 } },
            maybe() ? std::optional(Millis(40)) : std::nullopt, below(9), status(now) });
    snapshot->locks.apply(m_locks);
    if (m_channels == nullptr || below(3) == 0)
        m_channels = std::make_shared<const std::vector<ChannelState>>(
            std::vector<ChannelState>{ { text(9), "node", below(9), now.mono }, { "", "", std::nullopt, now.mono } });
    if (m_analysis == nullptr || below(3) == 0)
        m_analysis = analysis(now);
    if (m_revision % 5 == 3)
        m_knownWaits = std::make_shared<const std::vector<KnownWait>>(static_cast<std::size_t>(m_revision % 3),
            KnownWait{ { "ours", "1" }, "lock:1", now.mono - Millis(m_revision) });
    if (m_revision % 7 == 3)
        m_knownHolds = std::make_shared<const std::vector<KnownHold>>(
            static_cast<std::size_t>(m_revision % 2), KnownHold{ { "ours", "2" }, "lock:2" });
    snapshot->knownWaits = m_knownWaits;
    snapshot->knownHolds = m_knownHolds;
    snapshot->channels = m_channels;
    snapshot->moreChannels = below(3);
    snapshot->analysis = m_analysis;
    return snapshot;
}

Event World::event(Now now)
{
    Event event;
    event.at = now.wall;
    event.kind = Codes<EventKind>[static_cast<std::size_t>(below(15))];
    event.lock = name();
    if (maybe()) {
        event.lockKind = anyKind();
        event.owner = owner();
        event.count = below(5);
        event.ttl = Millis(below(30'000));
        event.certainty = Certainty::Inferred;
    }
    event.node = text(below(12));
    if (event.kind == EventKind::Gap && event.owner.has_value()) // concerns nobody
        event.formerMaster = std::exchange(event.owner, std::nullopt)->client;
    return event;
}

} // namespace recordingtest
