// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_session.h"

#include <utility>

namespace lockui::lab {

LabSession::LabSession(LabTools tools, QObject *parent)
    : QObject(parent)
    , m_tools(std::move(tools))
{
    lookForTools();
}

LabSession::~LabSession() = default;

void LabSession::lookForTools()
{
    std::vector<LabNeed> missing = m_tools.missing ? m_tools.missing() : std::vector<LabNeed>();
    if (std::exchange(m_missing, std::move(missing)) != m_missing)
        Q_EMIT changed();
}

void LabSession::run(const Scenario &scenario, bool paused)
{
    lookForTools();
    if (isPlaying() || !canPlay())
        return;
    m_playing = scenario.name;
    m_played.erase(m_playing);
    m_state = State::Preparing;
    m_isPaused = paused;
    m_player = m_tools.makePlayer(scenario);
    connect(m_player.get(), &Player::begun, this, &LabSession::begin);
    connect(m_player.get(), &Player::stepChanged, this, &LabSession::stepChanged);
    connect(m_player.get(), &Player::recordChanged, this, &LabSession::recordChanged);
    // Queued, for they end the player.
    connect(m_player.get(), &Player::finished, this, &LabSession::finish, Qt::QueuedConnection);
    connect(m_player.get(), &Player::failed, this, &LabSession::fail, Qt::QueuedConnection);
    m_player->setSpeed(m_speed);
    m_player->setPaused(paused);
    m_player->start();
    Q_EMIT changed();
}

void LabSession::begin()
{
    m_state = m_isPaused ? State::Paused : State::Running;
    Q_EMIT changed();
}

void LabSession::setPaused(bool paused)
{
    if (!m_player || paused == m_isPaused)
        return;
    m_isPaused = paused;
    m_player->setPaused(paused);
    if (m_state != State::Preparing)
        m_state = paused ? State::Paused : State::Running;
    Q_EMIT changed();
}

void LabSession::step()
{
    if (m_player && m_isPaused)
        m_player->step();
}

void LabSession::stop()
{
    if (!m_player)
        return;
    m_played[m_playing].wasStopped = true;
    end(Verdict::None);
}

void LabSession::setSpeed(double speed)
{
    m_speed = speed;
    if (m_player)
        m_player->setSpeed(speed);
}

void LabSession::finish(bool allPassed)
{
    if (m_player && sender() == m_player.get())
        end(allPassed ? Verdict::Passed : Verdict::Failed);
}

void LabSession::fail(const lockcore::Error &error)
{
    if (!m_player || sender() != m_player.get())
        return;
    m_played[m_playing].error = error;
    end(Verdict::Failed);
}

void LabSession::end(Verdict verdict)
{
    Played &played = m_played[m_playing];
    played.record = m_player->record();
    endUnfinished(played.record, m_player->now());
    played.verdict = verdict;
    m_player.reset();
    m_playing.clear();
    m_state = State::Idle;
    Q_EMIT changed();
}

Verdict LabSession::verdictOf(const std::string &name) const
{
    if (isPlaying() && name == m_playing)
        return Verdict::Running;
    const Played *played = playedOf(name);
    return played ? played->verdict : Verdict::None;
}

const PlayRecord *LabSession::recordOf(const std::string &name) const
{
    if (m_player && name == m_playing)
        return &m_player->record();
    const Played *played = playedOf(name);
    return played ? &played->record : nullptr;
}

std::optional<lockcore::Error> LabSession::errorOf(const std::string &name) const
{
    const Played *played = playedOf(name);
    return played ? played->error : std::nullopt;
}

bool LabSession::wasStopped(const std::string &name) const
{
    const Played *played = playedOf(name);
    return played && played->wasStopped;
}

const LabSession::Played *LabSession::playedOf(const std::string &name) const
{
    const auto found = m_played.find(name);
    return found == m_played.end() ? nullptr : &found->second;
}

} // namespace lockui::lab
