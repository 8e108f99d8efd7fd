// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"
#include "ui/models/chain_table_model.h"
#include "ui/support/freshness.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/empty_state.h"
#include "ui/views/page.h"

#include <QDeadlineTimer>
#include <QPointer>

#include <optional>

class QLabel;
class QPushButton;
class QSettings;
class QStackedWidget;

namespace lockui {

class BreakDeadlockDialog;
class ClientNames;
class DataTable;
class ExportButton;
class WrittenNote;
class SteadySplitter;
class WaitGraphView;

/// Who keeps whom waiting, as a picture over a table of the chains.
class GraphPage : public Page {
    Q_OBJECT
public:
    GraphPage(const Theme &theme, const ViewClock &clock, const ClientNames &names, QWidget *parent = nullptr);

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool connected) override;
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text) override;
    void setActionsAllowed(bool allowed, const QString &whyNot) override;
    void choose(const lockcore::LockName &lock) override;
    void chooseInTable() override;
    QString figure(const lockcore::monitor::Snapshot &snapshot) const override;

    bool breakFirst(); // the chosen deadlock, or the first; false: none is shown
    void setOwnClients(const std::vector<lab::HandHold> &clients); // of the lab, whose waits are known

    void save(QSettings &settings) const override;
    void restore(const QSettings &settings) override;

Q_SIGNALS:
    void clientRequested(const std::string &client); // all that it holds and waits for
    void forceReleaseRequested(const std::shared_ptr<const lockcore::monitor::LockState> &lock);

protected:
    void hideEvent(QHideEvent *event) override;

private:
    bool eventFilter(QObject *watched, QEvent *event) override; // of the rows

    QWidget *buildBar();
    void buildTable();
    void rebuild();
    void tick();
    bool isSettled(lockcore::MonoTime now) const;
    void showChosen();
    void markChosen();
    void openChain(const QModelIndex &index);
    ExportTable exportTable(ExportFormat format) const;
    void breakDeadlock(const WaitChain &chain);
    void updateBar();
    void updateEmptyState();
    EmptyState::Content emptyContent() const;
    EmptyState::Content nobodyWaits() const;
    QString whatIsNotKnown() const;

    const Theme &m_theme;
    const ViewClock &m_clock;
    const ClientNames &m_names;
    ChainText m_text;
    ChainTableModel m_model;
    RowStyle m_rows;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    std::shared_ptr<const WaitChains> m_chains = std::make_shared<const WaitChains>();
    lockcore::monitor::LockFilter m_filter;
    QString m_filterText;
    std::vector<lockcore::monitor::KnownWait> m_known;
    std::optional<lockcore::LockName> m_chosen;
    bool m_connected = false;
    bool m_allowed = false;
    QString m_whyNot;
    bool m_applying = false;
    bool m_arrangeNext = true; // nobody has seen it as it is
    bool m_outdated = false; // a newer snapshot waits to be shown
    QDeadlineTimer m_nextRebuild{ 0 };
    mutable ChainCounter m_counter;
    mutable ChainCount m_count; // of the snapshot that the figure was asked for last
    mutable std::optional<lockcore::MonoTime> m_countedAt;
    mutable std::chrono::nanoseconds m_countTook{ 0 };

    WaitGraphView *m_view;
    DataTable *m_table;
    SteadySplitter *m_splitter;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QWidget *m_legend; // of pictures, which have room for all of it
    QLabel *m_more;
    QPushButton *m_lead; // to a deadlock that is drawn out of sight
    QPushButton *m_break;
    QPushButton *m_arrange;
    QPushButton *m_fit;
    WrittenNote *m_written;
    ExportButton *m_export;
    QPointer<BreakDeadlockDialog> m_dialog;
};

} // namespace lockui
