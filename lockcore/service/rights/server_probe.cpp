// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/server_probe.h"

#include "lockcore/service/rights/right_questions.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_reader.h"

#include <algorithm>

namespace lockcore {

namespace {

using protocol::Reply;

constexpr int Pings = 5;
constexpr Millis Patience{ 5'000 };
constexpr auto Nobody = "lockscope:connection-test";

ConnectionOptions once()
{
    ConnectionOptions options;
    options.connectTimeout = Patience;
    options.replyTimeout = Patience;
    options.reconnect = false;
    return options;
}

} // namespace

ServerProbe::ServerProbe(const Endpoint &endpoint, bool inCluster, Finished finished)
    : m_finished(std::move(finished))
    , m_inCluster(inCluster)
    , m_rights(endpoint.user)
    , m_connection(endpoint, once())
{
    connect(&m_connection, &Connection::ready, this, [this] { begin(); });
    connect(&m_connection, &Connection::lost, this, [this](const Error &error) { finish(tl::unexpected(error)); });
    m_connection.open();
}

void ServerProbe::begin()
{
    const protocol::ServerInfo &info = m_connection.serverInfo();
    m_report.version = info.version;
    m_report.role = info.role;
    m_report.mode = info.mode;
    m_inCluster = m_inCluster || info.mode == "cluster";
    ping(Pings);
}

void ServerProbe::ping(int left)
{
    if (left == 0)
        return askForRights();
    m_sincePing.start();
    ask({ "PING" }, [this, left](const Reply &) {
        const std::chrono::microseconds taken{ m_sincePing.nsecsElapsed() / 1'000 };
        m_report.roundTrip = left == Pings ? taken : std::min(m_report.roundTrip, taken);
        ping(left - 1);
    });
}

void ServerProbe::askForRights()
{
    for (auto &question : rightQuestions(m_inCluster, Nobody)) {
        ask(std::move(question.command), [this, right = question.right](const Reply &reply) {
            if (isPermissionError(reply))
                m_refused.insert(refusedRight(right, reply));
        });
    }
    m_connection.eval(readLocksScript(), {}, {}, answering([this](const Reply &reply) {
        m_report.readOnlyScripts = note(Right::ReadScripts, reply);
        tryFeeds();
    }));
}

/// Last: a connection that subscribes takes little else.
void ServerProbe::tryFeeds()
{
    // The prefix keeps the server from having anything to announce; the connection's end ends it.
    ask({ "CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", Nobody },
        [this](const Reply &reply) { m_tracking = note(Right::Tracking, reply); });
    if (m_inCluster)
        ask({ "SSUBSCRIBE", key_layout::lockChannel(Nobody) }, [this](const Reply &reply) {
            if (isPermissionError(reply))
                m_refused.insert(Right::ShardedMessages);
        });
    ask({ "PSUBSCRIBE", std::string(key_layout::Channels) },
        [this](const Reply &reply) { m_report.pubSub = note(Right::UnlockMessages, reply); });
    ask({ "SUBSCRIBE", "__redis__:invalidate" }, [this](const Reply &reply) {
        m_report.clientTracking = note(Right::Invalidations, reply) && m_tracking;
        conclude();
    });
}

void ServerProbe::conclude()
{
    addUnknowable(m_refused);
    for (const Right right : m_refused)
        m_rights.add(right);
    m_report.missing = m_rights.sentences();
    m_report.aclLine = m_rights.aclLine();
    finish(m_report);
}

/// Whether it works; an older server may not know it, whatever the rights.
bool ServerProbe::note(Right right, const Reply &reply)
{
    if (reply.isError())
        m_rights.add(right, reply);
    return !reply.isError();
}

/// A lost connection is told once, by its signal; what we ask is never refused here for another reason.
Connection::ReplyHandler ServerProbe::answering(Take take)
{
    return [this, take = std::move(take)](const Result<Reply> &reply) {
        if (!m_finished)
            return;
        if (reply)
            take(*reply);
        else if (m_connection.state() == Connection::State::Ready)
            finish(tl::unexpected(reply.error()));
    };
}

void ServerProbe::ask(protocol::Command command, Take take)
{
    m_connection.send(std::move(command), answering(std::move(take)));
}

void ServerProbe::finish(const Result<ConnectionReport> &result)
{
    if (const auto finished = std::exchange(m_finished, {}))
        finished(result);
}

} // namespace lockcore
