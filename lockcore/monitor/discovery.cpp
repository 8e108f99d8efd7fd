// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/discovery.h"

#include <algorithm>
#include <array>

namespace lockcore::monitor {

namespace {

constexpr std::size_t MostNamesToRead = 400; // in the first sweep, which goes on meanwhile
constexpr Millis RetryAfter{ 2'000 };
constexpr int RestsOfAnAnswer = 40;
constexpr int RestsWhenAlone = 10;
constexpr int OftenerAlone = 30; // the pauses between sweeps are so much shorter: 2 s instead of a minute
constexpr int RarerUnattended = 8;
constexpr Millis LongestRest{ 1'000 };
constexpr double MostBeforeTheEnd = 0.99; // what SCAN passes by is known but roughly
constexpr Millis WorkOfAnAnswer{ 1 }; // what the fastest takes beyond that, the way to the server does

} // namespace

void Discovery::start(MonoTime now)
{
    m_first = true;
    m_state = State::Resting;
    m_dueAt = now;
    m_restUntil = now;
    m_fastest.reset();
    m_findsWithin.reset();
}

void Discovery::stop() { m_state = State::Stopped; }

void Discovery::hurry(MonoTime now)
{
    if (m_state == State::Resting)
        m_dueAt = now;
    else
        m_again = m_state != State::Stopped;
}

void Discovery::setAlone(bool alone, MonoTime now)
{
    if (m_alone == alone)
        return;
    m_alone = alone;
    m_paced = false;
    m_findsWithin.reset();
    if (alone && m_state == State::Resting && !m_refused)
        m_dueAt = std::min<MonoTime>(m_dueAt, now + pause());
}

void Discovery::pauseChanged()
{
    if (m_state == State::Resting && !m_first && !m_refused)
        m_dueAt = m_sweep.finishedAt + pause();
}

Millis Discovery::pause() const
{
    if (m_alone)
        return m_settings.sweepEvery / OftenerAlone;
    return m_settings.unattended ? RarerUnattended * m_settings.sweepEvery : m_settings.sweepEvery;
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
        m_position = {};
        m_keysPassed = 0;
        m_startedAt = now;
        m_sweep = {};
        m_again = false;
        m_paced = m_alone && !m_first;
    }
    m_state = State::Asked;
    m_askedAt = now;
    m_scan = id;
    return action::ScanPage{ .scan = id, .from = m_position, .atOnce = m_first };
}

bool Discovery::scanned(const input::PageScanned &page, MonoTime now)
{
    if (m_state != State::Asked || page.scan != m_scan)
        return false;
    m_sweep.keysSeen = std::max(m_sweep.keysSeen, page.page.keysSeen);
    m_sweep.byScript = page.byScript;
    m_refused = false;
    m_position = page.page.next;
    m_keysPassed += page.page.keysPassed;
    m_state = m_position.isAtEnd() ? State::Reading : State::Paused;
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
    const int rests = m_alone ? RestsWhenAlone : RestsOfAnAnswer;
    const auto wanted = std::min<Duration>(rests * (answerTook - way), LongestRest);
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
    m_dueAt = m_again ? now : now + pause();
    if (m_paced)
        promise(m_sweep.duration);
    return true;
}

/// What comes right behind a sweep is found by the next one. Sweeps differ, so it is told in steps, with some room; and
/// taken back only when it is far too much.
void Discovery::promise(Millis sweepTook)
{
    constexpr std::array Steps{ 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1'200, 1'800 };
    const Millis needed = pause() + sweepTook + sweepTook / 4;
    const auto step = std::find_if(
        Steps.begin(), Steps.end(), [&](int seconds) { return needed <= std::chrono::seconds(seconds); });
    const Millis within = step == Steps.end() ? Millis(std::chrono::hours(1)) : Millis(std::chrono::seconds(*step));
    if (!m_findsWithin || within > *m_findsWithin || 2 * within <= *m_findsWithin)
        m_findsWithin = within;
}

double Discovery::progress() const
{
    if (!m_first || m_state == State::Reading)
        return 1;
    if (m_sweep.keysSeen == 0)
        return 0; // not known: we may not ask
    return std::min(static_cast<double>(m_keysPassed) / static_cast<double>(m_sweep.keysSeen), MostBeforeTheEnd);
}

std::optional<MonoTime> Discovery::next(MonoTime now, std::size_t namesToRead) const
{
    if (mayAsk(namesToRead))
        return std::max(m_dueAt, m_restUntil);
    return namesToRead > 0 && m_restUntil > now ? std::optional{ m_restUntil } : std::nullopt;
}

} // namespace lockcore::monitor
