// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/network_cut.h"

#include <QHostAddress>
#include <QPointer>
#include <QTcpSocket>
#include <utility>

namespace app {

NetworkCut::NetworkCut(std::uint16_t serverPort)
    : m_serverPort(serverPort)
{
    QObject::connect(&m_listener, &QTcpServer::newConnection, &m_listener, [this] {
        while (QTcpSocket *client = m_listener.nextPendingConnection())
            join(client);
    });
    m_listener.listen(QHostAddress::LocalHost);
}

void NetworkCut::setCut(bool cut)
{
    m_isCut = cut;
    if (cut)
        return;
    for (const auto &passOn : std::exchange(m_kept, {}))
        passOn();
}

void NetworkCut::join(QTcpSocket *client)
{
    auto *server = new QTcpSocket(client);
    const auto passOrKeep = [this](QTcpSocket *from, QTcpSocket *to) {
        const auto passOn = [this, from = QPointer(from), to = QPointer(to)] {
            if (from && to)
                pass(from, to);
        };
        if (m_isCut)
            m_kept.emplace_back(passOn);
        else
            passOn();
    };
    QObject::connect(client, &QIODevice::readyRead, server, [=] { passOrKeep(client, server); });
    QObject::connect(server, &QIODevice::readyRead, server, [=] { passOrKeep(server, client); });
    QObject::connect(server, &QAbstractSocket::connected, server, [=] { passOrKeep(client, server); });
    // Of an end nobody learns either while the network is cut.
    const auto endOrKeep = [this](QTcpSocket *other) {
        const auto end = [other = QPointer(other)] {
            if (other)
                other->disconnectFromHost();
        };
        if (m_isCut)
            m_kept.emplace_back(end);
        else
            end();
    };
    QObject::connect(server, &QAbstractSocket::disconnected, server, [=] { endOrKeep(client); });
    QObject::connect(client, &QAbstractSocket::disconnected, server, [=] { endOrKeep(server); });
    server->connectToHost(QHostAddress::LocalHost, m_serverPort);
}

void NetworkCut::pass(QTcpSocket *from, QTcpSocket *to) const
{
    if (to->state() == QAbstractSocket::ConnectedState && from->bytesAvailable() > 0)
        to->write(from->readAll());
}

} // namespace app
