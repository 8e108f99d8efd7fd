// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recorder.h"

#include "lockcore/recording/codes.h"
#include "lockcore/recording/frame.h"

#include <algorithm>
#include <limits>

namespace lockcore {

namespace {

/// A jump to any moment reads a whole frame and what follows it, at most so much.
constexpr std::int64_t SegmentBytes = 2 << 20;
constexpr std::int64_t SegmentFrames = 10'000;
constexpr int SegmentsOfLimit = 16;
constexpr std::int64_t MostDroppedAtOnce = 32 << 20;
constexpr int PagesGivenBackAtOnce = 1'000;
constexpr auto BytesWithoutLimit = std::numeric_limits<std::int64_t>::max();
constexpr Millis Jitter{ 5 }; // of two clocks that are read one after the other

qint64 number(MonoTime time) { return time.time_since_epoch().count(); }

QByteArray bytes(const std::string &text) { return { text.data(), static_cast<qsizetype>(text.size()) }; }

template <typename Enum>
QVariant code(Enum value)
{
    return QVariant::fromValue<qlonglong>(static_cast<qlonglong>(codeOf(value)));
}

} // namespace

Result<std::unique_ptr<Recorder>> Recorder::open(const QString &file, const RecordingLimits &limits, Now now)
{
    auto database = RecordingDatabase::openToWrite(file);
    if (!database)
        return tl::unexpected(database.error());
    std::unique_ptr<Recorder> recorder(new Recorder(std::move(*database), limits, now));
    if (!recorder->prepare())
        return tl::unexpected(recorder->m_database->error());
    return recorder;
}

Recorder::Recorder(std::unique_ptr<RecordingDatabase> database, const RecordingLimits &limits, Now now)
    : m_database(std::move(database))
    , m_limits(limits)
    , m_begun(now)
{
}

/// One file again, which can be read where nothing can be written; not while somebody reads it.
Recorder::~Recorder() { m_database->execute("PRAGMA journal_mode = DELETE"); }

bool Recorder::prepare()
{
    // Normal: a transaction survives any end of the process, though the last ones not a power cut; a slow disk holds
    // nothing up. What is dropped need not be overwritten.
    for (const char *setting : { "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
             "PRAGMA secure_delete = OFF", "PRAGMA wal_autocheckpoint = 128", "PRAGMA journal_size_limit = 1048576" }) {
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
    const qint64 begun = first.count();
    if (!m_database->begin() || !m_database->execute("INSERT INTO session(first, last) VALUES(?, ?)", { begun, begun }))
        return false;
    m_session = m_database->number("SELECT max(id) FROM session").value_or(0);
    return m_database->commit();
}

Result<void> Recorder::write(const RecordingQueue::Content &content, Now now)
{
    if (m_database->begin() && writeAll(content, now) && m_database->commit() && giveBack())
        return {};
    const Error error = m_database->error();
    m_database->rollBack();
    return tl::unexpected(error);
}

bool Recorder::writeAll(const RecordingQueue::Content &content, Now now)
{
    for (const auto &snapshot : content.snapshots) {
        if (!writeFrame(snapshot))
            return false;
    }
    for (const auto &reported : content.reports) {
        if (!writeEvents(reported))
            return false;
    }
    const MonoTime last = std::max(onLine(now.mono), m_lastFrame);
    return m_database->execute("UPDATE session SET last = ? WHERE id = ?", { number(last), qint64(m_session) })
        && keepBounds(last);
}

bool Recorder::needsWhole(const Snapshot &snapshot, MonoTime at) const
{
    if (m_wholeNext || !m_last)
        return true;
    const bool begunAnew = (m_last->analysis && !snapshot.analysis) || (m_last->channels && !snapshot.channels);
    const bool tooOld = m_limits.maxAge && at - m_wholeAt > *m_limits.maxAge / SegmentsOfLimit;
    return begunAnew || tooOld || m_bytesSince >= segmentBytes() || m_framesSince >= SegmentFrames;
}

std::int64_t Recorder::segmentBytes() const
{
    const auto wanted = std::max(SegmentBytes, m_bytesOfWhole / 2);
    return m_limits.maxBytes ? std::min(wanted, *m_limits.maxBytes / SegmentsOfLimit) : wanted;
}

bool Recorder::writeFrame(const std::shared_ptr<const Snapshot> &snapshot)
{
    if (snapshot == m_last)
        return true;
    const MonoTime taken = onLine(snapshot->takenAt.mono);
    const MonoTime at = std::max(taken, m_lastFrame + std::chrono::microseconds(1));
    const WallTime wall = taken < onLine(m_begun.mono) ? m_begun.wall : snapshot->takenAt.wall;
    const bool whole = needsWhole(*snapshot, at);
    const std::string data = encodeFrame(*snapshot, whole ? nullptr : m_last.get(), { at, wall, m_toLine });
    if (!m_database->execute(
            "INSERT INTO frame(at, whole, data) VALUES(?, ?, ?)", { number(at), whole ? 1 : 0, bytes(data) }))
        return false;
    m_last = snapshot;
    m_lastFrame = at;
    if (whole) {
        m_wholeNext = false;
        m_wholeAt = at;
        m_bytesOfWhole = static_cast<std::int64_t>(data.size());
        m_bytesSince = 0;
        m_framesSince = 0;
    } else {
        m_bytesSince += static_cast<std::int64_t>(data.size());
        ++m_framesSince;
    }
    return true;
}

bool Recorder::writeEvents(const RecordingQueue::Reported &reported)
{
    // From what the wall clock says now to the line, however the clock was set.
    const auto line = onLine(reported.at.mono);
    const auto toLine = line.time_since_epoch() - reported.at.wall.time_since_epoch();
    if (std::chrono::abs(toLine - m_wallToLine) > Jitter)
        m_wallToLine = toLine; // else events told one after the other might change places
    for (const Event &event : *reported.events) {
        const auto at = std::min(MonoTime(event.at.time_since_epoch() + m_wallToLine), line);
        if (!writeEvent(event, std::max(at, onLine(m_begun.mono))))
            return false;
    }
    return true;
}

bool Recorder::writeEvent(const Event &event, MonoTime at)
{
    const auto orNull = [](const auto &value, auto convert) { return value ? QVariant(convert(*value)) : QVariant(); };
    ++m_events;
    m_bytesSince += static_cast<std::int64_t>(event.lock.size() + event.node.size()) + 80;
    return m_database->execute("INSERT INTO event VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               { number(at), qint64(m_events), qint64(event.at.time_since_epoch().count()), code(event.kind),
                   bytes(event.lock), orNull(event.lockKind, [](Kind kind) { return code(kind); }),
                   orNull(event.owner, [](const OwnerId &owner) { return bytes(owner.client); }),
                   orNull(event.owner, [](const OwnerId &owner) { return bytes(owner.thread); }),
                   orNull(event.count, [](std::int64_t count) { return qint64(count); }),
                   orNull(event.ttl, [](Millis ttl) { return qint64(ttl.count()); }), bytes(event.node),
                   code(event.certainty) })
        && m_database->execute("INSERT INTO tally VALUES(?, 1) ON CONFLICT(second) DO UPDATE SET events = events + 1",
            { number(at) / 1'000'000 });
}

/// The oldest segments go until what is left is small and young enough; not all at once where that is very much.
bool Recorder::keepBounds(MonoTime now)
{
    // What is free is filled again before the file grows; the rest is for the write-ahead log.
    const auto most = m_limits.maxBytes ? *m_limits.maxBytes - *m_limits.maxBytes / 8 : BytesWithoutLimit;
    const auto youngest = m_limits.maxAge ? number(now - *m_limits.maxAge) : 0;
    auto used = m_database->bytesUsed();
    for (const auto before = used; before - used < MostDroppedAtOnce; used = m_database->bytesUsed()) {
        const auto second = m_database->number("SELECT at FROM frame WHERE whole = 1 ORDER BY at LIMIT 1 OFFSET 1");
        if (!second)
            m_wholeNext = m_wholeNext || used > most;
        if (!second || (used <= most && *second > youngest))
            return true;
        if (!dropBefore(MonoTime(MonoTime::duration(*second))))
            return false;
    }
    return true;
}

bool Recorder::dropBefore(MonoTime segment)
{
    const QVariantList at{ number(segment) };
    return m_database->execute("DELETE FROM frame WHERE at < ?", at)
        && m_database->execute("DELETE FROM event WHERE at < ?", at)
        && m_database->execute("DELETE FROM tally WHERE second < ?", { number(segment) / 1'000'000 })
        && m_database->execute("DELETE FROM session WHERE last < ?", at);
}

/// Space that is free because there was more before than may be now; not all at once.
bool Recorder::giveBack()
{
    if (!m_limits.maxBytes || m_database->bytesOfFile() <= *m_limits.maxBytes)
        return true;
    bool done = m_database->begin();
    for (int page = 0; page < PagesGivenBackAtOnce && done; ++page)
        done = m_database->execute("PRAGMA incremental_vacuum(1)");
    return done && m_database->commit();
}

RecordingProgress Recorder::progress(Now now)
{
    return { std::chrono::duration_cast<Millis>(now.mono - m_begun.mono), m_database->bytesOfFile(), m_events };
}

} // namespace lockcore
