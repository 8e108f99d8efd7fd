// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/fair_order.h"

using namespace Qt::StringLiterals;

namespace interop {

namespace {

/// `+TIME [0 lua] "command" "key" …`; our names and owners have no quotes in them.
QList<QByteArray> words(const QByteArray &line)
{
    QList<QByteArray> parts = line.split('"');
    QList<QByteArray> quoted;
    for (qsizetype i = 1; i < parts.size(); i += 2)
        quoted << parts[i];
    return quoted;
}

QByteArray lockOfQueue(const QByteArray &key)
{
    const qsizetype brace = key.indexOf('{');
    return key.mid(brace + 1, key.size() - brace - 2);
}

} // namespace

FairOrder::FairOrder(quint16 port)
{
    connect(&m_monitor, &QTcpSocket::readyRead, this, [this] {
        while (m_monitor.canReadLine())
            readLine(m_monitor.readLine());
    });
    m_monitor.connectToHost(u"127.0.0.1"_s, port);
    m_monitor.waitForConnected();
    m_monitor.write("MONITOR\r\n");
    m_monitor.waitForReadyRead();
}

void FairOrder::died(const QByteArray &client) { m_dead.insert(client); }

void FairOrder::readLine(const QByteArray &line)
{
    if (!line.contains(" lua] "))
        return;
    const QList<QByteArray> command = words(line);
    if (command.size() < 3)
        return;
    const QByteArray verb = command[0].toLower();
    if (verb == "rpush") {
        auto &queue = m_queues[lockOfQueue(command[1])];
        m_queued += !queue.contains(command[2]);
        if (!queue.contains(command[2]))
            queue << command[2];
    } else if (verb == "lrem" && m_previous.value(0) == "zrem"
        && command.size() == 4) { // gives up; not a copy put right
        m_queues[lockOfQueue(command[1])].removeAll(command[3]);
    } else if (verb == "zrem" && m_previous.value(0) == "lrem"
        && m_previous.value(3) == command[2]) { // the same, by lockcore
        m_queues[lockOfQueue(m_previous[1])].removeAll(command[2]);
    } else if (verb == "lpop" && m_previous.value(0) == "zrem") { // its time is over; who acquires is popped first
        m_queues[lockOfQueue(command[1])].removeAll(m_previous.value(2));
        m_dropped += !m_dead.contains(m_previous.value(2).left(36));
    } else if ((verb == "hset" || verb == "hincrby") && command.size() == 4 && command[3] == "1") {
        taken(command[1], command[2]);
    }
    m_previous = command;
    m_previous[0] = verb;
}

void FairOrder::taken(const QByteArray &lock, const QByteArray &owner)
{
    ++m_acquires;
    auto &queue = m_queues[lock];
    if (m_dead.contains(owner.left(36))) // what it did in its last moments is read after it died
        return;
    queue.removeIf([this](const QByteArray &waiter) { return m_dead.contains(waiter.left(36)); });
    const qsizetype place = queue.indexOf(owner);
    m_overtaken += place < 0 ? queue.size() : place;
    queue.removeAll(owner);
}

} // namespace interop
