// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/lab_servers.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/lab/play_record.h"

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <string>

namespace app {

/// What checks look at.
struct LabWorld {
    LabServers *servers = nullptr;
    const lockui::lab::PlayRecord *record = nullptr;
    std::shared_ptr<const lockcore::monitor::Snapshot> snapshot;
};

/// Null: the monitor shows no lock of that name.
const lockcore::monitor::LockState *lockIn(const LabWorld &world, const lockcore::LockName &name);

/// Text of a scenario with the ids of clients in the place of `$A`; of a client that was started again its last one.
std::string withClientIds(const LabWorld &world, std::string text);

/// Looks again and again at Redis and at what the monitor shows, until all is as expected, or the time is over; and
/// where it is to stay so, for as long as it is to.
class ExpectationCheck : public QObject {
    Q_OBJECT
public:
    ExpectationCheck(const LabWorld &world, const lockui::lab::Expectation &expects, QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    void finished(const QStringList &problems, const QStringList &seen); // no problem: all is as expected

private:
    void look();
    void askServers();
    void judge();
    void note(const QString &seen, const QString &problem);

    const LabWorld &m_world;
    lockui::lab::Expectation m_expects;
    QTimer m_again;
    lockcore::MonoTime m_deadline;
    std::optional<lockcore::MonoTime> m_staysUntil; // it has been as expected once
    int m_turn = 0; // tells a late answer to an earlier look
    std::size_t m_unanswered = 0;
    QStringList m_problems;
    QStringList m_seen;
};

} // namespace app
