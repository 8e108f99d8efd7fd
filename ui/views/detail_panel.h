// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "ui/models/lock_table_model.h"
#include "ui/models/waiter_model.h"
#include "ui/support/event_store.h"
#include "ui/support/lock_end.h"
#include "ui/support/theme.h"
#include "ui/views/suspects_view.h"

#include <QWidget>

class QLabel;

namespace lockui {

class DetailCharts;
class DetailEvents;
class DetailHead;
class DetailPeople;
class DetailTaking;

/// All that is known of one lock: its head, over its course at the left and who has it or waits at the right.
class DetailPanel : public QWidget {
    Q_OBJECT
public:
    DetailPanel(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent = nullptr);

    /// `lock`: null: nothing is selected. `end`: absent: it is there; else what is shown is the last that was seen of
    /// it.
    void setLock(LockTableModel::Lock lock, std::optional<LockEnd> end = {});
    /// While no lock is shown: that this one is not there, and how it ended, if that was heard.
    void sayAwaited(const lockcore::LockName &name, const std::optional<lockcore::monitor::Event> &end);
    void setBeginnings(const std::vector<lockcore::monitor::Event> &acquired); // of its holds, oldest first
    void setGaps(const std::vector<lockcore::monitor::Event> &gaps); // in which nothing was seen of the lock
    void setHidden(bool hidden); // by the filter: nothing is done to what is not in the table
    void setWatchedSince(std::optional<lockcore::MonoTime> since);
    void setRecordedSince(lockcore::MonoTime since);
    void setCountedSince(std::optional<lockcore::WallTime> since); // the figures of a recording; absent: of a server
    void setStale(bool stale, std::optional<lockcore::MonoTime> lostSince); // absent: its servers are seen, or none is
    void setLostServers(const QStringList &servers); // that have it, while others are seen; empty: there is none
    void setAtReplica(bool atReplica); // who listens elsewhere is not counted there
    void setInCluster(bool inCluster); // where slots say something
    void setActionsAllowed(bool allowed, const QString &whyNot);
    void setAnalysis(std::shared_ptr<const lockcore::monitor::Analysis> analysis); // null: not known yet
    void setClientNames(const ClientNames &names);
    void setKnownWaits(std::vector<lockcore::monitor::KnownWait> waits);
    DetailTaking &taking() const { return *m_taking; }
    void setLocksHeld(LocksHeld held);

    const LockTableModel::Lock &lock() const { return m_lock; }
    QString whyNotNow() const; // empty: the lock can be acted on
    std::optional<lockcore::synchronizers::PermitReading> chosenPermit() const;
    void focusPermits() const; // to choose one by keys
    std::optional<lockcore::OwnerId> chosenWaiter() const;
    void focusQueue() const;
    void copy() const; // its name
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void forceReleaseRequested(const lockui::LockTableModel::Lock &lock);
    void renewRequested(const lockui::LockTableModel::Lock &lock);
    void dropRequested(const lockui::LockTableModel::Lock &lock, const lockcore::OwnerId &waiter);
    void returnRequested(
        const lockui::LockTableModel::Lock &lock, const lockcore::synchronizers::PermitReading &permit);
    void clientNamingRequested(const lockcore::OwnerId &owner);
    void clientRequested(const std::string &client); // all that it holds and waits for
    void clientSearchRequested(const lockcore::OwnerId &owner);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void build(const Theme &theme, const EventStore &events);
    void connectParts();
    void showAnalysis();
    LockInSight seen() const;
    void sayWhatIsShown();
    void showLock();
    void showActions();
    void showStaleness();
    void showEventsIfRoom();
    bool isRoomBelowPeople() const;
    void tick();

    const ViewClock &m_clock;
    LockTableModel::Lock m_lock;
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis;
    std::optional<LockEnd> m_end;
    bool m_stale = false;
    std::optional<lockcore::MonoTime> m_lostSince;
    QStringList m_lostServers;
    bool m_hidden = false;
    const ClientNames *m_names = nullptr;
    bool m_actionsAllowed = false;
    QString m_whyNot;

    QWidget *m_body;
    QLabel *m_hint;
    DetailHead *m_head;
    SuspectsView *m_suspects;
    DetailCharts *m_charts;
    DetailPeople *m_people;
    DetailEvents *m_events;
    DetailTaking *m_taking;
};

} // namespace lockui
