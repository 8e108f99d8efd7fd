// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recorded_frames.h"

#include "lockcore/recording/recording_database.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockcore::recording {

namespace {

constexpr int FrameColumns = 4; // before the checksum

std::string_view bytesOf(const QByteArray &data) { return { data.constData(), static_cast<std::size_t>(data.size()) }; }

} // namespace

RecordedFrames::RecordedFrames(RecordingDatabase &database)
    : m_database(database)
    , m_replayed(database.hasNumberedFields())
{
}

RecordedFrames::Reached RecordedFrames::reach(MonoTime moment)
{
    const RecordingDatabase::OneMoment view(m_database);
    Reached reached;
    reached.read = goTo(moment);
    if (m_loaded && m_replayed.frameAt() == *m_loaded) {
        reached.frame = m_loaded;
        reached.picture = m_replayed.snapshot(reached.read ? moment : *m_loaded);
    }
    if (!reached.read)
        m_loaded.reset();
    return reached;
}

Result<void> RecordedFrames::goTo(MonoTime moment)
{
    const auto begin = m_database.moment("SELECT max(at) FROM frame WHERE whole = 1 AND at <= ?", moment);
    if (!begin) {
        m_loaded.reset();
        return failure(ErrorCode::FileFailed, { Phrase::PartDropped }, m_database.context());
    }
    if (!m_loaded || *m_loaded < *begin || *m_loaded > moment)
        m_loaded = *begin - std::chrono::microseconds(1);
    QSqlQuery *frames
        = m_database.run("SELECT at, whole, data, before, sum FROM frame WHERE at > ? AND at <= ? ORDER BY at",
            { number(*m_loaded), number(moment) });
    if (frames == nullptr)
        return m_database.placed(tl::unexpected(m_database.error()), *m_loaded);
    Result<void> done;
    while (done && frames->next())
        done = take(valuesOf(*frames, FrameColumns), frames->value(FrameColumns));
    const auto ended = m_database.placed(m_database.end(*frames), *m_loaded);
    if (!done || !ended)
        return done ? ended : done;
    const bool isThere = *m_loaded >= *begin && m_replayed.frameAt() == *m_loaded; // else its index alone names it
    return isThere ? checkNext(moment) : m_database.damagedAt(*begin);
}

Result<void> RecordedFrames::take(const QVariantList &row, const QVariant &sum)
{
    const MonoTime at = toTime(row[0].toLongLong());
    const bool isWhole = row[1].toBool();
    const QByteArray data = row[2].toByteArray();
    const bool follows = isWhole || !m_database.hasSums() || row[3].toLongLong() == m_loadedSum;
    if (!m_database.isIntact(row, sum) || !follows)
        return m_database.damagedAt(std::max(at, *m_loaded)); // that time may be damaged as well
    return (isWhole ? m_replayed.start(bytesOf(data), at) : m_replayed.add(bytesOf(data), at)).map([&] {
        m_loaded = at;
        m_loadedSum = sum.toLongLong();
    });
}

/// Whether the frame that was loaded last is the last one until that moment: the next one follows it, or the recording
/// ends with it.
Result<void> RecordedFrames::checkNext(MonoTime moment)
{
    if (!m_database.hasSums())
        return {};
    const auto before
        = m_database.number("SELECT coalesce((SELECT before FROM frame WHERE at > ? ORDER BY at LIMIT 1), "
                            "(SELECT frame FROM session ORDER BY id DESC LIMIT 1))",
            { number(moment) });
    return before == m_loadedSum ? Result<void>() : m_database.damagedAt(*m_loaded);
}

std::optional<MonoTime> RecordedFrames::firstFrom(MonoTime moment)
{
    return m_database.moment("SELECT min(at) FROM frame WHERE at >= ?", moment);
}

std::optional<MonoTime> RecordedFrames::lastBefore(MonoTime moment)
{
    return m_database.moment("SELECT max(at) FROM frame WHERE at < ?", moment);
}

Result<std::optional<MonoTime>> RecordedFrames::lookFrom(
    MonoTime moment, const std::string &node, const std::vector<RecordedSpan> &sessions)
{
    QSqlQuery *frames = m_database.run(
        "SELECT at, whole, data, before, sum FROM frame WHERE at >= ? ORDER BY at", { number(moment) });
    if (frames == nullptr)
        return tl::unexpected(m_database.error());
    std::optional<MonoTime> look;
    MonoTime at = moment;
    bool isIntact = true;
    while (!look && isIntact && frames->next()) {
        const QVariantList row = valuesOf(*frames, FrameColumns);
        at = toTime(row[0].toLongLong());
        isIntact = m_database.isIntact(row, frames->value(FrameColumns));
        const auto told = lastLookIn(bytesOf(row[2].toByteArray()), at, m_database.hasNumberedFields(), node);
        const bool isBegin = std::ranges::find(sessions, at, &RecordedSpan::first) != sessions.end();
        if (isIntact && told && (*told >= moment || isBegin))
            look = isBegin ? at : *told;
    }
    const auto ended = m_database.end(*frames);
    if (ended && !isIntact)
        return m_database.damagedAt(at);
    return ended.map([&] { return look; });
}

} // namespace lockcore::recording
