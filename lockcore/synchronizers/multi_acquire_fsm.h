// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/backoff.h"
#include "lockcore/base/error.h"
#include "lockcore/base/time.h"

#include <cstdint>
#include <optional>
#include <random>
#include <variant>
#include <vector>

namespace lockcore::synchronizers {

/// How several locks are taken as one: one after the other in the order given, all of them or enough of them. What a
/// round got that was not enough is given back, and that is confirmed, before the next round. Members are tried under a
/// lease that lasts for the round; at the end each one gets the real lease.
/// Once something is held, a round is short and of random length: two that take the same locks in crossed order would
/// wait for each other for ever, or give up at the same time.
/// Source: Redisson: RedissonMultiLock.tryLock and RedissonRedLock.failedLocksLimit.
class MultiAcquireFsm {
public:
    struct Settings {
        std::size_t members = 0;
        std::size_t required = 0; // fewer than members: a RedLock
        std::optional<Millis> lease; // absent: the members' watchdogs renew
        std::optional<Millis> wait; // absent: without limit; zero: one try of each member
        double driftFactor = 0.01; // of the lease
        std::uint32_t seed = 1; // of the random times
        Millis roundPerMember{ 1'500 }; // the longest round, for each member
        Millis leaseReserve{ 2'000 }; // beyond twice the round, for answers that come late
        Millis longestAnswer{ 10'000 }; // to one request to a member
        Millis longestAnswerOfMany{ 1'000 }; // where the others may be enough
        Millis longestCleanUp{ 1'000 }; // waited for; it goes on behind
        Backoff pauses{ Millis{ 100 }, Millis{ 400 }, 1 }; // between rounds
    };

    // inputs
    struct Start { };
    struct MemberAcquired {
        std::size_t member;
    };
    struct MemberRefused { // held by another until the wait was over
        std::size_t member;
    };
    struct MemberFailed {
        std::size_t member;
        Error error;
    };
    struct LeaseSet {
        std::size_t member;
    };
    struct LeaseFailed {
        std::size_t member;
        Error error;
    };
    struct MemberReleased { // or not held, or given up: nothing more comes of it
        std::size_t member;
    };
    struct MemberLost { // its watchdog found it gone
        std::size_t member;
    };
    struct TimerFired { };
    struct Cancel { };
    using Input = std::variant<Start, MemberAcquired, MemberRefused, MemberFailed, LeaseSet, LeaseFailed,
        MemberReleased, MemberLost, TimerFired, Cancel>;

    // actions
    struct AcquireMember {
        std::size_t member;
        std::optional<Millis> wait;
        std::optional<Millis> lease;
        bool operator==(const AcquireMember &) const = default;
    };
    struct CancelMember { // nothing more is heard of that try
        std::size_t member;
        bool operator==(const CancelMember &) const = default;
    };
    struct ReleaseMember {
        std::size_t member;
        bool speculative = false; // nobody knows whether the try got it
        bool operator==(const ReleaseMember &) const = default;
    };
    struct SetMemberLease {
        std::size_t member;
        Millis lease;
        bool operator==(const SetMemberLease &) const = default;
    };
    struct ArmTimer { // replaces the one before
        MonoTime at;
        bool operator==(const ArmTimer &) const = default;
    };
    struct Finish {
        std::optional<Error> error;
        bool acquired = false;
        std::vector<std::size_t> held;
        std::optional<MonoTime> validUntil; // fixed lease: exclusion is sure until then
        Millis waited{ 0 };
        bool operator==(const Finish &) const = default;
    };
    using Action = std::variant<AcquireMember, CancelMember, ReleaseMember, SetMemberLease, ArmTimer, Finish>;
    using Actions = std::vector<Action>;

    explicit MultiAcquireFsm(Settings settings);

    Actions handle(const Input &input, MonoTime now);

    bool isOver() const { return m_state == State::Over; }

    /// For how long after its leases were sent a lock is surely held.
    static Millis validity(Millis lease, double driftFactor);

private:
    enum class State { Fresh, Collecting, SettingLeases, CleaningUp, Pausing, Over };
    enum class Member {
        Untried,
        Trying,
        Refused, // held by another
        Failed, // by an error
        Held,
        LeaseUnderWay,
        LeaseSet,
        Releasing, // what was held; waited for
        Doubtful, // nobody knows whether it is held; not tried again before its release is confirmed
    };

    void on(const Start &, MonoTime now, Actions &actions);
    void on(const MemberAcquired &acquired, MonoTime now, Actions &actions);
    void on(const MemberRefused &refused, MonoTime now, Actions &actions);
    void on(const MemberFailed &failed, MonoTime now, Actions &actions);
    void on(const LeaseSet &set, MonoTime now, Actions &actions);
    void on(const LeaseFailed &failed, MonoTime now, Actions &actions);
    void on(const MemberReleased &released, MonoTime now, Actions &actions);
    void on(const MemberLost &lost, MonoTime now, Actions &actions);
    void on(const TimerFired &, MonoTime now, Actions &actions);
    void on(const Cancel &, MonoTime now, Actions &actions);

    void startRound(MonoTime now, Actions &actions);
    void goOn(MonoTime now, Actions &actions);
    void tryMember(std::size_t member, std::optional<Millis> wait, MonoTime now, Actions &actions);
    void setLeases(MonoTime now, Actions &actions);
    void leaseAnswered(MonoTime now, Actions &actions);
    void fail(std::size_t member, Error error, Actions &actions);
    void releaseUnawaited(std::size_t member, Actions &actions);
    void endRound(std::optional<Finish> end, MonoTime now, Actions &actions);
    void cleanedUp(MonoTime now, Actions &actions);
    void succeed(Member held, MonoTime now, Actions &actions);
    void finish(Finish end, MonoTime now, Actions &actions);
    void arm(MonoTime at, Actions &actions);

    std::optional<Millis> memberWait(MonoTime now) const;
    std::optional<Millis> collectingLease() const;
    std::optional<Finish> afterFailure(MonoTime now);
    MonoTime validUntil() const;
    Millis longestAnswer() const;
    std::size_t count(Member state) const;
    std::size_t failuresAllowed() const { return m_settings.members - m_settings.required; }
    bool isOneTry() const { return m_settings.wait == Millis(0); }
    bool isLate(MonoTime now) const { return m_deadline && now >= *m_deadline; }
    double random();

    Settings m_settings;
    State m_state = State::Fresh;
    std::vector<Member> m_members;
    MonoTime m_start;
    std::optional<MonoTime> m_deadline;
    std::optional<MonoTime> m_firstHeld; // in this round
    Millis m_round{ 0 }; // how long this one may hold something without being done
    MonoTime m_roundStart;
    MonoTime m_leasesSent;
    MonoTime m_timer;
    std::optional<Error> m_error; // the last one of a member
    bool m_everReached = false; // enough members answered in some round
    int m_rounds = 0;
    std::optional<Finish> m_end; // once cleaned up
    std::minstd_rand m_random;
};

} // namespace lockcore::synchronizers
