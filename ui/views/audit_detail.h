// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/actions/audit_entry.h"

#include <QWidget>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;

namespace lockui {

class ClientNames;
class ElidedLabel;

/// All that was recorded of one action.
class AuditDetail : public QWidget {
    Q_OBJECT
public:
    explicit AuditDetail(QWidget *parent = nullptr);

    void setEntry(const std::optional<lockcore::service::AuditEntry> &entry); // absent: none is chosen
    void setHint(const QString &hint); // what is said then
    void setClientNames(const ClientNames *names);
    void setLockIsThere(bool isThere); // among those that are shown: it can be gone to
    void setMoment(const std::optional<lockcore::WallTime> &moment); // of a recording, of which the entry is
    void lookAtTheTime();

Q_SIGNALS:
    void lockOpened(const lockcore::LockName &lock);

private:
    struct Row {
        QString name;
        QString text;
        bool isMono = false;
        QString tone = {};
    };

    QLayout *buildHead();
    void showEntry();
    lockcore::WallTime now() const; // or the moment
    std::vector<Row> rows() const;
    void addIntent(std::vector<Row> &rows) const;
    void addOutcome(std::vector<Row> &rows) const;
    static QString endText(const lockcore::service::AuditedEnd &end);
    void showRows(const std::vector<Row> &rows);
    QWidget *valueOf(const Row &row) const;
    void copyRecord() const;

    const ClientNames *m_names = nullptr;
    std::optional<lockcore::service::AuditEntry> m_entry;
    std::optional<lockcore::WallTime> m_moment;
    std::optional<lockcore::service::AuditState> m_shownState;

    QLabel *m_hint;
    QWidget *m_body;
    QLabel *m_action;
    ElidedLabel *m_lock;
    QLabel *m_state;
    QPushButton *m_open;
    QPushButton *m_copy;
    QWidget *m_list; // what was recorded, line by line
    QGridLayout *m_grid;
};

} // namespace lockui
