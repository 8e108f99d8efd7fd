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

/// The two ends go one after the other: neither is asked for while it goes.
void NetworkCut::join(QTcpSocket *incoming)
{
    const QPointer<QTcpSocket> client(incoming);
    const QPointer<QTcpSocket> server(new QTcpSocket(&m_listener));
    const auto now = [this](const std::function<void()> &what) {
        if (m_isCut)
            m_kept.push_back(what);
        else
            what();
    };
    const auto pass = [now](const QPointer<QTcpSocket> &from, const QPointer<QTcpSocket> &to) {
        now([from, to] {
            const bool isOpen = from && to && to->state() == QAbstractSocket::ConnectedState;
            if (isOpen && from->bytesAvailable() > 0)
                to->write(from->readAll());
        });
    };
    // Of an end nobody learns either while the network is cut.
    const auto end = [now](const QPointer<QTcpSocket> &gone, const QPointer<QTcpSocket> &other) {
        if (gone)
            gone->deleteLater();
        now([other] {
            if (other)
                other->disconnectFromHost();
        });
    };
    QObject::connect(client, &QIODevice::readyRead, &m_listener, [=] { pass(client, server); });
    QObject::connect(server, &QIODevice::readyRead, &m_listener, [=] { pass(server, client); });
    QObject::connect(server, &QAbstractSocket::connected, &m_listener, [=] { pass(client, server); });
    QObject::connect(server, &QAbstractSocket::disconnected, &m_listener, [=] { end(server, client); });
    QObject::connect(client, &QAbstractSocket::disconnected, &m_listener, [=] { end(client, server); });
    server->connectToHost(QHostAddress::LocalHost, m_serverPort);
}

} // namespace app
