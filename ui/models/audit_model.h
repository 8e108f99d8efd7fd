// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/audit_follower.h"
#include "ui/models/audit_filter.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <optional>
#include <vector>

namespace lockui {

class ClientNames;

/// The actions of an audit log, the newest first. Over a recording they are as they were known at its moment: what was
/// answered later has no outcome yet, and what was begun later is to be left out.
class AuditModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { When, Action, Lock, Target, Outcome, Person, Where, Reason, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void take(const lockcore::service::AuditReport &report);
    void clear();
    void lookAtTheTime(); // what was under way may be known to be interrupted by now
    void showMoment(std::optional<lockcore::WallTime> moment); // of a recording; absent: all that is known now
    lockcore::WallTime now() const; // or the moment
    bool isLater(int row) const; // begun after the moment
    int begunByThen() const; // rows
    void setClientNames(const ClientNames *names); // shown beside the ids; null: none

    const lockcore::service::AuditEntry &entryAt(int row) const { return *m_entries[placeOf(row)]; }
    const QString &searchedTextAt(int row) const { return m_searched[placeOf(row)]; }
    int rowOf(std::size_t number) const; // -1: there is none

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void momentChanged(); // and what there is to be shown of that

private:
    lockcore::service::AuditEntryPtr asOfMoment(const lockcore::service::AuditEntryPtr &entry) const;
    bool isAfterMoment(const std::optional<lockcore::WallTime> &at) const { return m_moment && at && *at > *m_moment; }
    void showAnew(std::size_t number);
    std::size_t placeOf(int row) const { return m_entries.size() - 1 - static_cast<std::size_t>(row); }
    QString displayed(const lockcore::service::AuditEntry &entry, int column) const;
    QVariant whole(const lockcore::service::AuditEntry &entry, int column) const;
    QString toolTip(const lockcore::service::AuditEntry &entry, int column) const;
    void changed();

    const ClientNames *m_names = nullptr;
    std::optional<lockcore::WallTime> m_moment;
    std::vector<lockcore::service::AuditEntryPtr> m_log; // the oldest first
    std::vector<lockcore::service::AuditEntryPtr> m_entries; // the same as of the moment
    std::vector<QString> m_searched; // of each what a filter looks for its words in
};

/// Those that match, in the order of a column.
class AuditProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Show { All, Mine, NotDone };

    explicit AuditProxy(AuditModel &model, QObject *parent = nullptr);

    void setFilter(AuditFilter filter);
    const AuditFilter &filter() const { return m_filter; }
    void show(Show which);
    Show shown() const { return m_show; }

    const lockcore::service::AuditEntry &entryAt(int row) const; // of the proxy
    QModelIndex indexOf(std::size_t number) const; // invalid: none, or filtered out

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    AuditModel &m_model;
    AuditFilter m_filter;
    Show m_show = Show::All;
};

} // namespace lockui
