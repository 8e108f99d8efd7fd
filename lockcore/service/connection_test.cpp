// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/connection_test.h"

#include "lockcore/service/missing_rights.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/transport/connection.h"

#include <QElapsedTimer>
#include <functional>

namespace lockcore {

namespace {

using protocol::Reply;

constexpr int Pings = 5;
constexpr Millis Patience{ 5'000 };

} // namespace

class ConnectionTest::Private {
public:
    explicit Private(ConnectionTest *owner)
        : q(owner)
    {
    }

    void stop()
    {
        if (!connection)
            return;
        auto ended = std::move(connection);
        ended->disconnect(q);
        ended->close();
        ended.release()->deleteLater(); // we may have been called by it
    }

    void fail(const Error &error)
    {
        stop();
        Q_EMIT q->finished(tl::unexpected(error));
    }

    void begin()
    {
        const protocol::ServerInfo &info = connection->serverInfo();
        report = { info.version, info.role, info.mode, {}, false, false, false, {}, {} };
        rights = MissingRights(connection->endpoint().user);
        if (info.version.empty())
            rights.add(Right::Info);
        ping(Pings);
    }

    void ping(int left)
    {
        if (left == 0)
            return probeAll();
        sincePing.start();
        ask({ "PING" }, [this, left](const Reply &) {
            const std::chrono::microseconds taken{ sincePing.nsecsElapsed() / 1'000 };
            report.roundTrip = left == Pings ? taken : std::min(report.roundTrip, taken);
            ping(left - 1);
        });
    }

    void probeAll()
    {
        probe(Right::Scan, { "SCAN", "0", "COUNT", "1" });
        const std::string nobody = "lockscope:connection-test";
        probe(Right::ReadKeys, { "TYPE", nobody });
        for (const char *command : { "HLEN", "HGETALL", "PTTL", "LLEN", "ZCARD", "GET" })
            probe(Right::ReadCommands, { command, nobody });
        probe(Right::ReadCommands, { "LRANGE", nobody, "0", "0" });
        probe(Right::ReadCommands, { "ZRANGE", nobody, "0", "0" });
        probe(Right::CountWaiters, { "PUBSUB", "NUMSUB", "redisson_lock__channel:{}" });
        if (report.mode == "cluster")
            probe(Right::ShardedChannels, { "PUBSUB", "SHARDCHANNELS", "redisson_*" });
        connection->eval(readLocksScript(), {}, {}, answering([this](const Reply &reply) {
            report.readOnlyScripts = note(Right::ReadScripts, reply);
            probeFeeds();
        }));
    }

    /// Last: a connection that subscribes takes little else.
    void probeFeeds()
    {
        // The prefix keeps the server from having anything to announce; the connection's end ends it.
        ask({ "CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "lockscope:connection-test" },
            [this](const Reply &reply) { tracking = note(Right::Tracking, reply); });
        ask({ "PSUBSCRIBE", "redisson_*" },
            [this](const Reply &reply) { report.pubSub = note(Right::UnlockMessages, reply); });
        ask({ "SUBSCRIBE", "__redis__:invalidate" }, [this](const Reply &reply) {
            report.clientTracking = note(Right::Invalidations, reply) && tracking;
            report.missing = rights.sentences();
            report.aclLine = rights.aclLine();
            stop();
            Q_EMIT q->finished(report);
        });
    }

    void probe(Right right, protocol::Command command)
    {
        ask(std::move(command), [this, right](const Reply &reply) { note(right, reply); });
    }

    /// Whether it was permitted.
    bool note(Right right, const Reply &reply)
    {
        if (!reply.isError())
            return true;
        rights.add(right, reply);
        return false;
    }

    /// A lost connection is told once, by its signal; what we ask is never refused here for another reason.
    Connection::ReplyHandler answering(std::function<void(const Reply &)> handler)
    {
        return [this, asked = connection.get(), handler = std::move(handler)](const Result<Reply> &reply) {
            if (asked != connection.get())
                return;
            if (reply)
                handler(*reply);
            else if (asked->state() == Connection::State::Ready)
                fail(reply.error());
        };
    }

    void ask(protocol::Command command, std::function<void(const Reply &)> handler)
    {
        connection->send(std::move(command), answering(std::move(handler)));
    }

    ConnectionTest *q;
    std::unique_ptr<Connection> connection;
    ConnectionReport report;
    MissingRights rights{ {} };
    bool tracking = false;
    QElapsedTimer sincePing;
};

ConnectionTest::ConnectionTest(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ConnectionTest::~ConnectionTest() = default;

void ConnectionTest::start(const Endpoint &endpoint)
{
    cancel();
    ConnectionOptions options;
    options.connectTimeout = Patience;
    options.replyTimeout = Patience;
    options.reconnect = false;
    d->connection = std::make_unique<Connection>(endpoint, options);
    connect(d->connection.get(), &Connection::ready, this, [this] { d->begin(); });
    connect(d->connection.get(), &Connection::lost, this, [this](const Error &error) { d->fail(error); });
    d->connection->open();
}

void ConnectionTest::cancel() { d->stop(); }

bool ConnectionTest::isRunning() const { return d->connection != nullptr; }

} // namespace lockcore
