// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/private_cluster.h"

#include "app/common/words.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace app {

using lockcore::Result;
using lockcore::protocol::Command;
using lockcore::protocol::Reply;

namespace {

using namespace std::chrono_literals;

constexpr auto AgreementLookEvery = 50ms;
constexpr int MostAgreementLooks = 600; // half a minute
constexpr int AllSlots = 16'384;

int firstSlot(std::size_t node, std::size_t nodes)
{
    return static_cast<int>((static_cast<std::size_t>(AllSlots) * node + nodes - 1) / nodes);
}

} // namespace

PrivateCluster::PrivateCluster(std::vector<Node> nodes, QObject *parent)
    : QObject(parent)
    , m_nodes(std::move(nodes))
    , m_ids(m_nodes.size())
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &PrivateCluster::lookWhetherTheyAgree);
}

void PrivateCluster::join()
{
    std::vector<std::pair<std::size_t, Command>> commands;
    for (std::size_t node = 0; node < m_nodes.size(); ++node) {
        const int last = firstSlot(node + 1, m_nodes.size()) - 1;
        commands.emplace_back(node,
            Command{
                "CLUSTER", "ADDSLOTSRANGE", std::to_string(firstSlot(node, m_nodes.size())), std::to_string(last) });
        commands.emplace_back(node, Command{ "CLUSTER", "SET-CONFIG-EPOCH", std::to_string(node + 1) });
    }
    tellAll(commands, orFail([this] { meet(); }));
}

void PrivateCluster::meet()
{
    for (std::size_t node = 0; node < m_nodes.size(); ++node)
        askOrFail(node, { "CLUSTER", "MYID" },
            [this, node](const Reply &reply) { m_ids[node] = reply.bulk() ? *reply.bulk() : std::string(); });
    std::vector<std::pair<std::size_t, Command>> commands;
    for (std::size_t node = 1; node < m_nodes.size(); ++node)
        commands.emplace_back(
            0, Command{ "CLUSTER", "MEET", "127.0.0.1", portOf(node), std::to_string(m_nodes[node].busPort) });
    tellAll(commands, orFail([this] { lookWhetherTheyAgree(); }));
}

void PrivateCluster::lookWhetherTheyAgree()
{
    if (++m_looks > MostAgreementLooks)
        return Q_EMIT failed(
            complaint(lockcore::ErrorCode::FileFailed, Words::tr("the servers do not agree with each other"),
                Words::tr("starting a private cluster").toStdString()));
    const auto unanswered = std::make_shared<std::size_t>(m_nodes.size());
    const auto agreeing = std::make_shared<std::size_t>(0);
    const std::string known = "cluster_known_nodes:" + std::to_string(m_nodes.size()) + '\r';
    for (std::size_t node = 0; node < m_nodes.size(); ++node)
        askOrFail(node, { "CLUSTER", "INFO" }, [this, unanswered, agreeing, known](const Reply &reply) {
            const std::string info = reply.bulk() ? *reply.bulk() : std::string();
            const bool agrees = info.find("cluster_state:ok") != std::string::npos
                && info.find(known) != std::string::npos
                && info.find("cluster_slots_assigned:" + std::to_string(AllSlots)) != std::string::npos;
            *agreeing += agrees ? 1 : 0;
            if (--*unanswered > 0)
                return;
            if (*agreeing == m_nodes.size())
                Q_EMIT ready();
            else
                m_again.start(AgreementLookEvery);
        });
}

void PrivateCluster::move(const std::string &key, std::size_t to, Done done)
{
    ask(to, { "CLUSTER", "KEYSLOT", key }, [=, this](const Result<Reply> &reply) {
        if (!reply)
            return done(tl::unexpected(reply.error()));
        moveSlot(reply->integer() ? static_cast<int>(*reply->integer()) : 0, to, done);
    });
}

