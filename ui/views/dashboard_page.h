// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/activity.h"
#include "ui/models/contention_model.h"
#include "ui/support/picture.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/dashboard_tiles.h"
#include "ui/views/histogram_card.h"
#include "ui/views/page.h"

#include <QDeadlineTimer>
#include <QLabel>

#include <array>
#include <optional>
#include <set>
#include <string>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QStackedWidget;

namespace lockui {

class ClientNames;
class DataTable;
class ElidedLabel;
class EmptyState;
class ExportButton;
class FilteredBox;
class RateChart;
class SuspectList;
class ViewClock;
class WrittenNote;

/// Whether it gets worse: figures with their last minutes, rates over time, what the servers went through then, what is
/// suspect, who keeps others waiting, and how long holds and waits take.
class DashboardPage : public Page {
    Q_OBJECT
public:
    DashboardPage(const Theme &theme, const ViewClock &clock, const ClientNames &names, const Activity &activity,
        QWidget *parent = nullptr);

    void setActivity(const Activity &activity); // in place of the one before; outlives the page, or the next one

    ~DashboardPage() override;

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool connected) override;
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text) override;
    void choose(const lockcore::LockName &lock) override;
    void chooseInTable() override;
    void save(QSettings &settings) const override;
    void restore(const QSettings &settings) override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildHead();
    QWidget *buildBody();
    QWidget *buildRates();
    HistogramCard::Source holdSource() const;
    HistogramCard::Source waitSource() const;
    Picture picture(const QString &title, const QWidget &part) const;
    QWidget *buildCard(const QString &title, QLabel *note, QWidget *content);
    void place(); // side by side, or one below the other where the window is narrow
    void showTiles();
    void refresh(); // once a second at most, and when something else is to be shown
    void nameComparison();
    void showHead(lockcore::WallTime now);
    void showCharts(lockcore::WallTime now);
    void showServers();
    lockcore::Millis waitedBy(const lockcore::monitor::LockStatistics &numbers, lockcore::MonoTime now) const;
    QString asItWas(const lockcore::monitor::WaitCycle &cycle) const;
    void showLists();
    QString contentionNote() const;
    bool isAnyContended() const; // whatever the filter
    void showChosen();
    void showEmptiness();
    void setOfChosenLock(bool isWanted); // in both histograms
    std::optional<lockcore::WallTime> comparesWith(lockcore::WallTime now) const;
    DashboardRange range() const;

    const Theme &m_theme;
    const ViewClock &m_clock;
    const Activity *m_activity;
    std::optional<lockcore::WallTime> m_countedSince; // as it is shown
    RowStyle m_rows;
    ContentionModel m_contention;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot; // null: nothing is shown yet
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis; // that the lists show
    lockcore::monitor::LockFilter m_filter;
    std::optional<lockcore::LockName> m_chosen;
    bool m_connected = false;
    bool m_applying = false;
    bool m_isNarrow = false;
    bool m_tilesOutdated = false;
    bool m_wasFresh = false; // when the lists were shown
    std::set<std::string> m_lostServers; // then
    bool m_rangeChosen = false; // by a person; else the shortest that holds all that was counted
    QDeadlineTimer m_nextRefresh{ 0 };

    QComboBox *m_range;
    QCheckBox *m_compare;
    ElidedLabel *m_since;
    DashboardTiles *m_tiles;
    RateChart *m_rates;
    ElidedLabel *m_servers;
    QLabel *m_suspectNote;
    SuspectList *m_suspects;
    FilteredBox *m_suspectBox;
    QLabel *m_contentionNote;
    DataTable *m_table;
    FilteredBox *m_contentionBox;
    HistogramCard *m_holds;
    HistogramCard *m_waits;
    QGridLayout *m_cardGrid;
    std::array<QWidget *, 5> m_cards; // rates, suspects, contention, holds, waits
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    WrittenNote *m_written;
    ExportButton *m_export;
    QWidget *m_body;
};

} // namespace lockui
