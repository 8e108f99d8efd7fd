// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/activity.h"
#include "ui/models/contention_model.h"
#include "ui/support/picture.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/page.h"

#include <QDeadlineTimer>
#include <QLabel>

#include <array>

class QBoxLayout;
class QComboBox;
class QGridLayout;
class QStackedWidget;

namespace lockui {

class ClientNames;
class DataTable;
class ElidedLabel;
class EmptyState;
class ExportButton;
class HistogramChart;
class RateChart;
class Sparkline;
class SuspectList;
class ViewClock;

/// Whether it gets worse: figures with their last minutes, rates over time, what is suspect, who keeps others waiting,
/// and how long holds and waits take.
class DashboardPage : public Page {
    Q_OBJECT
public:
    DashboardPage(const Theme &theme, const ViewClock &clock, const ClientNames &names, const Activity &activity,
        QWidget *parent = nullptr);

    void setActivity(const Activity &activity); // in place of the one before; outlives the page, or the next one

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool connected) override;
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text) override;
    void choose(const lockcore::LockName &lock) override;
    void chooseInTable() override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    struct Tile {
        QWidget *card = nullptr;
        QLabel *figure = nullptr;
        ElidedLabel *note = nullptr;
        Sparkline *curve = nullptr;
    };
    enum TileName { Held, Waiting, Acquires, Renewals, Expiries, Suspects, TileCount };
    struct Range {
        std::chrono::seconds length;
        std::chrono::seconds step;
    };

    QWidget *buildHead();
    QWidget *buildBody();
    Picture picture(const QString &title, const QWidget &part) const;
    Tile buildTile(const QString &title, Tone tone);
    QWidget *buildCard(const QString &title, QLabel *note, QWidget *content);
    void place(); // side by side, or one below the other where the window is narrow
    void refresh(); // once a second at most, and when something else is to be shown
    void showTiles(lockcore::WallTime now);
    void showCharts(lockcore::WallTime now);
    void showLists();
    void showEmptiness();
    QString comparedText(std::int64_t ActivityCounts::*count, lockcore::WallTime now) const;
    Range range() const;

    const Theme &m_theme;
    const ViewClock &m_clock;
    const Activity *m_activity;
    std::optional<lockcore::WallTime> m_countedSince; // as it is shown
    RowStyle m_rows;
    ContentionModel m_contention;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot; // null: nothing is shown yet
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis; // that the lists show
    lockcore::monitor::LockFilter m_filter;
    lockcore::LockName m_chosen;
    bool m_connected = false;
    bool m_applying = false;
    bool m_isNarrow = false;
    bool m_rangeChosen = false; // by a person; else the shortest that holds all that was counted
    QDeadlineTimer m_nextRefresh{ 0 };

    QComboBox *m_range;
    ElidedLabel *m_since;
    std::array<Tile, TileCount> m_tiles;
    RateChart *m_rates;
    QLabel *m_suspectNote;
    SuspectList *m_suspects;
    QLabel *m_contentionNote;
    DataTable *m_table;
    QLabel *m_holdNote;
    HistogramChart *m_holds;
    QLabel *m_waitNote;
    HistogramChart *m_waits;
    QGridLayout *m_tileGrid;
    QGridLayout *m_cardGrid;
    std::array<QWidget *, 5> m_cards; // rates, suspects, contention, holds, waits
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    ExportButton *m_export;
    QWidget *m_body;
};

} // namespace lockui
