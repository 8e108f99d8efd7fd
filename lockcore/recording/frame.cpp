// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/frame.h"

#include "lockcore/monitor/analysis.h"
#include "lockcore/recording/record_fields.h"
#include "lockcore/recording/record_format.h"

#include <utility>
#include <vector>

namespace lockcore {

namespace {

template <typename Value>
void writeIfChanged(ArchiveWriter &archive, unsigned number, const std::shared_ptr<const Value> &now,
    const std::shared_ptr<const Value> &before)
{
    archive.optionalField(number, now != before ? now.get() : nullptr);
}

/// The names of those gone, then those that are new or changed, each through `write(now, before)`.
template <typename List, typename Write>
void writeChanges(ArchiveWriter &archive, unsigned goneNumber, unsigned changedNumber, const List &now,
    const List &before, Write write)
{
    using Pointer = typename List::Pointer;
    std::vector<LockName> gone;
    std::vector<std::pair<Pointer, Pointer>> changed; // as it is, as it was or null
    forEachDifference(before, now, [&](const Pointer &previous, const Pointer &next) {
        if (next)
            changed.emplace_back(next, previous);
        else
            gone.push_back(lockNameOf(*previous));
    });
    archive.field(goneNumber, gone);
    archive.each(changedNumber, changed, [&](const auto &each) { write(*each.first, each.second.get()); });
}

void writeAnalysis(ArchiveWriter &archive, const Analysis &now, const Analysis *before)
{
    static const StatisticsList none;
    plainAnalysis(archive, now);
    writeIfChanged(archive, GraphIfChanged, now.graph, before != nullptr ? before->graph : nullptr);
    writeChanges(archive, StatisticsGone, StatisticsChanged, now.statistics ? *now.statistics : none,
        before != nullptr && before->statistics ? *before->statistics : none,
        [&](const LockStatistics &statistics, const LockStatistics *) { fields(archive, statistics); });
}

} // namespace

std::string encodeFrame(const Snapshot &next, const Snapshot *previous, const FrameTime &time)
{
    static const Snapshot nothing;
    const Snapshot &before = previous != nullptr ? *previous : nothing;
    const auto isChanged = [&](const auto &now, const auto &then) { return previous == nullptr || now != then; };
    ArchiveWriter archive(time.at, time.toLine);
    archive.field(WallOfFrame, time.wall);
    archive.optionalField(StatusIfChanged, isChanged(next.status, before.status) ? &next.status : nullptr);
    archive.optionalField(NodesIfChanged, isChanged(next.nodes, before.nodes) ? &next.nodes : nullptr);
    writeIfChanged(archive, ChannelsIfChanged, next.channels, before.channels);
    archive.field(MoreChannels, next.moreChannels);
    writeChanges(archive, LocksGone, LocksChanged, next.locks, before.locks,
        [&](const LockState &lock, const LockState *old) { writeLock(archive, lock, old); });
    if (next.analysis && next.analysis != before.analysis)
        archive.part(AnalysisIfChanged, [&] { writeAnalysis(archive, *next.analysis, before.analysis.get()); });
    return archive.take();
}

} // namespace lockcore
