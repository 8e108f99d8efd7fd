// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/client_overview.h"

#include "ui/support/freshness.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct ClientText {
    Q_DECLARE_TR_FUNCTIONS(ClientText)
};

/// As long after what it did a client is taken to be there: a watchdog speaks every ten seconds.
constexpr std::chrono::seconds SpeaksWithin{ 30 };

bool isRecent(const std::optional<LifeSign> &sign, MonoTime now) { return sign && now - sign->at < SpeaksWithin; }

/// What was heard after the moment that is told of says nothing of it.
bool isRecent(const std::optional<TimeHeard> &heard, MonoTime now)
{
    return heard && heard->until <= now && now - heard->until < SpeaksWithin;
}

void keepLatest(std::optional<LifeSign> &latest, const LifeSign &sign)
{
    if (!latest || latest->at < sign.at)
        latest = sign;
}

bool isInferred(const LastChange &change, EventKind kind)
{
    return change.kind == kind && change.certainty == Certainty::Inferred;
}

/// Of one of several holds that each have an end of their own. If the lock lives no longer by it, there is no corner.
bool isOneOfSeveral(const LastChange &renewal, const LockState &lock)
{
    return renewal.kind == EventKind::Renewed && renewal.certainty == Certainty::Seen && lock.members.empty()
        && lock.holders.size() > 1 && (lock.ttlHistory.empty() || lock.ttlHistory.back().at < renewal.at);
}

/// Of one before the newest event nothing tells any more whether it was inferred.
std::optional<LifeSign> lastRenewal(const LockState &lock, MonoTime since)
{
    const LastChange &last = lock.lastChange;
    if (last.at >= since && isOneOfSeveral(last, lock))
        return LifeSign{ last.at };
    if (last.at >= since && isInferred(last, EventKind::Renewed))
        return LifeSign{ last.at, true };
    const auto found = std::find_if(lock.ttlHistory.rbegin(), lock.ttlHistory.rend(),
        [since](const TtlCorner &corner) { return corner.renewal && corner.at >= since; });
    if (found == lock.ttlHistory.rend())
        return std::nullopt;
    return LifeSign{ found->at, last.at > found->at && lock.lease != Lease::Watchdog };
}

bool hasOthers(const LockState &lock, const std::string &client)
{
    return !isOneQuorumHold(lock)
        && std::ranges::any_of(lock.holders, [&](const Holder &holder) { return holder.owner.client != client; });
}

/// What this lock tells of the client, added to what is known.
void addSigns(LifeSigns &signs, const LockState &lock, const std::string &client)
{
    for (const Holder &holder : lock.holders) {
        if (holder.owner.client != client || holder.expired)
            continue;
        const LastChange &last = lock.lastChange;
        const bool isProbablyTaken = isInferred(last, EventKind::Acquired) && last.at == holder.since.at;
        if (holder.since.exact || isProbablyTaken)
            keepLatest(signs.took, { holder.since.at, isProbablyTaken });
        if (const auto renewed = lastRenewal(lock, holder.since.at))
            keepLatest(hasOthers(lock, client) ? signs.maybeRenewed : signs.renewed, *renewed);
        const bool isCounted = last.kind == EventKind::Reentered || last.kind == EventKind::PartlyReleased;
        if (isCounted && !hasOthers(lock, client))
            keepLatest(signs.counted, { last.at, last.certainty == Certainty::Inferred });
    }
}

bool listensFor(const LockState &lock, const std::string &client)
{
    return std::ranges::any_of(
        lock.waiters, [&](const Waiter &waiter) { return waiter.owner.client == client && listens(waiter); });
}

} // namespace

bool LifeSigns::lookAlive(MonoTime now) const
{
    return listens || isRecent(renewed, now) || isRecent(maybeRenewed, now) || isRecent(took, now)
        || isRecent(counted, now) || isRecent(heard, now);
}

LifeSigns lifeSigns(const std::vector<KnownLock> &locks, const std::string &client)
{
    LifeSigns signs;
    for (const KnownLock &lock : locks) {
        addSigns(signs, *lock, client);
        signs.listens = signs.listens || listensFor(*lock, client);
    }
    return signs;
}

