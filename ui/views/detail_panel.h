// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "ui/charts/ttl_chart.h"
#include "ui/models/event_model.h"
#include "ui/models/holder_model.h"
#include "ui/models/permit_model.h"
#include "ui/models/waiter_model.h"
#include "ui/views/data_table.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

namespace lockui {

class ClientNames;
class DetailTaking;
class ElidedLabel;
class EventTable;
class SuspectsView;

/// All that is known of one lock.
class DetailPanel : public QWidget {
    Q_OBJECT
public:
    DetailPanel(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent = nullptr);

    void setLock(LockTableModel::Lock lock); // null: nothing is selected
    void await(const lockcore::LockName &name); // nothing is shown but that it is not there
    /// When it was gone at the latest, and how it ended, if that was seen. What is shown is the last that was seen of
    /// it. Absent: it is there.
    struct End {
        lockcore::MonoTime at;
        std::optional<lockcore::monitor::Event> how;

        bool operator==(const End &) const = default;
    };
    void setEnd(std::optional<End> end);
    void setBeginnings(const std::vector<lockcore::monitor::Event> &acquired); // of its holds, oldest first
    void setGaps(const std::vector<lockcore::monitor::Event> &gaps); // in which nothing was seen of the lock
    void setHidden(bool hidden); // by the filter: nothing is done to what is not in the table
    void setWatchedSince(std::optional<lockcore::MonoTime> since);
    void setStale(bool stale);
    void setAtReplica(bool atReplica); // who listens elsewhere is not counted there
    void setInCluster(bool inCluster) { m_inCluster = inCluster; } // where slots say something
    void setActionsAllowed(bool allowed, const QString &whyNot);
    void setAnalysis(std::shared_ptr<const lockcore::monitor::Analysis> analysis); // null: not known yet
    void setClientNames(const ClientNames &names);
    DetailTaking &taking() const { return *m_taking; }
    void setLocksHeld(LocksHeld held) { m_waiters.setLocksHeld(std::move(held)); }

    const LockTableModel::Lock &lock() const { return m_lock; }
    QString whyNotNow() const; // empty: the lock can be acted on
    void copy() const; // its name

Q_SIGNALS:
    void forceReleaseRequested(const lockui::LockTableModel::Lock &lock);
    void renewRequested(const lockui::LockTableModel::Lock &lock);
    void dropRequested(const lockui::LockTableModel::Lock &lock, const lockcore::OwnerId &waiter);
    void clientNamingRequested(const lockcore::OwnerId &owner);
    void clientSearchRequested(const lockcore::OwnerId &owner);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QLayout *buildHead();
    QWidget *buildTimeToLive();
    QWidget *buildPeople();
    void buildTables();
    QLayout *buildEvents();
    void offerClientActions(DataTable &table);
    void showAnalysis();
    void sayWhatIsShown();
    void showLock();
    void showHead();
    void showPills();
    void showQuorum();
    QString heldBeforeText() const;
    void showSections();
    void showEvents();
    void showEventsIfRoom();
    void showActions();
    void showStaleness();
    QString endedText() const;
    bool isNarrow() const;
    void tick();

    const Theme &m_theme;
    const ViewClock &m_clock;
    const EventStore &m_store;
    LockTableModel::Lock m_lock;
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis;
    std::optional<End> m_end;
    bool m_stale = false;
    bool m_atReplica = false;
    bool m_hidden = false;
    const ClientNames *m_names = nullptr;
    bool m_inCluster = false;
    bool m_actionsAllowed = false;
    QString m_whyNot;

    RowStyle m_rows;
    HolderModel m_holders;
    WaiterModel m_waiters;
    PermitModel m_permits;
    RowStyle m_eventRows;
    EventModel m_events;

    QWidget *m_body;
    QLabel *m_hint;
    ElidedLabel *m_title;
    SuspectsView *m_suspects;
    QLabel *m_kindPill;
    QLabel *m_leasePill;
    QLabel *m_quorumPill; // on independent servers
    QLabel *m_hiddenPill;
    QLabel *m_read; // how old it is: never cut
    ElidedLabel *m_where;
    QPushButton *m_copy;
    QToolButton *m_copyAs;
    DetailTaking *m_taking;
    QPushButton *m_renew;
    QPushButton *m_forceRelease;
    QLabel *m_chartTitle;
    TtlChart *m_chart;
    QLabel *m_chartLegend;
    QLabel *m_keysTitle;
    QPlainTextEdit *m_keys;
    QLabel *m_holdersTitle;
    QLabel *m_counterNote;
    DataTable *m_holderTable;
    DataTable *m_permitTable;
    QLabel *m_morePermits; // than are listed
    QLabel *m_queueTitle;
    DataTable *m_queueTable;
    QLabel *m_queueNote;
    QLabel *m_eventsTitle;
    EventTable *m_eventTable;
};

} // namespace lockui
