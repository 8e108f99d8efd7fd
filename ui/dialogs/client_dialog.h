// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/client_overview.h"
#include "ui/support/freshness.h"

#include <QDeadlineTimer>
#include <QDialog>

#include <memory>
#include <optional>
#include <set>
#include <string>

class QLabel;
class QPushButton;
class QTableWidget;

namespace lockui {

class BulletList;
class ClientNames;

/// All that one client holds and waits for, as it is at this moment. What Redis does not tell is said to be not known.
class ClientDialog : public QDialog {
    Q_OBJECT
public:
    ClientDialog(std::string client, const ClientNames &names, const ViewClock &clock, QWidget *parent = nullptr);

    const std::string &client() const { return m_client; }
    void setSnapshot(std::shared_ptr<const lockcore::monitor::Snapshot> snapshot); // null: nothing is connected
    void setActionsAllowed(bool allowed, const QString &whyNot);

Q_SIGNALS:
    void lockOpened(const lockcore::LockName &lock);
    void onlyItRequested(); // in the table of locks
    void nameRequested();
    void searchRequested(const lockui::KnownLock &lock); // where it was seen; null: nowhere
    void releaseRequested(); // of all that it holds

private:
    void build();
    QTableWidget *addTable(const QStringList &titles, const QString &accessibleName);
    void showNow();
    QString whyNotRelease() const;
    void showHead();
    void showSigns();
    void showHolds();
    void showWaits();
    bool isPast(const lockcore::monitor::LockState &lock) const;
    bool isAllPast() const;
    std::optional<SeenLast> whenGreyWasSeen() const; // absent: nothing is grey
    QString sinceIn(const lockcore::monitor::LockState &lock, const lockcore::monitor::Since &since) const;
    QString blockedText(const ClientHold &hold) const;
    KnownLock seenAt() const;

    const std::string m_client;
    const ClientNames &m_names;
    const ViewClock &m_clock;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    ClientOverview m_overview;
    QString m_whyNot;
    std::set<std::string> m_lost; // the servers
    bool m_isStale = false;
    bool m_outdated = true;
    QDeadlineTimer m_next{ 0 };
    QLabel *m_title;
    QLabel *m_id;
    QLabel *m_summary;
    BulletList *m_signs;
    QLabel *m_holdsTitle;
    QTableWidget *m_holds;
    QLabel *m_waitsTitle;
    QTableWidget *m_waits;
    QLabel *m_unknown;
    QPushButton *m_release;
};

} // namespace lockui
