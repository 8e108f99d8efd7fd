// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <map>
#include <memory>

namespace testsupport {

/// Stands between clients and a server on this machine. It can lose an answer: the server has acted, the client's
/// connection is gone. And it can delay requests, as a network does that goes on after its outage: they arrive on their
/// old connection when the client has long left it.
/// Thread: that of the object, whose event loop has to run.
class LossyProxy {
public:
    explicit LossyProxy(quint16 serverPort)
    {
        QObject::connect(&m_listener, &QTcpServer::newConnection, &m_listener, [this, serverPort] {
            while (QTcpSocket *client = m_listener.nextPendingConnection())
                join(client, serverPort);
        });
        m_listener.listen(QHostAddress::LocalHost);
    }

    quint16 port() const { return m_listener.serverPort(); }

    /// As a firewall between them does: when the server ends a connection, its client does not learn of it.
    void hideEnds() { m_hidingEnds = true; }
    void loseNextAnswer() { m_losing = true; }
    /// All connections break, each in the middle of the next answer that is long enough to have one.
    void cutAnswers(bool cut) { m_cutting = cut; }
    bool hasLost() const { return m_lost; }
    /// What clients send from now on is kept back; a connection of which something was kept carries nothing any more.
    void holdRequests(bool hold) { m_holding = hold; }
    bool isHolding() const { return !m_held.empty(); }
    int heldTimes(const char *word) const
    {
        qsizetype times = 0;
        for (const auto &[server, held] : m_held)
            times += held.requests.count(word);
        return int(times);
    }
    /// Of the connections of which something was kept the clients lose theirs.
    void leaveClientsOfHeld()
    {
        for (const auto &[server, held] : m_held) {
            if (held.client)
                held.client->abort();
        }
    }
    void deliverHeld()
    {
        for (const auto &[server, held] : m_held) {
            server->write(held.requests);
            server->flush();
        }
    }
    /// Of the connections that there are, those that subscribe stay and carry nothing more.
    void silenceSubscribers() { m_silentUpTo = m_joined; }

private:
    void join(QTcpSocket *client, quint16 serverPort)
    {
        auto *server = new QTcpSocket(&m_listener);
        const auto subscribes = std::make_shared<bool>(false);
        const auto isSilent = [this, subscribes, number = ++m_joined] { return *subscribes && number <= m_silentUpTo; };
        QObject::connect(client, &QIODevice::readyRead, server, [this, client, server, subscribes, isSilent] {
            const QByteArray request = client->readAll();
            *subscribes = *subscribes || request.contains("SUBSCRIBE");
            if (m_holding || m_held.contains(server)) {
                m_held[server].client = client;
                m_held[server].requests += request;
            } else if (!isSilent()) {
                server->write(request);
            }
        });
        QObject::connect(server, &QIODevice::readyRead, client, [this, client, server, isSilent] {
            if (isSilent() || m_held.contains(server))
                return void(server->readAll());
            if (!m_losing) {
                const QByteArray answer = server->readAll();
                const bool cut = m_cutting && answer.size() > 40;
                m_lost = m_lost || cut;
                client->write(cut ? answer.left(answer.size() / 2) : answer);
                return cut ? client->disconnectFromHost() : void();
            }
            m_losing = false;
            m_lost = true;
            client->abort();
        });
        QObject::connect(client, &QAbstractSocket::disconnected, server, [this, client, server] {
            client->deleteLater();
            if (!m_held.contains(server))
                server->deleteLater();
        });
        QObject::connect(server, &QAbstractSocket::disconnected, client, [this, client] {
            if (!m_hidingEnds)
                client->disconnectFromHost();
        });
        server->connectToHost(QHostAddress::LocalHost, serverPort);
    }

    struct Held {
        QPointer<QTcpSocket> client;
        QByteArray requests;
    };
    std::map<QTcpSocket *, Held> m_held; // by the connection on which they will arrive
    QTcpServer m_listener; // after those: its end ends all connections
    int m_joined = 0;
    int m_silentUpTo = 0;
    bool m_losing = false;
    bool m_cutting = false;
    bool m_lost = false;
    bool m_hidingEnds = false;
    bool m_holding = false;
};

} // namespace testsupport
