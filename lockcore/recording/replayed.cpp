// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/replayed.h"

#include "lockcore/recording/record_fields.h"
#include "lockcore/recording/record_format.h"

#include <optional>
#include <utility>

namespace lockcore {

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
        return failure(ErrorCode::FileFailed, "the recording is damaged at this place");
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

} // namespace lockcore
