// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recorded_gaps.h"

#include "lockcore/monitor/join.h"
#include "lockcore/monitor/server_sight.h"
#include "lockcore/monitor/suspects.h"
#include "lockcore/recording/recorded_frames.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace lockcore::recording {

using namespace monitor;

namespace {

constexpr std::chrono::seconds PicturesComeWithin{ 2 };
constexpr Millis TimesOfEventsDiffer{ 10 }; // at most, from those of pictures: they go by whole ms of another clock

void leave(SourceStatus &status, MonoTime since)
{
    status.phase = SourcePhase::Stale;
    status.staleSince = std::min(status.staleSince.value_or(since), since);
}

void leave(Snapshot &picture, const std::string &node, MonoTime since)
{
    for (NodeStatus &each : picture.nodes)
        if (node.empty() || each.node == node)
            leave(each.status, since);
    const auto first = joinStaleSince(picture.nodes);
    if (picture.nodes.empty() || first)
        leave(picture.status, first.value_or(since));
}

void sayNothingWasRecorded(SourceStatus &status)
{
    status.retryAt.reset();
    status.error = errorOf(ErrorCode::FileFailed, { Phrase::NothingRecordedThen });
}

/// Of independent servers one that is not seen may have it, too.
bool isOnTooFewAsSeen(const Snapshot &picture, const LockName &name)
{
    const auto lock = picture.locks.find(name);
    return lock && !findingsOfAll(*lock).empty();
}

/// What nobody sees is not suspected. Deadlocks stay, as they were last seen.
void forgetSuspects(Snapshot &picture)
{
    if (!picture.analysis)
        return;
    std::set<std::string> lost;
    for (const NodeStatus &node : picture.nodes)
        if (node.status.staleSince)
            lost.insert(node.node);
    const bool isAllLost = !isSeenNow(picture.status)
        && std::ranges::none_of(picture.nodes, [](const NodeStatus &node) { return isSeenNow(node.status); });
    auto analysis = *picture.analysis;
    std::erase_if(analysis.suspects, [&](const Suspect &suspect) {
        return isAllLost || lost.contains(suspect.node)
            || (suspect.kind == SuspectKind::TooFewServers && !isOnTooFewAsSeen(picture, suspect.lock));
    });
    if (isAllLost)
        analysis.moreSuspects = analysis.pending = 0;
    picture.analysis = std::make_shared<const Analysis>(std::move(analysis));
}

/// A lock that could not be read makes its server stale as well: that one is seen, and has a feed.
bool isLost(const SourceStatus &status)
{
    return status.phase == SourcePhase::Stale && status.staleSince && status.feed == Feed::None;
}

bool contains(const RecordedSpan &time, MonoTime moment) { return time.first < moment && moment < time.last; }

} // namespace

RecordedGaps::RecordedGaps(RecordedEvents &events, RecordedFrames &frames, const std::vector<RecordedSpan> &sessions,
    std::vector<Error> &damage)
    : m_events(events)
    , m_frames(frames)
{
    readTold(sessions, damage);
    const RecordedSpan *before = nullptr;
    for (const RecordedSpan &session : sessions) {
        if (before != nullptr) {
            m_untold.push_back({ { before->last, session.first }, {} });
            m_between.push_back({ before->last, m_frames.firstFrom(session.first).value_or(session.first) });
        }
        findLosses(session, damage);
        before = &session;
    }
}

/// Who records may have lost its server before it began to; what was recorded earlier was seen.
void RecordedGaps::readTold(const std::vector<RecordedSpan> &sessions, std::vector<Error> &damage)
{
    for (const auto &[end, event] : m_events.gaps(damage)) {
        MonoTime begin = sessions.front().first;
        for (const RecordedSpan &session : sessions)
            if (session.first <= end)
                begin = session.first;
        m_told.push_back({ { { std::max(end - event.ttl.value_or(Millis(0)), begin), end }, event.node } });
    }
}

/// Until when that loss has been told, from its beginning on; absent: its beginning has not. What was lost once more
/// before all had been read again is told as one gap after the other.
std::optional<MonoTime> RecordedGaps::toldUntil(const RecordedSpan &loss, const std::string &node) const
{
    std::optional<MonoTime> until;
    for (const ToldGap &gap : m_told) { // by their ends
        const bool isOfBeginning = gap.time.first <= loss.first + TimesOfEventsDiffer && loss.first < gap.time.last;
        if (gap.node == node && gap.time.last <= loss.last && (until || isOfBeginning))
            until = gap.time.last;
    }
    return until;
}

