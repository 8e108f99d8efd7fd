// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/connection_probe.h"

#include "lockcore/protocol/acl_line.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/transport/topology.h"

#include <algorithm>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

namespace {

/// One of the servers that are tried.
struct Tried {
    Endpoint endpoint;
    int slots = 0;
    std::unique_ptr<ServerProbe> probe = {};
    std::optional<Result<ConnectionReport>> result = {};

    bool answers() const { return result->has_value(); }
    ServerAnswer answer() const
    {
        if (!answers())
            return { endpoint.display(), result->error(), {}, slots };
        return { endpoint.display(), std::nullopt, (*result)->role, slots };
    }
};

/// What holds for both.
void add(ConnectionReport &sum, const ConnectionReport &report)
{
    sum.roundTrip = std::max(sum.roundTrip, report.roundTrip);
    sum.readOnlyScripts = sum.readOnlyScripts && report.readOnlyScripts;
    sum.clientTracking = sum.clientTracking && report.clientTracking;
    sum.pubSub = sum.pubSub && report.pubSub;
    for (const MissingRight &missing : report.missing) {
        if (std::ranges::find(sum.missing, missing) == sum.missing.end())
            sum.missing.push_back(missing);
    }
    protocol::addAclRules(sum.aclLine, report.aclLine);
}

} // namespace

class ConnectionProbe::Private {
public:
    explicit Private(ConnectionProbe *owner)
        : q(owner)
    {
    }

    void stop()
    {
        running = false;
        ++round;
        endLater(topology);
        for (Tried &each : tried)
            endLater(each.probe);
        tried.clear();
    }

    void start(const Deployment &wanted)
    {
        stop();
        running = true;
        deployment = wanted;
        switch (deployment.topology) {
        case Topology::Single:
        case Topology::Nodes:
            for (const Endpoint &seed : deployment.seeds)
                tried.push_back({ seed });
            return tryAll();
        case Topology::Sentinel:
        case Topology::Cluster:
            return findServers();
        }
    }

    void findServers()
    {
        topology = std::make_unique<ServerTopology>(deployment, ConnectionOptions(), ServerTopology::Refresh::OnDemand);
        QObject::connect(topology.get(), &ServerTopology::changed, q, [this](const std::vector<SlotOwner> &owners) {
            for (const SlotOwner &owner : owners)
                tried.push_back({ owner.endpoint, numberOf(owner.slots) });
            endLater(topology);
            tryAll();
        });
        QObject::connect(topology.get(), &ServerTopology::failed, q, [this](const Error &error) {
            if (deployment.topology != Topology::Cluster || error.code != ErrorCode::PermissionDenied)
                return finish(tl::unexpected(error));
            endLater(topology);
            tried.push_back({ deployment.seeds.front() }); // at least what else is refused
            tryAll();
        });
        topology->open();
    }

    static int numberOf(const std::vector<SlotSpan> &slots)
    {
        int number = 0;
        for (const SlotSpan &span : slots)
            number += span.last - span.first + 1;
        return number;
    }

    void tryAll()
    {
        const bool inCluster = deployment.topology == Topology::Cluster;
        for (std::size_t i = 0; i < tried.size(); ++i) {
            const auto answered = [this, i, mine = round](const Result<ConnectionReport> &result) {
                if (mine != round)
                    return;
                tried[i].result = result;
                if (std::all_of(tried.begin(), tried.end(), [](const Tried &each) { return each.result; }))
                    finish(joined());
            };
            tried[i].probe = std::make_unique<ServerProbe>(tried[i].endpoint, inCluster, answered);
        }
    }

    Result<ConnectionReport> joined() const
    {
        const auto first = std::find_if(tried.begin(), tried.end(), [](const Tried &each) { return each.answers(); });
        if (first == tried.end())
            return tried.front().result.value();
        ConnectionReport report = **first->result;
        for (const Tried &each : tried) {
            if (each.answers())
                add(report, **each.result);
        }
        report.topology = deployment.topology;
        report.masterName = deployment.masterName;
        if (deployment.topology == Topology::Single)
            return report;
        for (const Tried &each : tried)
            report.servers.push_back(each.answer());
        return report;
    }

    void finish(const Result<ConnectionReport> &result)
    {
        stop();
        Q_EMIT q->finished(result);
    }

    /// We may have been called by it.
    template <typename Object>
    void endLater(std::unique_ptr<Object> &object)
    {
        if (!object)
            return;
        object->disconnect(q);
        object.release()->deleteLater();
    }

    ConnectionProbe *q;
    bool running = false;
    std::uint64_t round = 0; // an earlier probe's answers do not count
    Deployment deployment;
    std::unique_ptr<ServerTopology> topology;
    std::vector<Tried> tried;
};

ConnectionProbe::ConnectionProbe(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ConnectionProbe::~ConnectionProbe() = default;

void ConnectionProbe::start(const Deployment &deployment) { d->start(deployment); }

void ConnectionProbe::cancel() { d->stop(); }

bool ConnectionProbe::isRunning() const { return d->running; }

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
        const bool looksAtKey = question.looksAtKey();
        ask(std::move(question.command), [this, right = question.right, looksAtKey](const Reply &reply) {
            m_refused.take(right, looksAtKey, reply);
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
                m_refused.add(Right::ShardedMessages);
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
    for (const Right right : m_refused.rights())
        m_rights.add(right);
    m_report.missing = m_rights.missing();
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

} // namespace lockcore::service
