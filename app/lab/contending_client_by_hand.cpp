// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with a client by hand.
#include "app/lab/contending_client.h"

#include "lockcore/transport/clock.h"

#include <utility>

namespace app {

using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::transport::monoNow;
namespace lab = lockui::lab;
using lockui::lab::Act;
using lockui::lab::ClientPhase;
using lockui::lab::CourseStep;
using lockui::lab::HandAct;
using lockui::lab::Outcome;
using lockui::lab::Step;

bool ContendingClient::keepsForLater(HandAct act)
{
    const bool locks = act == HandAct::Lock || act == HandAct::LockToRead;
    if (!locks || m_state.phase != ClientPhase::Starting || m_state.isLeaving)
        return false;
    m_kept = act;
    return true;
}

bool ContendingClient::mayAct(HandAct act) const
{
    if (m_state.isLeaving)
        return false;
    const bool hears = m_state.isAlive() && !m_state.isPaused;
    const bool reachesServer = hears && !m_state.unansweredSince; // else it would be done there at any later time
    const bool isHolding = m_state.phase == ClientPhase::Holding;
    switch (act) {
    case HandAct::Lock:
    case HandAct::LockToRead:
        return reachesServer && (isHolding || m_state.phase == ClientPhase::Thinking) && !m_state.waitsForMore;
    case HandAct::GiveUp:
        return hears && (m_state.phase == ClientPhase::Waiting || m_state.waitsForMore);
    case HandAct::Unlock:
    case HandAct::Renew:
        return reachesServer && isHolding;
    case HandAct::CountDown:
        return reachesServer;
    case HandAct::Pause:
        return hears;
    case HandAct::Resume:
        return m_state.isAlive() && m_state.isPaused;
    case HandAct::Crash:
        return m_state.isAlive() && !(m_options.isOfOthers && lab::losesPermits(m_settings, m_state));
    case HandAct::Start:
        return m_state.phase == ClientPhase::Crashed;
    case HandAct::Take:
    case HandAct::LetGo:
        return true;
    }
    return false;
}

/// What its process is told is reported when that has answered, but for giving up: the wait is answered then.
void ContendingClient::act(HandAct act)
{
    if (!mayAct(act))
        return;
    switch (act) {
    case HandAct::Lock:
    case HandAct::LockToRead:
        return lockByHand(act);
    case HandAct::GiveUp:
        return giveUp();
    case HandAct::Unlock:
        setByHand(true);
        return unlock(act);
    case HandAct::Renew:
    case HandAct::CountDown:
        return orderByHand(act);
    case HandAct::Take:
        setByHand(true);
        break;
    case HandAct::Pause:
    case HandAct::Resume:
        setPaused(act == HandAct::Pause);
        break;
    case HandAct::Crash:
        die();
        break;
    case HandAct::Start:
        startAgain();
        break;
    case HandAct::LetGo:
        letGo();
        break;
    }
    report(act);
}

void ContendingClient::lockByHand(HandAct act)
{
    setByHand(true);
    const bool hasModes = m_settings.kind == Kind::ReadWrite;
    const auto mode = act == HandAct::LockToRead ? HoldMode::Read : HoldMode::Write;
    lock(hasModes ? std::optional(mode) : std::nullopt, act);
}

void ContendingClient::giveUp()
{
    setByHand(true);
    m_givesUp = true;
    m_process->giveUp(m_waiting);
}

/// What changes nothing of what it is at.
void ContendingClient::orderByHand(HandAct act)
{
    const auto mode = m_holds.empty() ? std::nullopt : m_holds.back();
    const Step asked = stepOf(act == HandAct::Renew ? Act::Renew : Act::CountDown, mode);
    m_process->order(asked, [this, asked, act](const ClientAnswer &answer) {
        if (asked.act == Act::Renew && answer.outcome == Outcome::Done && !m_holds.empty()) {
            answered();
            leaseBegins(*asked.lease);
        }
        report(act, answer);
    });
}

void ContendingClient::setByHand(bool byHand)
{
    m_state.isByHand = byHand;
    if (byHand) {
        m_timer.stop();
        m_timeLeft.reset();
    }
    tellPart();
}

void ContendingClient::letGo()
{
    if (!m_state.isByHand || m_settings.byHand)
        return;
    setByHand(false);
    if (m_state.phase == ClientPhase::Thinking)
        goOn(CourseStep::Unlock);
    else if (m_state.phase == ClientPhase::Holding)
        goOn(CourseStep::Lock, true);
    if (m_state.isPaused && m_timer.isActive()) {
        m_timeLeft = m_timer.remainingTime();
        m_timer.stop();
    }
}

/// What it thinks or works on stands still with it.
void ContendingClient::setPaused(bool paused)
{
    if (m_state.isPaused == paused)
        return;
    m_state.isPaused = paused;
    m_stillSince = paused ? std::optional(monoNow()) : std::nullopt;
    if (paused) {
        m_process->pause();
        if (m_timer.isActive())
            m_timeLeft = m_timer.remainingTime();
        m_timer.stop();
    } else {
        m_process->resume();
        if (m_state.isByHand && m_state.phase == ClientPhase::Thinking && m_startedWith != arguments())
            start();
        if (const auto left = std::exchange(m_timeLeft, std::nullopt))
            m_timer.start(*left);
    }
    tellPart();
}

} // namespace app
