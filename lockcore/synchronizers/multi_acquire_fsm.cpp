// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/multi_acquire_fsm.h"

#include <algorithm>
#include <utility>

namespace lockcore::synchronizers {

namespace {

constexpr Millis DriftReserve{ 2 }; // what a server's clock may round away
constexpr Millis ShortestWait{ 1 };
constexpr Millis ShortestPause{ 10 };

/// The answer was lost, or may have been: the member may be held.
bool isUncertain(ErrorCode code)
{
    switch (code) {
    case ErrorCode::HostNotFound:
    case ErrorCode::ConnectionRefused:
    case ErrorCode::ConnectTimeout:
    case ErrorCode::ReplyTimeout:
    case ErrorCode::ConnectionClosed:
    case ErrorCode::NetworkOther:
        return true;
    default:
        return false;
    }
}

bool isPassing(ErrorCode code)
{
    return isUncertain(code) || code == ErrorCode::Loading || code == ErrorCode::ScriptBusy
        || code == ErrorCode::ReadOnlyReplica || code == ErrorCode::OutOfMemory;
}

Error noAnswer() { return errorOf(ErrorCode::ReplyTimeout, { Phrase::NoAnswerInTime }); }

} // namespace

MultiAcquireFsm::MultiAcquireFsm(Settings settings)
    : m_settings(settings)
    , m_members(settings.members, Member::Untried)
    , m_random(settings.seed)
{
    m_random.discard(4); // alike for small seeds
}

MultiAcquireFsm::Actions MultiAcquireFsm::handle(const Input &input, MonoTime now)
{
    Actions actions;
    std::visit([&](const auto &value) { on(value, now, actions); }, input);
    return actions;
}

void MultiAcquireFsm::on(const Start &, MonoTime now, Actions &actions)
{
    m_start = now;
    if (m_settings.wait && !isOneTry())
        m_deadline = now + *m_settings.wait;
    startRound(now, actions);
}

void MultiAcquireFsm::on(const MemberAcquired &acquired, MonoTime now, Actions &actions)
{
    Member &member = m_members[acquired.member];
    if (member != Member::Trying)
        return;
    member = Member::Held;
    m_firstHeld = m_firstHeld.value_or(now);
    goOn(now, actions);
}

void MultiAcquireFsm::on(const MemberRefused &refused, MonoTime now, Actions &actions)
{
    Member &member = m_members[refused.member];
    if (member != Member::Trying)
        return;
    member = Member::Refused;
    goOn(now, actions);
}

void MultiAcquireFsm::on(const MemberFailed &failed, MonoTime now, Actions &actions)
{
    if (m_members[failed.member] != Member::Trying)
        return;
    fail(failed.member, failed.error, actions);
    goOn(now, actions);
}

void MultiAcquireFsm::on(const LeaseSet &set, MonoTime now, Actions &actions)
{
    Member &member = m_members[set.member];
    if (member != Member::LeaseUnderWay)
        return;
    member = Member::LeaseSet;
    leaseAnswered(now, actions);
}

void MultiAcquireFsm::on(const LeaseFailed &failed, MonoTime now, Actions &actions)
{
    Member &member = m_members[failed.member];
    if (member != Member::LeaseUnderWay)
        return;
    if (failed.error.code == ErrorCode::NotHeld) { // ran out in this round
        member = Member::Refused;
    } else {
        m_error = failed.error;
        releaseUnawaited(failed.member, actions);
    }
    leaseAnswered(now, actions);
}

void MultiAcquireFsm::on(const MemberReleased &released, MonoTime now, Actions &actions)
{
    Member &member = m_members[released.member];
    if (member != Member::Releasing && member != Member::Doubtful)
        return;
    const bool inRound = m_state == State::Collecting || m_state == State::SettingLeases;
    member = inRound ? Member::Failed : Member::Untried; // its turn in this round is over
    if (m_state == State::CleaningUp && count(Member::Releasing) == 0)
        cleanedUp(now, actions);
}

void MultiAcquireFsm::on(const MemberLost &lost, MonoTime now, Actions &actions)
{
    Member &member = m_members[lost.member];
    if (member != Member::Held)
        return;
    member = Member::Refused;
    goOn(now, actions);
}

void MultiAcquireFsm::on(const TimerFired &, MonoTime now, Actions &actions)
{
    if (now < m_timer)
        return;
    switch (m_state) {
    case State::Collecting:
        for (std::size_t member = 0; member < m_members.size(); ++member) {
            if (m_members[member] == Member::Trying) {
                actions.emplace_back(CancelMember{ member });
                fail(member, noAnswer(), actions);
            }
        }
        goOn(now, actions);
        break;
    case State::SettingLeases:
        for (std::size_t member = 0; member < m_members.size(); ++member) {
            if (m_members[member] == Member::LeaseUnderWay)
                fail(member, noAnswer(), actions);
        }
        leaseAnswered(now, actions);
        break;
    case State::CleaningUp:
        std::replace(m_members.begin(), m_members.end(), Member::Releasing, Member::Doubtful);
        cleanedUp(now, actions);
        break;
    case State::Pausing:
        if (isLate(now))
            finish(afterFailure(now).value_or(Finish{}), now, actions);
        else
            startRound(now, actions);
        break;
    case State::Fresh:
    case State::Over:
        break;
    }
}

void MultiAcquireFsm::on(const Cancel &, MonoTime now, Actions &actions)
{
    Finish end;
    end.error = errorOf(ErrorCode::Cancelled, { Phrase::Cancelled }, { Phrase::AcquiringSeveral });
    if (m_state == State::CleaningUp)
        m_end = std::move(end);
    else if (m_state != State::Over)
        endRound(std::move(end), now, actions);
}

void MultiAcquireFsm::startRound(MonoTime now, Actions &actions)
{
    ++m_rounds;
    m_state = State::Collecting;
    m_firstHeld.reset();
    m_roundStart = now;
    const double full = double(m_settings.roundPerMember.count()) * double(m_members.size());
    m_round = std::max(ShortestWait, Millis(std::int64_t(full * (0.5 + random() / 2))));
    if (m_deadline)
        m_round = std::clamp(std::chrono::ceil<Millis>(*m_deadline - now), ShortestWait, m_round);
    for (Member &member : m_members) {
        if (member != Member::Doubtful)
            member = Member::Untried;
    }
    goOn(now, actions);
}

void MultiAcquireFsm::goOn(MonoTime now, Actions &actions)
{
    const std::size_t unreachable = count(Member::Failed) + count(Member::Doubtful);
    if (unreachable + count(Member::Refused) > failuresAllowed())
        return endRound(afterFailure(now), now, actions);
    if (count(Member::Trying) > 0)
        return;
    const bool isEnough = count(Member::Held) >= m_settings.required;
    for (std::size_t member = 0; member < m_members.size(); ++member) {
        if (m_members[member] != Member::Untried)
            continue;
        tryMember(member, isEnough ? Millis(0) : memberWait(now), now, actions);
        if (!isEnough)
            return;
    }
    // What is more than enough is tried all at once: whoever does not wait needs no order.
    if (count(Member::Trying) == 0)
        setLeases(now, actions);
}

void MultiAcquireFsm::tryMember(std::size_t member, std::optional<Millis> wait, MonoTime now, Actions &actions)
{
    m_members[member] = Member::Trying;
    actions.emplace_back(AcquireMember{ member, wait, collectingLease() });
    if (wait)
        arm(now + *wait + longestAnswer(), actions);
    else
        m_timer = MonoTime::max();
}

/// Also for the queue and the deadlines of a fair lock, and for the token of a fenced one, Redisson sets this lease:
/// then those who wait lose their order with it, and tokens start again at 1. Here it is the lock's alone.
void MultiAcquireFsm::setLeases(MonoTime now, Actions &actions)
{
    if (!m_settings.lease)
        return succeed(Member::Held, now, actions);
    m_state = State::SettingLeases;
    m_leasesSent = now;
    for (std::size_t member = 0; member < m_members.size(); ++member) {
        if (m_members[member] == Member::Held) {
            m_members[member] = Member::LeaseUnderWay;
            actions.emplace_back(SetMemberLease{ member, *m_settings.lease });
        }
    }
    arm(now + std::min(longestAnswer(), *m_settings.lease), actions);
}

void MultiAcquireFsm::leaseAnswered(MonoTime now, Actions &actions)
{
    if (count(Member::LeaseUnderWay) > 0)
        return;
    if (count(Member::LeaseSet) >= m_settings.required && now < validUntil())
        succeed(Member::LeaseSet, now, actions);
    else
        endRound(afterFailure(now), now, actions);
}

void MultiAcquireFsm::fail(std::size_t member, Error error, Actions &actions)
{
    m_error = std::move(error);
    if (isUncertain(m_error->code))
        releaseUnawaited(member, actions);
    else
        m_members[member] = Member::Failed;
}

void MultiAcquireFsm::releaseUnawaited(std::size_t member, Actions &actions)
{
    m_members[member] = Member::Doubtful;
    actions.emplace_back(ReleaseMember{ member, true });
}

void MultiAcquireFsm::endRound(std::optional<Finish> end, MonoTime now, Actions &actions)
{
    m_end = std::move(end);
    m_state = State::CleaningUp;
    for (std::size_t member = 0; member < m_members.size(); ++member) {
        switch (m_members[member]) {
        case Member::Trying:
            actions.emplace_back(CancelMember{ member });
            releaseUnawaited(member, actions);
            break;
        case Member::Held:
        case Member::LeaseUnderWay:
        case Member::LeaseSet:
            m_members[member] = Member::Releasing;
            actions.emplace_back(ReleaseMember{ member, false });
            break;
        case Member::Untried:
        case Member::Refused:
        case Member::Failed:
        case Member::Releasing:
        case Member::Doubtful:
            break;
        }
    }
    if (count(Member::Releasing) == 0)
        cleanedUp(now, actions);
    else
        arm(now + m_settings.longestCleanUp, actions);
}

void MultiAcquireFsm::cleanedUp(MonoTime now, Actions &actions)
{
    if (m_end || isLate(now))
        return finish(m_end.value_or(Finish{}), now, actions);
    m_state = State::Pausing;
    const MonoTime next = now + ShortestPause + m_settings.pauses.pause(m_rounds - 1, random());
    arm(m_deadline ? std::min(next, *m_deadline) : next, actions);
}

void MultiAcquireFsm::succeed(Member held, MonoTime now, Actions &actions)
{
    Finish end;
    end.acquired = true;
    for (std::size_t member = 0; member < m_members.size(); ++member) {
        if (m_members[member] == held)
            end.held.push_back(member);
    }
    if (m_settings.lease)
        end.validUntil = validUntil();
    finish(std::move(end), now, actions);
}

void MultiAcquireFsm::finish(Finish end, MonoTime now, Actions &actions)
{
    m_state = State::Over;
    end.waited = std::chrono::duration_cast<Millis>(now - m_start);
    actions.emplace_back(std::move(end));
}

void MultiAcquireFsm::arm(MonoTime at, Actions &actions)
{
    m_timer = at;
    actions.emplace_back(ArmTimer{ at });
}

std::optional<Millis> MultiAcquireFsm::memberWait(MonoTime now) const
{
    if (isOneTry())
        return Millis(0);
    const auto untilThen = [&](MonoTime end) { return std::chrono::duration_cast<Millis>(end - now); };
    if (failuresAllowed() > 0)
        return std::max(ShortestWait, untilThen(m_roundStart + m_round) / std::int64_t(m_members.size()));
    if (!m_firstHeld) // nobody waits for us: no round is needed
        return m_deadline ? std::optional(std::max(ShortestWait, untilThen(*m_deadline))) : std::nullopt;
    const MonoTime end = *m_firstHeld + m_round;
    return std::max(ShortestWait, untilThen(m_deadline ? std::min(end, *m_deadline) : end));
}

std::optional<Millis> MultiAcquireFsm::collectingLease() const
{
    if (!m_settings.lease || isOneTry())
        return m_settings.lease;
    return 2 * m_round + m_settings.leaseReserve;
}

/// How it all ends after a round that failed; nothing: with another round.
std::optional<MultiAcquireFsm::Finish> MultiAcquireFsm::afterFailure(MonoTime now)
{
    const bool isUnreachable = count(Member::Failed) + count(Member::Doubtful) > failuresAllowed();
    const bool isLast = isOneTry() || isLate(now);
    Finish end;
    if (isUnreachable && (isLast || !m_everReached || !isPassing(m_error->code))) {
        end.error = m_error;
        return end;
    }
    m_everReached = m_everReached || !isUnreachable;
    return isLast ? std::optional(end) : std::nullopt;
}

Millis MultiAcquireFsm::validity(Millis lease, double driftFactor)
{
    return lease - Millis(std::int64_t(double(lease.count()) * driftFactor)) - DriftReserve;
}

MonoTime MultiAcquireFsm::validUntil() const
{
    return m_leasesSent + validity(*m_settings.lease, m_settings.driftFactor);
}

Millis MultiAcquireFsm::longestAnswer() const
{
    return failuresAllowed() > 0 ? m_settings.longestAnswerOfMany : m_settings.longestAnswer;
}

std::size_t MultiAcquireFsm::count(Member state) const
{
    return std::size_t(std::count(m_members.begin(), m_members.end(), state));
}

double MultiAcquireFsm::random()
{
    return double(m_random() - std::minstd_rand::min()) / double(std::minstd_rand::max() - std::minstd_rand::min());
}

} // namespace lockcore::synchronizers
