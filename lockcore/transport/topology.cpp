// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/topology.h"

#include "lockcore/base/backoff.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/chance.h"
#include "lockcore/transport/subscriber.h"

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace lockcore::transport {

namespace {

constexpr Millis PauseBetweenLooks{ 100 };
constexpr Millis LookEvery{ 2'000 }; // for whoever only watches
constexpr Backoff UntilItWorks{ PauseBetweenLooks, LookEvery };
constexpr Millis LongestAnswer{ 2'000 }; // another one can be asked
constexpr const char *SwitchChannel = "+switch-master"; // `name old-host old-port new-host new-port`

std::vector<Endpoint> sentinelsOf(const Deployment &deployment)
{
    std::vector<Endpoint> sentinels = deployment.seeds;
    for (Endpoint &sentinel : sentinels) {
        sentinel.user = deployment.sentinelUser;
        sentinel.password = deployment.sentinelPassword;
        sentinel.database = 0;
    }
    return sentinels;
}

std::optional<NodeAddress> readAddress(const protocol::Reply &reply)
{
    const protocol::Reply::Array *parts = reply.array();
    if (!parts || parts->size() != 2 || !parts->front().bulk() || !parts->back().bulk())
        return std::nullopt;
    return protocol::nodeAddress(*parts->front().bulk(), *parts->back().bulk());
}

/// Only a server that knows the subcommand refuses it by its name; the version may not be told either.
bool hasShardedChannels(const protocol::ServerInfo &server, const protocol::Reply &reply)
{
    if (!reply.isError())
        return true;
    const Error error = protocol::toError(reply, {});
    return error.code == ErrorCode::PermissionDenied
        && (error.message.find("|shardnumsub") != std::string::npos || server.atLeast(7, 0));
}

/// Masters first.
std::vector<NodeAddress> nodesIn(const ServerMap &map)
{
    std::set<NodeAddress> masters;
    std::set<NodeAddress> replicas;
    for (const protocol::SlotRange &range : map.ranges) {
        masters.insert(range.master);
        replicas.insert(range.replicas.begin(), range.replicas.end());
    }
    std::vector<NodeAddress> nodes(masters.begin(), masters.end());
    nodes.insert(nodes.end(), replicas.begin(), replicas.end());
    return nodes;
}

std::vector<SlotOwner> ownersIn(const ServerMap &map, const Endpoint &named)
{
    std::map<NodeAddress, SlotOwner> owners;
    for (const protocol::SlotRange &range : map.ranges) {
        SlotOwner &owner = owners[range.master];
        owner.endpoint = endpointAt(named, range.master);
        owner.slots.push_back({ range.first, range.last });
    }
    std::vector<SlotOwner> sorted;
    for (auto &[address, owner] : owners)
        sorted.push_back(std::move(owner));
    return sorted;
}

} // namespace

Endpoint endpointAt(Endpoint named, const NodeAddress &node)
{
    named.socketPath.clear();
    named.host = node.host;
    named.port = node.port;
    return named;
}

class ServerTopology::Private {
public:
    Private(ServerTopology *owner, Deployment from, ConnectionOptions how, Refresh when)
        : q(owner)
        , deployment(std::move(from))
        , options(how)
        , refresh(when)
    {
        options.reconnect = false;
        options.asksTime = false;
        options.toSentinel = isSentinel();
        options.connectTimeout = std::min(options.connectTimeout, LongestAnswer);
        options.replyTimeout = std::min(options.replyTimeout, LongestAnswer);
        lookTimer.setSingleShot(true);
        QObject::connect(&lookTimer, &QTimer::timeout, q, [this] { look(); });
        if (isSentinel())
            listenToSentinels(how);
    }

    bool isSentinel() const { return deployment.topology == Topology::Sentinel; }
    bool mayChange() const { return isSentinel() || deployment.topology == Topology::Cluster; }

    /// To all of them: one may be cut off from the others.
    void listenToSentinels(ConnectionOptions how)
    {
        how.toSentinel = true;
        places = sentinelsOf(deployment);
        for (const Endpoint &sentinel : places) {
            const auto &listener = listeners.emplace_back(std::make_unique<Subscriber>(sentinel, how));
            QObject::connect(listener.get(), &Subscriber::ready, q, [this] { lookIn(PauseBetweenLooks); });
            const auto heard = [this](const protocol::PubSubMessage &message) {
                if (message.payload.starts_with(deployment.masterName + ' '))
                    lookIn(PauseBetweenLooks);
            };
            listener->subscribe(SwitchChannel, heard, [](const Result<void> &) {});
        }
    }

    void open()
    {
        if (std::exchange(isOpen, true))
            return;
        for (const auto &listener : listeners)
            listener->open();
        lookTimer.start(Millis(0)); // whoever opens is often being made itself, and not yet ready to be told
    }

    void close()
    {
        isOpen = false;
        lookTimer.stop();
        stopAsking();
        for (const auto &listener : listeners)
            listener->close();
    }

    void lookIn(Millis pause)
    {
        if (!isOpen || !mayChange())
            return;
        isOldAgain = asked != nullptr;
        if (!isOldAgain && (!lookTimer.isActive() || lookTimer.remainingTimeAsDuration() > pause))
            lookTimer.start(pause);
    }

    void lookSoon()
    {
        isInDoubt = true;
        const bool justLooked = sinceLook.isValid() && sinceLook.elapsed() < PauseBetweenLooks.count();
        lookIn(justLooked || isSentinel() ? PauseBetweenLooks : Millis(0));
    }

    void lookLater()
    {
        if (isOpen && mayChange() && !lookTimer.isActive())
            lookTimer.start(UntilItWorks.pause(looksInVain++, drawChance()));
    }

    void look()
    {
        if (!mayChange())
            return know(namedServers());
        isOldAgain = false;
        sinceLook.start();
        stopAsking();
        const auto inTurn = placesInTurn();
        left.assign(inTurn.begin(), inTurn.end());
        askNext(errorOf(ErrorCode::InvalidArgument, { Phrase::NobodyToAsk }));
    }

    std::vector<SlotOwner> namedServers() const
    {
        std::vector<SlotOwner> named;
        for (const Endpoint &seed : deployment.seeds)
            named.push_back({ seed, {} });
        return named;
    }

    std::vector<Endpoint> placesInTurn()
    {
        if (isSentinel()) { // who answered last is asked first, while what it said proves right
            if (std::exchange(isInDoubt, false))
                std::rotate(places.begin(), places.begin() + 1, places.end());
            return places;
        }
        std::vector<NodeAddress> nodes = known;
        if (!nodes.empty())
            std::rotate(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(turn++ % nodes.size()), nodes.end());
        if (const auto first = std::exchange(best, std::nullopt))
            nodes.insert(nodes.begin(), *first);
        std::vector<Endpoint> all;
        for (const NodeAddress &node : nodes)
            all.push_back(endpointAt(deployment.seeds.front(), node));
        all.insert(all.end(), deployment.seeds.begin(), deployment.seeds.end());
        for (auto place = all.begin(); place != all.end(); ++place)
            all.erase(std::remove(place + 1, all.end(), *place), all.end());
        return all;
    }

    void askNext(const Error &error)
    {
        stopAsking();
        if (left.empty())
            return fail(error);
        asked = std::make_unique<Connection>(left.front(), options);
        left.pop_front();
        QObject::connect(asked.get(), &Connection::ready, q, [this] { ask(); });
        QObject::connect(asked.get(), &Connection::lost, q, [this](Error reason) {
            if (isSentinel() && reason.code == ErrorCode::AuthenticationFailed)
                setTried(reason, asking()); // its login is another than that of the servers
            askNext(reason);
        });
        asked->open();
    }

    void stopAsking()
    {
        if (!asked)
            return;
        asked->disconnect(q);
        asked->setParent(q);
        asked.release()->deleteLater(); // we may have been called from one of its signals
    }

    void ask()
    {
        if (isSentinel())
            return question({ "SENTINEL", "GET-MASTER-ADDR-BY-NAME", deployment.masterName },
                [this](const protocol::Reply &reply) { takeMaster(reply); });
        question({ "CLUSTER", "SLOTS" }, [this](const protocol::Reply &reply) { takeSlots(reply); });
        question({ "PUBSUB", "SHARDNUMSUB" }, [this](const protocol::Reply &reply) {
            take({ std::move(ranges), hasShardedChannels(asked->serverInfo(), reply) });
        });
    }

    /// The answer counts while nobody else is asked; a lost connection is told by its signal.
    void question(protocol::Command command, std::function<void(const protocol::Reply &)> answered)
    {
        asked->send(std::move(command),
            [this, from = asked.get(), answered = std::move(answered)](const Result<protocol::Reply> &reply) {
                if (asked.get() == from && reply)
                    answered(*reply);
            });
    }

    /// Of the sentinel that is being asked.
    Said asking() const { return { Phrase::AskingForMaster, { asked->endpoint().display(), deployment.masterName } }; }

    void takeMaster(const protocol::Reply &reply)
    {
        const Endpoint sentinel = asked->endpoint();
        if (reply.isError()) {
            Error error = protocol::toError(reply, {});
            setTried(error, asking());
            return askNext(error);
        }
        if (reply.isNil())
            return askNext(errorOf(ErrorCode::InvalidArgument, { Phrase::MasterUnknown }, asking()));
        const auto address = readAddress(reply);
        if (!address)
            return askNext(errorOf(ErrorCode::MalformedReply, { Phrase::UnexpectedReply }, asking()));
        std::stable_partition(places.begin(), places.end(), [&](const Endpoint &each) { return each == sentinel; });
        take({ { { 0, protocol::SlotCount - 1, *address, {} } }, false });
    }

    void takeSlots(const protocol::Reply &reply)
    {
        const Said asking{ Phrase::CommandOn, { "CLUSTER SLOTS", asked->endpoint().display() } };
        auto told = reply.isError() ? tl::unexpected(protocol::toError(reply, asking))
                                    : protocol::parseClusterSlots(reply, asked->endpoint().host);
        if (!told)
            return askNext(told.error());
        if (told->empty())
            return askNext(errorOf(ErrorCode::ClusterBusy, { Phrase::SlotsUnknown }, asking));
        ranges = std::move(*told);
    }

    void take(const ServerMap &map)
    {
        stopAsking();
        isSharded = map.sharded;
        known = nodesIn(map);
        if (refresh == Refresh::Periodic)
            looksInVain = 0;
        Q_EMIT q->found(map);
        auto owners = ownersIn(map, deployment.seeds.front());
        if (isSentinel())
            owners.front().slots.clear();
        know(std::move(owners));
        if (std::exchange(isOldAgain, false))
            lookIn(PauseBetweenLooks);
        else if (isOpen && refresh == Refresh::Periodic && !isSentinel() && !lookTimer.isActive())
            lookTimer.start(LookEvery);
    }

    void know(std::vector<SlotOwner> owners)
    {
        if (std::exchange(hasFailed, false))
            Q_EMIT q->recovered();
        if (std::exchange(lastOwners, owners) != owners)
            Q_EMIT q->changed(owners);
    }

    void fail(const Error &error)
    {
        hasFailed = true;
        lookLater();
        Q_EMIT q->failed(error);
    }

    ServerTopology *const q;
    const Deployment deployment;
    ConnectionOptions options;
    const Refresh refresh;
    bool isOpen = false;
    bool hasFailed = false;
    bool isSharded = false;
    bool isOldAgain = false; // what the one who is being asked will say
    bool isInDoubt = false; // what was said last
    std::vector<Endpoint> places; // the sentinels, in the order in which they are asked
    std::vector<NodeAddress> known; // the nodes of a cluster, masters first
    std::optional<NodeAddress> best; // to be asked first
    std::size_t turn = 0;
    std::vector<SlotOwner> lastOwners;
    std::deque<Endpoint> left; // to be asked yet
    std::unique_ptr<Connection> asked; // null: nobody is
    std::vector<protocol::SlotRange> ranges; // its answer so far
    std::vector<std::unique_ptr<Subscriber>> listeners;
    int looksInVain = 0;
    QTimer lookTimer;
    QElapsedTimer sinceLook;
};

ServerTopology::ServerTopology(Deployment deployment, ConnectionOptions options, Refresh refresh)
    : d(std::make_unique<Private>(this, std::move(deployment), options, refresh))
{
}

ServerTopology::~ServerTopology() = default;

void ServerTopology::open() { d->open(); }

void ServerTopology::close() { d->close(); }

void ServerTopology::lookSoon() { d->lookSoon(); }

void ServerTopology::lookAgain() { d->lookIn(PauseBetweenLooks); }

void ServerTopology::lookLater()
{
    d->isInDoubt = true;
    d->lookLater();
}

void ServerTopology::settle() { d->looksInVain = 0; }

void ServerTopology::learn(const NodeAddress &owner)
{
    d->best = owner;
    d->lookSoon();
}

bool ServerTopology::isSharded() const { return d->isSharded; }

std::optional<Millis> ServerTopology::retryIn() const
{
    return d->lookTimer.isActive() ? std::optional<Millis>(d->lookTimer.remainingTimeAsDuration()) : std::nullopt;
}

} // namespace lockcore::transport
