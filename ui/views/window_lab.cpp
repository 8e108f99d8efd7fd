// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/main_window.h"

#include "ui/support/freshness.h"
#include "ui/views/connected_place.h"
#include "ui/views/filter_field.h"
#include "ui/views/lab_page.h"
#include "ui/views/locks_page.h"
#include "ui/views/pages.h"
#include "ui/views/top_bar.h"

#include <utility>

/// What the window and its lab do for each other: plays are watched here, and hands of the lab reach what is open.
namespace lockui {

using namespace lockcore;

/// Read-only for good: what is to happen there is the scenario's business.
void MainWindow::watchPlay(const transport::Deployment &servers)
{
    ConnectionProfile profile;
    profile.name = tr("lab");
    profile.deployment = withClientName(servers);
    profile.environment = tr("LAB");
    profile.readOnlyLocked = true;
    profile.isPassing = true;
    const auto before = m_profile && !m_profile->isPassing ? m_profile : std::exchange(m_beforePlay, std::nullopt);
    const QString filter = m_profile && m_profile->isPassing ? m_filterBeforePlay : m_bar->filter().text();
    openConnection(profile);
    m_beforePlay = before;
    m_filterBeforePlay = filter;
    showPage(QStringLiteral("locks"));
}

/// Its servers are gone: others may come to the same place. What was watched before is watched again, read-only.
void MainWindow::leavePlay()
{
    if (!m_profile || !m_profile->isPassing)
        return;
    const auto before = std::exchange(m_beforePlay, std::nullopt);
    closeConnection();
    if (!before)
        return;
    openConnection(*before);
    m_bar->filter().setText(m_filterBeforePlay);
}

const lab::LabSession &MainWindow::playScenario(const lab::Scenario &scenario, const std::string &file)
{
    showPage(QStringLiteral("lab"));
    m_lab->run(scenario, file);
    return m_lab->session();
}

/// To the lock that is shown in full, or was chosen on another page.
void MainWindow::leadByHand()
{
    if (!m_writable)
        return;
    const bool isOnPage = m_pages->shown() == m_locks && m_locks->selectedLock();
    const std::optional<LockName> name = isOnPage ? m_locks->selectedLock()->name : m_pages->chosen();
    const LockTableModel::Lock lock = m_snapshot && name ? m_snapshot->locks.find(*name) : nullptr;
    showPage(QStringLiteral("lab"));
    m_lab->leadByHand(lock.get());
}

/// What was begun there ends where writing is no longer allowed.
void MainWindow::updateLab()
{
    if (!m_profile || !m_profile->isPassing)
        m_lab->leaveWatched();
    m_lab->setLeft(m_profile && !m_profile->isPassing ? m_title : QString());
    ConnectedPlace place = connectedPlace(m_profile, m_title, m_replays, m_writable);
    if (place.server) {
        place.whyNot = whyNotReached(m_snapshot.get());
        if (m_snapshot && isStale(*m_snapshot))
            place.lostSince = m_snapshot->status.staleSince.value_or(m_snapshot->takenAt.mono);
        place.auditFile = auditFile();
        place.connection = m_profile->audited();
    }
    m_lab->setConnectedPlace(place);
}

void MainWindow::offerUnsaved()
{
    m_lab->offerUnsaved([this] { showPage(QStringLiteral("lab")); });
}

bool MainWindow::endUnasked()
{
    m_endsUnasked = m_lab->keepUnsaved();
    if (!m_endsUnasked)
        closeConnection();
    return close();
}

} // namespace lockui
