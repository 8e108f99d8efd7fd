// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recording_writer.h"

#include "lockcore/recording/codes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockcore::recording {

using namespace monitor;
using namespace synchronizers;

namespace {
constexpr std::size_t MostSnapshots = 500; // five seconds of them
constexpr std::size_t MostEvents = 200'000;
} // namespace

void RecordingQueue::put(std::shared_ptr<const Snapshot> snapshot)
{
    const std::lock_guard guard(m_mutex);
    if (m_content.snapshots.size() == MostSnapshots)
        m_content.snapshots.pop_back();
    m_content.snapshots.push_back(std::move(snapshot));
}

void RecordingQueue::put(EventList events, Now now)
{
    const std::lock_guard guard(m_mutex);
    if (m_events + events->size() > MostEvents) {
        if (!m_lostSince)
            m_lostSince = now;
        return;
    }
    m_events += events->size();
    m_content.reports.push_back({ std::move(events), now });
}

bool RecordingQueue::hasSnapshot() const
{
    const std::lock_guard guard(m_mutex);
    return !m_content.snapshots.empty();
}

RecordingQueue::Content RecordingQueue::take(Now now)
{
    const std::lock_guard guard(m_mutex);
    if (const auto lost = std::exchange(m_lostSince, std::nullopt)) {
        Event gap;
        gap.at = now.wall;
        gap.kind = EventKind::Gap;
        gap.ttl = std::chrono::duration_cast<Millis>(now.mono - lost->mono);
        m_content.reports.push_back({ std::make_shared<const std::vector<Event>>(1, gap), now });
    }
    m_events = 0;
    return std::exchange(m_content, {});
}

namespace {

constexpr std::int64_t SegmentFrames = 10'000;
constexpr int SegmentsOfAge = 16;
constexpr std::int64_t MostDroppedAtOnce = 32 << 20;
constexpr std::int64_t PagesGivenBack = 1'000;
constexpr std::int64_t PageBytes = 4'096;
constexpr auto BytesWithoutLimit = std::numeric_limits<std::int64_t>::max();
constexpr Millis Jitter{ 5 }; // of two clocks that are read one after the other
constexpr Millis ClockSet{ 20 }; // a wall clock that went astray by more is noted

/// Whose event it is; of what a server went through, what stands in the place of that.
std::optional<OwnerId> whoOrWhat(const Event &event)
{
    if (event.kind == EventKind::SlowCommand)
        return OwnerId{ event.command, event.key };
    if (!event.formerMaster.empty())
        return OwnerId{ event.formerMaster, {} };
    return event.owner;
}

QByteArray bytes(const std::string &text) { return { text.data(), static_cast<qsizetype>(text.size()) }; }

template <typename Enum>
QVariant code(Enum value)
{
    return QVariant::fromValue<qlonglong>(static_cast<qlonglong>(codeOf(value)));
}

} // namespace

Result<std::unique_ptr<RecordingWriter>> RecordingWriter::open(
    const QString &file, const RecordingLimits &limits, Now now)
{
    auto database = RecordingDatabase::openToWrite(file);
    if (!database)
        return tl::unexpected(database.error());
    std::unique_ptr<RecordingWriter> recorder(new RecordingWriter(std::move(*database), limits, now));
    if (!recorder->prepare())
        return tl::unexpected(recorder->m_database->error());
    return recorder;
}

RecordingWriter::RecordingWriter(std::unique_ptr<RecordingDatabase> database, const RecordingLimits &limits, Now now)
    : m_database(std::move(database))
    , m_limits(limits)
    , m_budget(limits.maxBytes)
    , m_begun(now)
{
}

/// One file again, which can be read where nothing can be written; not while somebody reads it.
RecordingWriter::~RecordingWriter() { m_database->execute("PRAGMA journal_mode = DELETE"); }

