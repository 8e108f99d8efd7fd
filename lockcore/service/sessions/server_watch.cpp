// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/server_watch.h"

#include "lockcore/service/rights/missing_rights.h"

#include <utility>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

constexpr Millis AskServerEvery{ 5'000 };
constexpr const char *MostEntries = "32";

} // namespace

void SlowLogReader::connected(const std::string &runId, const std::string &ownName)
{
    m_ownName = ownName;
    const bool isAnother = !runId.empty() && !m_runId.empty() && runId != m_runId;
    m_runId = runId;
    if (isAnother && m_lastId)
        m_lastId = -1;
}

/// Another window, or lockctl, that a person has not named.
bool SlowLogReader::isOurs(const protocol::SlowCommand &slow) const
{
    return !slow.client.empty()
        && (slow.client == m_ownName || slow.client == WindowName || slow.client == CommandLineName);
}

std::vector<Event> SlowLogReader::read(const std::vector<protocol::SlowCommand> &listed)
{
    std::vector<Event> events;
    const std::int64_t newest = listed.empty() ? m_lastId.value_or(-1) : listed.front().id;
    if (m_lastId && newest < *m_lastId)
        m_lastId = -1; // another process, though we may not know which
    const std::optional<std::int64_t> last = std::exchange(m_lastId, newest);
    if (!last)
        return events;
    std::int64_t next = *last + 1;
    for (auto each = listed.rbegin(); each != listed.rend(); ++each) {
        const protocol::SlowCommand &slow = *each;
        if (slow.id < next)
            continue;
        Event event;
        event.at = slow.at;
        event.kind = EventKind::SlowCommand;
        if (slow.id > next) {
            event.count = slow.id - next;
            events.push_back(event);
            event.count.reset();
        }
        next = slow.id + 1;
        if (slow.isOfScript)
            continue;
        event.ttl = std::chrono::round<Millis>(slow.took);
        event.command = slow.command;
        event.key = slow.key;
        event.byLockscope = !slow.command.empty() && isOurs(slow);
        events.push_back(std::move(event));
    }
    return events;
}

ServerWatch::ServerWatch(Connection &connection)
    : m_connection(connection)
{
    m_timer.setInterval(AskServerEvery);
    connect(&m_timer, &QTimer::timeout, this, [this] { ask(); });
}

void ServerWatch::start()
{
    m_asking = false;
    m_readsSlowLog = true;
    m_pauseCalls.reset();
    m_wasPaused = false;
    m_slowLog.connected(m_connection.serverInfo().runId, m_connection.endpoint().clientName);
    m_timer.start();
    ask();
}

void ServerWatch::stop() { m_timer.stop(); }

void ServerWatch::ask()
{
    if (m_asking)
        return;
    m_asking = true;
    if (m_readsSlowLog)
        askForSlowLog();
    askForPauses();
}

void ServerWatch::askForSlowLog()
{
    m_connection.send({ "SLOWLOG", "GET", MostEntries }, [this](const Result<protocol::Reply> &reply) {
        if (!m_timer.isActive() || !reply)
            return;
        if (reply->array()) {
            Q_EMIT slowLogSeen(SlowLogAccess::Read);
            if (const auto events = m_slowLog.read(protocol::parseSlowLog(*reply)); !events.empty())
                Q_EMIT slowCommandsSeen(events);
            return;
        }
        const bool isRefused = isPermissionError(*reply);
        const bool isMissing = reply->error() && reply->error()->text.starts_with("ERR unknown command");
        m_readsSlowLog = !isRefused && !isMissing;
        if (!m_readsSlowLog)
            Q_EMIT slowLogSeen(isRefused ? SlowLogAccess::Refused : SlowLogAccess::Missing);
    });
}

/// In two questions: before version 7.0 one asks for one section.
void ServerWatch::askForPauses()
{
    m_connection.send({ "INFO", "clients" }, [this](const Result<protocol::Reply> &reply) {
        m_clients.reset();
        if (reply && reply->bulk())
            m_clients = protocol::parseServerInfo(*reply->bulk());
    });
    m_connection.send({ "INFO", "commandstats" }, [this](const Result<protocol::Reply> &reply) {
        m_asking = false;
        if (!m_timer.isActive() || !reply || !reply->bulk() || !m_clients)
            return;
        m_clients->pauseCalls = protocol::parseServerInfo(*reply->bulk()).pauseCalls;
        comparePauses();
    });
}

/// The server pauses clients by itself as well, before a failover and when it is shut down.
void ServerWatch::comparePauses()
{
    const std::int64_t calls = m_clients->pauseCalls;
    const std::int64_t before = std::exchange(m_pauseCalls, calls).value_or(calls);
    const bool isPaused = m_clients->pausedFor.has_value();
    const bool beganToBe = isPaused && !std::exchange(m_wasPaused, isPaused);
    m_wasPaused = isPaused;
    if (calls <= before && !beganToBe)
        return;
    Event event;
    event.kind = EventKind::ClientsPaused;
    if (calls > before)
        event.count = calls - before;
    event.ttl = m_clients->pausedFor;
    Q_EMIT clientsPaused(std::move(event));
}

} // namespace lockcore::service
