// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/frame.h"

#include "lockcore/recording/archive.h"
#include "lockcore/recording/record_fields.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lockcore::recording {

using namespace monitor;

namespace {

using Corners = std::vector<TtlCorner>;

Corners historyOf(const LockState *lock) { return lock != nullptr ? ttlHistoryOf(*lock) : Corners(); }

/// How many at the front of `old` are gone, if what is left of it is the beginning of `now`; else all of them.
std::size_t forgotten(const Corners &old, const Corners &now)
{
    if (now.empty())
        return old.size();
    const auto kept = std::find(old.begin(), old.end(), now.front());
    const auto left = static_cast<std::size_t>(old.end() - kept);
    const bool continued = left <= now.size() && std::equal(kept, old.end(), now.begin());
    return continued ? old.size() - left : old.size();
}

void writeHistory(ArchiveWriter &archive, const Corners &now, const Corners &old)
{
    const std::size_t gone = forgotten(old, now);
    const auto kept = static_cast<std::ptrdiff_t>(old.size() - gone);
    archive.field(CornersForgotten, gone);
    archive.field(CornersAdded, Corners(now.begin() + kept, now.end()));
}

Corners readCorners(ArchiveReader &archive)
{
    Corners corners;
    if (archive.isNumbered()) {
        archive.field(CornersAdded, corners);
        return corners;
    }
    std::size_t left = 0;
    archive.field(CornersAdded, left);
    for (; left > 0 && archive.isGood(); --left)
        archive.field(CornersAdded, corners.emplace_back());
    return corners;
}

void readHistory(ArchiveReader &archive, LockState &lock, const LockState *previous)
{
    const Corners old = historyOf(previous);
    std::size_t gone = 0;
    archive.field(CornersForgotten, gone);
    if (gone > old.size())
        gone = archive.fail();
    const Corners added = readCorners(archive);
    lock.ttlHistory.assign(old.begin() + static_cast<std::ptrdiff_t>(gone), old.end());
    lock.ttlHistory.insert(lock.ttlHistory.end(), added.begin(), added.end());
}

/// A key mostly has the lock's name in it, which is not repeated.
enum KeyForm : std::uint8_t { OtherKey, KeyIsName, KeyAroundName };
enum KeyField : unsigned { FormOfKey = 1, KeyBeforeName = 2, KeyAfterName = 3 };

void writeKey(ArchiveWriter &archive, const std::string &key, const LockName &name)
{
    const std::size_t at = key.find(name);
    const bool isAround = at != std::string::npos;
    const int form = key == name ? KeyIsName : isAround ? KeyAroundName : OtherKey;
    archive.field(FormOfKey, form);
    if (form != KeyIsName)
        archive.field(KeyBeforeName, key.substr(0, at));
    if (form == KeyAroundName)
        archive.field(KeyAfterName, key.substr(at + name.size()));
}

std::string readKey(ArchiveReader &archive, const LockName &name)
{
    int form = OtherKey;
    archive.field(FormOfKey, form);
    if (form == KeyIsName)
        return name;
    std::string before;
    archive.field(KeyBeforeName, before);
    if (form == OtherKey)
        return before;
    std::string after;
    archive.field(KeyAfterName, after);
    return before + name + after;
}

/// Without its members, which have none themselves.
void writeOne(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    archive.field(NameOfLock, lock.name);
    plainFields(archive, lock);
    archive.each(KeysOfLock, keysOf(lock), [&](const std::string &key) { writeKey(archive, key, lock.name); });
    writeHistory(archive, historyOf(&lock), historyOf(previous));
}

/// A lock whose name has been read.
std::shared_ptr<LockState> readOne(ArchiveReader &archive, LockName name, const LockState *previous)
{
    auto lock = std::make_shared<LockState>();
    lock->name = std::move(name);
    plainFields(archive, *lock);
    std::vector<std::string> &keys = lock->otherKeys;
    archive.each(KeysOfLock, [&] { keys.push_back(readKey(archive, lock->name)); });
    lock->hasMainKey = !keys.empty() && keys.front() == lock->name;
    if (lock->hasMainKey)
        keys.erase(keys.begin());
    readHistory(archive, *lock, previous);
    return lock;
}

/// The place of that node's part in the other lock; its size: there is none.
std::size_t placeOf(const std::string &node, const LockState *lock)
{
    if (lock == nullptr)
        return 0;
    const auto found = std::find_if(
        lock->members.begin(), lock->members.end(), [&](const auto &member) { return member->node == node; });
    return static_cast<std::size_t>(found - lock->members.begin());
}

std::size_t memberCount(const LockState *lock) { return lock != nullptr ? lock->members.size() : 0; }

void writeMembers(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    archive.each(MembersOfLock, lock.members, [&](const std::shared_ptr<const LockState> &member) {
        const std::size_t place = placeOf(member->node, previous);
        const auto before = place < memberCount(previous) ? previous->members[place] : nullptr;
        const bool same = before == member;
        archive.field(PlaceOfMember, place);
        archive.field(IsSameMember, same);
        if (!same) {
            writeOne(archive, *member, before.get());
            laterFields(archive, *member);
        }
    });
}

void readMembers(ArchiveReader &archive, LockState &lock, const LockState *previous)
{
    archive.each(MembersOfLock, [&] {
        std::size_t place = 0;
        bool same = false;
        archive.field(PlaceOfMember, place);
        archive.field(IsSameMember, same);
        const auto before = place < memberCount(previous) ? previous->members[place] : nullptr;
        if (same && before) {
            lock.members.push_back(before);
        } else if (same) {
            archive.fail();
        } else {
            LockName name;
            archive.field(NameOfLock, name);
            auto member = readOne(archive, std::move(name), before.get());
            laterFields(archive, *member);
            lock.members.push_back(std::move(member));
        }
    });
}

/// One lock with all that is known of it; what `previous` has of the TTL's history and of the members is not repeated.
void writeLock(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    writeOne(archive, lock, previous);
    writeMembers(archive, lock, previous);
    laterFields(archive, lock);
}

/// `previous`: all locks as they were when it was written.
std::shared_ptr<const LockState> readLock(ArchiveReader &archive, const LockList &previous)
{
    LockName name;
    archive.field(NameOfLock, name);
    const auto before = previous.find(name);
    auto lock = readOne(archive, std::move(name), before.get());
    readMembers(archive, *lock, before.get());
    laterFields(archive, *lock);
    return lock;
}

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
    writeIfChanged(archive, KnownWaitsIfChanged, next.knownWaits, before.knownWaits);
    writeIfChanged(archive, KnownHoldsIfChanged, next.knownHolds, before.knownHolds);
    return archive.take();
}

