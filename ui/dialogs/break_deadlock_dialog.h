// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <QDialog>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QRadioButton;
class QScrollArea;

namespace lockui {

class BulletList;
class ClientNames;
class ViewClock;

/// Which hold of a deadlock is to be released: what each choice means for whom. It releases nothing itself: what was
/// chosen, as it was seen here, is handed on to be confirmed.
class BreakDeadlockDialog : public QDialog {
    Q_OBJECT
public:
    using Lock = std::shared_ptr<const lockcore::monitor::LockState>;

    BreakDeadlockDialog(lockcore::monitor::WaitCycle cycle, const ClientNames &names, const ViewClock &clock,
        QWidget *parent = nullptr);

    void setSnapshot(const lockcore::monitor::Snapshot &snapshot); // whether it still stands, and what is known of it
    void setActionsAllowed(bool allowed, const QString &whyNot);

Q_SIGNALS:
    void releaseChosen(const std::shared_ptr<const lockcore::monitor::LockState> &lock);

protected:
    void showEvent(QShowEvent *event) override;

private:
    /// One hold, and what follows from its end.
    struct Choice {
        QRadioButton *button = nullptr;
        BulletList *meaning = nullptr;
        Lock lock; // null: gone
        lockcore::MonoTime seenUntil = lockcore::MonoTime::max(); // earlier: its server is lost
    };

    void build();
    void showChoices();
    void showWhetherAllowed();
    std::optional<std::size_t> chosen() const;
    QString meaningOf(const lockcore::monitor::WaitEdge &edge, const Choice &choice) const;
    QString nextText(const lockcore::monitor::WaitEdge &edge, const Choice &choice) const;
    QString sinceIn(const Choice &choice, const lockcore::monitor::Since &since) const;
    void handOn();

    const lockcore::monitor::WaitCycle m_cycle;
    const ClientNames &m_names;
    const ViewClock &m_clock;
    bool m_stands = true;
    bool m_isLost = false; // a server of it
    bool m_allowed = false;
    QString m_whyNot;
    std::vector<Choice> m_choices; // one for each edge
    QScrollArea *m_area;
    QLabel *m_why;
    QPushButton *m_release;
};

} // namespace lockui
