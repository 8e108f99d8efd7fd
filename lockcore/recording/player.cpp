// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/player.h"

#include "lockcore/recording/recorded_events.h"
#include "lockcore/recording/recorded_frames.h"
#include "lockcore/recording/recorded_gaps.h"
#include "lockcore/recording/recorded_waits.h"
#include "lockcore/recording/recording_database.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockcore::recording {

using namespace monitor;
using namespace synchronizers;

namespace {

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
    , m_events(std::make_unique<RecordedEvents>(*m_database))
    , m_frames(std::make_unique<RecordedFrames>(*m_database))
    , m_waits(std::make_unique<RecordedWaits>(*m_database))
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

Result<void> Player::readExtent()
{
    const RecordingDatabase::OneMoment view(*m_database);
    const auto first = m_database->beginning();
    if (auto read = first ? readSessions(*first) : Result<void>(); !read)
        return read;
    if (m_sessions.empty()) // or all of it is in the log
        return tl::unexpected(
            warning().value_or(errorOf(ErrorCode::FileFailed, { Phrase::NothingRecorded }, m_database->context())));
    if (auto read = readClock(); !read)
        return read;
    m_sessions.front().first = *first;
    m_span = { *first, m_sessions.back().last };
    std::vector<Error> damage;
    m_gaps = std::make_unique<RecordedGaps>(*m_events, *m_frames, m_sessions, damage);
    passOver(damage);
    m_eventCount = m_events->count() + std::ssize(m_gaps->untold());
    return {};
}

void Player::passOver(const std::vector<Error> &damage)
{
    for (const Error &each : damage)
        if (std::ranges::find(m_damage, each) == m_damage.end())
            m_damage.push_back(each);
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
    return ended && !isIntact ? m_database->damagedAt(firstFrame) : ended;
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
    return ended && (!isIntact || m_clock.empty()) ? m_database->damagedAt(m_sessions.front().first) : ended;
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
    const RecordedFrames::Reached reached = m_frames->reach(shown);
    if (!reached.read)
        return tl::unexpected(reached.read.error());
    m_gaps->makeStale(*reached.picture, shown);
    return reached.picture;
}

const Snapshot *Player::beginningAt(MonoTime at)
{
    if (m_beginningAt == at)
        return m_beginning.get();
    const auto &sessions = sessionFrames();
    const bool isBegin = std::ranges::find(sessions, at, &RecordedSpan::first) != sessions.end();
    const auto picture = isBegin ? this->at(at) : nullptr;
    if (!picture)
        passOver({ picture.error() });
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
    auto recorded = m_events->last(after, to, most);
    if (!recorded)
        return tl::unexpected(recorded.error());
    std::vector<Event> events;
    events.reserve(recorded->size());
    for (auto &[at, event] : *recorded) {
        tellWhatWasKnown(event, at);
        events.push_back(std::move(event));
    }
    return events;
}

Player::Told Player::told(MonoTime after, MonoTime to, int most)
{
    RecordedEvents::ReadBack found = m_events->lastUndamaged(after, to, most);
    if (found.damage)
        passOver({ *found.damage });
    for (auto &[at, event] : found.events)
        tellWhatWasKnown(event, at);
    const bool isAll = std::ssize(found.events) < most; // else there may be more of the moment of the first
    Told told;
    told.after = isAll ? found.after : found.events.front().at;
    told.isDamaged = isAll && found.damage.has_value();
    told.events = untoldEvents(told.after, to);
    told.events.insert(
        told.events.end(), std::make_move_iterator(found.events.begin()), std::make_move_iterator(found.events.end()));
    std::ranges::stable_sort(told.events, {}, &RecordedEvent::at); // gaps before what was seen at the same moment
    return told;
}

Result<void> Player::visitEvents(MonoTime after, MonoTime to, const std::function<bool(const Event &)> &visit)
{
    return m_events->visit(after, to, [&](RecordedEvent recorded) {
        tellWhatWasKnown(recorded.event, recorded.at);
        return visit(recorded.event);
    });
}

const std::vector<RecordedSpan> &Player::sessionFrames()
{
    if (m_sessionFrames)
        return *m_sessionFrames;
    m_sessionFrames = m_sessions;
    for (RecordedSpan &session : *m_sessionFrames)
        session.first = m_frames->firstFrom(session.first).value_or(session.first);
    std::erase_if(*m_sessionFrames, [](const RecordedSpan &session) { return session.first > session.last; });
    return *m_sessionFrames;
}

std::string Player::server()
{
    for (const MonoTime moment : { m_span.last, m_span.first })
        if (const auto picture = m_frames->reach(moment).picture)
            return picture->status.server;
    return {};
}

/// Snapshots come a little after the events that led to them.
MonoTime Player::firstSeen(MonoTime event)
{
    const auto frame = m_frames->firstFrom(event);
    return frame && *frame - event < std::chrono::seconds(1) ? *frame : event;
}

std::optional<MonoTime> Player::nextEvent(MonoTime after)
{
    const auto event = m_events->nextAfter(after);
    return event ? std::optional(firstSeen(*event)) : std::nullopt;
}

std::optional<MonoTime> Player::previousEvent(MonoTime before)
{
    auto event = m_events->lastBefore(before);
    if (event && firstSeen(*event) >= before) { // shown already: those of the frame before
        const auto frame = m_frames->lastBefore(before);
        event = frame ? m_events->lastBefore(*frame + std::chrono::microseconds(1)) : std::nullopt;
    }
    return event ? std::optional(firstSeen(*event)) : std::nullopt;
}

Result<std::optional<MonoTime>> Player::lookFrom(MonoTime moment, const std::string &node)
{
    return m_frames->lookFrom(moment, node, sessionFrames());
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

std::vector<RecordedEvent> Player::untoldEvents(MonoTime after, MonoTime to) const
{
    std::vector<RecordedEvent> gaps;
    for (const auto &[time, node] : m_gaps->untold()) {
        if (time.last <= after || time.last > to)
            continue;
        Event gap;
        gap.at = wallAt(time.last);
        gap.kind = EventKind::Gap;
        gap.ttl = std::chrono::duration_cast<Millis>(time.last - time.first);
        gap.node = node;
        gaps.push_back({ time.last, std::move(gap) });
    }
    return gaps;
}

std::vector<Event> Player::untoldGaps(MonoTime after, MonoTime to) const
{
    std::vector<Event> gaps;
    auto untold = untoldEvents(after, to);
    for (RecordedEvent &gap : untold)
        gaps.push_back(std::move(gap.event));
    return gaps;
}

std::vector<std::int64_t> Player::density(int parts)
{
    auto density = m_events->density(m_span, parts);
    if (density)
        return std::move(*density);
    passOver({ density.error() });
    return std::vector<std::int64_t>(static_cast<std::size_t>(std::max(parts, 1)));
}

std::vector<RecordedSpan> Player::gaps() const { return m_gaps->spans(); }

} // namespace lockcore::recording
