// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/heartbeat.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/protocol/server_info.h"
#include "lockcore/transport/clock.h"

#include <charconv>
#include <string_view>

namespace lockcore::service {

using namespace transport;

using protocol::Reply;

namespace {

constexpr int TickMs = 500;
constexpr int TicksOfABeat = 2;
constexpr Millis ShortestSleep{ 1'000 }; // less may be a moment between two clocks that are read in turn
constexpr Millis ShortestPause{ 3'000 }; // less is usual on a computer with too much to do
constexpr int PatienceInBeats = 3; // with the connection for announcements, while the other one is answered
constexpr int PatienceInTicks = 5; // counted in ticks: where we ourselves were held up, time alone tells nothing

std::int64_t callsOf(std::string_view stats, std::string_view command)
{
    const auto start = std::string("cmdstat_").append(command).append(":calls=");
    const auto at = stats.find(start);
    std::int64_t calls = 0;
    if (at != stats.npos)
        std::from_chars(stats.data() + at + start.size(), stats.data() + stats.size(), calls);
    return calls;
}

/// The server is there, but does nothing for anybody.
bool refusesAll(const Reply &reply)
{
    if (!reply.isError())
        return false;
    const auto code = protocol::toError(reply, {}).code;
    return code == ErrorCode::ScriptBusy || code == ErrorCode::Loading || reply.error()->text.starts_with("MASTERDOWN");
}

/// A slot that nobody keeps concerns others.
bool isDown(const Reply &reply)
{
    return reply.isError() && reply.error()->text.starts_with("CLUSTERDOWN The cluster");
}

} // namespace

Heartbeat::Heartbeat(Connection &commands, Subscriber &announcements, QObject *parent)
    : QObject(parent)
    , m_connection(commands)
    , m_subscriber(announcements)
{
    m_timer.setInterval(TickMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { tick(); });
    connect(&m_subscriber.connection(), &Connection::messageReceived, this, [this] { announcementsHeard(); });
}

void Heartbeat::start()
{
    stop();
    m_heardAt = m_ranAt = monoNow();
    m_asleep = timeAsleep();
    m_timer.start();
    beat();
}

void Heartbeat::stop()
{
    m_periods.supersede();
    m_timer.stop();
    m_ticksWaited = 0;
    m_waiting = m_failed = false;
    m_mayCompare = m_mayAskForKeys = m_mayAskTime = true;
    m_clusterDown.reset();
    m_changes.reset();
}

bool Heartbeat::noticesPause()
{
    if (!m_timer.isActive())
        return false;
    const auto ranBefore = std::exchange(m_ranAt, monoNow());
    const Millis sleptBefore = m_asleep;
    m_asleep = timeAsleep();
    const Millis asleep = m_asleep - sleptBefore;
    const auto pause = std::chrono::floor<Millis>(m_ranAt - ranBefore);
    if (asleep >= ShortestSleep)
        Q_EMIT slept(asleep);
    else if (pause >= ShortestPause)
        Q_EMIT stoodStill(pause);
    return asleep >= ShortestSleep || pause >= ShortestPause;
}

void Heartbeat::tick()
{
    if (noticesPause())
        return;
    ++m_ticksWaited;
    if (m_waiting && m_ticksWaited == PatienceInTicks)
        fail(errorOf(ErrorCode::ReplyTimeout, { Phrase::NoAnswerForLong }));
    if (!m_waiting && m_ticksWaited >= TicksOfABeat)
        beat();
}

void Heartbeat::beat()
{
    m_waiting = true;
    m_ticksWaited = 0;
    m_askedAt = monoNow();
    const auto inPeriod = [this](void (Heartbeat::*handle)(const Reply &)) {
        return m_periods.whileLatest([this, handle](const Result<Reply> &reply) {
            if (reply)
                (this->*handle)(*reply);
        });
    };
    if (m_mayAskTime) // before anything is read that goes by it
        m_connection.send({ "TIME" }, inPeriod(&Heartbeat::hearTime));
    if (m_mayCompare) // before the answer that says all is well
        m_connection.send({ "INFO", "commandstats" }, inPeriod(&Heartbeat::compare));
    if (m_mayAskForKeys && m_connection.serverInfo().mode == "cluster") // PING is answered all the same
        m_connection.send({ "EXISTS", "lockscope:heartbeat" }, inPeriod(&Heartbeat::heedCluster));
    m_connection.send({ "PING" }, inPeriod(&Heartbeat::answered));
}

void Heartbeat::answered(const Reply &reply)
{
    m_waiting = false;
    if (refusesAll(reply)) {
        const auto error = protocol::toError(reply, {});
        fail(error);
    } else if (m_clusterDown) {
        fail(*m_clusterDown);
    } else {
        m_heardAt = m_askedAt;
        if (std::exchange(m_failed, false))
            Q_EMIT resumed();
        askAnnouncements();
    }
}

void Heartbeat::hearTime(const Reply &reply)
{
    if (refusesAll(reply))
        return;
    if (const auto time = protocol::parseTime(reply)) {
        Q_EMIT timeTold(m_askedAt, monoNow(), *time);
    } else {
        m_mayAskTime = false;
        Q_EMIT timeRefused();
    }
}

void Heartbeat::heedCluster(const Reply &reply)
{
    m_clusterDown.reset();
    if (isDown(reply))
        m_clusterDown = protocol::toError(reply, {});
    else if (reply.isError() && protocol::toError(reply, {}).code == ErrorCode::PermissionDenied)
        m_mayAskForKeys = false;
}

void Heartbeat::compare(const Reply &reply)
{
    if (refusesAll(reply))
        return;
    m_mayCompare = reply.bulk() != nullptr;
    if (!reply.bulk())
        return;
    const Changes now{ callsOf(*reply.bulk(), "flushall") + callsOf(*reply.bulk(), "flushdb"),
        callsOf(*reply.bulk(), "swapdb") };
    const auto before = std::exchange(m_changes, now);
    if (before && now.emptied > before->emptied)
        Q_EMIT databaseEmptied(now.emptied - before->emptied);
    if (before && now.swapped > before->swapped)
        Q_EMIT databasesSwapped();
}

void Heartbeat::fail(Error error)
{
    if (std::exchange(m_failed, true))
        return;
    setTried(error, { Phrase::Asking, { m_connection.endpoint().display() } });
    Q_EMIT stopped(error);
}

void Heartbeat::startAnnouncements()
{
    stopAnnouncements();
    m_announcements.running = true;
    announcementsHeard();
}

void Heartbeat::stopAnnouncements()
{
    ++m_announcements.period;
    m_announcements.running = m_announcements.waiting = false;
}

/// The server has answered elsewhere just now.
void Heartbeat::askAnnouncements()
{
    if (!m_announcements.running)
        return;
    if (m_announcements.waiting) {
        if (++m_announcements.beatsWaited < PatienceInBeats)
            return;
        stopAnnouncements();
        Q_EMIT announcementsSilent();
        return;
    }
    m_announcements.waiting = true;
    m_announcements.beatsWaited = 0;
    m_subscriber.connection().send({ "PING" }, [this, period = m_announcements.period](const auto &reply) {
        if (period != m_announcements.period || !reply)
            return;
        m_announcements.waiting = false;
        announcementsHeard();
    });
}

void Heartbeat::announcementsHeard()
{
    m_announcements.beatsWaited = 0;
    m_announcements.heardAt = monoNow();
}

} // namespace lockcore::service