/// Of a gap that was not over, the last picture says since when it lasts, however the session ended. Where that picture
/// is damaged, nothing tells what was seen after the last one before it.
void RecordedGaps::findLosses(const RecordedSpan &session, std::vector<Error> &damage)
{
    const RecordedFrames::Reached reached = m_frames.reach(session.last);
    const bool isInSession = reached.frame && *reached.frame >= session.first;
    const MonoTime until = reached.read ? session.last : isInSession ? *reached.frame : session.first;
    MonoTime unread = until;
    const auto find = [&](const SourceStatus &status, const std::string &node) {
        if (!isLost(status))
            return;
        const MonoTime since = std::max(*status.staleSince, session.first);
        unread = std::min(unread, since);
        if (!reached.read || since >= until)
            return;
        const auto told = toldUntil({ since, until }, node);
        // Pictures come a little after the events that led to them: this one may be of before the gap was over. A later
        // one is of another loss, before all had been read again.
        if (!told || *told + PicturesComeWithin < *reached.frame)
            m_untold.push_back({ { told.value_or(since), until }, node });
    };
    if (isInSession) {
        for (const NodeStatus &node : reached.picture->nodes)
            if (isWatched(node))
                find(node.status, node.node);
        if (reached.picture->nodes.empty())
            find(reached.picture->status, {});
    }
    if (reached.read)
        return;
    damage.push_back(reached.read.error());
    if (unread < session.last)
        m_unreadEnds.push_back({ unread, session.last });
}

void RecordedGaps::makeStale(Snapshot &picture, MonoTime moment)
{
    const std::vector<NodeStatus> seenAtFirst = picture.nodes;
    const auto staleAtFirst = picture.status.staleSince;
    for (ToldGap &gap : m_told)
        if (contains(gap.time, moment) && !gap.node.empty()) // else it was the recorder that could not keep up
            makeStale(picture, gap);
    for (const Gap &gap : m_untold)
        if (contains(gap.time, moment))
            leave(picture, gap.node, gap.time.first);
    for (const RecordedSpan &end : m_unreadEnds)
        if (contains(end, moment))
            leave(picture, {}, end.first);
    for (const RecordedSpan &time : m_between) {
        if (!contains(time, moment))
            continue;
        leave(picture, {}, time.first);
        sayNothingWasRecorded(picture.status);
        for (NodeStatus &node : picture.nodes)
            sayNothingWasRecorded(node.status);
    }
    if (picture.nodes != seenAtFirst)
        joinAgain(picture); // of a server that was not seen it is not known what it had
    if (picture.nodes != seenAtFirst || picture.status.staleSince != staleAtFirst)
        forgetSuspects(picture);
}

/// A gap that ends with another master is told of that one. Until it became the master, what was not seen was kept by
/// the one before, and it was a replica.
void RecordedGaps::makeStale(Snapshot &picture, ToldGap &gap)
{
    if (!gap.formerMasters) {
        gap.formerMasters.emplace();
        std::string master = gap.node;
        for (const Event &change : m_events.newMasters(gap.time))
            if (change.node == master)
                gap.formerMasters->push_back(master = change.formerMaster);
    }
    if (gap.formerMasters->empty())
        return leave(picture, gap.node, gap.time.first);
    for (const NodeStatus &node : picture.nodes) {
        const bool wasMaster = node.node == gap.node || std::ranges::count(*gap.formerMasters, node.node) > 0;
        if (wasMaster && node.role != NodeRole::Replica)
            return leave(picture, node.node, gap.time.first);
    }
}

std::vector<RecordedSpan> RecordedGaps::spans() const
{
    std::vector<RecordedSpan> spans = m_unreadEnds;
    std::ranges::transform(m_told, std::back_inserter(spans), &Gap::time);
    std::ranges::transform(m_untold, std::back_inserter(spans), &Gap::time);
    std::ranges::sort(spans, {}, &RecordedSpan::first);
    return spans;
}

} // namespace lockcore::recording
