// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/player.h"

#include "lockcore/recording/codes.h"
#include "lockcore/recording/recording_database.h"

#include <algorithm>

namespace lockcore {

namespace {

constexpr std::int64_t FewEvents = 50'000; // looked at one by one

qint64 number(MonoTime time) { return time.time_since_epoch().count(); }
MonoTime toTime(std::int64_t number) { return MonoTime(MonoTime::duration(number)); }

std::string text(const QVariant &value)
{
    const QByteArray bytes = value.toByteArray();
    return { bytes.constData(), static_cast<std::size_t>(bytes.size()) };
}

Event toEvent(const QSqlQuery &row)
{
    const auto integer = [&](int column) { return row.value(column).toLongLong(); };
    Event event;
    event.at = WallTime(Millis(integer(0)));
    event.kind = fromCode<EventKind>(static_cast<std::uint64_t>(integer(1))).value_or(EventKind::Appeared);
    event.lock = text(row.value(2));
    if (!row.isNull(3))
        event.lockKind = fromCode<Kind>(static_cast<std::uint64_t>(integer(3)));
    if (!row.isNull(4))
        event.owner = OwnerId{ text(row.value(4)), text(row.value(5)) };
    if (!row.isNull(6))
        event.count = integer(6);
    if (!row.isNull(7))
        event.ttl = Millis(integer(7));
    event.node = text(row.value(8));
    event.certainty = fromCode<Certainty>(static_cast<std::uint64_t>(integer(9))).value_or(Certainty::Inferred);
    return event;
}

/// As it was seen last, since when nobody has looked.
std::shared_ptr<const Snapshot> staleSince(std::shared_ptr<Snapshot> snapshot, MonoTime end)
{
    const auto makeStale = [end](SourceStatus &status) {
        status.phase = SourcePhase::Stale;
        status.staleSince = std::min(status.staleSince.value_or(end), end);
        status.retryAt.reset();
        status.error = Error{ ErrorCode::FileFailed, "nothing was recorded at this time", "the recording" };
    };
    makeStale(snapshot->status);
    for (NodeStatus &node : snapshot->nodes)
        makeStale(node.status);
    return snapshot;
}

} // namespace

Result<std::unique_ptr<Player>> Player::open(const QString &file)
{
    auto database = RecordingDatabase::openToRead(file);
    if (!database)
        return tl::unexpected(database.error());
    std::unique_ptr<Player> player(new Player(std::move(*database)));
    return player->readExtent().map([&] { return std::move(player); });
}

Player::Player(std::unique_ptr<RecordingDatabase> database)
    : m_database(std::move(database))
{
}

Player::~Player() = default;

const std::string &Player::context() const { return m_database->context(); }

Result<void> Player::readExtent()
{
    const auto first = m_database->number("SELECT min(at) FROM frame WHERE whole = 1");
    const auto events = m_database->number("SELECT sum(events) FROM tally");
    QSqlQuery *sessions = m_database->run("SELECT first, last FROM session ORDER BY first");
    if (sessions == nullptr)
        return tl::unexpected(m_database->error());
    while (first && sessions->next()) {
        const MonoTime begin = toTime(std::max<std::int64_t>(sessions->value(0).toLongLong(), *first));
        const MonoTime end = toTime(sessions->value(1).toLongLong());
        if (begin <= end)
            m_sessions.push_back({ begin, end });
    }
    if (auto done = m_database->end(*sessions); !done)
        return done;
    if (m_sessions.empty())
        return failure(ErrorCode::FileFailed, "nothing has been recorded in it", m_database->context());
    m_sessions.front().first = toTime(*first);
    m_span = { m_sessions.front().first, m_sessions.back().last };
    m_eventCount = events.value_or(0);
    return {};
}

Result<std::shared_ptr<const Snapshot>> Player::at(MonoTime moment)
{
    const MonoTime shown = std::clamp(moment, m_span.first, m_span.last);
    if (auto gone = goTo(shown); !gone) {
        m_loaded.reset();
        return tl::unexpected(gone.error());
    }
    const auto after = std::upper_bound(m_sessions.begin(), m_sessions.end(), shown,
        [](MonoTime time, const RecordedSpan &session) { return time < session.first; });
    const RecordedSpan &session = after == m_sessions.begin() ? *after : *std::prev(after);
    auto snapshot = m_replayed.snapshot(shown);
    if (shown > session.last)
        return staleSince(std::move(snapshot), session.last);
    return snapshot;
}

Result<void> Player::goTo(MonoTime moment)
{
    const auto whole = time("SELECT max(at) FROM frame WHERE whole = 1 AND at <= ?", moment);
    if (!whole)
        return failure(ErrorCode::FileFailed, "this part of it has been dropped in the meantime: open it again",
            m_database->context());
    if (!m_loaded || *m_loaded < *whole || *m_loaded > moment)
        m_loaded = *whole - std::chrono::microseconds(1);
    QSqlQuery *frames = m_database->run("SELECT at, data, whole FROM frame WHERE at > ? AND at <= ? ORDER BY at",
        { number(*m_loaded), number(moment) });
    if (frames == nullptr)
        return tl::unexpected(m_database->error());
    Result<void> done;
    while (done && frames->next()) {
        const MonoTime at = toTime(frames->value(0).toLongLong());
        const QByteArray data = frames->value(1).toByteArray();
        const std::string_view frame(data.constData(), static_cast<std::size_t>(data.size()));
        done = frames->value(2).toBool() ? m_replayed.start(frame, at) : m_replayed.add(frame, at);
        m_loaded = at;
    }
    const auto ended = m_database->end(*frames);
    return done ? ended : done;
}

std::optional<MonoTime> Player::time(const char *statement, MonoTime than)
{
    const auto found = m_database->number(statement, { number(than) });
    return found ? std::optional(toTime(*found)) : std::nullopt;
}

Result<std::vector<Event>> Player::events(MonoTime after, MonoTime to, int most)
{
    QSqlQuery *rows = m_database->run("SELECT wall, kind, lock, lock_kind, client, thread, count, ttl, node, certainty "
                                      "FROM event WHERE at > ? AND at <= ? ORDER BY at DESC, number DESC LIMIT ?",
        { number(after), number(to), most });
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    std::vector<Event> events;
    while (rows->next())
        events.push_back(toEvent(*rows));
    std::reverse(events.begin(), events.end());
    return m_database->end(*rows).map([&] { return std::move(events); });
}

Result<void> Player::visitEvents(MonoTime after, MonoTime to, const std::function<bool(const Event &)> &visit)
{
    QSqlQuery *rows = m_database->run("SELECT wall, kind, lock, lock_kind, client, thread, count, ttl, node, certainty "
                                      "FROM event WHERE at > ? AND at <= ? ORDER BY at, number",
        { number(after), number(to) });
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    while (rows->next() && visit(toEvent(*rows))) { }
    return m_database->end(*rows);
}

/// Snapshots come a little after the events that led to them.
MonoTime Player::firstSeen(MonoTime event)
{
    const auto frame = time("SELECT min(at) FROM frame WHERE at >= ?", event);
    return frame && *frame - event < std::chrono::seconds(1) ? *frame : event;
}

Result<std::optional<MonoTime>> Player::nextEvent(MonoTime after)
{
    const auto event = time("SELECT min(at) FROM event WHERE at > ?", after);
    return event ? std::optional(firstSeen(*event)) : std::nullopt;
}

Result<std::optional<MonoTime>> Player::previousEvent(MonoTime before)
{
    auto event = time("SELECT max(at) FROM event WHERE at < ?", before);
    if (event && firstSeen(*event) >= before) { // shown already: those of the frame before
        const auto frame = time("SELECT max(at) FROM frame WHERE at < ?", before);
        event = frame ? time("SELECT max(at) FROM event WHERE at <= ?", *frame) : std::nullopt;
    }
    return event ? std::optional(firstSeen(*event)) : std::nullopt;
}

Result<std::vector<std::int64_t>> Player::density(int parts)
{
    std::vector<std::int64_t> density(static_cast<std::size_t>(std::max(parts, 1)));
    const auto length = std::max<std::int64_t>((m_span.last - m_span.first).count(), 1);
    QSqlQuery *rows = m_eventCount <= FewEvents
        ? m_database->run("SELECT at, 1 FROM event")
        : m_database->run("SELECT second * 1000000 + 500000, events FROM tally");
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    while (rows->next()) {
        const double place = double(rows->value(0).toLongLong() - number(m_span.first)) / double(length);
        const auto part = std::clamp(place, 0.0, 1.0) * double(density.size());
        density[std::min(static_cast<std::size_t>(part), density.size() - 1)] += rows->value(1).toLongLong();
    }
    return m_database->end(*rows).map([&] { return std::move(density); });
}

Result<std::vector<RecordedSpan>> Player::gaps()
{
    std::vector<RecordedSpan> gaps;
    for (std::size_t i = 1; i < m_sessions.size(); ++i)
        gaps.push_back({ m_sessions[i - 1].last, m_sessions[i].first });
    static_assert(codeOf(EventKind::Gap) == 14);
    QSqlQuery *rows = m_database->run("SELECT at, ttl FROM event WHERE kind = 14");
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    while (rows->next()) {
        const MonoTime end = toTime(rows->value(0).toLongLong());
        gaps.push_back({ std::max(end - Millis(rows->value(1).toLongLong()), m_span.first), end });
    }
    std::sort(gaps.begin(), gaps.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    return m_database->end(*rows).map([&] { return std::move(gaps); });
}

} // namespace lockcore
