// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/ttl_chart.h"
#include "ui/models/hold_times.h"
#include "ui/support/lock_end.h"

#include <QDeadlineTimer>
#include <tuple>

class QLabel;
class QPlainTextEdit;

namespace lockui {

class CountChart;
class DurationsView;
class WrittenNote;

/// The course of one lock: its time to live, or its free permits or count; how long it was held; and its keys.
class DetailCharts : public QWidget {
    Q_OBJECT
public:
    DetailCharts(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent = nullptr);

    void setLock(LockTableModel::Lock lock, const std::optional<LockEnd> &end); // null: none; absent: it is there
    void setBeginnings(const std::vector<lockcore::monitor::Event> &acquired, const ClientNames *names);
    void setGaps(const std::vector<lockcore::monitor::Event> &gaps);
    void setWatchedSince(std::optional<lockcore::MonoTime> since);
    void setRecordedSince(lockcore::MonoTime since);
    void setStale(bool stale, std::optional<lockcore::MonoTime> seenUntil); // absent: all that is known of was seen
    void refresh(); // with the clock

    TtlChart &timeToLive() const { return *m_ttl; }
    const QWidget &legend() const; // of that
    CountChart &counts() const { return *m_counts; }
    QWidget &durations() const { return *m_times; }
    WrittenNote &written() const { return *m_written; } // which of them
    bool tellsOfRenewals() const; // how often they come

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildKeys();
    void showKeys();
    void showKind();
    void showTitle();
    void showCounts();
    void showDurations();
    void showPassedOver();
    std::optional<lockcore::MonoTime> freeSince() const;
    void arrange();
    lockcore::MonoTime now() const;
    std::chrono::seconds countWindow() const;

    const ViewClock &m_clock;
    const EventStore &m_store;
    LockTableModel::Lock m_lock;
    std::optional<LockEnd> m_end;
    std::optional<lockcore::MonoTime> m_watchedSince;
    bool m_stale = false;
    std::optional<lockcore::MonoTime> m_seenUntil;
    using Kept = std::tuple<EventStore::Place, EventStore::Place, bool>; // first and end of the store, and its damage
    std::optional<Kept> m_counted; // when durations were looked at; absent: not yet those of this lock
    QDeadlineTimer m_nextCount{ 0 };

    QLabel *m_title;
    QLabel *m_legend;
    WrittenNote *m_written;
    TtlChart *m_ttl;
    CountChart *m_counts;
    QWidget *m_times; // hold times and waits
    DurationsView *m_holds;
    DurationsView *m_waits;
    QLabel *m_timesNote; // since when they are counted
    QLabel *m_keysTitle;
    QPlainTextEdit *m_keys;
};

} // namespace lockui
