// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/player.h"

#include "lockcore/monitor/join.h"
#include "lockcore/recording/codes.h"
#include "lockcore/recording/recorded_waits.h"
#include "lockcore/recording/recording_database.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockcore::recording {

using namespace monitor;
using namespace synchronizers;

namespace {

constexpr std::int64_t FewEvents = 50'000; // looked at one by one

std::string text(const QVariant &value)
{
    const QByteArray bytes = value.toByteArray();
    return { bytes.constData(), static_cast<std::size_t>(bytes.size()) };
}

constexpr int FrameColumns = 4; // before the checksum
constexpr int EventColumns = 12; // likewise

/// The row of an event as it was written.
QVariantList valuesOf(const QSqlQuery &row, int columns)
{
    QVariantList values;
    for (int column = 0; column < columns; ++column)
        values.append(row.isNull(column) ? QVariant() : row.value(column));
    return values;
}

Event toEvent(const QVariantList &row)
{
    const auto integer = [&](int column) { return row[column].toLongLong(); };
    Event event;
    event.at = WallTime(Millis(integer(2)));
    event.kind = fromCode<EventKind>(static_cast<std::uint64_t>(integer(3))).value_or(EventKind::Appeared);
    event.lock = text(row[4]);
    if (!row[5].isNull())
        event.lockKind = fromCode<Kind>(static_cast<std::uint64_t>(integer(5)));
    if (event.kind == EventKind::SlowCommand) {
        event.command = text(row[6]);
        event.key = text(row[7]);
    } else if (event.kind == EventKind::MasterChanged) {
        event.formerMaster = text(row[6]);
    } else if (!row[6].isNull()) {
        event.owner = OwnerId{ text(row[6]), text(row[7]) };
    }
    event.byLockscope = event.kind == EventKind::SlowCommand && !event.command.empty() && integer(8) == 1;
    if (!row[8].isNull() && !event.byLockscope)
        event.count = integer(8);
    if (!row[9].isNull())
        event.ttl = Millis(integer(9));
    event.node = text(row[10]);
    event.certainty = fromCode<Certainty>(static_cast<std::uint64_t>(integer(11))).value_or(Certainty::Inferred);
    return event;
}

std::int64_t secondOf(MonoTime time)
{
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

void makeStale(SourceStatus &status, MonoTime since)
{
    status.phase = SourcePhase::Stale;
    status.staleSince = std::min(status.staleSince.value_or(since), since);
}

/// As it was seen last, since when nobody has looked.
std::shared_ptr<const Snapshot> staleSince(std::shared_ptr<Snapshot> snapshot, MonoTime end)
{
    const auto leave = [end](SourceStatus &status) {
        makeStale(status, end);
        status.retryAt.reset();
        status.error = errorOf(ErrorCode::FileFailed, { Phrase::NothingRecordedThen });
    };
    leave(snapshot->status);
    for (NodeStatus &node : snapshot->nodes)
        leave(node.status);
    return snapshot;
}

/// Though it was recorded as if it were live: that nothing was seen any more was noticed later.
void makeStale(Snapshot &snapshot, const std::string &node, MonoTime since)
{
    for (NodeStatus &each : snapshot.nodes)
        if (node.empty() || each.node == node)
            makeStale(each.status, since);
    const auto first = monitor::joinStaleSince(snapshot.nodes);
    if (snapshot.nodes.empty() || first)
        makeStale(snapshot.status, first.value_or(since));
}

/// Empty: several have what the event tells of, or it is not known.
std::string onlyNodeOf(const LockState &lock, const Event &event)
{
    const LockState *found = nullptr;
    for (const auto &member : lock.members) {
        const bool hasIt
            = !event.owner || hasOwner(member->holders, *event.owner) || hasOwner(member->waiters, *event.owner);
        if (hasIt && std::exchange(found, member.get()) != nullptr)
            return {};
    }
    return found != nullptr ? found->node : std::string();
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
    , m_waits(std::make_unique<RecordedWaits>(*m_database))
    , m_replayed(m_database->hasNumberedFields())
{
}

Player::~Player() = default;

std::string Player::context() const { return toString(m_database->context()); }

std::optional<Error> Player::warning() const
{
    if (m_database->isCutShort())
        return errorOf(ErrorCode::FileFailed, { Phrase::CutShort }, m_database->context());
    if (!m_database->lacksLog())
        return std::nullopt;
    return errorOf(ErrorCode::FileFailed, { Phrase::LacksLog }, m_database->context());
}

tl::unexpected<Error> Player::damaged(MonoTime at) const
{
    const auto passed = std::chrono::duration_cast<Millis>(std::max(at, m_span.first) - m_span.first);
    return failure(
        ErrorCode::FileFailed, { Phrase::DamagedAt, { std::to_string(passed.count()) } }, m_database->context());
}

/// Where it is the file that is damaged, that is behind what could be read of it last.
Result<void> Player::placed(Result<void> read, MonoTime last) const
{
    const bool isDamage = !read && read.error().why == std::vector<Said>{ { Phrase::FileDamaged } };
    return isDamage ? damaged(last) : read;
}

void Player::passOver(const Error &damage)
{
    if (std::ranges::find(m_damage, damage) == m_damage.end())
        m_damage.push_back(damage);
}

Result<void> Player::readExtent()
{
    constexpr std::int64_t None = -1;
    const auto first = m_database->number("SELECT coalesce(min(at), -1) FROM frame WHERE whole = 1");
    if (!first && !warning())
        return tl::unexpected(m_database->error());
    const bool hasFrames = first.value_or(None) != None;
    if (hasFrames)
        m_span.first = toTime(*first);
    if (auto read = hasFrames ? readSessions(m_span.first).and_then([this] { return readClock(); }) : Result<void>();
        !read)
        return read;
    if (m_sessions.empty()) // or all of it is in the log
        return tl::unexpected(
            warning().value_or(errorOf(ErrorCode::FileFailed, { Phrase::NothingRecorded }, m_database->context())));
    m_sessions.front().first = m_span.first;
    m_span.last = m_sessions.back().last;
    findUntoldGaps();
    m_eventCount = m_database->number("SELECT sum(events) FROM tally").value_or(0) + std::ssize(m_untoldGaps);
    return {};
}

void Player::findUntoldGaps()
{
    const RecordedSpan *before = nullptr;
    for (const RecordedSpan &session : m_sessions) {
        if (before != nullptr)
            m_untoldGaps.push_back({ { before->last, session.first }, {} });
        findLosses(session);
        before = &session;
    }
}

/// The event of a gap is recorded when it is over. Of one that was not, the last picture says since when it lasts,
/// however the session ended. Where that picture is damaged, nothing tells what was seen after the last one before it.
void Player::findLosses(const RecordedSpan &session)
{
    const auto read = goTo(session.last);
    const bool isInSession = m_loaded && *m_loaded >= session.first;
    const MonoTime until = read ? session.last : isInSession ? *m_loaded : session.first;
    const auto picture = isInSession && m_replayed.frameAt() == *m_loaded ? m_replayed.snapshot(until) : nullptr;
    MonoTime unread = until;
    const auto find = [&](const SourceStatus &status, const std::string &node) {
        const bool isLost = status.phase == SourcePhase::Stale && status.staleSince;
        const MonoTime since = isLost ? std::max(*status.staleSince, session.first) : until;
        unread = std::min(unread, since);
        if (read && since < until)
            m_untoldGaps.push_back({ { since, until }, node });
    };
    for (const NodeStatus &node : picture ? picture->nodes : std::vector<NodeStatus>())
        find(node.status, node.node);
    if (picture && picture->nodes.empty())
        find(picture->status, {});
    if (read)
        return;
    m_loaded.reset();
    passOver(read.error());
    if (unread < session.last)
        m_unreadEnds.push_back({ { unread, session.last }, {} });
}

Result<void> Player::readSessions(MonoTime firstFrame)
{
    QSqlQuery *rows = m_database->run("SELECT id, first, last, frame, sum FROM session ORDER BY first");
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    bool isIntact = true;
    while (isIntact && rows->next()) {
        isIntact = m_database->isIntact(valuesOf(*rows, 4), rows->value(4));
        const MonoTime begin = std::max(toTime(rows->value(1).toLongLong()), firstFrame);
        const MonoTime end = toTime(rows->value(2).toLongLong());
        if (begin <= end)
            m_sessions.push_back({ begin, end });
    }
    const auto ended = m_database->end(*rows);
    return ended && !isIntact ? damaged(firstFrame) : ended;
}

Result<void> Player::readClock()
{
    QSqlQuery *rows = m_database->run("SELECT at, ahead, sum FROM clock ORDER BY at");
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    bool isIntact = true;
    while (isIntact && rows->next()) {
        isIntact = m_database->isIntact(valuesOf(*rows, 2), rows->value(2));
        m_clock.push_back({ toTime(rows->value(0).toLongLong()), MonoTime::duration(rows->value(1).toLongLong()) });
    }
    const auto ended = m_database->end(*rows);
    return ended && (!isIntact || m_clock.empty()) ? damaged(m_span.first) : ended;
}

WallTime Player::wallAt(MonoTime moment) const
{
    const auto after = std::upper_bound(
        m_clock.begin(), m_clock.end(), moment, [](MonoTime time, const ClockSpan &span) { return time < span.first; });
    const ClockSpan &span = after == m_clock.begin() ? *after : *std::prev(after);
    return WallTime(std::chrono::duration_cast<Millis>(moment.time_since_epoch() - span.ahead));
}

std::optional<MonoTime> Player::momentAt(WallTime wall) const
{
    MonoTime end = m_span.last + std::chrono::milliseconds(1); // a time in whole milliseconds names the last as well
    for (auto span = m_clock.rbegin(); span != m_clock.rend(); ++span) {
        const MonoTime begin = std::max(span->first, m_span.first);
        const MonoTime moment = MonoTime(wall.time_since_epoch() + span->ahead);
        if (moment > begin - std::chrono::milliseconds(1) && moment < end)
            return std::clamp(moment, begin, m_span.last);
        end = std::min(end, span->first);
    }
    return std::nullopt;
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
    const auto heed = [&](const std::vector<Gap> &gaps) {
        for (const Gap &gap : gaps)
            if (gap.time.first < shown && shown < gap.time.last)
                makeStale(*snapshot, gap.node, gap.time.first);
    };
    if (const auto &told = toldGaps(); told)
        heed(*told);
    else
        passOver(told.error());
    heed(m_untoldGaps);
    heed(m_unreadEnds);
    return snapshot;
}

Result<void> Player::goTo(MonoTime moment)
{
    const auto begin = time("SELECT max(at) FROM frame WHERE whole = 1 AND at <= ?", moment);
    if (!begin)
        return failure(ErrorCode::FileFailed, { Phrase::PartDropped }, m_database->context());
    if (!m_loaded || *m_loaded < *begin || *m_loaded > moment)
        m_loaded = *begin - std::chrono::microseconds(1);
    QSqlQuery *frames
        = m_database->run("SELECT at, whole, data, before, sum FROM frame WHERE at > ? AND at <= ? ORDER BY at",
            { number(*m_loaded), number(moment) });
    if (frames == nullptr)
        return placed(tl::unexpected(m_database->error()), *m_loaded);
    Result<void> done;
    while (done && frames->next())
        done = takeFrame(valuesOf(*frames, FrameColumns), frames->value(FrameColumns));
    const auto ended = placed(m_database->end(*frames), *m_loaded);
    return done && ended ? checkNext(moment) : done ? ended : done;
}

Result<void> Player::takeFrame(const QVariantList &row, const QVariant &sum)
{
    const MonoTime at = toTime(row[0].toLongLong());
    const bool isWhole = row[1].toBool();
    const QByteArray data = row[2].toByteArray();
    const std::string_view frame(data.constData(), static_cast<std::size_t>(data.size()));
    const bool follows = isWhole || !m_database->hasSums() || row[3].toLongLong() == m_loadedSum;
    if (!m_database->isIntact(row, sum) || !follows)
        return damaged(at);
    return (isWhole ? m_replayed.start(frame, at) : m_replayed.add(frame, at)).map([&] {
        m_loaded = at;
        m_loadedSum = sum.toLongLong();
    });
}

/// Whether the frame that was loaded last is the last one until that moment: the next one follows it, or the recording
/// ends with it.
Result<void> Player::checkNext(MonoTime moment)
{
    if (!m_database->hasSums())
        return {};
    const auto before
        = m_database->number("SELECT coalesce((SELECT before FROM frame WHERE at > ? ORDER BY at LIMIT 1), "
                             "(SELECT frame FROM session ORDER BY id DESC LIMIT 1))",
            { number(moment) });
    return before == m_loadedSum ? Result<void>() : damaged(*m_loaded);
}

std::optional<MonoTime> Player::time(const char *statement, MonoTime than)
{
    const auto found = m_database->number(statement, { number(than) });
    return found ? std::optional(toTime(*found)) : std::nullopt;
}

/// Whether as many events are there as were written, in all seconds that these moments are in or between.
Result<void> Player::checkCount(MonoTime after, MonoTime to)
{
    const qint64 first = secondOf(after);
    const qint64 end = secondOf(to) + 1;
    if (!m_database->hasSums())
        return {};
    // In one statement: the recording may be written to in the meantime.
    const auto complete
        = m_database->number("SELECT (SELECT coalesce(sum(events), 0) FROM tally WHERE second >= ? AND second < ?) = "
                             "(SELECT count(*) FROM event WHERE at >= ? AND at < ?)",
            { first, end, first * 1'000'000, end * 1'000'000 });
    if (!complete)
        return tl::unexpected(m_database->error());
    return *complete != 0 ? Result<void>() : damaged(after);
}

const Snapshot *Player::beginningAt(MonoTime at)
{
    if (m_beginningAt == at)
        return m_beginning.get();
    if (!m_sessionFrames)
        m_sessionFrames = sessionFrames();
    const bool isBegin = std::ranges::find(*m_sessionFrames, at, &RecordedSpan::first) != m_sessionFrames->end();
    const auto picture = isBegin ? this->at(at) : nullptr;
    if (!picture)
        passOver(picture.error());
    m_beginning = picture.value_or(nullptr);
    m_beginningAt = at;
    return m_beginning.get();
}

/// A session begins with an event for all that was there. Since when it was, the first picture says, but for semaphores
/// and latches; and in older recordings of independent servers, which one had it, if only one had.
void Player::tellWhatWasKnown(Event &event, MonoTime at)
{
    if (event.kind != EventKind::Appeared && event.kind != EventKind::FoundQueued)
        return;
    const Snapshot *beginning = beginningAt(at);
    const auto lock = beginning != nullptr ? beginning->locks.find(event.lock) : nullptr;
    if (!lock)
        return;
    if (event.node.empty())
        event.node = onlyNodeOf(*lock, event);
    const auto isThere = [&](const auto &member) { return member->node == event.node; };
    const auto member = std::ranges::find_if(lock->members, isThere);
    const LockState &there = member == lock->members.end() ? *lock : **member;
    const auto in = [&](const auto &list) -> std::optional<KnownSince> {
        const auto isOfOwner = [&](const auto &each) { return each.owner == event.owner; };
        const auto found = std::ranges::find_if(list, isOfOwner);
        if (found == list.end())
            return std::nullopt;
        return KnownSince{ wallAt(found->since.at), found->since.exact };
    };
    event.since = !event.owner              ? KnownSince{ event.at, false }
        : event.kind == EventKind::Appeared ? in(there.holders)
                                            : in(there.waiters);
}

Result<std::vector<Event>> Player::events(MonoTime after, MonoTime to, int most)
{
    // A damaged page can hide rows from who reads backward alone. Counted before: the recording may be written to.
    const auto there = m_database->number(
        "SELECT count(*) FROM (SELECT 1 FROM event WHERE at > ? AND at <= ? ORDER BY at, number LIMIT ?)",
        { number(after), number(to), most });
    QSqlQuery *rows
        = m_database->run("SELECT at, number, wall, kind, lock, lock_kind, client, thread, count, ttl, node, "
                          "certainty, sum FROM event WHERE at > ? AND at <= ? "
                          "ORDER BY at DESC, number DESC LIMIT ?",
            { number(after), number(to), most });
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    std::vector<Event> events;
    MonoTime first = to;
    bool isIntact = true;
    while (isIntact && rows->next()) {
        const QVariantList row = valuesOf(*rows, EventColumns);
        isIntact = m_database->isIntact(row, rows->value(EventColumns));
        first = toTime(row[0].toLongLong());
        events.push_back(toEvent(row));
        tellWhatWasKnown(events.back(), first);
    }
    std::reverse(events.begin(), events.end());
    if (auto ended = m_database->end(*rows); !ended)
        return tl::unexpected(ended.error());
    if (!isIntact || !there || std::ssize(events) < *there)
        return damaged(first);
    const bool isAll = events.size() < static_cast<std::size_t>(most);
    return checkCount(isAll ? after : first, to).map([&] { return std::move(events); });
}

Result<void> Player::visitEvents(MonoTime after, MonoTime to, const std::function<bool(const Event &)> &visit)
{
    if (auto checked = m_database->isCutShort() ? Result<void>() : checkCount(after, to); !checked)
        return checked;
    QSqlQuery *rows
        = m_database->run("SELECT at, number, wall, kind, lock, lock_kind, client, thread, count, ttl, node, "
                          "certainty, sum FROM event WHERE at > ? AND at <= ? ORDER BY at, number",
            { number(after), number(to) });
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    Result<void> done;
    MonoTime at = m_span.first;
    while (done && rows->next()) {
        const QVariantList row = valuesOf(*rows, EventColumns);
        at = toTime(row[0].toLongLong());
        Event event = toEvent(row);
        tellWhatWasKnown(event, at);
        if (!m_database->isIntact(row, rows->value(EventColumns)))
            done = damaged(at);
        else if (!visit(event))
            break;
    }
    const auto ended = placed(m_database->end(*rows), at);
    return done ? ended : done;
}

std::optional<MonoTime> Player::frameFrom(MonoTime moment)
{
    return time("SELECT min(at) FROM frame WHERE at >= ?", moment);
}

std::vector<RecordedSpan> Player::sessionFrames()
{
    std::vector<RecordedSpan> sessions = m_sessions;
    for (RecordedSpan &session : sessions)
        session.first = frameFrom(session.first).value_or(session.first);
    std::erase_if(sessions, [](const RecordedSpan &session) { return session.first > session.last; });
    return sessions;
}

/// Snapshots come a little after the events that led to them.
MonoTime Player::firstSeen(MonoTime event)
{
    const auto frame = frameFrom(event);
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

Result<std::optional<MonoTime>> Player::lookFrom(MonoTime moment, const std::string &node)
{
    const auto sessions = sessionFrames();
    QSqlQuery *frames = m_database->run(
        "SELECT at, whole, data, before, sum FROM frame WHERE at >= ? ORDER BY at", { number(moment) });
    if (frames == nullptr)
        return tl::unexpected(m_database->error());
    std::optional<MonoTime> look;
    MonoTime at = moment;
    bool isIntact = true;
    while (!look && isIntact && frames->next()) {
        const QVariantList row = valuesOf(*frames, FrameColumns);
        at = toTime(row[0].toLongLong());
        isIntact = m_database->isIntact(row, frames->value(FrameColumns));
        const QByteArray data = row[2].toByteArray();
        const auto told = lastLookIn(
            { data.constData(), static_cast<std::size_t>(data.size()) }, at, m_database->hasNumberedFields(), node);
        const bool isBegin = std::ranges::find(sessions, at, &RecordedSpan::first) != sessions.end();
        if (isIntact && told && (*told >= moment || isBegin))
            look = isBegin ? at : *told;
    }
    const auto ended = m_database->end(*frames);
    if (ended && !isIntact)
        return damaged(at);
    return ended.map([&] { return look; });
}

std::vector<WaitCount> Player::waitCounts(MonoTime &from, MonoTime to)
{
    m_waits->read(from, to);
    from = std::max(from, m_waits->since());
    std::vector<WaitCount> counts = m_waits->at(from, wallAt(from));
    const auto changes = m_waits->changes(from, to, wallAt(m_waits->since()));
    counts.insert(counts.end(), changes.begin(), changes.end());
    return counts;
}

std::vector<WaitCount> Player::waitChanges(MonoTime after, MonoTime to)
{
    m_waits->read(after, to);
    return m_waits->changes(after, to, wallAt(m_waits->since()));
}

std::vector<Event> Player::untoldGaps(MonoTime after, MonoTime to) const
{
    std::vector<Event> gaps;
    for (const auto &[time, node] : m_untoldGaps) {
        if (time.last <= after || time.last > to)
            continue;
        Event gap;
        gap.at = wallAt(time.last);
        gap.kind = EventKind::Gap;
        gap.ttl = std::chrono::duration_cast<Millis>(time.last - time.first);
        gap.node = node;
        gaps.push_back(std::move(gap));
    }
    return gaps;
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
        const double place = (double(rows->value(0).toLongLong()) - double(number(m_span.first))) / double(length);
        const auto part = std::clamp(place, 0.0, 1.0) * double(density.size());
        density[std::min(static_cast<std::size_t>(part), density.size() - 1)] += rows->value(1).toLongLong();
    }
    return m_database->end(*rows).map([&] { return std::move(density); });
}

const Result<std::vector<Player::Gap>> &Player::toldGaps()
{
    if (!m_toldGaps)
        m_toldGaps = readToldGaps();
    return *m_toldGaps;
}

Result<std::vector<Player::Gap>> Player::readToldGaps()
{
    static_assert(codeOf(EventKind::Gap) == 14);
    QSqlQuery *rows = m_database->run("SELECT at, number, wall, kind, lock, lock_kind, client, thread, count, ttl, "
                                      "node, certainty, sum FROM event WHERE kind = 14");
    if (rows == nullptr)
        return tl::unexpected(m_database->error());
    std::vector<Gap> gaps;
    Result<void> intact;
    while (intact && rows->next()) {
        const QVariantList row = valuesOf(*rows, EventColumns);
        const MonoTime end = toTime(row[0].toLongLong());
        const Event event = toEvent(row);
        gaps.push_back({ { std::max(end - event.ttl.value_or(Millis(0)), m_span.first), end }, event.node });
        if (!m_database->isIntact(row, rows->value(EventColumns)))
            intact = damaged(end);
    }
    const auto ended = m_database->end(*rows);
    return (intact ? ended : intact).map([&] { return std::move(gaps); });
}

Result<std::vector<RecordedSpan>> Player::gaps()
{
    const auto &told = toldGaps();
    if (!told)
        return tl::unexpected(told.error());
    std::vector<RecordedSpan> gaps;
    for (const auto *list : { &*told, &std::as_const(m_untoldGaps), &std::as_const(m_unreadEnds) })
        std::ranges::transform(*list, std::back_inserter(gaps), &Gap::time);
    std::ranges::sort(gaps, {}, &RecordedSpan::first);
    return gaps;
}

} // namespace lockcore::recording