std::optional<MonoTime> lastLookIn(std::string_view frame, MonoTime at, bool isNumbered, const std::string &node)
{
    ArchiveReader archive(frame, at, isNumbered);
    WallTime wall;
    std::optional<SourceStatus> status;
    archive.field(WallOfFrame, wall);
    archive.field(StatusIfChanged, status);
    if (!node.empty()) {
        std::optional<std::vector<NodeStatus>> nodes;
        archive.field(NodesIfChanged, nodes);
        status.reset();
        for (const NodeStatus &each : nodes.value_or(std::vector<NodeStatus>()))
            if (each.node == node)
                status = each.status;
    }
    const bool isTold = archive.isGood() && status && !status->staleSince && status->lastSweep;
    return isTold ? std::optional(status->lastSweep->finishedAt) : std::nullopt;
}

/// The counterpart of encodeFrame.
class Replayed::Reader {
public:
    Reader(Replayed &replayed, std::string_view frame)
        : m_replayed(replayed)
        , m_archive(frame, replayed.m_at, replayed.m_isNumbered)
    {
    }

    bool read()
    {
        Snapshot &frame = m_replayed.m_frame;
        m_archive.field(WallOfFrame, frame.takenAt.wall);
        readIfChanged(StatusIfChanged, frame.status);
        readIfChanged(NodesIfChanged, frame.nodes);
        readIfChanged(ChannelsIfChanged, frame.channels);
        m_archive.field(MoreChannels, frame.moreChannels);
        auto &locks = m_replayed.m_locks;
        readChanges(LocksGone, LocksChanged, locks, [&] { return readLock(m_archive, locks); });
        m_archive.part(AnalysisIfChanged, [this] { readAnalysis(); });
        if (m_archive.isNumbered()) {
            readIfChanged(KnownWaitsIfChanged, frame.knownWaits);
            readIfChanged(KnownHoldsIfChanged, frame.knownHolds);
        }
        return m_archive.isAtEnd() && m_archive.isGood();
    }

private:
    template <typename Value>
    void readIfChanged(unsigned number, Value &value)
    {
        std::optional<Value> changed;
        m_archive.field(number, changed);
        if (changed)
            value = *std::move(changed);
    }
    template <typename Value>
    void readIfChanged(unsigned number, std::shared_ptr<const Value> &value)
    {
        std::optional<Value> changed;
        m_archive.field(number, changed);
        if (changed)
            value = std::make_shared<const Value>(*std::move(changed));
    }
    /// The names of those gone, then those that are new or changed, each through `read()`.
    template <typename List, typename Read>
    void readChanges(unsigned goneNumber, unsigned changedNumber, List &list, Read read)
    {
        std::vector<LockName> gone;
        m_archive.field(goneNumber, gone);
        typename List::Changes changes;
        for (LockName &name : gone)
            changes.emplace(std::move(name), nullptr);
        m_archive.each(changedNumber, [&] {
            typename List::Pointer value = read();
            changes.insert_or_assign(changes.end(), lockNameOf(*value), value);
        });
        list.apply(changes);
    }
    void readAnalysis()
    {
        m_replayed.m_analysed = true;
        m_replayed.m_analysisChanged = true;
        plainAnalysis(m_archive, m_replayed.m_analysis);
        readIfChanged(GraphIfChanged, m_replayed.m_analysis.graph);
        readChanges(StatisticsGone, StatisticsChanged, m_replayed.m_statistics, [&] {
            auto of = std::make_shared<LockStatistics>();
            fields(m_archive, *of);
            return of;
        });
    }

