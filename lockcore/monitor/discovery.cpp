// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/discovery.h"

#include <algorithm>
#include <array>

namespace lockcore {

namespace {

constexpr std::array Types{ "hash", "list", "any" };
constexpr std::size_t MostNamesToRead = 400; // in the first sweep, which goes on meanwhile
constexpr Millis RetryAfter{ 2'000 };
constexpr int RestsOfAnAnswer = 40;
constexpr Millis LongestRest{ 1'000 };
constexpr Millis WorkOfAnAnswer{ 1 }; // what the fastest takes beyond that, the way to the server does

} // namespace

void Discovery::start(MonoTime now)
{
    m_first = true;
    m_state = State::Resting;
    m_dueAt = now;
    m_restUntil = now;
    m_fastest.reset();
}

void Discovery::stop() { m_state = State::Stopped; }

void Discovery::hurry(MonoTime now)
{
    if (m_state == State::Resting)
        m_dueAt = now;
    else
        m_again = m_state != State::Stopped;
}

bool Discovery::mayAsk(std::size_t namesToRead) const
{
    const bool isWaiting = m_state == State::Resting || m_state == State::Paused;
    return isWaiting && namesToRead <= (m_first ? MostNamesToRead : 0);
}

std::optional<action::ScanPage> Discovery::take(WorkId id, MonoTime now, std::size_t namesToRead)
{
    if (!mayAsk(namesToRead) || std::max(m_dueAt, m_restUntil) > now)
        return std::nullopt;
    if (m_state == State::Resting) {
        m_type = 0;
        m_cursor = "0";
        m_pagesDone = 0;
        m_ofAllTypes = true;
        m_startedAt = now;
        m_sweep = {};
        m_again = false;
    }
    m_state = State::Asked;
    m_askedAt = now;
    m_scan = id;
    return action::ScanPage{ .scan = id, .cursor = m_cursor, .type = Types[m_type], .atOnce = m_first };
}

bool Discovery::scanned(const input::PageScanned &page, MonoTime now)
{
    if (m_state != State::Asked || page.scan != m_scan)
        return false;
    m_sweep.keysSeen = std::max(m_sweep.keysSeen, page.page.keysSeen);
    m_sweep.byScript = page.byScript;
    m_refused = false;
    m_cursor = page.page.nextCursor;
    const bool typeDone = m_cursor == "0";
    m_pagesDone = typeDone ? 0 : page.page.progress;
    m_ofAllTypes = m_ofAllTypes && page.page.ofAllTypes;
    m_type += typeDone ? (m_ofAllTypes ? Types.size() : 1) : 0;
    m_state = typeDone && m_type == Types.size() ? State::Reading : State::Paused;
    m_dueAt = now;
    rest(now - m_askedAt, now);
    return true;
}

void Discovery::rest(Duration answerTook, MonoTime now)
{
    if (m_first)
        return;
    m_fastest = std::min(m_fastest.value_or(answerTook), answerTook);
    const auto way = std::max(*m_fastest - WorkOfAnAnswer, Duration{});
    const auto wanted = std::min<Duration>(RestsOfAnAnswer * (answerTook - way), LongestRest);
    m_restUntil = now + std::max<Duration>(wanted, m_settings.pagePause);
}

void Discovery::sweptRead(MonoTime sentAt, MonoTime now) { rest(now - sentAt, now); }

SweptReads Discovery::sweptReads(MonoTime now) const
{
    if (m_first)
        return m_state == State::Asked ? SweptReads::FullBatches : SweptReads::AtOnce;
    return m_restUntil > now ? SweptReads::NotNow : SweptReads::OneBatch;
}

bool Discovery::failed(WorkId scan, MonoTime now, bool refused)
{
    if (m_state != State::Asked || scan != m_scan)
        return false;
    m_refused = refused;
    m_state = refused ? State::Resting : State::Paused;
    m_dueAt = now + (refused ? m_settings.sweepEvery : RetryAfter);
    return true;
}

bool Discovery::finishes(MonoTime now, std::size_t namesToRead)
{
    if (m_state != State::Reading || namesToRead > 0)
        return false;
    m_sweep.duration = std::chrono::duration_cast<Millis>(now - m_startedAt);
    m_sweep.finishedAt = now;
    m_first = false;
    m_state = State::Resting;
    m_dueAt = m_again ? now : now + m_settings.sweepEvery;
    return true;
}

double Discovery::progress() const
{
    if (!m_first || m_state == State::Reading)
        return 1;
    const double passes = m_ofAllTypes ? 1 : Types.size();
    return std::min(1.0, (static_cast<double>(m_type) + m_pagesDone) / passes);
}

std::optional<MonoTime> Discovery::next(MonoTime now, std::size_t namesToRead) const
{
    if (mayAsk(namesToRead))
        return std::max(m_dueAt, m_restUntil);
    return namesToRead > 0 && m_restUntil > now ? std::optional{ m_restUntil } : std::nullopt;
}

} // namespace lockcore
