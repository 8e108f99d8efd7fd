// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/audit_follower.h"
#include "lockcore/service/monitor.h"
#include "ui/dialogs/connection_store.h"
#include "ui/lab/lab_session.h"
#include "ui/models/activity.h"
#include "ui/models/attention.h"
#include "ui/models/lock_table_model.h"
#include "ui/models/palette_source.h"
#include "ui/support/event_store.h"
#include "ui/support/freshness.h"
#include "ui/support/recorded_releases.h"
#include "ui/text/client_names.h"

#include <QMainWindow>
#include <memory>
#include <optional>

class QSettings;

namespace lockui {

class ActionRequests;
class AuditPage;
class CommandPalette;
class ConnectionDialog;
class DashboardPage;
class DeadlockBanner;
class GraphPage;
class HelpWindow;
class LabPage;
class LocksPage;
class Pages;
class Recordings;
class ScrubBar;
class StaleBanner;
class StatusStrip;
class Theme;
class TimelinePage;
class TopBar;
enum class WayOut;

/// One server in one window. Read-only until a person switches it.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// What the window is given; all must outlive it.
    struct Services {
        lockcore::service::Monitor &monitor;
        Theme &theme;
        ConnectionStore &connections;
        QSettings &settings;
        QString auditFile = {}; // where actions are recorded, unless a connection says otherwise; empty: nowhere
        lab::LabTools lab = {}; // what plays scenarios
    };

    explicit MainWindow(const Services &services, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openConnection(const ConnectionProfile &profile);
    void openRecording(const QString &file);
    void closeConnection();
    /// `file`: where it stands, if it is neither of the library nor among the person's own.
    const lab::LabSession &playScenario(const lab::Scenario &scenario, const std::string &file = {});
    bool showPage(const QString &id); // of PageNames; false: there is none
    void selectLock(const lockcore::LockName &name); // when it appears, if it is not there yet
    void selectOnceConnected(const lockcore::LockName &name); // on whichever page is shown then
    void setPaused(bool paused);

    void offerUnsaved(); // what was kept when the program was ended last
    /// Where nobody can be asked: what is not saved is kept for the next time. False: that cannot be, and the window
    /// stays open without a connection, with the question.
    bool endUnasked();

    void askForConnection();
    void showHelp(const QString &target); // a chapter of the guide, or a section of one
    void showPalette();
    void showSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void selectWhatWasAskedFor();
    void useFilterFor(const QString &place);
    void takeItsPlace();
    void build();
    void connectBar();
    void connectPage();
    void connectServices();
    ConnectionDialog *openConnectionDialog();
    void leadOut(WayOut way); // of a page with nothing to show
    void look(); // on all keys again, or at a server that could not be reached, or a file
    void toggleWritable();
    void setWritable(bool writable);
    void leadByHand(); // a client of the lab, to the chosen lock
    void updateLab(); // what it may do on what is open
    void updateActions();
    const QString &auditFile() const; // of what is open
    void useAuditFile();
    void takeRecords(const lockcore::service::AuditNews &news);
    void updateClock();
    void updateTitle();
    void updateAttention();
    void showNeedy(int step); // the next lock that something looks wrong with, or the one before
    void enterFilter();
    void restWhileUnseen();
    void watchPlay(const lockcore::transport::Deployment &servers); // of the lab
    void leavePlay();

    PaletteSources paletteSources(); // all that can be done or found now
    std::vector<PaletteEntry> pageEntries();
    std::vector<PaletteEntry> hiddenPageCommands();
    std::vector<PaletteEntry> emptinessCommands();
    PaletteEntry breakCommand();
    std::vector<PaletteEntry> windowCommands();
    std::vector<PaletteEntry> connectionCommands();
    std::vector<PaletteEntry> lockCommands(); // for the chosen lock
    PaletteEntry returnCommand(const LockTableModel::Lock &lock, const QString &called, const PaletteNeed &toChoose);
    PaletteEntry dropCommand(const LockTableModel::Lock &lock, const QString &called, const PaletteNeed &toChoose);
    PaletteEntry reportCommand(); // of the lab
    std::vector<PaletteEntry> chapterEntries();
    std::vector<PaletteEntry> scenarioCommands();
    PaletteNeed needToWatch(); // what needs a connection
    PaletteNeed needToAttend();
    PaletteNeed needToWrite();
    PaletteNeed needToLead(); // a client by hand
    PaletteNeed needToActOn(const lockcore::monitor::LockState &lock);

    Services m_services;
    ViewClock m_clock{ ViewClock::steadyNow, this };
    EventStore m_events; // heard whichever page is shown
    RecordedReleases m_recordedReleases;
    lockcore::service::AuditFollower m_releasesFollower;
    ClientNames m_clientNames;
    Activity m_activity;
    std::unique_ptr<const Activity> m_activityAtPause; // null: it is not paused
    std::optional<ConnectionProfile> m_profile;
    std::optional<ConnectionProfile> m_beforePlay; // that the servers of a play took the place of
    QString m_filterBeforePlay;
    QString m_filteredPlace; // for which the filter was typed; empty: for what comes
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    std::optional<lockcore::MonoTime> m_pausedAt;
    lockcore::MonoTime m_pauseShows; // the moment that is shown while it is paused
    QString m_title; // of what is shown; empty: nothing is
    bool m_isReached = false; // the server has answered since it was opened
    bool m_unseen = false; // minimised, or hidden again
    bool m_replays = false;
    bool m_jumped = false; // within a recording, and the picture of that moment may be older than the jump
    bool m_writable = false;
    bool m_endsUnasked = false; // what was not saved is kept
    Attention m_attention;
    std::optional<lockcore::LockName> m_toSelect; // at the first connection
    ActionRequests *m_requests;
    HelpWindow *m_help = nullptr;
    CommandPalette *m_palette = nullptr;

    QWidget *m_central;
    TopBar *m_bar;
    Pages *m_pages;
    LocksPage *m_locks;
    TimelinePage *m_timeline;
    GraphPage *m_graph;
    DashboardPage *m_dashboard;
    AuditPage *m_audit;
    LabPage *m_lab;
    StaleBanner *m_banner;
    DeadlockBanner *m_deadlock;
    ScrubBar *m_scrubBar;
    Recordings *m_recordings;
    StatusStrip *m_strip;
};

} // namespace lockui
