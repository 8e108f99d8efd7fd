// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/histogram_chart.h"
#include "ui/models/activity.h"

#include <QWidget>

#include <functional>
#include <optional>

class QToolButton;

namespace lockui {

class ElidedLabel;

/// How long holds or waits took, of all locks or of the chosen one, with those of the time before as an outline.
class HistogramCard : public QWidget {
    Q_OBJECT
public:
    /// What is counted, in a time, of all locks and of one.
    struct Source {
        std::function<DurationHistogram(lockcore::WallTime from, lockcore::WallTime to)> all;
        std::function<DurationsOfLock(const lockcore::LockName &, lockcore::WallTime from, lockcore::WallTime to)> of;
        std::function<QString(std::int64_t count)> countText; // `12 holds measured`
        std::function<QString(const lockcore::LockName &)> neverText; // why it has none, ever; empty: it may have
    };
    struct Range {
        lockcore::WallTime from;
        lockcore::WallTime to;
        std::optional<lockcore::WallTime> before; // the range before begins then; absent: it is not compared
        lockcore::WallTime now;
    };

    HistogramCard(const QString &title, const Theme &theme, Tone tone, Source source, QWidget *parent = nullptr);

    void setChosenLock(const std::optional<lockcore::LockName> &lock);
    void setOfChosenLock(bool isWanted); // else of all locks; without a chosen lock always of all
    void show(const Range &range);

    HistogramChart &chart() { return *m_chart; }

Q_SIGNALS:
    void ofChosenLockWanted(bool isWanted); // by a person

private:
    QToolButton *addSwitch(QLayout &layout, const QString &text, bool ofChosen);
    void showSwitch();
    bool isOfChosen() const { return m_ofChosen && m_lock; }

    Source m_source;
    std::optional<lockcore::LockName> m_lock;
    bool m_ofChosen = false;
    HistogramChart *m_chart;
    ElidedLabel *m_note;
    QToolButton *m_all = nullptr;
    QToolButton *m_one = nullptr;
};

} // namespace lockui
