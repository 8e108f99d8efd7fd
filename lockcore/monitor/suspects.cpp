// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/suspects.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

using namespace std::chrono_literals;

constexpr Millis Unannounced{ 30'000 }; // what changes all the time looks steady for long to whoever seldom looks
constexpr Millis AskedByThen{ 10'000 }; // whether a waiter listens, where that can be asked for
constexpr Millis QueuedLongEnough{ 3'000 }; // a waiter enqueues just before it subscribes
constexpr Millis LongestPlace = 5min; // fairLockWaitTimeout's default
constexpr Millis QueueClockTolerance = 5min; // from then on others' waiters are thrown out
/// A RedLock tries one server after the other, each for its share of the time that it waits: it may hold one as long as
/// it is under way. And where nothing announces changes, what the others have is found as late.
constexpr Millis AttemptOver = Unannounced;
constexpr Millis LongHold = 1h;
constexpr Millis ShortestOutlivedHold = 1min;
constexpr std::int64_t HoldsThatTell = 20;

class Rules {
public:
    explicit Rules(const LockMoment &moment)
        : m_lock(moment.lock)
        , m_moment(moment)
    {
    }

    std::vector<Finding> run()
    {
        timeToLive();
        renewal();
        holders();
        outlivedHold();
        readers();
        freeQueue();
        waiters();
        deadlines();
        return std::move(m_findings);
    }

private:
    bool isHeld() const { return !m_lock.holders.empty(); }
    Observation amidWaiters(Observed what) const;
    void find(SuspectKind kind, Certainty certainty, Millis holdOff, Observation evidence, std::string subject = {});
    std::string soleHolder() const { return m_lock.holders.size() == 1 ? toString(m_lock.holders[0].owner) : ""; }

    void timeToLive();
    void renewal();
    void holders();
    const Holder *longestRenewed() const;
    void outlivedHold();
    void readers();
    void freeQueue();
    void waiters();
    void deadlines();
    std::optional<Observation> deadline(std::size_t index) const;
    std::optional<Millis> leftOf(const Waiter &waiter) const { return leftTo(waiter.deadline); }
    std::optional<Millis> leftTo(const std::optional<WallTime> &timeOut) const;
    Observation ofRow(const IdleRow &row, Observation seen) const;

    const LockState &m_lock;
    const LockMoment &m_moment;
    std::vector<Finding> m_findings;
};

/// What a renewal brings the time to live back to. The lease of a write lock adds up by re-entry until it is renewed.
std::optional<Millis> fullLease(const LockState &lock)
{
    if (!lock.leaseSeen)
        return std::nullopt;
    const auto corners = ttlHistoryOf(lock);
    if (corners.empty() || corners.back().after <= Millis{ 0 })
        return lock.leaseSeen;
    return std::min(*lock.leaseSeen, corners.back().after);
}

Millis dueBefore(Millis lease) { return lease * 2 / 3; }
Millis lateBelow(Millis lease) { return lease * 3 / 5; }
Millis missedBelow(Millis lease) { return lease / 3; }

/// It was asked for twice before it counts as silent, but a new one may have been another in between.
bool isQueuedLongEnough(const Waiter &waiter, MonoTime now)
{
    return !waiter.since.exact || now - waiter.since.at >= QueuedLongEnough;
}

void Rules::find(SuspectKind kind, Certainty certainty, Millis holdOff, Observation evidence, std::string subject)
{
    m_findings.push_back({ kind, std::move(subject), std::move(evidence), certainty, holdOff });
}

/// With who waits meanwhile, unless they may wait for another lock.
Observation Rules::amidWaiters(Observed what) const
{
    Observation seen{ .what = what };
    if (m_lock.waiters.empty() && m_moment.channelsShared)
        return seen;
    seen.waiting = waitingCount(m_lock).value_or(0);
    seen.areClients = m_lock.waiters.empty();
    return seen;
}

void Rules::timeToLive()
{
    if (!isHeld() || isCounter(m_lock.kind) || m_lock.expiresAt)
        return;
    find(SuspectKind::NoTtl, Certainty::Seen, HandOver, amidWaiters(Observed::NeverExpires), soleHolder());
}

void Rules::renewal()
{
    const auto left = ttlAt(m_lock, m_moment.now.mono);
    const auto lease = fullLease(m_lock);
    if (m_lock.lease != Lease::Watchdog || !isHeld() || !left || !lease || *left <= Millis{ 0 }
        || *left >= lateBelow(*lease))
        return;
    const bool isMissed = *left < missedBelow(*lease);
    find(isMissed ? SuspectKind::MissedRenewal : SuspectKind::LateRenewal, Certainty::Inferred, HandOver,
        { .what = isMissed ? Observed::RenewalsMissed : Observed::RenewalLate,
            .since = dueBefore(*lease) - *left,
            .left = left,
            .usual = lease },
        soleHolder());
}

void Rules::holders()
{
    const auto writers = std::count_if(m_lock.holders.begin(), m_lock.holders.end(),
        [](const Holder &holder) { return holder.mode == HoldMode::Write; });
    const auto rivals = isExclusive(m_lock.kind) ? static_cast<std::int64_t>(m_lock.holders.size())
        : m_lock.kind == Kind::ReadWrite         ? static_cast<std::int64_t>(writers)
                                                 : 0;
    const auto stranger = std::find_if(m_lock.holders.begin(), m_lock.holders.end(),
        [this](const Holder &holder) { return !isTokenLock(m_lock.kind) && !parseOwner(toString(holder.owner)); });
    if (stranger != m_lock.holders.end())
        find(SuspectKind::TwoHolders, Certainty::Seen, HandOver, { .what = Observed::StrangeField },
            toString(stranger->owner));
    else if (rivals > 1)
        find(SuspectKind::TwoHolders, Certainty::Seen, HandOver, { .what = Observed::SeveralOwners, .number = rivals });
}

/// Of several readers the one that has held it longest; those who come and go beside it change nothing of that.
const Holder *Rules::longestRenewed() const
{
    const bool isSole = m_lock.holders.size() == 1;
    const Holder *longest = nullptr;
    for (const Holder &holder : m_lock.holders) {
        const bool isRenewed = (isSole ? m_lock.lease : holder.lease) == Lease::Watchdog;
        if (isRenewed && !holder.expired && (!longest || holder.since.at < longest->since.at))
            longest = &holder;
    }
    return longest;
}

void Rules::outlivedHold()
{
    const Holder *holder = longestRenewed();
    if (!holder || m_lock.renewals == 0 || waitingCount(m_lock).value_or(0) == 0)
        return;
    const auto held = std::chrono::floor<Millis>(m_moment.now.mono - holder->since.at);
    const auto *numbers = m_moment.statistics;
    const bool usual = numbers && numbers->holds >= HoldsThatTell;
    const auto limit = usual ? std::max(numbers->heldP99 * 10, ShortestOutlivedHold) : LongHold;
    if (held < limit)
        return;
    Observation seen = amidWaiters(Observed::HeldLong);
    seen.since = held;
    seen.isAtLeast = !holder->since.exact;
    seen.number = m_lock.renewals;
    if (usual)
        seen.usual = numbers->heldP99;
    find(SuspectKind::OutlivedHold, Certainty::Inferred, HandOver, std::move(seen), toString(holder->owner));
}

void Rules::readers()
{
    if (m_lock.kind != Kind::ReadWrite)
        return;
    std::optional<MonoTime> longest;
    bool reads = false;
    for (const auto &holder : m_lock.holders) {
        reads = reads || holder.mode == HoldMode::Read;
        if (holder.mode == HoldMode::Read && holder.expired)
            find(SuspectKind::ReaderTimeouts, Certainty::Seen, 2 * HandOver, amidWaiters(Observed::ReaderRanOut),
                toString(holder.owner));
        else if (holder.mode == HoldMode::Read && holder.expiresAt)
            longest = std::max(longest.value_or(*holder.expiresAt), *holder.expiresAt);
    }
    if (!longest || !m_lock.expiresAt || m_lock.mode != HoldMode::Read)
        return;
    const auto missing = std::chrono::floor<Millis>(*longest - *m_lock.expiresAt);
    if (missing > Millis{ 2'000 })
        find(SuspectKind::ReaderTimeouts, Certainty::Seen, 2 * HandOver,
            { .what = Observed::ReaderOutlivesLock, .left = missing });
}

void Rules::freeQueue()
{
    if (isHeld() || m_lock.waiters.empty())
        return;
    const auto &head = m_lock.waiters.front();
    find(SuspectKind::OrphanQueue, Certainty::Seen, m_moment.announced ? 2 * HandOver : Unannounced,
        ofRow(idleAtHead(m_lock),
            { .what = Observed::QueueNotServed, .left = leftOf(head), .number = std::ssize(m_lock.waiters) }),
        toString(head.owner));
}

void Rules::waiters()
{
    const IdleRow first = ghostsAtHead(m_lock);
    for (std::size_t i = 0; i < m_lock.waiters.size(); ++i) {
        const auto &waiter = m_lock.waiters[i];
        if (!isGhost(waiter) || !isQueuedLongEnough(waiter, m_moment.now.mono))
            continue;
        const auto place = static_cast<std::int64_t>(i + 1);
        const Observation seen{ .what = Observed::WaiterGone, .left = leftOf(waiter), .number = place };
        find(SuspectKind::DeadWaiter, Certainty::Inferred, 2 * HandOver,
            place <= first.number ? ofRow(first, seen) : seen, toString(waiter.owner));
    }
}

/// Once a queue: each deadline is built on the one before it. A waiter who listens lives, and leaves the queue when its
/// time is over, as long as that may be; of one of whom that is not known yet it will be in a moment.
void Rules::deadlines()
{
    for (std::size_t i = 0; i < m_lock.waiters.size(); ++i) {
        const Waiter &waiter = m_lock.waiters[i];
        auto seen = deadline(i);
        const bool isTooFar = seen && seen->what == Observed::TimeOutTooFar;
        if (!seen || (isTooFar && listens(waiter)))
            continue;
        const Millis holdOff = isTooFar && !waiter.subscribed ? AskedByThen : HandOver;
        return find(
            SuspectKind::QueueClockDrift, Certainty::Inferred, holdOff, std::move(*seen), toString(waiter.owner));
    }
}

/// To its time-out; absent: it has none.
std::optional<Millis> Rules::leftTo(const std::optional<WallTime> &timeOut) const
{
    if (!timeOut)
        return std::nullopt;
    return std::chrono::duration_cast<Millis>(*timeOut - m_moment.now.wall);
}

/// With how long all of them keep the others from the lock.
Observation Rules::ofRow(const IdleRow &row, Observation seen) const
{
    seen.former = row.number;
    seen.usual = leftTo(row.until);
    seen.isAtLeast = row.mayBeMore;
    return seen;
}

/// What is wrong with the share of the time that this waiter added; absent: nothing.
std::optional<Observation> Rules::deadline(std::size_t index) const
{
    const auto &waiter = m_lock.waiters[index];
    const auto left = leftOf(waiter);
    const auto before
        = index == 0 ? ttlAt(m_lock, m_moment.now.mono).value_or(Millis{ 0 }) : leftOf(m_lock.waiters[index - 1]);
    if (!left || !before)
        return std::nullopt;
    const Millis explained = std::max(*before, Millis{ 0 }) + LongestPlace;
    if (*left > explained + QueueClockTolerance)
        return Observation{ .what = Observed::TimeOutTooFar,
            .left = left,
            .usual = explained,
            .number = static_cast<std::int64_t>(index + 1) };
    if (index > 0 && *before > *left + Millis{ 1'000 })
        return Observation{ .what = Observed::TimeOutBeforeFormer, .left = *before - *left };
    return std::nullopt;
}

} // namespace

std::vector<Finding> findingsOf(const LockMoment &moment) { return Rules(moment).run(); }

std::vector<Finding> findingsOfAll(const LockState &lock)
{
    if (!lock.quorum || isCounter(lock.kind) || lock.holders.empty())
        return {};
    const Quorum &quorum = *lock.quorum;
    if (quorum.held == 0 || quorum.held + quorum.unknown >= quorum.needed())
        return {};
    return { { SuspectKind::TooFewServers, toString(lock.holders.front().owner),
        { .what = Observed::OnTooFewServers, .number = quorum.held, .former = quorum.servers }, Certainty::Inferred,
        AttemptOver } };
}

std::optional<MonoTime> nextLookAt(const LockState &lock, MonoTime now)
{
    std::optional<MonoTime> next;
    const auto consider = [&](MonoTime at) {
        if (at > now)
            next = next ? std::min(*next, at) : at;
    };
    const auto lease = fullLease(lock);
    if (lock.lease == Lease::Watchdog && lock.expiresAt && lease) {
        consider(*lock.expiresAt - lateBelow(*lease) + Millis{ 1 });
        consider(*lock.expiresAt - missedBelow(*lease) + Millis{ 1 });
    }
    for (const auto &waiter : lock.waiters) {
        if (isGhost(waiter))
            consider(waiter.since.at + QueuedLongEnough);
    }
    return next;
}

namespace {

constexpr std::size_t MostOfOnePlace = 20;
constexpr Millis Soon{ 5'000 };

/// One kind may grow into another.
SuspectKind rootOf(SuspectKind kind)
{
    switch (kind) {
    case SuspectKind::MissedRenewal:
        return SuspectKind::LateRenewal;
    case SuspectKind::LeakedChannel:
        return SuspectKind::FreeButWaitedFor;
    default:
        return kind;
    }
}

bool disproves(EventKind event, SuspectKind kind)
{
    const bool taken = event == EventKind::Acquired || event == EventKind::Appeared || event == EventKind::Reentered;
    switch (rootOf(kind)) {
    case SuspectKind::LateRenewal:
        return taken || event == EventKind::Renewed;
    case SuspectKind::OutlivedHold:
    case SuspectKind::NoTtl:
    case SuspectKind::TooFewServers:
        return taken;
    case SuspectKind::OrphanQueue:
        return taken || leftQueue(event);
    case SuspectKind::FreeButWaitedFor:
        return taken || event == EventKind::PermitsChanged || event == EventKind::CountChanged;
    default:
        return false;
    }
}

std::size_t hashOf(const std::string &subject) { return std::hash<std::string>()(subject); }

bool isGraver(const Suspect &a, const Suspect &b)
{
    // Of those who wait for one lock the next one comes first: nobody gets past it.
    return std::tie(a.kind, a.since, a.lock, a.node, a.evidence.number, a.subject)
        < std::tie(b.kind, b.since, b.lock, b.node, b.evidence.number, b.subject);
}

} // namespace

bool SuspectStore::KeptFinding::isOf(const Finding &finding) const
{
    return rootOf(kind) == rootOf(finding.kind) && subject == hashOf(finding.subject);
}

bool SuspectStore::KeptFinding::mayLastSoon(MonoTime now) const { return !lasts(now) && holdOff <= Soon; }

void SuspectStore::enter(const FindingPlace &place, std::vector<Finding> findings, MonoTime now)
{
    const auto known = m_kept.find(place);
    if (findings.empty()) {
        if (known != m_kept.end())
            m_kept.erase(known);
        return;
    }
    if (findings.size() > MostOfOnePlace)
        findings.resize(MostOfOnePlace);
    std::vector<KeptFinding> kept;
    kept.reserve(findings.size());
    for (const auto &finding : findings) {
        const auto isSame = [&](const KeptFinding &other) { return other.isOf(finding); };
        if (std::any_of(kept.begin(), kept.end(), isSame))
            continue;
        MonoTime since = now;
        if (known != m_kept.end()) {
            const auto same = std::find_if(known->second.begin(), known->second.end(), isSame);
            if (same != known->second.end())
                since = same->since;
        }
        kept.push_back({ finding.kind, hashOf(finding.subject), finding.holdOff, since });
    }
    m_kept.insert_or_assign(place, std::move(kept));
}

bool SuspectStore::concerns(const LockName &lock) const
{
    const auto place = m_kept.lower_bound({ lock, {}, {} });
    return place != m_kept.end() && place->first.lock == lock;
}

void SuspectStore::heard(const Event &event)
{
    if (m_kept.empty())
        return;
    auto place = m_kept.lower_bound({ event.lock, {}, {} });
    while (place != m_kept.end() && place->first.lock == event.lock) {
        std::erase_if(place->second, [&](const KeptFinding &kept) { return disproves(event.kind, kept.kind); });
        place = place->second.empty() ? m_kept.erase(place) : std::next(place);
    }
}

void SuspectStore::forgetIf(const std::function<bool(const FindingPlace &)> &forget)
{
    std::erase_if(m_kept, [&](const auto &entry) { return forget(entry.first); });
}

std::size_t SuspectStore::ripe(MonoTime now, const IsWanted &isWanted) const
{
    return count([now](const KeptFinding &kept) { return kept.lasts(now); }, isWanted);
}

std::size_t SuspectStore::soonRipe(MonoTime now, const IsWanted &isWanted) const
{
    return count([now](const KeptFinding &kept) { return kept.mayLastSoon(now); }, isWanted);
}

std::vector<PendingSuspect> SuspectStore::pending(MonoTime now, std::size_t most, const IsWanted &isWanted) const
{
    std::vector<PendingSuspect> pending;
    for (const auto &[place, findings] : m_kept) {
        if (isWanted && !isWanted(place.lock))
            continue;
        for (const auto &kept : findings) {
            if (pending.size() < most && kept.mayLastSoon(now))
                pending.push_back({ place.lock, kept.kind });
        }
    }
    return pending;
}

template <typename Condition>
std::size_t SuspectStore::count(Condition condition, const IsWanted &isWanted) const
{
    std::size_t number = 0;
    for (const auto &[place, findings] : m_kept)
        if (!isWanted || isWanted(place.lock))
            number += static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), condition));
    return number;
}

std::vector<Suspect> SuspectStore::suspects(
    MonoTime now, std::size_t most, const FindingsAt &findingsAt, const IsWanted &isWanted) const
{
    std::vector<Entry> ripe;
    for (const auto &[place, findings] : m_kept) {
        if (isWanted && !isWanted(place.lock))
            continue;
        for (const auto &kept : findings) {
            if (kept.lasts(now))
                ripe.emplace_back(&place, &kept);
        }
    }
    const auto listed = ripe.begin() + static_cast<std::ptrdiff_t>(std::min(most, ripe.size()));
    std::partial_sort(ripe.begin(), listed, ripe.end(), [](const Entry &a, const Entry &b) {
        return std::tie(a.second->kind, a.second->since, *a.first, a.second->subject)
            < std::tie(b.second->kind, b.second->since, *b.first, b.second->subject);
    });

    std::vector<Suspect> suspects;
    std::map<const FindingPlace *, std::vector<Finding>> found;
    std::for_each(ripe.begin(), listed, [&](const Entry &entry) {
        const auto *place = entry.first;
        const auto *kept = entry.second;
        const auto [here, isNew] = found.try_emplace(place);
        if (isNew)
            here->second = findingsAt(*place);
        const auto &findings = here->second;
        const auto finding
            = std::find_if(findings.begin(), findings.end(), [&](const Finding &other) { return kept->isOf(other); });
        if (finding != findings.end())
            suspects.push_back({ finding->kind, place->lock, place->node, finding->subject, finding->evidence,
                finding->certainty, kept->since });
    });
    std::sort(suspects.begin(), suspects.end(), isGraver);
    return suspects;
}

} // namespace lockcore::monitor
