// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/freshness.h"

#include "lockcore/monitor/server_sight.h"
#include "lockcore/transport/clock.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct FreshnessText {
    Q_DECLARE_TR_FUNCTIONS(FreshnessText)
};

} // namespace

bool isFresh(const Snapshot &snapshot)
{
    return isSeenNow(snapshot.status)
        || std::ranges::any_of(snapshot.nodes, [](const NodeStatus &node) { return isSeenNow(node.status); });
}

bool isStale(const Snapshot &snapshot) { return snapshot.status.phase == SourcePhase::Stale && !isFresh(snapshot); }

WallTime wallOf(const Snapshot &snapshot, MonoTime at)
{
    return snapshot.takenAt.wall + std::chrono::duration_cast<Millis>(at - snapshot.takenAt.mono);
}

namespace {

std::set<std::string> serversInPhase(const Snapshot &snapshot, SourcePhase phase)
{
    std::set<std::string> servers;
    if (!isFresh(snapshot))
        return servers;
    for (const NodeStatus &node : snapshot.nodes)
        if (node.status.phase == phase && isWatched(node))
            servers.insert(node.node);
    return servers;
}

} // namespace

std::set<std::string> lostServers(const Snapshot &snapshot) { return serversInPhase(snapshot, SourcePhase::Stale); }

std::set<std::string> unreachedServers(const Snapshot &snapshot)
{
    return serversInPhase(snapshot, SourcePhase::Failed);
}

std::vector<std::string> serversOutOfSight(const Snapshot &snapshot, const LockState &lock)
{
    std::vector<std::string> servers;
    for (const NodeStatus &node : snapshot.nodes)
        if (lock.quorum && isWatched(node) && !isKnownOn(node, &lock))
            servers.push_back(node.node);
    return servers;
}

bool isAllSeen(const Snapshot &snapshot)
{
    return isFresh(snapshot) && lostServers(snapshot).empty() && unreachedServers(snapshot).empty();
}

bool isAmong(const std::set<std::string> &servers, const LockState &lock)
{
    return lock.members.empty()
        ? servers.contains(lock.node)
        : std::ranges::all_of(lock.members, [&](const auto &member) { return servers.contains(member->node); });
}

std::optional<MonoTime> lostSince(const Snapshot &snapshot, const LockState &lock)
{
    const MonoTime since = seenUntil(snapshot, lock, MonoTime::max());
    return since == MonoTime::max() ? std::nullopt : std::optional(since);
}

std::optional<MonoTime> lostSince(const Snapshot &snapshot, const WaitCycle &cycle)
{
    std::optional<MonoTime> first;
    for (const WaitEdge &edge : cycle) {
        const auto lock = snapshot.locks.find(edge.lock);
        if (const auto since = lock ? lostSince(snapshot, *lock) : std::nullopt)
            first = std::min(first.value_or(*since), *since);
    }
    return first;
}

Losses losses(const Snapshot &snapshot)
{
    Losses losses;
    const auto lost = lostServers(snapshot);
    for (const NodeStatus &node : snapshot.nodes)
        if (lost.contains(node.node))
            losses.emplace(node.node, node.status.staleSince.value_or(snapshot.takenAt.mono));
    return losses;
}

std::optional<MonoTime> lostSince(const Losses &losses, const LockState &lock)
{
    const auto lossOf = [&](const std::string &node) {
        const auto found = losses.find(node);
        return found == losses.end() ? std::nullopt : std::optional(found->second);
    };
    if (losses.empty() || lock.members.empty())
        return lossOf(lock.node);
    std::optional<MonoTime> last;
    for (const auto &member : lock.members) {
        const auto since = lossOf(member->node);
        if (!since)
            return std::nullopt;
        last = std::max(last, since);
    }
    return last;
}

std::optional<SeenLast> seenLast(const std::vector<MonoTime> &losses)
{
    if (losses.empty())
        return std::nullopt;
    const auto [first, last] = std::ranges::minmax(losses);
    return SeenLast{ first, last };
}

const NodeStatus *serverOf(const Snapshot &snapshot, const LockState &lock)
{
    const NodeStatus *server = nodeOf(snapshot, lock);
    for (const auto &member : lock.members) {
        const NodeStatus *its = nodeOf(snapshot, *member);
        if (its && (!server || !isSeenNow(its->status)))
            server = its;
    }
    return server;
}

