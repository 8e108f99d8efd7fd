// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace app {

/// Makes a Redis Cluster of servers that know nothing of each other, and moves slots between them as administrators do.
/// Errors: `failed` when they do not agree within half a minute, or a server refuses what it is told.
class PrivateCluster : public QObject {
    Q_OBJECT
public:
    struct Node {
        lockcore::transport::Connection *connection;
        std::uint16_t busPort;
    };

    explicit PrivateCluster(std::vector<Node> nodes, QObject *parent = nullptr);

    void join(); // once all connections are ready

    using Done = std::function<void(const lockcore::Result<void> &)>;

    /// Moves the slot of this key, with all that is in it; or tells why not.
    void move(const std::string &key, std::size_t to, Done done);

Q_SIGNALS:
    void ready(); // they agree
    void failed(const lockcore::Error &error);

private:
    using Handler = std::function<void(const lockcore::Result<lockcore::protocol::Reply> &)>;

    /// What a server refuses is an error as well.
    void ask(std::size_t node, lockcore::protocol::Command command, Handler handler);
    void askOrFail(std::size_t node, lockcore::protocol::Command command,
        std::function<void(const lockcore::protocol::Reply &)> handler);
    void tellAll(const std::vector<std::pair<std::size_t, lockcore::protocol::Command>> &commands, Done done);
    Done orFail(std::function<void()> then);
    void meet();
    void lookWhetherTheyAgree();
    void moveSlot(int slot, std::size_t to, const Done &done);
    void moveKeys(int slot, std::size_t from, std::size_t to, Done done);
    void tellWhereItIs(int slot, std::size_t from, std::size_t to, const Done &done);
    std::size_t ownerOf(int slot) const;
    std::string portOf(std::size_t node) const;

    std::vector<Node> m_nodes;
    std::vector<std::string> m_ids;
    std::map<int, std::size_t> m_moved; // slots that are not where they were at first
    QTimer m_again;
    int m_looks = 0;
};

} // namespace app
