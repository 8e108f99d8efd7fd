// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/servers.h"

#include "tests/support/wait_until.h"

#include <QTimer>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace faults {

using testsupport::BlockingClient;
using testsupport::RedisCluster;
using testsupport::RedisServer;
using testsupport::RedisServerOptions;

namespace {

constexpr const char *Admin = "referee";
constexpr Millis MoveAgain{ 50 };

RedisServerOptions serverOptions()
{
    RedisServerOptions options;
    options.users << u"referee on nopass ~* &* +@all"_s;
    options.config << u"busy-reply-threshold 20"_s << u"repl-diskless-sync-delay 0"_s << u"repl-timeout 2"_s
                   << u"repl-ping-replica-period 1"_s << u"hz 50"_s;
    return options;
}

std::string text(const lockcore::protocol::Reply &reply) { return reply.bulk() ? *reply.bulk() : std::string(); }

} // namespace

Servers::Servers(const Plan &plan)
    : m_plan(plan)
{
}

Servers::~Servers()
{
    for (Node &node : m_nodes)
        node.server->resume();
}

bool Servers::start()
{
    if (!startServers())
        return false;
    for (Node &node : m_nodes) {
        connectAdmin(node);
        m_proxies.push_back(std::make_unique<Proxy>());
        m_proxies.back()->setServer(node.server->socketPath().toStdString());
    }
    if (!m_cluster)
        return true;
    for (int i = 0; i < RedisCluster::Masters; ++i)
        m_cluster->run(
            i, { "CONFIG", "SET", "cluster-announce-port", std::to_string(m_proxies[std::size_t(i)]->port()) });
    return testsupport::waitUntil([this] {
        for (int i = 0; i < RedisCluster::Masters; ++i) {
            const std::string nodes = text(m_cluster->run(i, { "CLUSTER", "NODES" }));
            for (const auto &proxy : m_proxies) {
                if (nodes.find("127.0.0.1:" + std::to_string(proxy->port()) + '@') == nodes.npos)
                    return false;
            }
        }
        return true;
    });
}

bool Servers::startServers()
{
    if (m_plan.setup == Setup::Cluster) {
        m_cluster = std::make_unique<RedisCluster>(0, serverOptions());
        if (!m_cluster->start())
            return false;
        for (int i = 0; i < RedisCluster::Masters; ++i)
            m_nodes.push_back({ &m_cluster->node(i), {}, false });
        return true;
    }
    m_single.push_back(std::make_unique<RedisServer>(serverOptions()));
    if (!m_single.front()->start())
        return false;
    m_nodes.push_back({ m_single.front().get(), {}, false });
    if (m_plan.setup == Setup::Single)
        return true;
    RedisServerOptions replica = serverOptions();
    replica.config << u"replicaof 127.0.0.1 %1"_s.arg(m_single.front()->port());
    m_single.push_back(std::make_unique<RedisServer>(replica));
    if (!m_single.back()->start())
        return false;
    BlockingClient asking(m_single.back()->socketPath().toStdString());
    return testsupport::waitUntil([&asking] {
        return text(asking.run({ "INFO", "replication" })).find("master_link_status:up") != std::string::npos;
    });
}

lockcore::transport::Deployment Servers::deployment() const
{
    lockcore::transport::Deployment deployment;
    deployment.topology = m_cluster ? lockcore::transport::Topology::Cluster : lockcore::transport::Topology::Single;
    for (const auto &proxy : m_proxies) {
        lockcore::transport::Endpoint endpoint;
        endpoint.port = proxy->port();
        deployment.seeds.push_back(endpoint);
    }
    return deployment;
}

QString Servers::url() const
{
    QStringList places;
    for (const auto &proxy : m_proxies)
        places << u"127.0.0.1:%1"_s.arg(proxy->port());
    return QString((m_cluster ? u"redis-cluster://"_s : u"redis://"_s) + places.join(u','));
}

