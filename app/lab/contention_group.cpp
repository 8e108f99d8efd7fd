// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/contention_group.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>

namespace app {

using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::transport::monoNow;
using lockui::lab::ContenderState;
using lockui::lab::GroupSettings;
using lockui::lab::GroupState;
using lockui::lab::HandAct;
using lockui::lab::Micros;

namespace {

/// At once, so that nobody waits for one after the other.
void closeAll(const std::vector<std::unique_ptr<ContendingClient>> &clients)
{
    for (const auto &client : clients)
        client->close();
}

} // namespace

ContentionGroup::ContentionGroup(
    const GroupSettings &settings, lockcore::LockName lock, const ContendingOptions &options)
    : m_options(options)
    , m_figures(monoNow())
{
    m_state.lock = std::move(lock);
    m_crash.setSingleShot(true);
    connect(&m_crash, &QTimer::timeout, this, &ContentionGroup::crashOne);
    change(settings);
}

ContentionGroup::~ContentionGroup() { close(); }

void ContentionGroup::close()
{
    closeAll(m_clients);
    closeAll(m_removed);
}

/// One name must not be used for two kinds, and permits are set once.
bool ContentionGroup::canChangeTo(const GroupSettings &settings) const
{
    const GroupSettings &now = m_state.settings;
    return settings.kind == now.kind && settings.variant == now.variant && settings.permits == now.permits
        && settings.byHand == now.byHand;
}

void ContentionGroup::change(const GroupSettings &settings)
{
    const double crashesBefore = std::exchange(m_state.settings, settings).crashesPerMinute;
    for (const Client &client : m_clients)
        client->setWork(settings, m_state.lock);
    auto staying = std::ranges::count_if(m_clients, [](const Client &each) { return !each->state().isLeaving; });
    for (; staying < settings.clients; ++staying)
        addClient();
    for (auto i = m_clients.size(); i > 0 && staying > settings.clients; --i) { // the last one may be gone at once
        ContendingClient &client = *m_clients[i - 1];
        if (client.state().isLeaving)
            continue;
        client.leave();
        --staying;
    }
    if (settings.crashesPerMinute != crashesBefore)
        armCrash();
}

void ContentionGroup::addClient()
{
    auto &client = m_clients.emplace_back(std::make_unique<ContendingClient>(++m_lastNumber, freeName(), m_options));
    ContendingClient *const each = client.get();
    connect(each, &ContendingClient::partChanged, this, [this, each] { partChanged(*each); });
    connect(each, &ContendingClient::acquired, this, [this, each](Micros waited) { acquired(*each, waited); });
    connect(each, &ContendingClient::diedHolding, this,
        [this](const lockui::lab::HolderGhost &ghost) { m_state.ghosts.push_back(ghost); });
    connect(
        each, &ContendingClient::readyTo, this, [this, each](HandAct act) { Q_EMIT readyTo(each->state().name, act); });
    connect(each, &ContendingClient::acted, this, &ContentionGroup::acted);
    connect(each, &ContendingClient::failed, this, &ContentionGroup::failed);
    connect(each, &ContendingClient::left, this, [this, each] { remove(each); });
    each->setWork(m_state.settings, m_state.lock);
    each->start();
}

void ContentionGroup::remove(const ContendingClient *client)
{
    const auto found = std::ranges::find(m_clients, client, &Client::get);
    if (found == m_clients.end())
        return;
    const ContenderState &last = (*found)->state();
    m_lostCrashes += last.crashes;
    m_lostTimeouts += last.timeouts;
    m_lostLosses += last.losses;
    m_figures.takesPart(client->number(), false, monoNow());
    (*found)->disconnect(this);
    m_removed.push_back(std::move(*found)); // it is the one that says so
    m_clients.erase(found);
    QMetaObject::invokeMethod(this, &ContentionGroup::destroyRemoved, Qt::QueuedConnection);
}

void ContentionGroup::destroyRemoved()
{
    closeAll(m_removed);
    m_removed.clear();
}

bool ContentionGroup::mayAct(const std::string &client, HandAct act) const
{
    const ContendingClient *found = find(client);
    return found != nullptr && found->mayAct(act);
}

void ContentionGroup::act(const std::string &client, HandAct act)
{
    if (ContendingClient *found = find(client))
        found->act(act);
}

bool ContentionGroup::keepsForLater(const std::string &client, HandAct act)
{
    ContendingClient *found = find(client);
    return found != nullptr && found->keepsForLater(act);
}

ContendingClient *ContentionGroup::find(const std::string &client) const
{
    const auto found = std::ranges::find(
        m_clients, client, [](const Client &each) -> const auto & { return each->state().name; });
    return found == m_clients.end() ? nullptr : found->get();
}

void ContentionGroup::partChanged(const ContendingClient &client)
{
    m_figures.takesPart(client.number(), client.takesPart(), monoNow());
}

void ContentionGroup::acquired(const ContendingClient &client, Micros waited)
{
    ++m_state.acquires;
    m_figures.acquired(client.number(), waited, monoNow());
    std::vector<std::optional<lockcore::synchronizers::HoldMode>> holders;
    for (const Client &each : m_clients) {
        if (each.get() != &client && each->goesOnAsHolder())
            holders.push_back(each->state().mode);
    }
    // What another was ordered to give back before this one got it has been ordered before this is read.
    if (client.state().holds == 0 && !maySharePlace(m_state.settings, holders, client.state().mode))
        ++m_state.overlaps;
    layGhosts(client.state().mode);
}

/// Who gets it where a dead one would have been in its way shows that Redis names that one no more.
void ContentionGroup::layGhosts(std::optional<lockcore::synchronizers::HoldMode> taken)
{
    if (!isSemaphore(m_state.settings.kind))
        std::erase_if(
            m_state.ghosts, [&](const auto &each) { return !maySharePlace(m_state.settings, { each.mode }, taken); });
}

/// Crashes have no memory: with another rate the time until the next one is drawn anew.
void ContentionGroup::armCrash()
{
    if (const auto next = nextCrash(m_state.settings, m_options.random))
        m_crash.start(std::chrono::round<Millis>(*next));
    else
        m_crash.stop();
}

/// One of those that are left to themselves.
void ContentionGroup::crashOne()
{
    std::vector<ContendingClient *> may;
    for (const Client &each : m_clients) {
        if (each->takesPart())
            may.push_back(each.get());
    }
    if (!may.empty())
        may[static_cast<std::size_t>(m_options.random() * static_cast<double>(may.size()))]->crash();
    armCrash();
}

std::string ContentionGroup::freeName() const
{
    for (char letter = 'A';; ++letter) {
        std::string name(1, letter);
        if (std::ranges::none_of(m_clients, [&](const Client &each) { return each && each->state().name == name; }))
            return name;
    }
}

GroupState ContentionGroup::state(MonoTime now)
{
    m_figures.advance(now);
    std::erase_if(m_state.ghosts, [now](const auto &each) { return each.until && *each.until <= now; });
    GroupState state = m_state;
    state.figures = m_figures.group();
    state.crashes = m_lostCrashes;
    state.timeouts = m_lostTimeouts;
    state.losses = m_lostLosses;
    for (const Client &each : m_clients) {
        ContenderState &client = state.clients.emplace_back(each->stateAt(now));
        m_figures.describe(each->number(), client);
        state.crashes += client.crashes;
        state.timeouts += client.timeouts;
        state.losses += client.losses;
    }
    return state;
}

} // namespace app
