// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/backoff.h"
#include "lockcore/base/error.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/lock_replies.h"

#include <optional>
#include <variant>
#include <vector>

namespace lockcore::synchronizers {

/// How one attempt to get a lock, permits or through a gate goes on: try; if refused subscribe, try again at once, and
/// then wait for a message or for the time that the holder has left, whichever comes first. Takes inputs, returns what
/// is to be done.
class AcquireFsm {
public:
    struct Settings {
        std::optional<Millis> wait; // absent: without limit; zero: one try
        bool leavesQueue = false; // has to be told when it gives up
        bool polls = false; // nobody tells of a release: asks again and again instead of subscribing
        bool takes = true; // false: only looks
        bool repeatable = true; // false: a try whose answer was lost ends the wait, since a second could take twice,
                                // and what it may have got cannot be given back, since that could be another's
        Millis pauseWhenFree{ 75 }; // told to ask again at once: it is another's turn
        Millis shortestPause{ 10 };
        Millis longestPause{ 60'000 }; // messages can be missed
        Backoff pollPauses{ Millis{ 1 }, Millis{ 128 } };
        Millis pauseInTrouble{ 500 }; // the server refuses for now
        Millis pauseOffline{ 5'000 }; // it is told of a connection, this is to be on the safe side
        Millis graceForReply{ 500 }; // a try that is under way may still succeed
    };

    // inputs
    struct Start {
        bool connected = true; // false: connecting for the first time
        bool subscribed = false; // before the first try: no message between it and a subscription is missed
    };
    struct Sent { }; // the try: before, it waits for its turn, and cannot succeed
    struct Replied {
        TryReply reply;
        double chance = 0; // 0…1, for the pauses of those that poll
    };
    struct Refused { // by a server error
        Error error;
    };
    struct Unanswered { // this try
        Error error;
        bool sent = true; // false: it cannot have succeeded
    };
    struct Disconnected { // an attempt to connect failed, or nobody attempts it
        Error error;
    };
    struct Connected { };
    struct Subscribed { };
    struct SubscribeFailed {
        Error error;
    };
    struct Woken { }; // by a message, or since messages may have been missed
    struct TimerFired { };
    struct Cancel { };
    using Input = std::variant<Start, Sent, Replied, Refused, Unanswered, Disconnected, Connected, Subscribed,
        SubscribeFailed, Woken, TimerFired, Cancel>;

    // actions
    struct SendTry {
        bool operator==(const SendTry &) const = default;
    };
    struct Subscribe {
        bool operator==(const Subscribe &) const = default;
    };
    struct ArmTimer { // replaces the one before
        MonoTime at;
        bool operator==(const ArmTimer &) const = default;
    };
    struct GiveUp {
        bool operator==(const GiveUp &) const = default;
    };
    struct ReleaseHold { // got, or perhaps got, after the end: nobody knows of it
        bool operator==(const ReleaseHold &) const = default;
    };
    struct Finish {
        std::optional<Error> error;
        bool acquired = false;
        std::optional<Millis> holderTtl;
        Millis waited{ 0 };
        std::optional<WaiterReading> head = {}; // as of TryReply
        bool operator==(const Finish &) const = default;
    };
    using Action = std::variant<SendTry, Subscribe, ArmTimer, GiveUp, ReleaseHold, Finish>;
    using Actions = std::vector<Action>;

    explicit AcquireFsm(Settings settings)
        : m_settings(settings)
    {
    }

    Actions handle(const Input &input, MonoTime now);

    bool isWaiting() const { return m_state == State::Waiting; }
    bool isTrying() const { return m_state == State::Trying; }
    bool isEnding() const { return m_state == State::Ending; } // all is told, an answer is outstanding
    bool isOver() const { return m_state == State::Over; } // no answer outstanding either
    /// Woken by a message that no try has answered since: at the end it belongs to another waiter.
    bool hasUnusedWakeUp() const { return m_wakeUp != WakeUp::None; }
    bool willTryAgain() const { return m_wakeUp == WakeUp::Pending; } // whatever the answer to this try is

private:
    enum class State {
        Fresh,
        Offline, // waits for the connection
        Trying, // an answer is outstanding
        Waiting,
        Ending, // finished, an answer is outstanding
        Over,
    };
    enum class WakeUp { None, Pending, BeingTried };

    void on(const Start &start, MonoTime now, Actions &actions);
    void on(const Sent &, MonoTime now, Actions &actions);
    void on(const Replied &replied, MonoTime now, Actions &actions);
    void on(const Refused &refused, MonoTime now, Actions &actions);
    void on(const Unanswered &unanswered, MonoTime now, Actions &actions);
    void on(const Disconnected &disconnected, MonoTime now, Actions &actions);
    void on(const Connected &, MonoTime now, Actions &actions);
    void on(const Subscribed &, MonoTime now, Actions &actions);
    void on(const SubscribeFailed &failed, MonoTime now, Actions &actions);
    void on(const Woken &, MonoTime now, Actions &actions);
    void on(const TimerFired &, MonoTime now, Actions &actions);
    void on(const Cancel &, MonoTime now, Actions &actions);

    void goOffline(MonoTime now, Actions &actions);
    void tryNow(MonoTime now, Actions &actions);
    void waitFor(MonoTime::duration pause, MonoTime now, Actions &actions);
    MonoTime::duration pauseAfter(const Replied &refused);
    void answeredAfterEnd(bool gotSomething, Actions &actions);
    void leave(bool mayHold, Actions &actions);
    Error unknownOutcome(Error why) const;
    void giveUp(MonoTime now, Actions &actions); // the time is over
    void finish(Finish end, MonoTime now, Actions &actions);
    bool willPass(ErrorCode code) const;
    bool oneTry() const { return m_settings.wait == Millis(0); }
    bool isLate(MonoTime now) const { return m_deadline && now >= *m_deadline; }

    Settings m_settings;
    State m_state = State::Fresh;
    MonoTime m_start;
    std::optional<MonoTime> m_deadline;
    std::optional<Millis> m_holderTtl;
    std::optional<WaiterReading> m_head;
    std::optional<Error> m_trouble; // why the last try has no regular answer
    int m_polls = 0;
    bool m_subscribing = false;
    bool m_everAnswered = false;
    bool m_everRefused = false; // regularly, since another was first
    bool m_everTried = false;
    bool m_isSent = false; // the try
    bool m_answerLost = false; // of one that may have succeeded
    WakeUp m_wakeUp = WakeUp::None;
};

} // namespace lockcore::synchronizers