ClientOverview clientOverview(const Snapshot &snapshot, const std::string &client)
{
    ClientOverview overview;
    const std::set<std::string> lost = lostServers(snapshot);
    for (const KnownLock &lock : snapshot.locks) {
        bool holds = false;
        bool waits = false;
        for (const Holder &holder : lock->holders) {
            if (holder.owner.client != client)
                continue;
            holds = true;
            overview.holds.push_back({ lock, holder, hasOthers(*lock, client) });
        }
        for (std::size_t i = 0; i < lock->waiters.size(); ++i) {
            if (lock->waiters[i].owner.client != client)
                continue;
            waits = true;
            overview.waits.push_back({ lock, lock->waiters[i], static_cast<int>(i) + 1 });
        }
        const bool isSeen = !isAmong(lost, *lock); // else it did that, and may be gone by now
        LifeSigns &signs = isSeen ? overview.signs : overview.pastSigns;
        addSigns(signs, *lock, client);
        signs.listens = signs.listens || listensFor(*lock, client);
        if (!isSeen && (holds || waits))
            overview.pastAt = std::max(overview.pastAt, lostSince(snapshot, *lock));
        const auto waiting = waitingCount(*lock);
        if (holds && waiting) {
            overview.blocked += *waiting;
            overview.isBlockedAtLeast = overview.isBlockedAtLeast || mayMoreWait(*lock);
        } else if (holds) {
            overview.isBlockedAtLeast = true;
        }
        if (!holds && lock->waiters.empty() && waiting.value_or(0) > 0)
            ++overview.anonymous;
    }
    return overview;
}

QStringList lifeTexts(const LifeSigns &signs, const ToldMoment &moment)
{
    QStringList texts;
    struct Words {
        QString text;
        QString probably; // the same where it is inferred
    };
    const auto add = [&](const std::optional<LifeSign> &sign, const Words &now, const Words &past) {
        if (!isRecent(sign, moment.at))
            return;
        const Words &words = moment.isPast ? past : now;
        const QString when = moment.isPast ? durationText(std::chrono::duration_cast<Millis>(moment.at - sign->at))
                                           : agoText(sign->at, moment.at);
        texts << (sign->isInferred ? words.probably : words.text).arg(when);
    };
    if (isRecent(signs.renewed, moment.at))
        add(signs.renewed,
            { ClientText::tr("It renewed what it holds %1."),
                ClientText::tr("It probably renewed what it holds, %1.") },
            { ClientText::tr("It renewed what it held %1 before that."),
                ClientText::tr("It probably renewed what it held, %1 before that.") });
    else
        add(signs.maybeRenewed,
            { ClientText::tr("A lock that it shares was renewed %1, by it or by another holder."),
                ClientText::tr("A lock that it shares was probably renewed %1, by it or by another holder.") },
            { ClientText::tr("A lock that it shared was renewed %1 before that, by it or by another holder."),
                ClientText::tr(
                    "A lock that it shared was probably renewed %1 before that, by it or by another holder.") });
    add(signs.took, { ClientText::tr("It took a lock %1."), ClientText::tr("It probably took a lock, %1.") },
        { ClientText::tr("It took a lock %1 before that."),
            ClientText::tr("It probably took a lock, %1 before that.") });
    add(signs.counted,
        { ClientText::tr("It took a lock once more, or gave one hold of it back, %1."),
            ClientText::tr("It probably took a lock once more, or gave one hold of it back, %1.") },
        { ClientText::tr("It took a lock once more, or gave one hold of it back, %1 before that."),
            ClientText::tr("It probably took a lock once more, or gave one hold of it back, %1 before that.") });
    if (isRecent(signs.heard, moment.at))
        texts << (moment.isPast ? ClientText::tr("“Who is that?” heard a command with its id, at most %1 before that.")
                                : ClientText::tr("“Who is that?” heard a command with its id, at most %1 ago."))
                     .arg(durationText(std::chrono::duration_cast<Millis>(moment.at - signs.heard->from)));
    if (signs.listens)
        texts << (moment.isPast
                ? ClientText::tr("It listened for its turn in a queue: it had a connection to the server.")
                : ClientText::tr("It listens for its turn in a queue: it has a connection to the server."));
    return texts;
}

QString aliveText(
    const std::string &client, const std::vector<KnownLock> &locks, const ClientNames &names, const ToldMoment &moment)
{
    LifeSigns signs = lifeSigns(locks, client);
    signs.heard = names.heard(client);
    if (!signs.lookAlive(moment.at))
        return {};
    const QString text = moment.isPast ? ClientText::tr("%1 looked alive when it was last seen. %2")
                                       : ClientText::tr("%1 looks alive. %2");
    return text.arg(namedOwner({ client, {} }, &names), lifeTexts(signs, moment).join(u' '));
}

} // namespace lockui
