// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/acquire_fsm.h"

#include <algorithm>

namespace lockcore::synchronizers {

AcquireFsm::Actions AcquireFsm::handle(const Input &input, MonoTime now)
{
    Actions actions;
    std::visit([&](const auto &value) { on(value, now, actions); }, input);
    return actions;
}

void AcquireFsm::on(const Start &start, MonoTime now, Actions &actions)
{
    m_start = now;
    m_subscribing = start.subscribed;
    if (m_settings.wait && !oneTry())
        m_deadline = now + *m_settings.wait;
    if (start.connected)
        tryNow(now, actions);
    else
        goOffline(now, actions);
}

void AcquireFsm::on(const Sent &, MonoTime, Actions &) { m_isSent = true; }

void AcquireFsm::on(const Replied &replied, MonoTime now, Actions &actions)
{
    const TryReply &reply = replied.reply;
    m_isSent = false;
    if (m_state == State::Ending) {
        m_answerLost = false;
        return answeredAfterEnd(reply.acquired, actions);
    }
    m_state = State::Waiting;
    m_everAnswered = true;
    m_answerLost = false;
    m_trouble.reset();
    if (reply.acquired)
        return finish({ {}, true, {}, {} }, now, actions);

    m_everRefused = true;
    m_holderTtl = reply.holderTtl;
    m_head = reply.head;
    const bool wokenMeanwhile = m_wakeUp == WakeUp::Pending;
    m_wakeUp = wokenMeanwhile ? WakeUp::Pending : WakeUp::None;
    if (oneTry() || isLate(now))
        return giveUp(now, actions);
    if (!m_subscribing && !m_settings.polls) {
        m_subscribing = true;
        actions.push_back(Subscribe{});
    }
    if (wokenMeanwhile)
        tryNow(now, actions);
    else
        waitFor(pauseAfter(replied), now, actions);
}

void AcquireFsm::answeredAfterEnd(bool gotSomething, Actions &actions)
{
    m_state = State::Over;
    leave(gotSomething, actions);
}

/// Nothing is to stay behind. Who has got a lock is out of its queue; after a lost answer it may be either.
void AcquireFsm::leave(bool gotSomething, Actions &actions)
{
    if (gotSomething || (m_answerLost && m_settings.takes && m_settings.repeatable))
        actions.push_back(ReleaseHold{});
    if (!gotSomething && m_settings.leavesQueue && m_everTried)
        actions.push_back(GiveUp{});
}

Error AcquireFsm::unknownOutcome(Error why) const
{
    addBefore(why, { m_settings.repeatable ? Phrase::MaybeAcquired : Phrase::MaybeSucceeded });
    return why;
}

void AcquireFsm::on(const Refused &refused, MonoTime now, Actions &actions)
{
    m_isSent = false;
    if (m_state == State::Ending)
        return answeredAfterEnd(false, actions);
    m_state = State::Waiting;
    m_everAnswered = true;
    m_trouble = refused.error;
    if (oneTry() || isLate(now) || !willPass(refused.error.code))
        finish({ refused.error, false, {}, {} }, now, actions);
    else
        waitFor(m_settings.pauseInTrouble, now, actions);
}

void AcquireFsm::on(const Unanswered &unanswered, MonoTime now, Actions &actions)
{
    m_answerLost = m_answerLost || unanswered.sent;
    m_isSent = false;
    if (m_state == State::Ending)
        return answeredAfterEnd(false, actions);
    if (m_state != State::Trying)
        return;
    m_state = State::Offline;
    m_trouble = unanswered.error;
    const bool isEnd = m_answerLost && !m_settings.repeatable;
    if (oneTry() || !m_everAnswered || isLate(now) || isEnd)
        finish({ m_trouble, false, {}, {} }, now, actions);
    else
        goOffline(now, actions);
}

void AcquireFsm::on(const Disconnected &disconnected, MonoTime now, Actions &actions)
{
    if (m_state == State::Offline && !m_everAnswered)
        finish({ disconnected.error, false, {}, {} }, now, actions);
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
    case State::Offline:
        if (isLate(now))
            giveUp(now, actions);
        else if (m_everTried)
            tryNow(now, actions);
        else
            goOffline(now, actions);
        break;
    case State::Trying:
        if (isLate(now))
            giveUp(now, actions);
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
        finish({ errorOf(ErrorCode::Cancelled, { Phrase::Cancelled }), false, {}, {} }, now, actions);
}

void AcquireFsm::goOffline(MonoTime now, Actions &actions)
{
    waitFor(m_settings.pauseOffline, now, actions);
    m_state = State::Offline;
}

void AcquireFsm::tryNow(MonoTime now, Actions &actions)
{
    m_state = State::Trying;
    m_everTried = true;
    if (m_wakeUp == WakeUp::Pending)
        m_wakeUp = WakeUp::BeingTried;
    if (m_deadline)
        actions.emplace_back(
            std::in_place_type<ArmTimer>, ArmTimer{ std::max(*m_deadline, now) + m_settings.graceForReply });
    actions.push_back(SendTry{});
}

void AcquireFsm::waitFor(MonoTime::duration pause, MonoTime now, Actions &actions)
{
    m_state = State::Waiting;
    MonoTime at = now + pause;
    if (m_deadline)
        at = std::min(at, *m_deadline);
    actions.emplace_back(std::in_place_type<ArmTimer>, ArmTimer{ at });
}

MonoTime::duration AcquireFsm::pauseAfter(const Replied &refused)
{
    const std::optional<Millis> &pause = refused.reply.pause;
    if (m_settings.polls)
        return m_settings.pollPauses.pause(m_polls++, refused.chance);
    if (pause == Millis(0))
        return m_settings.pauseWhenFree;
    if (pause) // one more: the server drops the fractions of what is left
        return std::clamp(*pause + Millis(1), m_settings.shortestPause, m_settings.longestPause);
    return m_settings.longestPause;
}

/// Of a regular refusal these are no reason to think that the next try has to fail as well.
bool AcquireFsm::willPass(ErrorCode code) const
{
    switch (code) {
    case ErrorCode::Loading:
    case ErrorCode::ScriptBusy:
    case ErrorCode::ClusterBusy:
    case ErrorCode::ReplyTimeout: // it came too late
        return true;
    case ErrorCode::ReadOnlyReplica: // who asks for the first time is told at once, and can turn elsewhere
    case ErrorCode::OutOfMemory:
        return m_everRefused;
    default:
        return false;
    }
}

void AcquireFsm::giveUp(MonoTime now, Actions &actions)
{
    if (m_state == State::Trying && m_isSent)
        m_trouble = errorOf(ErrorCode::ReplyTimeout, { Phrase::NoAnswerToTry });
    finish({ m_trouble, false, m_holderTtl, {}, m_head }, now, actions);
}

void AcquireFsm::finish(Finish end, MonoTime now, Actions &actions)
{
    const bool answerOutstanding = m_state == State::Trying;
    if (end.error && m_settings.takes && (m_isSent || m_answerLost))
        end.error = unknownOutcome(*end.error);
    m_state = answerOutstanding ? State::Ending : State::Over;
    if (end.acquired)
        m_wakeUp = WakeUp::None;
    else if (!answerOutstanding)
        leave(false, actions);
    end.waited = std::chrono::duration_cast<Millis>(now - m_start);
    actions.push_back(std::move(end));
}

} // namespace lockcore::synchronizers
