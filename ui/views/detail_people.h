// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/holder_model.h"
#include "ui/models/permit_model.h"
#include "ui/models/waiter_model.h"
#include "ui/support/lock_end.h"
#include "ui/views/data_table.h"

#include <optional>
#include <vector>

class QLabel;

namespace lockui {

class DetailTaking;
class TokenLine;

/// Who has one lock, or which permits of it are out, and who waits.
class DetailPeople : public QWidget {
    Q_OBJECT
public:
    DetailPeople(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);

    void setLock(LockTableModel::Lock lock, const std::optional<LockEnd> &end); // null: none; absent: it is there
    void setStale(bool stale, std::optional<lockcore::MonoTime> seenUntil); // absent: all that is known of was seen
    void setAtReplica(bool atReplica); // who listens elsewhere is not counted there
    void setActionsAllowed(bool allowed); // on this lock, now
    void setClientNames(const ClientNames &names);
    void setKnownWaits(std::vector<lockcore::monitor::KnownWait> waits); // of all locks, beside what Redis tells
    void setTaking(const DetailTaking &taking);
    void setLocksHeld(LocksHeld held) { m_waiters.setLocksHeld(std::move(held)); }
    /// The permit that is selected; absent: none is.
    std::optional<lockcore::synchronizers::PermitReading> chosenPermit() const;
    void focusPermits() const; // to choose one by keys
    std::optional<lockcore::OwnerId> chosenWaiter() const; // in the queue
    void focusQueue() const;

Q_SIGNALS:
    void permitChosen(); // or none any more
    void returnRequested(const lockcore::synchronizers::PermitReading &permit);
    void dropRequested(const lockcore::OwnerId &waiter);
    void clientNamingRequested(const lockcore::OwnerId &owner);
    void clientRequested(const std::string &client); // all that it holds and waits for
    void clientSearchRequested(const lockcore::OwnerId &owner);

protected:
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void holdRows(bool hold);
    void buildTables();
    void buildPermits();
    void offerClientActions(DataTable &table);
    void offerPermitActions(const QPoint &place);
    void showSections();
    void showHolders();
    void showQueue();
    QString knownWaitersText() const;
    QString seenSoSinceText() const; // when
    QString heldBeforeText() const;
    QString countedText() const;

    const ViewClock &m_clock;
    LockTableModel::Lock m_lock;
    LockTableModel::Lock m_shown; // the same, without what is not so any more
    const ClientNames *m_names = nullptr;
    std::vector<lockcore::monitor::KnownWait> m_knownWaits;
    const DetailTaking *m_taking = nullptr; // adds to menus what can be copied
    bool m_isGone = false;
    bool m_isLater = false; // than what was seen of it: others held it, or it anew
    bool m_atReplica = false;
    bool m_actionsAllowed = false;

    RowStyle m_rows;
    HolderModel m_holders;
    WaiterModel m_waiters;
    PermitModel m_permits;

    TokenLine *m_token;
    QLabel *m_holdersTitle;
    QLabel *m_counterNote;
    DataTable *m_holderTable;
    DataTable *m_permitTable;
    QLabel *m_morePermits; // than are listed
    QLabel *m_queueTitle;
    DataTable *m_queueTable;
    QLabel *m_queueNote;
};

} // namespace lockui
