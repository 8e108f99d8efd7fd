// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/contender_model.h"
#include "ui/views/data_table.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockui {

class CurveChart;
class ElidedLabel;

/// One group of free play: its curves, what went wrong, and its clients.
class FreePlayCard : public QWidget {
    Q_OBJECT
public:
    /// Of all groups, so that their curves can be compared.
    struct Scale {
        double acquires = 1; // a second
        double wait = 10'000; // microseconds
        std::int64_t seconds = 30; // from edge to edge
        std::optional<lockcore::WallTime> endedAt{}; // it is over since then, and these are the figures of its end

        void include(const lab::GroupState &group);
    };

    FreePlayCard(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);

    void setGroup(const lab::GroupState &group, const QString &title, lockcore::MonoTime now, const Scale &scale);
    void setChosen(bool chosen); // whose knobs are shown
    void setRemovable(bool removable);

    std::optional<std::string> chosenClient() const;
    const lab::ContenderState *client(const std::string &name) const; // null: it is gone
    void chooseNone();

Q_SIGNALS:
    void clientChosen();
    void removeRequested();

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Measure {
        QWidget *head;
        QLabel *title;
        QLabel *figure;
        CurveChart *chart;
    };

    QWidget *buildHead();
    Measure newMeasure(const QString &title, const QString &explanation);
    void showFigures(const lab::GroupFigures &figures, const Scale &scale, const QString &end); // of the curves

    const Theme &m_theme;
    RowStyle m_rows;
    ContenderModel m_model;
    QLabel *m_title;
    ElidedLabel *m_lock;
    QToolButton *m_remove;
    Measure m_acquires;
    Measure m_waits;
    Measure m_fairness;
    QLabel *m_mishaps;
    QLabel *m_ghosts; // who is dead and still named
    DataTable *m_table;
};

} // namespace lockui
