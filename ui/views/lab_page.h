// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/lab/lab_session.h"
#include "ui/views/page.h"

#include <QTimer>
#include <functional>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace lockui {

class ElidedLabel;
class FreePlayView;
struct ConnectedPlace;
class OwnScenariosView;
class ScenarioList;
class ScenarioStage;
class Theme;
class ViewClock;

/// Plays contention on purpose, on private servers: it has nothing to do with the connection of the window, unless a
/// person chooses it for free play.
class LabPage : public Page {
    Q_OBJECT
public:
    LabPage(const Theme &theme, const ViewClock &clock, const lab::LabTools &tools, QWidget *parent = nullptr);

    /// Behind those that are there.
    void addTab(const QString &title, QWidget *content);

    lab::LabSession &session() { return m_session; }
    /// One of the library, or another. `file`: where that stands, if it is not among the person's own.
    void run(const lab::Scenario &scenario, const std::string &file = {});
    std::vector<lab::Scenario> ownScenarios() const; // that can be played, as they are saved
    bool hasReport() const; // of the scenario that is shown
    void saveReport();
    void showFreePlay(); // if there is one here
    void setConnectedPlace(const ConnectedPlace &place);
    void setLeft(const QString &connection); // what the window leaves to watch a play; empty: nothing
    void leaveWatched(); // the window looks at something else now
    void leadByHand(const lockcore::monitor::LockState *lock); // as FreePlayView::lead

    bool hasUnsavedChanges() const;
    void askBeforeLosing(std::function<void()> then); // calls it when nothing is lost any more
    bool keepUnsaved(); // where nobody can be asked; false: it cannot be kept
    void offerUnsaved(std::function<void()> show); // what was kept, if anything was; `show`: this page

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) override;
    void setConnected(bool) override { }
    void chooseInTable() override;
    void save(QSettings &settings) const override;
    void restore(const QSettings &settings) override;
    QString ownFigure() const override;
    QString guideSection() const override;

Q_SIGNALS:
    void watchRequested(const lockcore::transport::Deployment &servers); // in the window
    void playEnded(); // the one that the window watches
    void ended(const QObject *player);
    void handsChanged(const std::vector<lockui::lab::HandHold> &hands); // on the servers that the window watches

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *buildHead();
    void showScenario(const std::string &name);
    void edit(); // a copy of what is shown, where it is of the library
    void showSession();
    void addFreePlay(const Theme &theme, const ViewClock &clock, const lab::LabTools &tools);
    void tellHands();
    void watch(const QObject *player, const lockcore::transport::Deployment &servers);
    void end(const QObject *player);
    void runOwn(const lab::Scenario &scenario, const std::string &file = {});
    void copyCommand();

    lab::LabSession m_session;
    bool m_isPlaying = false;
    QTimer m_toolLook; // for what is missing, while the page is shown

    QTabBar *m_tabs;
    QStackedWidget *m_stack;
    QSplitter *m_across;
    ScenarioList *m_list;
    ScenarioStage *m_stage;
    std::string m_file; // of what is shown; empty: it is known by its name
    OwnScenariosView *m_own;
    ElidedLabel *m_server;
    QPushButton *m_watch;
    QLabel *m_passed;
    FreePlayView *m_freePlay = nullptr; // null: there is none here
    QString m_left;
    const QObject *m_watched = nullptr; // whose servers the window was asked to watch last
};

} // namespace lockui
