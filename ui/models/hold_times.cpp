// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/hold_times.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int MostLookedAt = 10'000;

bool isOfGhost(const EventStore::Record &record)
{
    return wasGhost(record.kind, record.hasCount ? std::optional(record.count) : std::nullopt);
}

} // namespace

void SeenDurations::add(const std::optional<SeenTime> &time, bool measuresInferred, bool isWatched)
{
    if (time && newest.size() < MostListed)
        newest.push_back(*time);
    if (!time || time->sureness == SeenTime::AtLeast || !isWatched) {
        ++inPart;
        return;
    }
    const bool isInferred = time->sureness == SeenTime::About;
    ++(isInferred ? inferred : seenWhole);
    if (!isInferred || measuresInferred)
        measured.add(time->time);
}

HoldTimes holdTimesOf(const EventStore &store, const lockcore::LockName &lock, bool areCopies)
{
    HoldTimes times;
    if (store.size() > 0 && (store.hasDropped() || !store.since()))
        times.since = store.record(store.first()).at;
    else
        times.since = store.since();
    const auto watchedSince = times.since;
    int looks = 0;
    for (auto place = store.newestShownOf(lock); place; place = store.beforeOfLock(*place)) {
        const EventStore::Record &record = store.record(*place);
        if (++looks > MostLookedAt) {
            times.since = record.at;
            break;
        }
        if (record.owner == TextTable::None)
            continue;
        const EventContext context = store.contextOf(*place);
        const auto isWatched = [&](const std::optional<SeenTime> &time) {
            return !time || !watchedSince || record.at - time->time >= *watchedSince;
        };
        // Of a lock that is taken without a queue nobody can tell since when it was waited for.
        const bool tookIt = record.kind == EventKind::Acquired && context.waited;
        if (tookIt || (leftQueue(record.kind) && !isOfGhost(record)))
            times.waits.add(context.waited, false, isWatched(context.waited));
        const bool goesOn = context.copies == Copies::OthersHold;
        if (endsHold(record.kind) && !goesOn && (context.held || !areCopies))
            times.holds.add(context.held, true, isWatched(context.held));
    }
    return times;
}

} // namespace lockui
