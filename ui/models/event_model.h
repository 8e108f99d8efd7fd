// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/event_choice.h"
#include "ui/support/event_store.h"
#include "ui/support/theme.h"

#include <QAbstractTableModel>
#include <QDeadlineTimer>

#include <optional>
#include <set>
#include <vector>

namespace lockui {

class ClientNames;
class ViewClock;

/// What happened, newest first: all that is chosen, or the last of one lock. Renewals of one hold that follow each
/// other are one row, which opens into them. Has rows for as many events as are looked at, and fetches older ones on
/// demand; changes only when told to. What is chosen among very many is found little by little, from the newest back:
/// until then there are the rows of a part, and of that all.
class EventModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, What, Lock, Owner, Meaning, ColumnCount };

    EventModel(const EventStore &store, const ViewClock &clock, QObject *parent = nullptr);

    static QDeadlineTimer soon() { return QDeadlineTimer(LooksFor, Qt::PreciseTimer); }

    void setChoice(EventChoice choice, const QDeadlineTimer &until = soon()); // and begins anew
    const EventChoice &choice() const { return m_choice; }
    /// The last of this one, whatever is chosen, with what befell its node.
    void setLock(const lockcore::LockName &lock, const std::string &node, std::size_t most);
    void setClientNames(const ClientNames *names); // shown beside the ids; null: none
    void setChosenLock(const std::optional<lockcore::LockName> &lock); // to be noticed among others

    void restart(const QDeadlineTimer &until = soon()); // from the newest back
    /// Looks on until then, at a few events at least; true: nothing is left to look at. Rows come, and none goes.
    bool look(const QDeadlineTimer &until = soon());
    const EventTally &tally() const { return m_tally; } // of all that is chosen, and of the part that was looked at
    void advance(const QDeadlineTimer &until = soon()); // to what was heard meanwhile
    bool isBehind() const; // there is something to advance to
    void showCorrections(); // where there are rows already
    void fetchBack(lockcore::WallTime moment); // from now on `look` does, at least as far, if there is something
    bool isFetchingBack() const { return m_goal.has_value(); }
    bool hasGone(int row) const; // the store keeps it no longer
    void dropGone();
    EventStore::Place end() const { return m_end; } // what was heard later is not looked at yet

    /// Of rows that stand for several the newest; absent: it is no longer kept.
    std::optional<lockcore::monitor::Event> eventAt(int row) const;
    EventContext contextAt(int row) const; // of that event alone
    std::optional<lockcore::LockName> lockAt(int row) const; // absent: a gap, or of a server
    lockcore::WallTime timeAt(int row) const;
    bool isFold(int row) const;
    bool isOpen(int row) const;
    int foldOf(int row) const; // the row that it came out of; itself, if it did not
    void setOpen(int row, bool open);
    int rowAt(lockcore::WallTime moment) const; // the newest that is not later; -1: all are
    int newestRowOf(const lockcore::LockName &lock) const; // -1: there is none

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

private:
    static constexpr std::size_t PageSize = 5'000;
    static constexpr std::size_t AtOnce = 500; // events between two looks at the clock: well below a millisecond
    static constexpr std::chrono::milliseconds LooksFor{ 6 }; // in a frame there is more to do

    /// In the order of the table. The rows that a fold opens into follow it, whatever happened in between.
    struct Row {
        lockcore::WallTime at; // of the fold
        EventStore::Place fold = 0; // the newest of its renewals; the event itself, if nothing is folded into it
        EventStore::Place place = 0;

        bool operator==(const Row &) const = default;
    };
    using Rows = std::vector<Row>;

    bool isCorrected() const { return m_corrections != m_store.corrected().size(); } // since what is shown
    static bool isBefore(const Row &a, const Row &b); // nearer to the top
    Tone tone(const Row &row, int column) const;
    const Row &row(int number) const { return m_rows[static_cast<std::size_t>(number)]; }
    const EventStore::Record &record(EventStore::Place place) const; // an empty one, if it is no longer kept
    EventStore::Place runBegin(EventStore::Place place) const;
    bool isShownAlone(EventStore::Place place) const; // no later renewal stands for it
    void addRows(EventStore::Place place, Rows &rows) const;
    void addIfShown(EventStore::Place place, Rows &rows) const;
    bool wantsMore(const Rows &found) const;
    bool lookBack(Rows &found);
    bool lookUntil(const QDeadlineTimer &until, Rows &found);
    void add(Rows found);
    void makeRoom(); // for all that may be fetched yet
    Rows rowsThatStay(EventStore::Place end) const;
    void cut(Rows &rows);
    Rows rowsOfLock() const;
    void show(Rows rows);
    QString displayed(const Row &row, int column) const;
    QString timeText(const lockcore::monitor::Event &event, bool isWhole) const;
    QVariant shortNameText(const Row &row) const;
    QString toolTip(const Row &row, int column) const;
    QVariant fold(const Row &row) const;

    const EventStore &m_store;
    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
    EventChoice m_choice;
    EventTally m_tally{ m_store, m_choice };
    std::optional<lockcore::LockName> m_onlyLock;
    std::string m_node; // of that lock
    std::optional<lockcore::LockName> m_chosenLock;
    std::size_t m_most = PageSize;
    std::optional<lockcore::WallTime> m_goal; // to fetch back to
    Rows m_rows;
    EventStore::Place m_begin = 0; // from here to the end there are rows for all that are chosen
    EventStore::Place m_end = 0;
    std::size_t m_corrections = 0; // of the store, that are shown
    bool m_changing = false; // the rows
    std::set<EventStore::Place> m_open; // the first renewal of each hold whose fold is open
};

} // namespace lockui
