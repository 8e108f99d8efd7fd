// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/main_window.h"

#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/text/connection_url.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/views/action_requests.h"
#include "ui/views/audit_page.h"
#include "ui/views/banners.h"
#include "ui/views/filter_field.h"
#include "ui/views/locks_page.h"
#include "ui/views/pages.h"
#include "ui/views/recordings.h"
#include "ui/views/scrub_bar.h"
#include "ui/views/status_strip.h"
#include "ui/views/top_bar.h"
#include "ui/views/unseen_locks.h"

#include <QFileInfo>

/// What is open in the window, a server or a recording: how it is opened and closed, whether it may be written to, and
/// where that is recorded.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;

namespace {

constexpr std::int64_t RecordsLookedBackOn = std::int64_t{ 64 } * 1024; // bytes: what is done from now on matters

/// The servers, whoever logs in there.
QString addressOf(transport::Deployment deployment)
{
    for (transport::Endpoint &seed : deployment.seeds)
        seed.user.clear();
    return connectionUrl(deployment);
}

} // namespace

void MainWindow::askForConnection()
{
    ConnectionDialog *dialog = openConnectionDialog();
    if (m_profile && m_snapshot && wantsPassword(*m_snapshot))
        dialog->beginWithPassword(isOfSentinelLogin(*m_snapshot->status.error));
}

