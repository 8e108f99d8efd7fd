// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/client_finder.h"

#include "lockcore/protocol/acl_line.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/command_monitor.h"
#include "lockcore/transport/connection.h"

#include <QElapsedTimer>
#include <QTimer>
#include <charconv>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

constexpr Millis FinderPatience{ 5'000 };

template <typename Object>
void letGo(std::unique_ptr<Object> &object, QObject *receiver)
{
    if (!object)
        return;
    object->disconnect(receiver);
    object.release()->deleteLater(); // we may have been called by it
}

} // namespace

class ClientFinder::Private {
public:
    explicit Private(ClientFinder *owner)
        : q(owner)
    {
        limit.setSingleShot(true);
        limit.setTimerType(Qt::PreciseTimer);
        QObject::connect(&limit, &QTimer::timeout, q, [this] { askNames(); });
    }

    void stop()
    {
        limit.stop();
        // Its connection must end now, not when the event loop comes to it.
        if (monitor)
            monitor->close();
        letGo(monitor, q);
        letGo(connection, q);
    }

    void listen()
    {
        since.start();
        limit.start(limits.duration);
        Q_EMIT q->listening();
    }

    void heard(const protocol::MonitorLine &line)
    {
        addresses.saw(line);
        count();
    }

    void count()
    {
        ++look.commands;
        if (monitor->bytesRead() < static_cast<std::size_t>(limits.bytes))
            return;
        look.full = true;
        askNames();
    }

    void askNames()
    {
        stop();
        look.lasted = Millis{ since.elapsed() };
        ConnectionOptions options;
        options.connectTimeout = FinderPatience;
        options.replyTimeout = FinderPatience;
        options.reconnect = false;
        connection = std::make_unique<Connection>(endpoint, options);
        QObject::connect(connection.get(), &Connection::ready, q, [this] {
            connection->send({ "CLIENT", "LIST" }, [this](const Result<protocol::Reply> &reply) { named(reply); });
        });
        QObject::connect(connection.get(), &Connection::lost, q, [this](const Error &error) { finish(error); });
        connection->open();
    }

    void named(const Result<protocol::Reply> &reply)
    {
        if (!reply)
            return finish(reply.error());
        if (reply->isError()) {
            Error error = protocol::toError(*reply, { Phrase::Words, { "CLIENT LIST" } });
            if (error.code == ErrorCode::PermissionDenied)
                add(error, { Phrase::Permitting, { protocol::aclLine(endpoint.user, "+client|list") } });
            return finish(std::move(error));
        }
        if (reply->bulk() != nullptr)
            addresses.named(*reply->bulk(), endpoint.clientName);
        finish({});
    }

    void finish(std::optional<Error> namesMissing)
    {
        stop();
        look.namesMissing = std::move(namesMissing);
        look.clients = addresses.list();
        Q_EMIT q->finished(look);
    }

    void fail(const Error &error)
    {
        stop();
        Q_EMIT q->finished(tl::unexpected(error));
    }

    ClientFinder *q;
    Endpoint endpoint;
    ClientFinderLimits limits;
    std::unique_ptr<CommandMonitor> monitor;
    std::unique_ptr<Connection> connection; // for the names
    ClientAddresses addresses;
    ClientLook look;
    QTimer limit;
    QElapsedTimer since;
};

ClientFinder::ClientFinder(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ClientFinder::~ClientFinder() = default;

void ClientFinder::start(const Endpoint &endpoint, const ClientFinderLimits &limits)
{
    d->stop();
    d->endpoint = endpoint;
    d->limits = limits;
    d->addresses = {};
    d->look = {};
    d->monitor = std::make_unique<CommandMonitor>(endpoint, FinderPatience);
    connect(d->monitor.get(), &CommandMonitor::listening, this, [this] { d->listen(); });
    connect(
        d->monitor.get(), &CommandMonitor::heard, this, [this](const protocol::MonitorLine &line) { d->heard(line); });
    connect(d->monitor.get(), &CommandMonitor::passedOver, this, [this] { d->count(); });
    connect(d->monitor.get(), &CommandMonitor::failed, this, [this](const Error &error) { d->fail(error); });
    d->monitor->open();
}

void ClientFinder::finishNow()
{
    if (d->limit.isActive())
        d->askNames();
}

void ClientFinder::cancel() { d->stop(); }

bool ClientFinder::isRunning() const { return d->monitor || d->connection; }

std::optional<Millis> ClientFinder::timeLeft() const
{
    return d->limit.isActive() ? std::optional(Millis{ d->limit.remainingTime() }) : std::nullopt;
}

Result<Endpoint> endpointOf(const Deployment &deployment, const std::string &node)
{
    const auto invalid = [&] {
        return failure(ErrorCode::InvalidArgument, { Phrase::NoAddress }, { Phrase::AServer, { node } });
    };
    if (deployment.seeds.empty())
        return invalid();
    for (const auto &seed : deployment.seeds) {
        if (seed.display() == node)
            return seed;
    }
    Endpoint endpoint = deployment.seeds.front();
    const auto colon = node.rfind(':');
    if (colon == std::string::npos || colon == 0)
        return invalid();
    const auto *end = node.data() + node.size();
    const auto [last, code] = std::from_chars(node.data() + colon + 1, end, endpoint.port);
    if (code != std::errc{} || last != end)
        return invalid();
    endpoint.socketPath.clear();
    endpoint.host = node.substr(0, colon);
    if (endpoint.host.starts_with('[') && endpoint.host.ends_with(']'))
        endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
    return endpoint;
}

} // namespace lockcore::service