bool RecordingWriter::prepare()
{
    // Normal: a transaction survives any end of the process, though the last ones not a power cut; a slow disk holds
    // nothing up. What is dropped need not be overwritten.
    const bool small = m_budget.isSmall();
    for (const char *setting : { "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
             "PRAGMA secure_delete = OFF", small ? "PRAGMA wal_autocheckpoint = 16" : "PRAGMA wal_autocheckpoint = 128",
             small ? "PRAGMA journal_size_limit = 131072" : "PRAGMA journal_size_limit = 1048576" }) {
        if (!m_database->execute(setting))
            return false;
    }
    const auto lastFrame = m_database->number("SELECT max(at) FROM frame").value_or(0);
    const auto lastEvent = m_database->number("SELECT max(at) FROM event").value_or(0);
    const auto lastSession = m_database->number("SELECT max(last) FROM session").value_or(0);
    // Where the clock was set back since, the line goes on from where it was.
    const std::chrono::microseconds first{ std::max({ lastFrame + 1, lastEvent + 1, lastSession + 1,
        std::int64_t(m_begun.wall.time_since_epoch().count()) * 1'000 }) };
    m_toLine = first - m_begun.mono.time_since_epoch();
    m_lastFrame = MonoTime(first) - std::chrono::microseconds(1);
    m_session = m_database->number("SELECT max(id) FROM session").value_or(0) + 1;
    m_frameSum = m_database->number("SELECT sum FROM frame ORDER BY at DESC LIMIT 1").value_or(0);
    return m_database->begin() && setEnd(MonoTime(first)) && noteClock(m_begun) && m_database->commit();
}

bool RecordingWriter::insert(const char *statement, QVariantList values)
{
    values.append(qint64(RecordingDatabase::checksum(values)));
    return m_database->execute(statement, values);
}

/// Whatever the wall clock is set to, its times lead to moments of the line, and back.
bool RecordingWriter::noteClock(Now now)
{
    const auto ahead = onLine(now.mono).time_since_epoch() - now.wall.time_since_epoch();
    if (m_lineAhead && std::chrono::abs(ahead - *m_lineAhead) < ClockSet)
        return true;
    m_lineAhead = ahead;
    return insert("INSERT OR REPLACE INTO clock VALUES(?, ?, ?)", { number(onLine(now.mono)), qint64(ahead.count()) });
}

Result<void> RecordingWriter::write(const RecordingQueue::Content &content, Now now)
{
    if (m_database->begin() && writeAll(content, now) && m_database->commit() && giveBack())
        return {};
    const Error error = m_refused.value_or(m_database->error());
    m_database->rollBack();
    return tl::unexpected(error);
}

namespace {

/// When all of it was so. Where nothing changes there is no newer picture of the locks, and what is concluded of the
/// old one, as how long was waited, is of later.
Now momentOf(const Snapshot &snapshot)
{
    Now moment = snapshot.takenAt;
    if (snapshot.analysis && snapshot.analysis->at > moment.mono) {
        moment.wall += std::chrono::duration_cast<Millis>(snapshot.analysis->at - moment.mono);
        moment.mono = snapshot.analysis->at;
    }
    return moment;
}

} // namespace

/// In the order of time, so that what no longer fits can go while more is written.
bool RecordingWriter::writeAll(const RecordingQueue::Content &content, Now now)
{
    m_bytesUncommitted = 0;
    auto snapshot = content.snapshots.begin();
    const auto writeUntil = [&](std::optional<MonoTime> time) {
        for (; snapshot != content.snapshots.end() && (!time || momentOf(**snapshot).mono <= *time); ++snapshot) {
            if (!writeFrame(*snapshot))
                return false;
        }
        return true;
    };
    for (const auto &reported : content.reports) {
        if (!writeUntil(reported.at.mono) || !writeEvents(reported))
            return false;
    }
    const bool written = writeUntil(std::nullopt) && noteClock(now);
    const MonoTime last = std::max(onLine(now.mono), m_lastFrame);
    return written && setEnd(last) && keepAge(last) && keepSize(0);
}

bool RecordingWriter::setEnd(MonoTime last)
{
    return insert("INSERT OR REPLACE INTO session VALUES(?, ?, ?, ?, ?)",
        { qint64(m_session), number(onLine(m_begun.mono)), number(last), qint64(m_frameSum) });
}

/// The log need not hold more than a limit has room for.
bool RecordingWriter::commitPart(MonoTime last)
{
    if (!m_budget.isLimited() || m_bytesUncommitted < m_budget.checkpointBytes())
        return true;
    m_bytesUncommitted = 0;
    return setEnd(std::max(last, m_lastFrame)) && m_database->commit() && m_database->begin();
}

bool RecordingWriter::needsWhole(const Snapshot &snapshot, MonoTime at) const
{
    if (!m_last)
        return true;
    const bool begunAnew = (m_last->analysis && !snapshot.analysis) || (m_last->channels && !snapshot.channels);
    const bool isWorthIt = m_bytesSince >= m_bytesOfWhole / 8; // else it were all that is written
    const bool tooOld = m_limits.maxAge && at - m_wholeAt > *m_limits.maxAge / (isWorthIt ? SegmentsOfAge : 2);
    return begunAnew || tooOld || m_framesSince >= SegmentFrames;
}

bool RecordingWriter::writeFrame(const std::shared_ptr<const Snapshot> &snapshot)
{
    if (snapshot == m_last)
        return true;
    const Now moment = momentOf(*snapshot);
    const MonoTime taken = onLine(moment.mono);
    const MonoTime at = std::max(taken, m_lastFrame + std::chrono::microseconds(1));
    const FrameTime time{ at, taken < onLine(m_begun.mono) ? m_begun.wall : moment.wall, m_toLine };
    m_seen = time;
    if (!needsWhole(*snapshot, at)) {
        const std::string changes = encodeFrame(*snapshot, m_last.get(), time);
        if (m_bytesSince + static_cast<std::int64_t>(changes.size()) <= m_budget.segmentBytes(m_bytesOfWhole))
            return insertFrame(snapshot, time, changes, false);
    }
    return writeWhole(snapshot, time);
}

bool RecordingWriter::writeWhole(const std::shared_ptr<const Snapshot> &snapshot, const FrameTime &time)
{
    const std::string data = encodeFrame(*snapshot, nullptr, time);
    const auto size = static_cast<std::int64_t>(data.size());
    if (!m_budget.holds(size)) {
        m_refused = tooSmall(snapshot->locks.size(), size);
        return false;
    }
    m_bytesOfWhole = size;
    m_wholeAt = time.at;
    m_bytesSince = 0;
    m_framesSince = 0;
    return keepSize(SizeBudget::onDisk(size)) && insertFrame(snapshot, time, data, true);
}

Error RecordingWriter::tooSmall(std::size_t locks, std::int64_t whole) const
{
    return errorOf(ErrorCode::FileFailed,
        { Phrase::LimitTooSmall,
            { std::to_string(*m_limits.maxBytes), std::to_string(locks),
                std::to_string(SizeBudget::leastFor(whole)) } },
        m_database->context());
}

bool RecordingWriter::insertFrame(
    const std::shared_ptr<const Snapshot> &snapshot, const FrameTime &time, const std::string &data, bool whole)
{
    const QVariantList row{ number(time.at), whole ? 1 : 0, bytes(data), qint64(m_frameSum) };
    m_frameSum = RecordingDatabase::checksum(row);
    if (!m_database->execute("INSERT INTO frame VALUES(?, ?, ?, ?, ?)", row + QVariantList{ qint64(m_frameSum) }))
        return false;
    const bool isFirst = !m_last;
    m_last = snapshot;
    m_lastFrame = time.at;
    if (isFirst) {
        m_firstFrame = time.at;
        if (!writeAppeared(*snapshot, time.at))
            return false;
    }
    m_bytesUncommitted += static_cast<std::int64_t>(data.size());
    if (!whole) {
        m_bytesSince += static_cast<std::int64_t>(data.size());
        ++m_framesSince;
    }
    return commitPart(time.at);
}

/// What was seen last, once more, when events alone fill a segment.
bool RecordingWriter::beginSegment(MonoTime at)
{
    const MonoTime begin = std::max(at, m_lastFrame + std::chrono::microseconds(1));
    const auto wall = m_seen.wall + std::chrono::duration_cast<Millis>(begin - m_seen.at);
    return writeWhole(m_last, { begin, wall, m_toLine });
}

bool RecordingWriter::writeEvents(const RecordingQueue::Reported &reported)
{
    // From what the wall clock says now to the line, however the clock was set.
    const auto line = onLine(reported.at.mono);
    const auto toLine = line.time_since_epoch() - reported.at.wall.time_since_epoch();
    if (std::chrono::abs(toLine - m_wallToLine) > Jitter)
        m_wallToLine = toLine; // else events told one after the other might change places
    for (const Event &event : *reported.events) {
        const auto at = std::min(MonoTime(event.at.time_since_epoch() + m_wallToLine), line);
        if (m_last && !writeEvent(event, std::max(at, m_firstFrame))) // else before what is recorded begins
            return false;
    }
    return true;
}

/// The recording begins with them: what happened to them later happened to locks that it told of. Of independent
/// servers each tells of what it has.
bool RecordingWriter::writeAppeared(const Snapshot &snapshot, MonoTime at)
{
    return std::ranges::all_of(snapshot.locks, [&](const auto &lock) {
        if (lock->members.empty())
            return writeAppeared(*lock, snapshot, at);
        return std::ranges::all_of(
            lock->members, [&](const auto &member) { return writeAppeared(*member, snapshot, at); });
    });
}

bool RecordingWriter::writeAppeared(const LockState &lock, const Snapshot &snapshot, MonoTime at)
{
    const MonoTime seen = seenUntil(snapshot, lock, snapshot.takenAt.mono);
    const auto left = [&](std::optional<MonoTime> expiresAt) {
        return expiresAt ? std::optional(std::max(Millis(0), std::chrono::ceil<Millis>(*expiresAt - seen)))
                         : std::nullopt;
    };
    Event event;
    if (seen < snapshot.takenAt.mono) // it was there then
        event.certainty = Certainty::Inferred;
    event.at = std::max(snapshot.takenAt.wall, m_begun.wall);
    event.kind = EventKind::Appeared;
    event.lock = lock.name;
    event.lockKind = lock.kind;
    event.node = lock.node;
    event.count = lock.permits ? freePermits(*lock.permits) : lock.count;
    if (event.count && !writeEvent(event, at))
        return false;
    for (const Holder &holder : lock.holders) {
        if (holder.expired)
            continue; // still counted: its end is not told
        event.owner = holder.owner;
        event.count = holder.count;
        event.ttl = left(holder.expiresAt);
        if (!writeEvent(event, at))
            return false;
    }
    event.kind = EventKind::FoundQueued;
    event.count.reset();
    event.ttl.reset();
    for (const Waiter &waiter : lock.waiters) {
        event.owner = waiter.owner;
        if (!writeEvent(event, at))
            return false;
    }
    return true;
}

bool RecordingWriter::writeEvent(const Event &event, MonoTime at)
{
    if (m_last && m_budget.isLimited() && m_bytesSince >= m_budget.segmentBytes(m_bytesOfWhole) && !beginSegment(at))
        return false;
    const auto orNull = [](const auto &value, auto convert) { return value ? QVariant(convert(*value)) : QVariant(); };
    const auto who = whoOrWhat(event);
    const auto count = event.byLockscope ? std::optional<std::int64_t>(1) : event.count;
    ++m_events;
    const auto size = static_cast<std::int64_t>(event.lock.size() + event.node.size()) + 80;
    m_bytesSince += size;
    m_bytesUncommitted += size;
    return insert("INSERT INTO event VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               { number(at), qint64(m_events), qint64(event.at.time_since_epoch().count()), code(event.kind),
                   bytes(event.lock), orNull(event.lockKind, [](Kind kind) { return code(kind); }),
                   orNull(who, [](const OwnerId &owner) { return bytes(owner.client); }),
                   orNull(who, [](const OwnerId &owner) { return bytes(owner.thread); }),
                   orNull(count, [](std::int64_t number) { return qint64(number); }),
                   orNull(event.ttl, [](Millis ttl) { return qint64(ttl.count()); }), bytes(event.node),
                   code(event.certainty) })
        && m_database->execute("INSERT INTO tally VALUES(?, 1) ON CONFLICT(second) DO UPDATE SET events = events + 1",
            { number(at) / 1'000'000 })
        && commitPart(at);
}

bool RecordingWriter::keepAge(MonoTime now)
{
    return !m_limits.maxAge || dropSegments(BytesWithoutLimit, number(now - *m_limits.maxAge));
}

/// What is free is filled again before the file grows.
bool RecordingWriter::keepSize(std::int64_t more)
{
    return !m_budget.isLimited() || dropSegments(m_budget.fileBytes(m_bytesOfWhole) - more, 0);
}

/// The oldest segments go until what is left is small and young enough; not all at once where that is very much.
bool RecordingWriter::dropSegments(std::int64_t most, std::int64_t youngest)
{
    auto used = m_database->bytesUsed();
    for (const auto before = used; before - used < MostDroppedAtOnce; used = m_database->bytesUsed()) {
        const auto second = m_database->number("SELECT at FROM frame WHERE whole = 1 ORDER BY at LIMIT 1 OFFSET 1");
        if (!second || (used <= most && *second > youngest))
            return true;
        if (!dropBefore(toTime(*second)))
            return false;
    }
    return true;
}

bool RecordingWriter::dropBefore(MonoTime segment)
{
    const QVariantList at{ number(segment) };
    const qint64 second = number(segment) / 1'000'000;
    return m_database->execute("DELETE FROM frame WHERE at < ?", at)
        && m_database->execute("DELETE FROM event WHERE at < ?", at)
        && m_database->execute("DELETE FROM tally WHERE second < ?", { second })
        && m_database->execute("UPDATE tally SET events = (SELECT count(*) FROM event WHERE at >= ? AND at < ?) "
                               "WHERE second = ?",
            { second * 1'000'000, (second + 1) * 1'000'000, second })
        && m_database->execute("DELETE FROM clock WHERE at < (SELECT max(at) FROM clock WHERE at <= ?)", at)
        && m_database->execute(
            "DELETE FROM session WHERE last < ? AND id <> ?", { number(segment), qint64(m_session) });
}

/// Space that is free because there was more before than may be now; not all at once.
bool RecordingWriter::giveBack()
{
    if (!m_budget.isLimited() || m_database->bytesOfFile() <= m_budget.fileBytes(m_bytesOfWhole))
        return true;
    const auto pagesAtOnce = m_budget.checkpointBytes() / PageBytes / 2; // one that is moved changes others
    bool done = true;
    for (std::int64_t given = 0; given < PagesGivenBack && done; given += pagesAtOnce) {
        done = m_database->begin();
        for (std::int64_t page = 0; page < pagesAtOnce && done; ++page)
            done = m_database->execute("PRAGMA incremental_vacuum(1)");
        done = done && m_database->commit();
    }
    return done;
}

RecordingProgress RecordingWriter::progress(Now now)
{
    return { std::chrono::duration_cast<Millis>(now.mono - m_begun.mono), m_database->bytesOfFile(), m_events };
}

} // namespace lockcore::recording
