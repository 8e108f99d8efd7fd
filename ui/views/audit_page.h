// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/audit_model.h"
#include "ui/text/table_export.h"
#include "ui/views/audit_detail.h"
#include "ui/views/copy_menu.h"
#include "ui/views/data_table.h"
#include "ui/views/empty_state.h"
#include "ui/views/page.h"

#include <QDeadlineTimer>
#include <QSplitter>
#include <QStackedWidget>
#include <optional>

class QButtonGroup;
class QSettings;

namespace lockui {

class BulletList;
class ElidedLabel;
class ExportButton;
class ViewClock;

/// What was done to locks of others, by whom and why, what was seen and what came of it. It shows an audit log whatever
/// connection is open, and looks at the file only while it is shown itself. Over a recording it shows what was known at
/// the moment that is shown.
class AuditPage : public Page {
    Q_OBJECT
public:
    AuditPage(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);

    void setFile(const QString &file); // empty: nothing is recorded, and so nothing can be done
    void setClientNames(const ClientNames &names);

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool connected) override;
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text) override;
    void choose(const lockcore::LockName &lock) override;
    void chooseInTable() override;

    void save(QSettings &settings) const override;
    void restore(const QSettings &settings) override;

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    enum class Empty { No, NoFile, NothingYet, NothingByThen, Unreadable, Reading, NoMatch };

    QWidget *buildHead();
    void buildTable();
    void fitColumns();
    void take(const lockcore::service::AuditReport &report);
    void showMoment(const std::optional<lockcore::WallTime> &moment);
    void showChosen();
    void chooseFirst();
    void restoreSelection();
    void showOnly(AuditProxy::Show which);
    void showDetail();
    QString hintText() const; // where no action is shown
    void open(const lockcore::LockName &lock);
    void refresh();
    void updateNotes();
    void updateEmptyState();
    void updateFigure();
    Empty emptiness() const;
    EmptyState::Content contentFor(Empty reason) const;
    void choosePrimary();
    void copyPath();
    CopyTarget target(const std::vector<int> &rows) const;
    ExportTable table(ExportFormat format) const;
    QString shownPath() const;

    const RowStyle m_rows;
    const ViewClock &m_clock;
    std::optional<lockcore::WallTime> m_moment; // of a recording
    AuditModel m_model;
    AuditProxy m_proxy;
    lockcore::service::AuditFollower m_follower;
    QString m_file;
    lockcore::service::AuditReport m_report; // the newest, without its entries
    bool m_isKnown = false; // the file was looked at once
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    std::optional<std::size_t> m_chosen; // number of the entry
    bool m_isChosenByHand = false;
    std::optional<lockcore::LockName> m_chosenLock; // by a person, here or elsewhere
    bool m_applying = false; // what is chosen is not chosen by a person
    QDeadlineTimer m_nextRefresh{ 0 };
    QDeadlineTimer m_tellsOfFile{ 0 }; // that was exported

    QWidget *m_head;
    QButtonGroup *m_which;
    ElidedLabel *m_figure;
    ExportButton *m_export;
    BulletList *m_notes;
    QSplitter *m_splitter;
    QStackedWidget *m_stack;
    DataTable *m_table;
    EmptyState *m_empty;
    AuditDetail *m_detail;
};

} // namespace lockui
