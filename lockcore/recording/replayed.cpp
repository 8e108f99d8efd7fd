// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/replayed.h"

#include "lockcore/recording/record_fields.h"
#include "lockcore/recording/record_format.h"

namespace lockcore {

/// The counterpart of encodeFrame.
class Replayed::Reader {
public:
    Reader(Replayed &replayed, std::string_view frame)
        : m_replayed(replayed)
        , m_archive(frame, replayed.m_at)
    {
    }

    bool read()
    {
        Snapshot &frame = m_replayed.m_frame;
        m_archive(frame.takenAt.wall);
        if (flag())
            m_archive(frame.status);
        if (flag())
            m_archive(frame.nodes);
        readShared(frame.channels);
        m_archive(frame.moreChannels);
        readLocks();
        if (flag())
            readAnalysis();
        return m_archive.isGood() && m_archive.isAtEnd();
    }

private:
    bool flag()
    {
        bool flag = false;
        m_archive(flag);
        return flag;
    }
    template <typename Value>
    void readShared(std::shared_ptr<const Value> &value)
    {
        if (!flag())
            return;
        auto read = std::make_shared<Value>();
        m_archive(*read);
        value = std::move(read);
    }
    /// The names of those gone, then those that are new or changed, each through `read()`.
    template <typename List, typename Read>
    void readChanges(List &list, Read read)
    {
        std::vector<LockName> gone;
        m_archive(gone);
        typename List::Changes changes;
        for (LockName &name : gone)
            changes.emplace(std::move(name), nullptr);
        for (std::size_t left = m_archive.count(); left > 0 && m_archive.isGood(); --left) {
            typename List::Pointer value = read();
            changes.insert_or_assign(changes.end(), lockNameOf(*value), value);
        }
        list.apply(changes);
    }
    void readLocks()
    {
        auto &locks = m_replayed.m_locks;
        readChanges(locks, [&] {
            LockName name;
            m_archive(name);
            const auto previous = locks.find(name);
            return readLock(m_archive, std::move(name), previous.get());
        });
    }
    void readAnalysis()
    {
        m_replayed.m_analysed = true;
        m_replayed.m_analysisChanged = true;
        plainAnalysis(m_archive, m_replayed.m_analysis);
        readShared(m_replayed.m_analysis.graph);
        readChanges(m_replayed.m_statistics, [&] {
            auto of = std::make_shared<LockStatistics>();
            m_archive(*of);
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
