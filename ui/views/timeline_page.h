// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "ui/lab/free_play.h"
#include "ui/models/timeline.h"
#include "ui/support/picture.h"
#include "ui/support/theme.h"
#include "ui/views/page.h"
#include "ui/views/scenario_menu.h"

#include <QDeadlineTimer>
#include <unordered_set>
#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace lockui {

class ClientNames;
class ElidedLabel;
class EmptyState;
class ExportButton;
class SeenTimes;
class TimelineView;
class ViewClock;
class WrittenNote;

/// Who held what when, and who waited: a lane for each lock.
class TimelinePage : public Page {
    Q_OBJECT
public:
    TimelinePage(const Theme &theme, const ViewClock &clock, const ClientNames &names, const EventStore &events,
        QWidget *parent = nullptr);

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool connected) override;
    void setFilter(const lockcore::monitor::LockFilter &filter, const QString &text) override;
    void choose(const lockcore::LockName &lock) override;
    void chooseInTable() override;
    void save(QSettings &settings) const override;
    void restore(const QSettings &settings) override;
    void setOwnClients(const std::vector<lab::HandHold> &clients); // of the lab, led by hand
    void restart(lockcore::WallTime knownFrom, lockcore::WallTime countedFrom); // another moment of a recording

    const Timeline &timeline() const { return m_timeline; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override; // of the note that a file is written

private:
    enum Sort { ByContention, ByName, ByLastChange };
    struct LegendWord {
        Tone tone;
        QString sign;
        QString text;
    };

    QWidget *buildHead();
    Picture picture() const;
    ScenarioSight sight(std::vector<lockcore::LockName> locks) const;
    void showLegend();
    static std::vector<LegendWord> legendWords();
    void beginAnew();
    void advance(); // to what was heard meanwhile
    void arrange(); // which lanes, in which order
    void arrangeStanding(); // likewise, where what is shown stays in its place
    void showLanes(std::vector<Timeline::LaneId> lanes, std::size_t wanted);
    void rememberLocks();
    void arrangeWhenDue();
    bool isWanted(const TimelineLane &lane, const SeenTimes &seen) const;
    std::vector<Timeline::LaneId> wantedLanes() const;
    std::vector<Timeline::LaneId> sorted(std::vector<Timeline::LaneId> lanes) const;
    void togglePin(const lockcore::LockName &lock);
    void showRange();
    void showLit();
    void showEmptiness();

    const Theme &m_theme;
    const ViewClock &m_clock;
    const ClientNames &m_names;
    const EventStore &m_events;
    Timeline m_timeline;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot; // null: nothing is shown yet
    lockcore::monitor::LockFilter m_filter;
    std::unordered_set<lockcore::LockName> m_waitedFor; // by others than ghosts; of locks that are not fair seen here
    std::unordered_map<lockcore::LockName, std::int64_t> m_waiting; // now, and the monitor does not count for how long
    lockcore::monitor::LockList m_lookedAt; // for that
    std::shared_ptr<const lockcore::monitor::StatisticsList> m_counted; // likewise
    std::vector<lockcore::LockName> m_pinned; // the first on top
    std::vector<lockcore::LockName> m_order; // from the top
    std::optional<std::uint64_t> m_arranged; // the lanes that are shown; absent: others are to be
    QDeadlineTimer m_nextArrangement{ 0 };
    bool m_standsStill = false; // until a person aims at nothing any more
    bool m_connected = false;

    ElidedLabel *m_range;
    WrittenNote *m_written;
    QToolButton *m_lit; // says whose holds are, and ends it
    QLabel *m_legend;
    QLabel *m_pictureLegend; // of pictures, which have room for it: in no layout that would cut it
    QComboBox *m_sort;
    QToolButton *m_contended;
    QToolButton *m_follow;
    ExportButton *m_export;
    QStackedWidget *m_stack;
    TimelineView *m_view;
    EmptyState *m_empty;
};

} // namespace lockui
