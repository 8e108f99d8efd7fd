// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_run.h"

#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>

namespace lockui {

using lab::FreePlayPhase;
using lab::GroupState;

FreePlayRun::FreePlayRun(MakeFreePlay make, QObject *parent)
    : QObject(parent)
    , m_make(std::move(make))
{
}

const GroupState *FreePlayRun::group(lab::GroupId id) const
{
    if (!m_shown)
        return nullptr;
    const auto found = std::ranges::find(m_shown->groups, id, [](const GroupState &each) { return each.settings.id; });
    return found == m_shown->groups.end() ? nullptr : &*found;
}

const lab::ContenderState *FreePlayRun::client(lab::GroupId id, const std::string &name) const
{
    const GroupState *of = group(id);
    if (of == nullptr)
        return nullptr;
    const auto found = std::ranges::find(of->clients, name, &lab::ContenderState::name);
    return found == of->clients.end() ? nullptr : &*found;
}

bool FreePlayRun::isHeld(lab::GroupId id) const
{
    const GroupState *of = group(id);
    return of != nullptr && std::ranges::any_of(of->clients, [](const lab::ContenderState &client) {
        return client.holds > 0 || client.phase == lab::ClientPhase::Waiting;
    });
}

void FreePlayRun::make()
{
    m_play = m_make();
    connect(m_play.get(), &lab::FreePlay::stateChanged, this, &FreePlayRun::setState);
    connect(m_play.get(), &lab::FreePlay::failed, this, &FreePlayRun::setError);
    connect(m_play.get(), &lab::FreePlay::cutShort, this, &FreePlayRun::cutShort);
    connect(m_play.get(), &lab::FreePlay::leftBehind, this, &FreePlayRun::leftBehind);
    connect(m_play.get(), &lab::FreePlay::acted, this, &FreePlayRun::acted);
}

void FreePlayRun::begin(const std::vector<lab::GroupSettings> &groups, const ConnectedPlace *place)
{
    if (!m_play)
        make();
    setPhase(FreePlayPhase::Starting);
    forget();
    m_endedAt.reset();
    if (place != nullptr)
        m_play->start(groups, place->server, place->auditFile, place->connection);
    else
        m_play->start(groups);
}

void FreePlayRun::stop()
{
    if (m_play)
        m_play->stop();
}

void FreePlayRun::setGroups(const std::vector<lab::GroupSettings> &groups)
{
    if (isOn())
        m_play->setGroups(groups);
}

void FreePlayRun::act(lab::GroupId group, const std::string &client, lab::HandAct act)
{
    m_play->act(group, client, act);
}

void FreePlayRun::forget()
{
    m_shown.reset();
    m_failure.reset();
}

void FreePlayRun::setPhase(FreePlayPhase phase)
{
    const FreePlayPhase before = std::exchange(m_phase, phase);
    if (phase == before)
        return;
    if (before == FreePlayPhase::Running) {
        m_endedAt = lockcore::transport::wallNow();
        Q_EMIT ended();
    }
    Q_EMIT phaseChanged();
}

void FreePlayRun::setState(const std::shared_ptr<const lab::FreePlayState> &state)
{
    setPhase(state->phase);
    if (m_phase == FreePlayPhase::Running)
        m_shown = state;
    Q_EMIT changed(*state);
}

void FreePlayRun::setError(const lockcore::Error &error)
{
    m_failure = Failure{ .error = error, .hadBegun = m_shown && !m_shown->groups.empty() };
    setPhase(FreePlayPhase::Stopped);
    m_shown.reset();
    Q_EMIT failed();
}

} // namespace lockui
