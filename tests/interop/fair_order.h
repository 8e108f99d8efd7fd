// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QHash>
#include <QList>
#include <QObject>
#include <QSet>
#include <QTcpSocket>

namespace interop {

/// Sees in what order fair locks are queued for and taken: all that the scripts do, from MONITOR.
/// Who queued earlier and is alive has to get the lock earlier, or to give up. After a death the deadlines in the queue
/// may run out for the living too, by Redisson's own arithmetic: whoever is dropped so queues anew, and is counted.
class FairOrder : public QObject {
    Q_OBJECT
public:
    explicit FairOrder(quint16 port);

    void died(const QByteArray &client); // its places are void
    qint64 acquires() const { return m_acquires; }
    qint64 queued() const { return m_queued; }
    qint64 dropped() const { return m_dropped; } // living waiters
    qint64 overtaken() const { return m_overtaken; } // living waiters that somebody passed by

private:
    void readLine(const QByteArray &line);
    void taken(const QByteArray &lock, const QByteArray &owner);

    QTcpSocket m_monitor;
    QHash<QByteArray, QList<QByteArray>> m_queues; // by name of the lock
    QSet<QByteArray> m_dead;
    QByteArrayList m_previous; // command
    qint64 m_dropped = 0;
    qint64 m_acquires = 0;
    qint64 m_queued = 0;
    qint64 m_overtaken = 0;
};

} // namespace interop