void Servers::connectAdmin(Node &node) const
{
    node.admin = std::make_unique<QLocalSocket>();
    QLocalSocket *const admin = node.admin.get();
    QObject::connect(admin, &QLocalSocket::readyRead, admin, [admin] { admin->readAll(); });
    admin->connectToServer(node.server->socketPath());
    admin->waitForConnected(2'000);
    tell(node, std::string("AUTH ") + Admin + " x");
}

void Servers::tell(Node &node, const std::string &command) const
{
    node.admin->write((command + "\r\n").c_str());
    node.admin->flush();
}

void Servers::apply(const Fault &fault)
{
    Node &server = node(fault.target);
    Proxy &way = proxy(fault.target);
    const auto afterwards = [&](const char *command) {
        QTimer::singleShot(fault.lasts, &m_context, [this, &server, command] { tell(server, command); });
    };
    switch (fault.kind) {
    case FaultKind::Stall:
        return way.stall(Proxy::Ways::Both, fault.lasts, false);
    case FaultKind::StallAll:
        return way.stall(Proxy::Ways::Both, fault.lasts, true);
    case FaultKind::StallAnswers:
        return way.stall(Proxy::Ways::Down, fault.lasts, false);
    case FaultKind::Delay:
        return way.delay(Millis(20 + fault.target % 150), fault.lasts);
    case FaultKind::Late:
        return way.makeLate(fault.lasts);
    case FaultKind::Cut:
        return way.cut();
    case FaultKind::CutInCommand:
        return way.cutInNext(Proxy::Ways::Up);
    case FaultKind::CutInReply:
        return way.cutInNext(Proxy::Ways::Down);
    case FaultKind::Refuse:
        way.cut();
        return way.refuse(fault.lasts);
    case FaultKind::Stop:
        return stop(server, fault.lasts);
    case FaultKind::Pause:
        return tell(
            server, "CLIENT PAUSE " + std::to_string(fault.lasts.count()) + (fault.target % 2 ? " ALL" : " WRITE"));
    case FaultKind::ScriptFlush:
        return tell(server, "SCRIPT FLUSH");
    case FaultKind::NoLatches:
        return refuse(server, "-set", fault.lasts);
    case FaultKind::NoScripts:
        return refuse(server, "-eval -evalsha", fault.lasts);
    case FaultKind::NoSubscriptions:
        return refuse(server, "-subscribe -ssubscribe", fault.lasts);
    case FaultKind::KillClients:
        return tell(server, "CLIENT KILL TYPE normal USER default");
    case FaultKind::KillSubscribers:
        return tell(server, "CLIENT KILL TYPE pubsub USER default");
    case FaultKind::OutOfMemory:
        tell(server, "CONFIG SET maxmemory 1");
        return afterwards("CONFIG SET maxmemory 0");
    case FaultKind::NoReplicas:
        tell(server, "CONFIG SET min-replicas-to-write 3");
        return afterwards("CONFIG SET min-replicas-to-write 0");
    case FaultKind::Busy: {
        return tell(server,
            "EVAL \"local function now() local t=redis.call('time') return t[1]*1000+t[2]/1000 end local start=now() "
            "while now()-start<"
                + std::to_string(fault.lasts.count()) + " do end\" 0");
    }
    case FaultKind::Restart:
        return restart(server);
    case FaultKind::Failover:
        return failOver();
    case FaultKind::MoveSlot:
        return moveSlot(fault);
    case FaultKind::Unroutable: {
        const int number = fault.target % RedisCluster::Masters;
        announce(number, "255.255.255.255");
        QTimer::singleShot(fault.lasts, &m_context, [this, number] { announce(number, "127.0.0.1"); });
        return;
    }
    default:
        return; // those of clients
    }
}

void Servers::stop(Node &node, Millis time)
{
    if (std::exchange(node.isStopped, true))
        return;
    node.server->pause();
    QTimer::singleShot(time, &m_context, [&node] {
        node.server->resume();
        node.isStopped = false;
    });
}

void Servers::refuse(Node &node, const char *without, Millis time) const
{
    tell(node, std::string("ACL SETUSER default ") + without);
    QTimer::singleShot(time, &m_context, [this, &node] { tell(node, "ACL SETUSER default +@all"); });
}

void Servers::restart(Node &node)
{
    node.server->kill();
    node.isStopped = false;
    m_lostData = true;
    node.server->restart();
    connectAdmin(node);
}

// The old master is gone before anybody reaches the new one.
void Servers::failOver()
{
    if (std::exchange(m_hasFailedOver, true))
        return;
    Node &node = m_nodes.front();
    proxy(0).cut();
    node.server->kill();
    node.isStopped = false;
    m_lostData = true;
    node.server = m_single.back().get();
    BlockingClient(node.server->socketPath().toStdString()).run({ "REPLICAOF", "NO", "ONE" });
    proxy(0).setServer(node.server->socketPath().toStdString());
    connectAdmin(node);
}

void Servers::moveSlot(const Fault &fault)
{
    if (isAnyStopped()) // who would have to answer
        return;
    const auto &lock = m_plan.locks[std::size_t(fault.target) % m_plan.locks.size()];
    const int slot = m_cluster->slotOf(lock.name);
    int from = -1;
    for (int number = 0; number < RedisCluster::Masters && from < 0; ++number) {
        if (m_cluster->run(number, { "CLUSTER", "COUNTKEYSINSLOT", std::to_string(slot) }).integer()
            && m_cluster->run(number, { "TYPE", lock.name }).status())
            from = number;
    }
    if (from < 0)
        return;
    const int to = (from + 1) % RedisCluster::Masters;
    m_cluster->startToMove(slot, from, to);
    ++m_moves;
    QTimer::singleShot(fault.lasts, &m_context, [this, slot, from, to] { endMove(slot, from, to); });
}

void Servers::endMove(int slot, int from, int to)
{
    if (isAnyStopped() || !m_cluster->moveKeys(slot, from, to)) {
        QTimer::singleShot(MoveAgain, &m_context, [this, slot, from, to] { endMove(slot, from, to); });
        return;
    }
    m_cluster->endMove(slot, to);
    --m_moves;
}

bool Servers::isAnyStopped() const
{
    return std::ranges::any_of(m_nodes, [](const Node &node) { return node.isStopped; });
}

void Servers::announce(int number, const std::string &host)
{
    tell(node(number), "CONFIG SET cluster-announce-ip " + host);
}

void Servers::heal()
{
    for (Node &node : m_nodes) {
        node.server->resume();
        node.isStopped = false;
        tell(node, "CLIENT UNPAUSE");
        tell(node, "ACL SETUSER default +@all");
        tell(node, "CONFIG SET maxmemory 0");
        tell(node, "CONFIG SET min-replicas-to-write 0");
        if (m_cluster)
            tell(node, "CONFIG SET cluster-announce-ip 127.0.0.1");
    }
    for (const auto &proxy : m_proxies)
        proxy->heal();
}

std::vector<lockcore::protocol::Reply> Servers::ask(const lockcore::protocol::Command &command)
{
    std::vector<lockcore::protocol::Reply> replies;
    for (const Node &node : m_nodes) {
        BlockingClient client(node.server->socketPath().toStdString());
        client.run({ "AUTH", Admin, "x" });
        replies.push_back(client.run(command));
    }
    return replies;
}

bool Servers::lostDataNow() { return std::exchange(m_lostData, false); }

} // namespace faults
