// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"
#include "ui/models/lock_filter_proxy.h"
#include "ui/support/event_store.h"
#include "ui/views/data_table.h"
#include "ui/views/detail_panel.h"
#include "ui/views/empty_state.h"
#include "ui/views/lock_table.h"
#include "ui/views/page.h"

#include <QDeadlineTimer>
#include <QStackedWidget>

#include <optional>

class QSettings;

namespace lockui {

class ChoiceMenu;
class LockTaking;
class LocksBar;
class RowGlow;
class SteadySplitter;

/// The table of locks over the detail of the selected one.
class LocksPage : public Page {
    Q_OBJECT
public:
    LocksPage(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent = nullptr);

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool connected) override;
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text) override;
    void setActionsAllowed(bool allowed, const QString &whyNot) override;
    void choose(const lockcore::LockName &lock) override;
    void chooseInTable() override;
    QString figure(const lockcore::monitor::Snapshot &snapshot) const override; // of locks
    void watch(const lockcore::monitor::Snapshot &snapshot); // also while it is hidden
    void setRecordedSince(lockcore::MonoTime first); // a recording begins then
    void heard(const std::vector<lockcore::monitor::Event> &events); // they are in the store of events already
    void corrected(); // what was heard before
    void restart(lockcore::WallTime countedSince); // events that follow led to another moment
    void sortBy(int column) { m_table->toggleOrder(column); } // and then in the other order
    QString whyNotNow() const { return m_detail->whyNotNow(); } // empty: the chosen lock can be acted on
    void setClientNames(const ClientNames &names);
    void setOwnClients(const std::vector<lab::HandHold> &clients); // that are led by hand from here, now
    void select(const lockcore::LockName &name); // also when the filter hides it: the filter goes then
    void await(const lockcore::LockName &name); // none is chosen until it appears or a person chooses

    void save(QSettings &settings) const override;
    void restore(const QSettings &settings) override;

    const LockTableModel &locks() const { return m_locks; }
    void goToRow() { m_table->beginWithCurrentRow(); } // with the keys
    const QWidget &titles() const { return *m_table->horizontalHeader(); } // of the columns
    const ChoiceMenu &choices() const { return *m_choices; } // what is asked for of clients and of several locks
    LockTableModel::Lock selectedLock() const { return m_detail->lock(); }
    const DetailPanel &detail() const { return *m_detail; }

Q_SIGNALS:
    void forceReleaseRequested(const lockui::LockTableModel::Lock &lock);
    void renewRequested(const lockui::LockTableModel::Lock &lock);
    void dropRequested(const lockui::LockTableModel::Lock &lock, const lockcore::OwnerId &waiter);
    void returnRequested(
        const lockui::LockTableModel::Lock &lock, const lockcore::synchronizers::PermitReading &permit);
    void filterWanted(const QString &text);
    void selectionChanged(const lockui::LockTableModel::Lock &lock);
    void clientNamingRequested(const lockcore::OwnerId &owner);
    void clientSearchRequested(const lockcore::OwnerId &owner);

private:
    bool eventFilter(QObject *watched, QEvent *event) override; // of the rows

    enum class Empty { No, NotConnected, Connecting, Failed, NoLocks, NoMatch };

    void buildTable();
    void offerSorting();
    void offerActions(const QPoint &place);
    void showSelected();
    void tellChosen();
    void holdRows(bool hold);
    void group(Grouping grouping);
    void keepChosenInView();
    void restoreSelection();
    void refresh();
    void sortAgain(); // never from a change of the current row: it replaces the indexes that are being passed on
    void showLocksHeld();
    void showAnalysis();
    void showKnownWaits();
    void showServer(); // of the chosen lock: whether it is lost, or a replica
    void showLock(LockTableModel::Lock lock);
    void updateEmptyState();
    Empty emptiness() const;
    EmptyState::Content contentFor(Empty reason) const;
    static EmptyState::Content contentWithoutLocks(const lockcore::monitor::SweepInfo &sweep);

    const Theme &m_theme;
    const ViewClock &m_clock;
    LockTableModel m_locks;
    LockFilterProxy m_proxy;
    RowStyle m_rows;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    std::optional<lockcore::MonoTime> m_watchedSince; // this server; absent: not yet, or a recording
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis;
    std::optional<lockcore::LockName> m_selected;
    bool m_awaits = false; // it was asked for by its name, and has not been seen yet
    bool m_followsTop = true; // until a person chooses, or all has been seen
    std::vector<lockcore::monitor::KnownWait> m_knownWaits; // of the lab, now
    std::vector<lockcore::monitor::KnownWait> m_shownWaits; // at the moment that is shown
    const EventStore &m_events;
    std::optional<lockcore::MonoTime> m_goneAt; // the chosen lock, at the latest
    bool m_applying = false;
    bool m_staysInView = false; // what was asked for, until a person does something or all has been seen
    bool m_rowsHeld = false;
    QDeadlineTimer m_holdUntil;
    QDeadlineTimer m_nextRefresh{ 0 };
    QDeadlineTimer m_sortAgain{ 0 };
    bool m_connected = false;
    QString m_filterText;

    QStackedWidget *m_stack;
    LocksBar *m_bar;
    LockTable *m_table;
    ChoiceMenu *m_choices;
    RowGlow *m_glow;
    LockTaking *m_taking;
    EmptyState *m_empty;
    DetailPanel *m_detail;
    SteadySplitter *m_splitter;
};

} // namespace lockui
