// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"

#include "ui/support/freshness.h"

#include <algorithm>

namespace lockui::test {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

constexpr Millis FullLease{ 30'000 };

OwnerId owner(const std::string &start, const std::string &thread)
{
    return { start + "-41c2-4e0b-9f55-0c5d1be0a7d2", thread };
}

/// The corners of a watchdog that renewed every ten seconds, `missed` times not at its third turn back.
std::vector<TtlCorner> sawTooth(MonoTime now, Millis age, bool missedOne)
{
    std::vector<TtlCorner> corners;
    for (int i = 10; i >= 0; --i) {
        if (missedOne && i == 2)
            continue;
        const Millis before(missedOne && i == 1 ? 10'200 : 20'000);
        corners.push_back({ now - age - Millis(10'000) * i, i == 10 ? Millis(0) : before, FullLease, i < 10 });
    }
    return corners;
}

struct Sample {
    std::string name;
    Kind kind = Kind::Reentrant;
    Lease lease = Lease::Watchdog;
    std::string holder;
    std::string thread;
    Millis ttl{ 25'000 };
    Millis held{ 60'000 };
    EventKind change = EventKind::Renewed;
    std::int64_t subscribers = 0;
};

std::shared_ptr<LockState> build(const Sample &sample, MonoTime now)
{
    auto lock = makeLock(sample.name, now, FullLease - sample.ttl);
    lock->kind = sample.kind;
    lock->lease = sample.lease;
    lock->holders.front().owner = owner(sample.holder, sample.thread);
    lock->holders.front().since = { now - sample.held, sample.held < Millis(100'000) };
    lock->lastChange = { now - (FullLease - sample.ttl), sample.change, Certainty::Seen };
    lock->subscribers = sample.subscribers;
    return lock;
}

std::shared_ptr<LockState> fairLock(Now now)
{
    auto lock = build({ "inventory:sku:1093", Kind::Fair, Lease::Watchdog, "7f21aa09", "7", Millis(28'700),
                          Millis(38'000), EventKind::Queued, 4 },
        now.mono);
    lock->ttlHistory = sawTooth(now.mono, Millis(1'300), true);
    lock->lastChange.at = now.mono - Millis(400);
    const char *waiters[][2] = { { "5d0e77c1", "112" }, { "b983c153", "58" }, { "e44d10aa", "21" }, { "c10b8f2e", "9" },
        { "7f21aa09", "30" } };
    int place = 0;
    for (const auto &[client, thread] : waiters) {
        Waiter waiter{ owner(client, thread), now.wall + Millis(327'000 + 300'000 * place),
            { now.mono - Millis(900 - 100 * place), place != 3 }, place != 3 };
        if (place == 3)
            waiter.deadline = now.wall - Millis(120'000);
        lock->waiters.push_back(waiter);
        ++place;
    }
    lock->hasMainKey = true;
    lock->otherKeys = { "redisson_lock_queue:{" + lock->name + "}", "redisson_lock_timeout:{" + lock->name + "}" };
    return lock;
}

std::shared_ptr<LockState> readLock(MonoTime now)
{
    auto lock = build({ "report:monthly", Kind::ReadWrite, Lease::Watchdog, "3ac90b11", "4", Millis(19'900),
                          Millis(723'000), EventKind::Acquired, 1 },
        now);
    lock->mode = HoldMode::Read;
    lock->holders.front().mode = HoldMode::Read;
    for (int reader = 1; reader < 14; ++reader) {
        Holder holder = lock->holders.front();
        holder.owner.thread = std::to_string(40 + reader);
        holder.count = reader == 3 ? 2 : 1;
        holder.expiresAt = now + Millis(19'900 - 400 * reader);
        holder.since = { now - Millis(9'000) * reader, true };
        lock->holders.push_back(holder);
    }
    return lock;
}

void addSpecials(std::vector<std::shared_ptr<const LockState>> &locks, MonoTime now)
{
    auto fixed = build({ "billing:close", Kind::Reentrant, Lease::Fixed, "5d0e77c1", "112", Millis(3'200),
                           Millis(26'800), EventKind::Acquired, 3 },
        now);
    locks.push_back(fixed);
    auto late = build({ "user:5518:merge", Kind::Reentrant, Lease::Watchdog, "e44d10aa", "19", Millis(11'300),
                          Millis(160'000), EventKind::Renewed, 0 },
        now);
    locks.push_back(late);
    auto reentered = build({ "order:{8812}:pay", Kind::Reentrant, Lease::Watchdog, "b983c153", "41", Millis(24'100),
                               Millis(252'000), EventKind::Reentered, 2 },
        now);
    reentered->holders.front().count = 2;
    locks.push_back(reentered);
    auto endless = build({ "maintenance:switch", Kind::Reentrant, Lease::Unknown, "aa31e0c9", "1", Millis(1),
                             Millis(5'000'000), EventKind::Appeared, 0 },
        now);
    endless->expiresAt.reset();
    endless->holders.front().expiresAt.reset();
    endless->leaseSeen.reset();
    endless->subscribers.reset();
    locks.push_back(endless);
    auto free = build({ "mail:digest", Kind::Fair, Lease::Unknown, "0aa9314b", "3", Millis(20'000), Millis(1'000),
                          EventKind::Expired, 1 },
        now);
    free->waiters = { { free->holders.front().owner, std::nullopt, { now - Millis(3'000), false }, true } };
    free->holders.clear();
    free->expiresAt.reset();
    free->leaseSeen.reset();
    free->lastChange.certainty = Certainty::Inferred;
    locks.push_back(free);
}

} // namespace

Now currentNow()
{
    return { ViewClock::steadyNow(), std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()) };
}

std::shared_ptr<LockState> makeLock(const LockName &name, MonoTime now, Millis age)
{
    auto lock = std::make_shared<LockState>();
    lock->name = name;
    lock->expiresAt = now - age + FullLease;
    lock->leaseSeen = FullLease;
    lock->lease = Lease::Watchdog;
    lock->renewals = 12;
    lock->holders = { Holder{ owner("7f21aa09", "7"), 1, lock->expiresAt, { now - age - Millis(100'000), true },
        std::nullopt, false, false } };
    lock->subscribers = 0;
    lock->hasMainKey = true;
    lock->node = "127.0.0.1:7002";
    lock->slot = 7411;
    lock->readAtMono = now;
    lock->lastChange = { now - age, EventKind::Renewed, Certainty::Seen };
    lock->ttlHistory = sawTooth(now, age, false);
    return lock;
}

std::shared_ptr<Snapshot> makeSnapshot(Now now, std::vector<std::shared_ptr<const LockState>> locks)
{
    std::sort(locks.begin(), locks.end(), [](const auto &a, const auto &b) { return a->name < b->name; });
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->takenAt = now;
    snapshot->status.phase = SourcePhase::Live;
    snapshot->status.server = "127.0.0.1:7002";
    snapshot->status.serverVersion = "7.0.15";
    snapshot->status.feed = Feed::ClientTracking;
    snapshot->status.lastSweep = SweepInfo{ 1'020'000, Millis(1'100), now.mono - Millis(12'000), true };
    snapshot->status.rates = { 412, 118, 400, 0.2 };
    snapshot->locks = std::move(locks);
    return snapshot;
}

std::shared_ptr<Snapshot> sampleSnapshot(Now now)
{
    const Sample simple[] = {
        { "cron:nightly-rollup", Kind::Reentrant, Lease::Watchdog, "c10b8f2e", "1", Millis(29'500), Millis(4'920'000) },
        { "shard:07:compact", Kind::Reentrant, Lease::Unknown, "0aa9314b", "3", Millis(26'000), Millis(9'000),
            EventKind::Acquired },
        { "order:{8813}:pay", Kind::Reentrant, Lease::Watchdog, "b983c153", "44", Millis(22'600), Millis(7'000) },
        { "pricing:rebuild", Kind::Reentrant, Lease::Watchdog, "7f21aa09", "11", Millis(27'200), Millis(51'000) },
        { "invoice:number", Kind::Reentrant, Lease::Fixed, "5d0e77c1", "9", Millis(18'000), Millis(12'000),
            EventKind::Acquired },
        { "cache:warm", Kind::Reentrant, Lease::Watchdog, "e44d10aa", "2", Millis(21'300), Millis(86'000) },
    };
    std::vector<std::shared_ptr<const LockState>> locks{ fairLock(now), readLock(now.mono) };
    for (const Sample &sample : simple)
        locks.push_back(build(sample, now.mono));
    addSpecials(locks, now.mono);
    return makeSnapshot(now, std::move(locks));
}

} // namespace lockui::test