QStringList lostServersOf(const Snapshot &snapshot, const LockState &lock)
{
    constexpr qsizetype Longest = 80;
    QStringList lost;
    const auto add = [&lost](const NodeStatus *server) {
        if (server && !isSeenNow(server->status))
            lost << displayText(server->node, Longest);
    };
    if (!isFresh(snapshot))
        return lost;
    add(nodeOf(snapshot, lock));
    for (const auto &member : lock.members)
        add(nodeOf(snapshot, *member));
    return lost;
}

QString lossText(const QStringList &servers)
{
    const QString names = servers.join(QStringLiteral(", "));
    return servers.isEmpty()  ? FreshnessText::tr("The connection is lost: nobody knows what is there now.")
        : servers.size() == 1 ? FreshnessText::tr("%1 is lost: nobody knows what is there now.").arg(names)
                              : FreshnessText::tr("%1 are lost: nobody knows what is there now.").arg(names);
}

QString lostText(const QStringList &servers)
{
    const QString names = servers.join(QStringLiteral(", "));
    return servers.isEmpty()  ? QString()
        : servers.size() == 1 ? FreshnessText::tr("%1 is lost").arg(names)
                              : FreshnessText::tr("%1 are lost").arg(names);
}

QString lossOfAll(const Snapshot &snapshot, const std::vector<std::shared_ptr<const LockState>> &locks)
{
    QStringList lost;
    for (const auto &lock : locks) {
        const QStringList its = lostServersOf(snapshot, *lock);
        if (its.isEmpty())
            return {};
        lost << its;
    }
    lost.removeDuplicates();
    return locks.empty() ? QString() : lossText(lost);
}

QString pauseText(MonoTime since, const ViewClock &clock)
{
    const auto at = QDateTime::fromMSecsSinceEpoch(clock.wallAt(since).time_since_epoch().count());
    return at.toString(QStringLiteral("HH:mm:ss"));
}

QString asItWasText(const ViewClock &clock, const std::optional<MonoTime> &lostSince)
{
    const MonoTime seenUntil = std::min(clock.now(), lostSince.value_or(MonoTime::max()));
    return clock.isFrozen() || lostSince ? FreshnessText::tr("as it was %1").arg(agoText(seenUntil, clock.realNow()))
                                         : QString();
}

QString knownSinceText(const LockState &lock, const ViewClock &clock, const std::optional<MonoTime> &lostSince)
{
    const QString asItWas = asItWasText(clock, lostSince);
    return asItWas.isEmpty()
        ? FreshnessText::tr("unchanged for %1").arg(sinceText({ lock.readAtMono, lock.becameSoThen }, clock.now()))
        : asItWas;
}

ViewClock::ViewClock(Source source, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_timer(this)
{
    setReference({ m_source(), std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()) });
    m_timer.setInterval(125);
    connect(&m_timer, &QTimer::timeout, this, &ViewClock::tick);
    m_timer.start();
}

WallTime ViewClock::wallAt(MonoTime at) const
{
    return m_reference.wall + std::chrono::duration_cast<Millis>(at - m_reference.mono);
}

MonoTime ViewClock::monoAt(WallTime at) const { return m_reference.mono + (at - m_reference.wall); }

void ViewClock::rest(bool rests)
{
    if (rests)
        m_timer.stop();
    else if (!m_timer.isActive())
        m_timer.start();
}

void ViewClock::freezeAt(std::optional<MonoTime> moment, std::optional<MonoTime> pausedAt)
{
    m_frozenAt = moment;
    m_pausedAt = pausedAt;
}

void ViewClock::showRecorded(std::optional<MonoTime> moment) { m_recordedAt = moment; }

/// A moment of the past is always told alike: the wall clock is read in milliseconds, which is no reason to move it.
/// Neither is one reading that is a little ahead: a busy computer may have read the wall clock after a rest. If the
/// next one is ahead as well, the clock was set.
void ViewClock::setReference(const Now &moment)
{
    constexpr Millis Rounding{ 2 };
    constexpr Millis Rest{ 100 };
    const Millis ahead = moment.wall - wallAt(moment.mono);
    const bool mayBeLate = ahead > Rounding && ahead < Rest;
    const auto before = std::exchange(m_ahead, mayBeLate ? std::optional(ahead) : std::nullopt);
    if (std::chrono::abs(ahead) <= Rounding || (mayBeLate && !before))
        return;
    m_reference = { moment.mono, mayBeLate ? moment.wall - ahead + std::min(ahead, *before) : moment.wall };
    m_ahead.reset();
}

MonoTime ViewClock::steadyNow() { return monoNow(); }

} // namespace lockui