ConnectionDialog *MainWindow::openConnectionDialog()
{
    auto *dialog = new ConnectionDialog(m_services.connections.recent(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (m_profile)
        dialog->setProfile(*m_profile);
    m_services.connections.askForKeyring(dialog, [dialog](const QString &whyNot) { dialog->setKeyring(whyNot); });
    connect(dialog, &ConnectionDialog::forgetWanted, this,
        [this](const ConnectionProfile &profile) { m_services.connections.forget(profile); });
    connect(dialog, &QDialog::accepted, this, [this, dialog] { openConnection(dialog->profile()); });
    dialog->open();
    return dialog;
}

void MainWindow::leadOut(WayOut way)
{
    switch (way) {
    case WayOut::None:
        return;
    case WayOut::Connect:
        return askForConnection();
    case WayOut::EditConnection:
        openConnectionDialog();
        return;
    case WayOut::Look:
        return look();
    case WayOut::OpenRecording:
        return m_recordings->askForFile();
    }
}

/// Words that were typed for one server would hide locks of another, and nobody would look for them there.
void MainWindow::useFilterFor(const QString &place)
{
    if (!m_filteredPlace.isEmpty() && m_filteredPlace != place)
        m_bar->filter().clear();
    m_filteredPlace = place;
}

void MainWindow::openConnection(const ConnectionProfile &profile)
{
    m_beforePlay.reset();
    useFilterFor(addressOf(profile.deployment));
    closeConnection();
    m_profile = profile;
    m_requests->setProfile(profile);
    if (!profile.isPassing)
        m_services.connections.remember(profile, false);
    m_isReached = false;
    m_bar->setReached(false);
    m_bar->setConnection(profile);
    m_bar->setPhase(SourcePhase::Connecting);
    m_pages->setConnected(true);
    selectWhatWasAskedFor();
    m_title = titleAmong(profile, m_services.connections.recent());
    m_recordings->setWatched(m_title);
    m_pages->setOrigin({ m_title, profile.deployment, profile.tokenNames });
    updateTitle();
    m_services.monitor.setFeed(std::nullopt);
    m_services.monitor.setTokenNames(profile.tokenNames);
    useAuditFile();
    m_services.monitor.open(profile.deployment);
    updateActions();
    updateLab();
}

void MainWindow::openRecording(const QString &file)
{
    m_beforePlay.reset();
    useFilterFor(file);
    closeConnection();
    m_replays = true;
    m_bar->setReplay(file);
    m_bar->setPhase(SourcePhase::Connecting);
    m_strip->setReplays(true);
    m_title = displayText(QFileInfo(file).fileName().toStdString());
    m_pages->setOrigin({ .title = m_title, .isRecording = true }); // first: pages say what is being opened
    m_pages->setConnected(true);
    selectWhatWasAskedFor();
    updateTitle();
    m_recordedReleases.beginRecording();
    if (!auditFile().isEmpty())
        m_releasesFollower.follow(auditFile());
    m_services.monitor.replay().open(file);
    updateActions();
    updateLab();
}

void MainWindow::closeConnection()
{
    setWritable(false);
    if (m_profile || m_replays)
        m_services.monitor.close();
    m_profile.reset();
    m_requests->setProfile(std::nullopt);
    m_requests->setShown(nullptr);
    m_replays = false;
    m_bar->setReplay({});
    m_scrubBar->setReplay(std::nullopt);
    m_clock.showRecorded(std::nullopt);
    m_snapshot.reset();
    m_events.clear();
    m_events.forgetServers();
    m_activity.clear();
    setPaused(false);
    m_bar->setConnection(std::nullopt);
    m_bar->setPhase(std::nullopt);
    m_strip->setReplays(false);
    m_strip->setSnapshot(nullptr);
    m_banner->setSnapshot({});
    m_deadlock->setSnapshot({});
    updateAttention();
    m_pages->setConnected(false);
    m_pages->setOrigin({});
    useAuditFile();
    m_title.clear();
    m_recordings->setWatched({});
    updateTitle();
    updateClock();
    updateActions();
    updateLab();
}

void MainWindow::look()
{
    const bool hasFailed = m_snapshot && m_snapshot->status.phase == SourcePhase::Failed;
    if (const auto recording = m_services.monitor.replay().state(); recording && hasFailed)
        return openRecording(recording->file);
    if (!m_profile)
        return;
    if (hasFailed)
        m_services.monitor.open(m_profile->deployment);
    else
        m_services.monitor.refresh();
}

void MainWindow::toggleWritable()
{
    if (m_writable) {
        setWritable(false);
        return;
    }
    // What has never answered may be another server than the one that is meant.
    if (!m_profile || m_profile->readOnlyLocked || !m_isReached)
        return;
    auto *dialog = new WritableDialog(*m_profile, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this] { setWritable(true); });
    dialog->open();
}

void MainWindow::setWritable(bool writable)
{
    if (writable == m_writable)
        return;
    m_writable = writable;
    m_services.monitor.setWritable(writable);
    m_bar->setWritable(writable);
    if (!writable)
        m_requests->withdraw();
    updateActions();
    updateLab();
}

void MainWindow::updateActions()
{
    QString whyNot;
    if (m_replays)
        whyNot = tr("This is a recording: there is no server to act on.");
    else if (!m_writable)
        whyNot = tr("The connection is read-only: switch it at the top first.");
    else if (m_pausedAt)
        whyNot = tr("Paused: resume first, to act on what is there now.");
    else if (!m_snapshot || !isFresh(*m_snapshot))
        whyNot = tr("What is shown is not up to date.");
    m_pages->setActionsAllowed(whyNot.isEmpty(), whyNot);
    m_requests->setAllowed(whyNot.isEmpty(), whyNot);
}

/// The records of a demo are gone with it: nothing that is done elsewhere may be written there.
const QString &MainWindow::auditFile() const
{
    const bool hasOwn = m_profile && !m_profile->auditFile.isEmpty();
    return hasOwn ? m_profile->auditFile : m_services.auditFile;
}

void MainWindow::useAuditFile()
{
    m_services.monitor.setAuditFile(auditFile(), m_profile ? m_profile->audited() : AuditedConnection());
    m_audit->setFile(auditFile());
    m_releasesFollower.stop();
    m_recordedReleases.begin(m_profile ? m_profile->deployment.seeds.front().database : 0);
    if (m_profile && !auditFile().isEmpty())
        m_releasesFollower.follow(auditFile(), RecordsLookedBackOn);
}

/// What programs on this computer did, whichever page is shown.
void MainWindow::takeRecords(const AuditNews &news)
{
    const std::vector<Event> corrected = m_recordedReleases.take(news, m_events);
    for (const Event &event : corrected)
        m_activity.wasForced(event);
    if (!corrected.empty())
        m_locks->corrected();
}

} // namespace lockui
