// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/action_requests.h"

#include "ui/models/client_overview.h"
#include "ui/views/bulk_actions.h"
#include "ui/views/choice_menu.h"
#include "ui/views/client_actions.h"
#include "ui/views/graph_page.h"
#include "ui/views/lock_actions.h"
#include "ui/views/locks_page.h"

#include <QWidget>

namespace lockui {

using namespace lockcore;

ActionRequests::ActionRequests(service::Monitor &monitor, ClientNames &names, const ViewClock &clock, QWidget *window)
    : QObject(window)
    , m_locks(new LockActions(monitor, names, clock, window))
    , m_bulk(new BulkActions(monitor, names, clock, window))
    , m_clients(new ClientActions(names, clock, window))
{
    connect(m_locks, &LockActions::done, this, &ActionRequests::done);
    connect(m_bulk, &BulkActions::done, this, &ActionRequests::done);
    connect(m_clients, &ClientActions::lockOpened, this, &ActionRequests::lockOpened);
    connect(m_clients, &ClientActions::filterWanted, this, &ActionRequests::filterWanted);
    connect(m_clients, &ClientActions::releaseRequested, this, &ActionRequests::askToReleaseAllOf);
}

void ActionRequests::serve(const LocksPage &page)
{
    connect(&page, &LocksPage::forceReleaseRequested, this, &ActionRequests::askToRelease);
    connect(&page, &LocksPage::renewRequested, this, &ActionRequests::askForRenewal);
    connect(&page, &LocksPage::dropRequested, this, &ActionRequests::askToDrop);
    connect(&page, &LocksPage::returnRequested, this, &ActionRequests::askToReturn);
    const auto askForName = [this](const OwnerId &owner) { m_clients->askForName(owner.client); };
    connect(&page, &LocksPage::clientNamingRequested, this, askForName);
    connect(&page, &LocksPage::clientSearchRequested, this,
        [this, &page](const OwnerId &owner) { m_clients->askWhoThatIs(owner.client, page.selectedLock()); });
    const ChoiceMenu &choices = page.choices();
    connect(&choices, &ChoiceMenu::clientRequested, m_clients, &ClientActions::show);
    connect(&choices, &ChoiceMenu::clientNamingRequested, this, askForName);
    connect(&choices, &ChoiceMenu::filterWanted, this, &ActionRequests::filterWanted);
    connect(&choices, &ChoiceMenu::bulkReleaseRequested, this, [this](const BulkChoice &choice) {
        if (m_profile)
            m_bulk->askToRelease(choice, *m_profile);
    });
}

void ActionRequests::serve(const GraphPage &page)
{
    connect(&page, &GraphPage::clientRequested, m_clients, &ClientActions::show);
    connect(&page, &GraphPage::forceReleaseRequested, this, &ActionRequests::askToRelease);
}

void ActionRequests::setProfile(const std::optional<ConnectionProfile> &profile)
{
    m_profile = profile;
    m_clients->setProfile(profile);
    if (!profile)
        m_newest.reset();
}

void ActionRequests::setNewest(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_newest = snapshot;
    m_locks->setSnapshot(*snapshot);
    m_bulk->setSnapshot(*snapshot);
}

void ActionRequests::setShown(const std::shared_ptr<const Snapshot> &snapshot) { m_clients->setSnapshot(snapshot); }

void ActionRequests::setAllowed(bool allowed, const QString &whyNot) { m_clients->setActionsAllowed(allowed, whyNot); }

void ActionRequests::withdraw()
{
    m_locks->withdraw();
    m_bulk->withdraw();
}

void ActionRequests::askToRelease(const Lock &lock)
{
    if (m_profile)
        m_locks->askToRelease(lock, *m_profile);
}

void ActionRequests::askForRenewal(const Lock &lock)
{
    if (lock && m_profile)
        m_locks->askForTtl(lock, *m_profile);
}

void ActionRequests::askToReturn(const Lock &lock, const synchronizers::PermitReading &permit)
{
    if (lock && m_profile)
        m_locks->askToReturn(lock, permit, *m_profile);
}

void ActionRequests::askToDrop(const Lock &lock, const OwnerId &waiter)
{
    if (lock && m_profile)
        m_locks->askToDrop(lock, waiter, *m_profile);
}

void ActionRequests::askToReleaseAllOf(const std::string &client)
{
    if (!m_profile || !m_newest)
        return;
    BulkChoice choice{ {}, client };
    for (const auto &hold : clientOverview(*m_newest, client).holds)
        if (choice.locks.empty() || choice.locks.back() != hold.lock)
            choice.locks.push_back(hold.lock);
    m_bulk->askToRelease(choice, *m_profile);
}

} // namespace lockui
