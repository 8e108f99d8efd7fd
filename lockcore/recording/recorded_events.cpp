// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recorded_events.h"

#include "lockcore/recording/codes.h"
#include "lockcore/recording/recording_database.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lockcore::recording {

using namespace monitor;
using namespace synchronizers;

namespace {

constexpr std::int64_t FewEvents = 50'000; // looked at one by one
constexpr int EventColumns = 12; // before the checksum

std::string text(const QVariant &value)
{
    const QByteArray bytes = value.toByteArray();
    return { bytes.constData(), static_cast<std::size_t>(bytes.size()) };
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
    } else if (event.kind == EventKind::MasterChanged || event.kind == EventKind::Gap) {
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

} // namespace

QSqlQuery *RecordedEvents::select(const char *which, const QVariantList &values)
{
    const auto statement = m_statements.try_emplace(which,
        std::string("SELECT at, number, wall, kind, lock, lock_kind, client, thread, count, ttl, node, certainty, sum "
                    "FROM event ")
            + which);
    return m_database.run(statement.first->second.c_str(), values);
}

/// False: it is not as it was written.
bool RecordedEvents::take(const QSqlQuery &row, RecordedEvent &event) const
{
    const QVariantList values = valuesOf(row, EventColumns);
    event = { toTime(values[0].toLongLong()), toEvent(values) };
    return m_database.isIntact(values, row.value(EventColumns));
}

std::int64_t RecordedEvents::count() { return m_database.number("SELECT sum(events) FROM tally").value_or(0); }

/// Whether as many events are there as were written, in all seconds that these moments are in or between.
Result<void> RecordedEvents::checkCount(MonoTime after, MonoTime to)
{
    const qint64 first = secondOf(after);
    const qint64 end = secondOf(to) + 1;
    if (!m_database.hasSums())
        return {};
    const auto missing = m_database.number(
        "SELECT coalesce(min(second), -1) FROM tally WHERE second >= ? AND second < ? AND events != "
        "(SELECT count(*) FROM event WHERE at >= second * 1000000 AND at < (second + 1) * 1000000)",
        { first, end });
    if (!missing)
        return tl::unexpected(m_database.error());
    return *missing < 0 ? Result<void>() : m_database.damagedAt(MonoTime(std::chrono::seconds(*missing)));
}

Result<std::vector<RecordedEvent>> RecordedEvents::last(MonoTime after, MonoTime to, int most)
{
    const RecordingDatabase::OneMoment view(m_database);
    // A damaged page can hide rows from who reads backward alone.
    const auto there = m_database.number(
        "SELECT count(*) FROM (SELECT 1 FROM event WHERE at > ? AND at <= ? ORDER BY at, number LIMIT ?)",
        { number(after), number(to), most });
    QSqlQuery *rows
        = select("WHERE at > ? AND at <= ? ORDER BY at DESC, number DESC LIMIT ?", { number(after), number(to), most });
    if (rows == nullptr)
        return tl::unexpected(m_database.error());
    std::vector<RecordedEvent> events;
    bool isIntact = true;
    while (isIntact && rows->next())
        isIntact = take(*rows, events.emplace_back());
    const MonoTime first = events.empty() ? to : events.back().at;
    std::reverse(events.begin(), events.end());
    if (auto ended = m_database.end(*rows); !ended)
        return tl::unexpected(ended.error());
    if (!isIntact || !there || std::ssize(events) < *there)
        return m_database.damagedAt(first);
    const bool isAll = events.size() < static_cast<std::size_t>(most);
    return checkCount(isAll ? after : first, to).map([&] { return std::move(events); });
}

/// All that is before a damaged place cannot be read together with it, so that the place is found by halves.
RecordedEvents::ReadBack RecordedEvents::lastUndamaged(MonoTime after, MonoTime to, int most)
{
    auto all = last(after, to, most);
    if (all)
        return { std::move(*all), after, {} };
    ReadBack found{ {}, to, all.error() };
    if (!isDamage(all.error()))
        return found;
    using std::chrono::seconds;
    auto damaged = std::chrono::floor<seconds>(std::max(after, m_database.beginning().value_or(after)) - seconds(1));
    auto good = std::chrono::ceil<seconds>(to);
    while (good - damaged > seconds(1)) {
        const auto middle = damaged + (good - damaged) / 2;
        if (auto events = last(middle, to, most)) {
            found.events = std::move(*events);
            good = middle;
        } else {
            damaged = middle;
        }
    }
    found.after = std::min<MonoTime>(good, to);
    found.damage = m_database.damagedAt(damaged).value(); // in that second
    return found;
}

Result<void> RecordedEvents::visit(MonoTime after, MonoTime to, const std::function<bool(const RecordedEvent &)> &visit)
{
    const RecordingDatabase::OneMoment view(m_database);
    Result<void> whole = m_database.isCutShort() ? Result<void>() : checkCount(after, to);
    if (!whole && !isDamage(whole.error()))
        return whole;
    after = std::max(after, m_database.beginning().value_or(to) - std::chrono::seconds(1));
    while (after < to) {
        const auto isOver = visitUndamaged(after, to, visit);
        if (isOver && *isOver)
            break;
        if (!isOver && whole)
            whole = tl::unexpected(isOver.error());
        after = std::chrono::floor<std::chrono::seconds>(after)
            + std::chrono::seconds(1); // what is damaged is before that
    }
    return whole;
}

/// Until something is damaged, which is after `after` then; false: something may be behind it.
Result<bool> RecordedEvents::visitUndamaged(
    MonoTime &after, MonoTime to, const std::function<bool(const RecordedEvent &)> &visit)
{
    QSqlQuery *rows = select("WHERE at > ? AND at <= ? ORDER BY at, number", { number(after), number(to) });
    if (rows == nullptr)
        return m_database.placed(tl::unexpected(m_database.error()), after).map([] { return false; });
    bool goesOn = true;
    bool isIntact = true;
    RecordedEvent event;
    while (goesOn && isIntact && rows->next()) {
        isIntact = take(*rows, event);
        after = std::max(after, event.at);
        goesOn = !isIntact || visit(event);
    }
    const auto ended = m_database.placed(m_database.end(*rows), after);
    return (isIntact ? ended : m_database.damagedAt(after)).map([] { return true; });
}

std::vector<RecordedEvent> RecordedEvents::gaps(std::vector<Error> &damage)
{
    static_assert(codeOf(EventKind::Gap) == 14);
    const RecordingDatabase::OneMoment view(m_database);
    std::vector<Error> found;
    // What helps to find them can be damaged as well: it may name another event, one twice, or too few of them.
    auto gaps = readGaps("INDEXED BY event_gap WHERE kind = 14 AND +kind = 14 ORDER BY at, number", found);
    const auto isOutOfOrder
        = [](const RecordedEvent &one, const RecordedEvent &next) { return one.at > next.at || one == next; };
    const bool isInOrder = std::ranges::adjacent_find(gaps, isOutOfOrder) == gaps.end();
    if (!found.empty() || !isInOrder || gapCount() != std::ssize(gaps)) {
        found.clear();
        gaps = readGaps("WHERE +kind = 14 ORDER BY at, number", found);
    }
    damage.insert(damage.end(), found.begin(), found.end());
    return gaps;
}

/// As a second index has it, which lies on other pages. Recordings of before have none. Of those, few events are all
/// looked at; many would take too long, whenever one is opened: there the index is taken at its word how long it is.
std::optional<std::int64_t> RecordedEvents::gapCount()
{
    if (const auto again = m_database.number("SELECT count(*) FROM event INDEXED BY event_gap_again WHERE kind = 14"))
        return again;
    return m_database.number(count() <= FewEvents ? "SELECT count(*) FROM event WHERE +kind = 14"
                                                  : "SELECT count(*) FROM event INDEXED BY event_gap WHERE kind = 14");
}

std::vector<RecordedEvent> RecordedEvents::readGaps(const char *which, std::vector<Error> &damage)
{
    QSqlQuery *rows = select(which);
    std::vector<RecordedEvent> gaps;
    MonoTime at;
    while (rows != nullptr && rows->next()) {
        RecordedEvent gap;
        if (take(*rows, gap))
            gaps.push_back(gap);
        else
            damage.push_back(m_database.damagedAt(gap.at).value());
        at = gap.at;
    }
    const auto ended = rows != nullptr ? m_database.end(*rows) : tl::unexpected(m_database.error());
    if (const auto placed = m_database.placed(ended, at); !placed)
        damage.push_back(placed.error());
    return gaps;
}

std::vector<Event> RecordedEvents::newMasters(const RecordedSpan &time)
{
    static_assert(codeOf(EventKind::MasterChanged) == 15);
    QSqlQuery *rows = select("WHERE kind = 15 AND at > ? AND at <= ? ORDER BY at DESC, number DESC",
        { number(time.first), number(time.last) });
    std::vector<Event> changes;
    RecordedEvent change;
    while (rows != nullptr && rows->next())
        if (take(*rows, change))
            changes.push_back(std::move(change.event));
    if (rows != nullptr)
        rows->finish();
    return changes;
}

std::optional<MonoTime> RecordedEvents::nextAfter(MonoTime moment)
{
    return m_database.moment("SELECT min(at) FROM event WHERE at > ?", moment);
}

std::optional<MonoTime> RecordedEvents::lastBefore(MonoTime moment)
{
    return m_database.moment("SELECT max(at) FROM event WHERE at < ?", moment);
}

Result<std::vector<std::int64_t>> RecordedEvents::density(const RecordedSpan &time, int parts)
{
    const bool isLittle = count() <= FewEvents;
    auto density = isLittle ? densityBy("SELECT at, 1 FROM event", time, parts) : Result<std::vector<std::int64_t>>();
    if (!isLittle || !density)
        density = densityBy("SELECT second * 1000000 + 500000, events FROM tally", time, parts);
    return density;
}

Result<std::vector<std::int64_t>> RecordedEvents::densityBy(const char *statement, const RecordedSpan &time, int parts)
{
    std::vector<std::int64_t> density(static_cast<std::size_t>(std::max(parts, 1)));
    const auto length = std::max<std::int64_t>((time.last - time.first).count(), 1);
    QSqlQuery *rows = m_database.run(statement);
    if (rows == nullptr)
        return tl::unexpected(m_database.error());
    while (rows->next()) {
        const double place = (double(rows->value(0).toLongLong()) - double(number(time.first))) / double(length);
        const auto part = std::clamp(place, 0.0, 1.0) * double(density.size());
        density[std::min(static_cast<std::size_t>(part), density.size() - 1)] += rows->value(1).toLongLong();
    }
    return m_database.end(*rows).map([&] { return std::move(density); });
}

} // namespace lockcore::recording
