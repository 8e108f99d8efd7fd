// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_session.h"
#include "ui/models/step_table_model.h"
#include "ui/views/data_table.h"
#include "ui/views/scenario_story.h"

#include <QSplitter>
#include <QTimer>
#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;
class QScrollArea;
class QSettings;

namespace lockui {

class ElidedLabel;
class LabLanesView;
class ViewClock;

/// One scenario: what it is about, its play, and the table of its steps, which fills as it is played.
class ScenarioStage : public QWidget {
    Q_OBJECT
public:
    ScenarioStage(const Theme &theme, const ViewClock &clock, lab::LabSession &session, QWidget *parent = nullptr);

    void setScenario(const lab::Scenario &scenario, const ScenarioOrigin &origin = {});
    const lab::Scenario &scenario() const { return m_scenario; }
    void run(bool paused = false); // the one that is shown
    void chooseInTable(); // by keys from now on

    void save(QSettings &settings, const QString &group) const; // how a person has arranged it
    void restore(const QSettings &settings, const QString &group);
    void saveReport(); // asks where

Q_SIGNALS:
    void editRequested();
    void backRequested(); // to where it comes from
    void commandWanted(); // that plays it with lockctl

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *buildTable();
    QWidget *buildFooter();
    void showSession();
    void showColumns();
    void showRecord();
    void showStep(std::size_t step);
    void follow(); // the step that runs, until a person chooses another
    void keepInSight(); // likewise, until a person scrolls elsewhere
    bool isInSight(int row, int scrolled) const;
    void chooseRow(int row);
    void chooseNextFailed();
    void showDetail();
    void fit();
    void fitDetail();
    int rowsHeight() const;
    void showSum();
    void showLanes();
    void showSaved(const QString &file); // a report; empty: none

    const RowStyle m_rows;
    lab::LabSession &m_session;
    lab::Scenario m_scenario;
    lab::PlayRecord m_unplayed; // what is shown before it was played
    StepTableModel m_model;
    std::optional<bool> m_isPlayed; // as the columns are; absent: they have no widths yet
    bool m_isChosenByHand = false;
    int m_followed = -1; // the row of the step that runs, or ran last; after the play, of the first that failed
    bool m_isScrolledAway = false; // by a person, from there
    bool m_isArranged = false; // by a person: what is how high
    bool m_applying = false; // what is chosen is not chosen by a person
    QTimer m_frames; // of the lanes, while it is played

    QLabel *m_warning;
    QSplitter *m_upper; // the story, and the lanes beside it
    QSplitter *m_down;
    ScenarioStory *m_story;
    LabLanesView *m_lanes;
    DataTable *m_table;
    QLabel *m_detail;
    QScrollArea *m_detailScroll;
    QPushButton *m_report;
    QPushButton *m_copy;
    ElidedLabel *m_saved; // where the report is
    QPushButton *m_open;
    QString m_savedFile;
    QPushButton *m_failed; // how many; leads from one to the next
    ElidedLabel *m_sum;
};

} // namespace lockui
