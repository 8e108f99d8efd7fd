// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/event_density.h"
#include "ui/models/event_model.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/empty_state.h"
#include "ui/views/page.h"

#include <QDeadlineTimer>
#include <QTimer>

#include <memory>
#include <optional>

class QStackedWidget;
class QToolButton;

namespace lockui {

class ElidedLabel;
class EventTable;
class EventsBar;
class ExportButton;

/// What happened, newest first, under how much of it happened when. Looks at what was heard with the clock's ticks, and
/// at nothing while it is not shown. Stands still while the clock does, and when a person looks at something older.
/// What is chosen among very many is found between the frames; until all were looked at, the page says how far that is.
class EventsPage : public Page {
    Q_OBJECT
public:
    EventsPage(const Theme &theme, const ViewClock &clock, const ClientNames &names, const EventStore &store,
        QWidget *parent = nullptr);

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool connected) override;
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text) override;
    void choose(const lockcore::LockName &lock) override;
    void chooseInTable() override;
    QString figure(const lockcore::monitor::Snapshot &snapshot) const override; // of events that are kept

    const EventModel &events() const { return m_model; }
    bool isFollowing() const { return m_following; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; // of the rows
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    enum class Empty { No, NotConnected, NothingYet, NoMatch };

    QWidget *buildHead();
    QWidget *buildTable();
    void tick();
    void refresh(); // what need not change with every tick
    void begin(); // anew, with other choices
    bool look(const QDeadlineTimer &until); // true: nothing is left to look at
    void lookOn();
    void advance(const QDeadlineTimer &until);
    void setFollowing(bool following);
    void goTo(lockcore::WallTime moment);
    void arrive(); // where the rows reach back to by now
    void chooseRow();
    void restoreSelection();
    void showCounts();
    void showDensity();
    std::optional<lockcore::WallTime> unseenSince() const;
    lockcore::WallTime countedFrom() const; // the earliest time: all events are
    void showSight();
    void showFooter();
    static QString followText(qint64 missed); // what has come since it does not follow
    qint64 missed(); // of that, what would be shown
    void showFollowing();
    ExportTable exportTable(ExportFormat format) const;
    void updateEmptyState();
    Empty emptiness() const;
    EmptyState::Content contentFor(Empty reason) const;
    void showAll();
    bool isRecorded() const;
    QString amountText() const; // of events that are shown
    QString reachText() const; // how far back it goes

    const Theme &m_theme;
    const ViewClock &m_clock;
    const EventStore &m_store;
    const ClientNames &m_names;
    RowStyle m_rows;
    EventModel m_model;
    EventChoice m_choice;
    EventMatcher m_matcher;
    EventStore::Place m_missedFrom = 0; // what is shown ends there
    EventStore::Place m_missedTo = 0; // from there to here it is counted what is not shown
    qint64 m_missed = 0;
    QString m_filterText;
    bool m_connected = false;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    bool m_following = true;
    bool m_wasFrozen = false;
    bool m_applying = false; // nothing of what changes now was done by a person
    std::optional<lockcore::LockName> m_chosen;
    std::optional<lockcore::WallTime> m_goal; // to which rows are fetched, to be gone to then
    QTimer m_looksOn;
    QDeadlineTimer m_aims{ 0 }; // under a pointer that has moved just now no row moves
    QDeadlineTimer m_nextRefresh{ 0 };
    QDeadlineTimer m_tellsOfFile{ 0 }; // that was exported

    EventsBar *m_bar;
    QToolButton *m_follow;
    int m_followRoom = 0; // its width where much is new
    ExportButton *m_export;
    EventDensity *m_density;
    QStackedWidget *m_stack;
    EventTable *m_table;
    EmptyState *m_empty;
    ElidedLabel *m_footer;
};

} // namespace lockui