void PrivateCluster::moveSlot(int slot, std::size_t to, const Done &done)
{
    const std::size_t from = ownerOf(slot);
    if (from == to)
        return done({});
    const std::string number = std::to_string(slot);
    tellAll({ { to, { "CLUSTER", "SETSLOT", number, "IMPORTING", m_ids[from] } },
                { from, { "CLUSTER", "SETSLOT", number, "MIGRATING", m_ids[to] } } },
        [=, this](const Result<void> &told) {
            if (!told)
                return done(told);
            moveKeys(slot, from, to, [=, this](const Result<void> &moved) {
                if (!moved)
                    return done(moved);
                m_moved[slot] = to;
                tellWhereItIs(slot, from, to, done);
            });
        });
}

void PrivateCluster::moveKeys(int slot, std::size_t from, std::size_t to, Done done)
{
    ask(from, { "CLUSTER", "GETKEYSINSLOT", std::to_string(slot), "1000" }, [=, this](const Result<Reply> &reply) {
        if (!reply)
            return done(tl::unexpected(reply.error()));
        if (!reply->array() || reply->array()->empty())
            return done({});
        Command command{ "MIGRATE", "127.0.0.1", portOf(to), "", "0", "5000", "KEYS" };
        for (const Reply &key : *reply->array())
            command.push_back(*key.bulk());
        ask(from, command, [=, this](const Result<Reply> &migrated) {
            if (!migrated)
                return done(tl::unexpected(migrated.error()));
            moveKeys(slot, from, to, done);
        });
    });
}

/// First the one who has it: whoever is sent there finds that it is the owner. The others would hear of it from these
/// two, and may be down.
void PrivateCluster::tellWhereItIs(int slot, std::size_t from, std::size_t to, const Done &done)
{
    const Command told{ "CLUSTER", "SETSLOT", std::to_string(slot), "NODE", m_ids[to] };
    tellAll({ { to, told }, { from, told } }, [=, this](const Result<void> &known) {
        for (std::size_t node = 0; known && node < m_nodes.size(); ++node) {
            if (node != to && node != from)
                ask(node, told, [](const Result<Reply> &) {});
        }
        done(known);
    });
}

void PrivateCluster::ask(std::size_t node, Command command, Handler handler)
{
    m_nodes[node].connection->send(
        std::move(command), [handler = std::move(handler)](const lockcore::Result<Reply> &reply) {
            if (reply && reply->isError())
                return handler(tl::unexpected(
                    complaint(lockcore::ErrorCode::ServerOther, shown(reply->error()->text), "CLUSTER")));
            handler(reply);
        });
}

void PrivateCluster::askOrFail(std::size_t node, Command command, std::function<void(const Reply &)> handler)
{
    ask(node, std::move(command), [this, handler = std::move(handler)](const Result<Reply> &reply) {
        if (reply)
            handler(*reply);
        else
            Q_EMIT failed(reply.error());
    });
}

/// One after the other.
void PrivateCluster::tellAll(const std::vector<std::pair<std::size_t, Command>> &commands, Done done)
{
    if (commands.empty())
        return done({});
    const std::vector<std::pair<std::size_t, Command>> rest(commands.begin() + 1, commands.end());
    ask(commands.front().first, commands.front().second,
        [this, rest, done = std::move(done)](const Result<Reply> &reply) {
            if (reply)
                tellAll(rest, done);
            else
                done(tl::unexpected(reply.error()));
        });
}

PrivateCluster::Done PrivateCluster::orFail(std::function<void()> then)
{
    return [this, then = std::move(then)](const Result<void> &told) {
        if (told)
            then();
        else
            Q_EMIT failed(told.error());
    };
}

std::size_t PrivateCluster::ownerOf(int slot) const
{
    if (const auto moved = m_moved.find(slot); moved != m_moved.end())
        return moved->second;
    std::size_t node = 0;
    while (firstSlot(node + 1, m_nodes.size()) <= slot)
        ++node;
    return node;
}

std::string PrivateCluster::portOf(std::size_t node) const
{
    return std::to_string(m_nodes[node].connection->endpoint().port);
}

} // namespace app
