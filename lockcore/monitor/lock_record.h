// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/lease_inference.h"
#include "lockcore/monitor/passing_readers.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore::monitor {

/// What is left until then: whole milliseconds, rounded up, and never less than none.
inline Millis leftAt(MonoTime end, MonoTime now) { return std::max(Millis{ 0 }, std::chrono::ceil<Millis>(end - now)); }

/// How a look at a lock came about, and what may be concluded from it.
struct Look {
    MonoTime askedAt;
    MonoTime at; // halfway between question and answer
    WallTime wall;
    Millis uncertainty{ 0 }; // half of the time between question and answer
    bool absenceKnown = false; // a lock not known until now was free until now
    bool exact = false; // changes are announced: what is new is new as of now
    bool broughtHere = false; // as it is by another program, with RENAME, COPY or MOVE, as it seems
    bool untold = false; // changes are announced, but no change of this lock was
    bool hearsUnlocks = false;
    bool sharesChannel = false; // with another lock: what is heard may be of that one, and so may a flush
    MonoTime unseenSince{}; // where the record is blind: when it was seen last
    std::optional<MonoTime> announcedAt{}; // when we were told of the change, the first of several
    int timesAnnounced = 0; // since the look before; zero: not known
    std::optional<synchronizers::ServerMoment> serverTime{}; // at which it was taken; absent: not asked for
    std::string node;
    std::size_t historyLimit = 64;
    LatchWriters *latchWriters = nullptr; // what is known of clients, and learned; null: nothing is
};

/// A look after which somebody is gone without a reason: it may be heard in a moment.
struct Unexplained {
    std::optional<synchronizers::LockReading> reading;
    Look look;
};

/// Who listened when the waiters of a queue were counted last.
struct QueueSample {
    struct Silent {
        OwnerId owner;
        std::optional<MonoTime> listenedLast; // at the sample before that; absent: it did not, either, or was not asked

        bool operator==(const Silent &) const = default;
    };
    std::optional<MonoTime> askedAt; // absent: they were not counted yet
    std::vector<Silent> silent;

    bool operator==(const QueueSample &) const = default;
};

/// What is to be remembered of few locks only, or for a moment.
struct LockAside {
    UnlockTrace trace;
    std::optional<std::int64_t> subscriberSample; // the last one; absent: what is shown, which is smoothed over two
    QueueSample queueSample;
    std::vector<Waiter> lastRead; // who waited when a queue that cannot be read now was read last
    std::optional<MonoTime> freeSince;
    std::shared_ptr<const Unexplained> unexplained; // not entered yet
    ReaderLeases readers; // while several share it
    PassingReaders passing;
    std::optional<MonoTime> strangerUntil; // unlocks of another lock of that name, which is not known, were told as its

    bool operator==(const LockAside &) const = default;
};

/// One lock in the registry: what is shown, and what the conclusions rest on. What is remembered of few lies elsewhere.
struct LockRecord {
    std::shared_ptr<const LockState> state; // absent: never seen as a lock
    LeaseInference lease;
    bool blind : 1 = false; // nothing could be seen for a while since the last look
    bool restarted : 1 = false; // the server was, in that time
    bool publishes : 1 = false; // its clients were told of releases, or wait to be: not spin locks, nor fair ones
    bool silent : 1 = false; // the last release was not published: a spin lock
    std::chrono::duration<std::uint8_t, std::milli> deadlineSpan{ 0 };
    std::chrono::duration<std::int32_t, std::milli> uncertainty{ 0 }; // of the least certain time to live that is shown
    WallTime deadline; // of the key, by the server's clock, and at most the span later; the epoch: none, or not known

    const LockAside &aside() const
    {
        static const LockAside nothing;
        return m_aside ? *m_aside : nothing;
    }
    template <typename Change>
    void changeAside(Change change)
    {
        if (!m_aside)
            m_aside = std::make_unique<LockAside>();
        change(*m_aside);
        if (*m_aside == LockAside{})
            m_aside.reset();
    }

private:
    std::unique_ptr<LockAside> m_aside; // null: nothing
};

} // namespace lockcore::monitor