    Replayed &m_replayed;
    ArchiveReader m_archive;
};

Result<void> Replayed::start(std::string_view wholeFrame, MonoTime at)
{
    m_frame = {};
    m_locks = {};
    m_analysed = false;
    m_analysis = {};
    m_analysis.graph = std::make_shared<const WaitGraph>();
    m_statistics = {};
    return add(wholeFrame, at);
}

Result<void> Replayed::add(std::string_view frame, MonoTime at)
{
    m_at = at;
    if (!Reader(*this, frame).read())
        return failure(ErrorCode::FileFailed, { Phrase::DamagedHere });
    return {};
}

std::shared_ptr<Snapshot> Replayed::snapshot(MonoTime at)
{
    if (m_analysed && m_analysisChanged) {
        m_analysis.statistics = std::make_shared<const StatisticsList>(m_statistics);
        m_frame.analysis = std::make_shared<const Analysis>(m_analysis);
        m_analysisChanged = false;
    }
    auto snapshot = std::make_shared<Snapshot>(m_frame);
    snapshot->revision = ++m_revision;
    snapshot->locks = m_locks;
    snapshot->takenAt = { at, m_frame.takenAt.wall + std::chrono::duration_cast<Millis>(at - m_at) };
    snapshot->status.recordedAt = snapshot->takenAt.wall;
    return snapshot;
}

} // namespace lockcore::recording
