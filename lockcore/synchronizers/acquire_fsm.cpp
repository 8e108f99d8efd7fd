// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/acquire_fsm.h"

#include <algorithm>

namespace lockcore {

namespace {

/// The server will take the command a little later.
bool isPassing(ErrorCode code) { return code == ErrorCode::Loading || code == ErrorCode::ScriptBusy; }

} // namespace

AcquireFsm::Actions AcquireFsm::handle(const Input &input, MonoTime now)
{
    Actions actions;
    std::visit([&](const auto &value) { on(value, now, actions); }, input);
    return actions;
}

void AcquireFsm::on(const Start &start, MonoTime now, Actions &actions)
{
    m_start = now;
    if (m_settings.wait && !oneTry())
        m_deadline = now + *m_settings.wait;
    if (start.connected)
        tryNow(now, actions);
    else
        goOffline(actions);
}

void AcquireFsm::on(const Replied &replied, MonoTime now, Actions &actions)
{
    const TryReply &reply = replied.reply;
    if (m_state == State::Ending)
        return endedReplied(reply, actions);
    m_state = State::Waiting;
    m_everAnswered = true;
    m_answerLost = false;
    if (reply.acquired)
        return finish({ {}, true, {}, {} }, now, actions);

    m_holderTtl = reply.holderTtl;
    const bool wokenMeanwhile = m_wakeUp == WakeUp::Pending;
    m_wakeUp = wokenMeanwhile ? WakeUp::Pending : WakeUp::None;
    if (oneTry() || isLate(now))
        return finish({ {}, false, m_holderTtl, {} }, now, actions);
    if (!m_subscribing) {
        m_subscribing = true;
        actions.push_back(Subscribe{});
    }
    if (wokenMeanwhile)
        tryNow(now, actions);
    else
        wait(reply.pause, now, actions);
}

void AcquireFsm::endedReplied(const TryReply &reply, Actions &actions)
{
    m_state = State::Over;
    if (reply.acquired)
        actions.push_back(ReleaseHold{});
    else if (m_settings.leavesQueue)
        actions.push_back(GiveUp{});
}

void AcquireFsm::on(const Refused &refused, MonoTime now, Actions &actions)
{
    if (m_state == State::Ending)
        return endedReplied({}, actions);
    m_state = State::Waiting;
    m_everAnswered = true;
    if (isPassing(refused.error.code) && !oneTry() && !isLate(now))
        return wait(m_settings.pauseWhenFree, now, actions);
    finish({ refused.error, false, {}, {} }, now, actions);
}

void AcquireFsm::on(const Disconnected &disconnected, MonoTime now, Actions &actions)
{
    switch (m_state) {
    case State::Ending:
        return endedReplied({}, actions);
    case State::Trying:
        m_answerLost = true;
        break;
    case State::Offline:
        break;
    case State::Fresh:
    case State::Waiting: // it will notice when it tries again
    case State::Over:
        return;
    }
    m_state = State::Offline;
    if (oneTry() || !m_everAnswered || isLate(now))
        finish({ disconnected.error, false, {}, {} }, now, actions);
    else
        goOffline(actions);
}

void AcquireFsm::on(const Connected &, MonoTime now, Actions &actions)
{
    if (m_state == State::Offline)
        tryNow(now, actions);
}

// A release between the refusal and the subscription has told nobody.
void AcquireFsm::on(const Subscribed &, MonoTime now, Actions &actions)
{
    if (m_state == State::Waiting)
        tryNow(now, actions);
    else if (m_state == State::Trying)
        m_wakeUp = WakeUp::Pending;
}

void AcquireFsm::on(const SubscribeFailed &failed, MonoTime now, Actions &actions)
{
    if (m_state != State::Ending && m_state != State::Over)
        finish({ failed.error, false, {}, {} }, now, actions);
}

void AcquireFsm::on(const Woken &, MonoTime now, Actions &actions)
{
    if (m_state == State::Ending || m_state == State::Over)
        return;
    m_wakeUp = WakeUp::Pending;
    if (m_state == State::Waiting)
        tryNow(now, actions);
}

void AcquireFsm::on(const TimerFired &, MonoTime now, Actions &actions)
{
    switch (m_state) {
    case State::Waiting:
        if (isLate(now))
            finish({ {}, false, m_holderTtl, {} }, now, actions);
        else
            tryNow(now, actions);
        break;
    case State::Trying:
    case State::Offline:
        if (isLate(now))
            finish({ {}, false, m_holderTtl, {} }, now, actions);
        break;
    case State::Fresh:
    case State::Ending:
    case State::Over:
        break;
    }
}

void AcquireFsm::on(const Cancel &, MonoTime now, Actions &actions)
{
    if (m_state != State::Ending && m_state != State::Over)
        finish({ Error{ ErrorCode::Cancelled, "cancelled", "acquiring a lock" }, false, {}, {} }, now, actions);
}

void AcquireFsm::goOffline(Actions &actions)
{
    m_state = State::Offline;
    if (m_deadline)
        actions.push_back(ArmTimer{ *m_deadline });
}

void AcquireFsm::tryNow(MonoTime now, Actions &actions)
{
    m_state = State::Trying;
    m_everTried = true;
    if (m_wakeUp == WakeUp::Pending)
        m_wakeUp = WakeUp::BeingTried;
    if (m_deadline)
        actions.push_back(ArmTimer{ std::max(*m_deadline, now) + m_settings.graceForReply });
    actions.push_back(SendTry{ m_answerLost });
}

void AcquireFsm::wait(const std::optional<Millis> &pause, MonoTime now, Actions &actions)
{
    m_state = State::Waiting;
    Millis next = m_settings.longestPause;
    if (pause == Millis(0))
        next = m_settings.pauseWhenFree;
    else if (pause) // one more: the server drops the fractions of what is left
        next = std::clamp(*pause + Millis(1), m_settings.shortestPause, m_settings.longestPause);
    MonoTime at = now + next;
    if (m_deadline)
        at = std::min(at, *m_deadline);
    actions.push_back(ArmTimer{ at });
}

void AcquireFsm::finish(Finish end, MonoTime now, Actions &actions)
{
    const bool answerOutstanding = m_state == State::Trying;
    m_state = answerOutstanding ? State::Ending : State::Over;
    if (end.acquired)
        m_wakeUp = WakeUp::None;
    else if (m_settings.leavesQueue && m_everTried && !answerOutstanding)
        actions.push_back(GiveUp{});
    end.waited = std::chrono::duration_cast<Millis>(now - m_start);
    actions.push_back(std::move(end));
}

} // namespace lockcore
