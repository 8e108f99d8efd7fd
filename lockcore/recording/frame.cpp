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
void writeIfChanged(ArchiveWriter &archive, const Value &now, const Value *before)
{
    const bool changed = before == nullptr || now != *before;
    archive(changed);
    if (changed)
        archive(now);
}

template <typename Value>
void writeIfChanged(
    ArchiveWriter &archive, const std::shared_ptr<const Value> &now, const std::shared_ptr<const Value> &before)
{
    const bool changed = now && now != before;
    archive(changed);
    if (changed)
        archive(*now);
}

/// The names of those gone, then those that are new or changed, each through `write(now, before)`.
template <typename List, typename Write>
void writeChanges(ArchiveWriter &archive, const List &now, const List &before, Write write)
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
    archive(gone);
    archive.count(changed.size());
    for (const auto &[next, previous] : changed)
        write(*next, previous.get());
}

void writeAnalysis(ArchiveWriter &archive, const Analysis &now, const Analysis *before)
{
    static const StatisticsList none;
    plainAnalysis(archive, now);
    writeIfChanged(archive, now.graph, before != nullptr ? before->graph : nullptr);
    writeChanges(archive, now.statistics ? *now.statistics : none,
        before != nullptr && before->statistics ? *before->statistics : none,
        [&](const LockStatistics &statistics, const LockStatistics *) { archive(statistics); });
}

} // namespace

std::string encodeFrame(const Snapshot &next, const Snapshot *previous, const FrameTime &time)
{
    static const Snapshot nothing;
    const Snapshot &before = previous != nullptr ? *previous : nothing;
    ArchiveWriter archive(time.at, time.toLine);
    archive(time.wall);
    writeIfChanged(archive, next.status, previous != nullptr ? &previous->status : nullptr);
    writeIfChanged(archive, next.nodes, previous != nullptr ? &previous->nodes : nullptr);
    writeIfChanged(archive, next.channels, before.channels);
    archive(next.moreChannels);
    writeChanges(archive, next.locks, before.locks, [&](const LockState &lock, const LockState *old) {
        archive(lock.name);
        writeLock(archive, lock, old);
    });
    const bool analysed = next.analysis && next.analysis != before.analysis;
    archive(analysed);
    if (analysed)
        writeAnalysis(archive, *next.analysis, before.analysis.get());
    return archive.take();
}

} // namespace lockcore
