// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"

#include <QString>

#include <optional>

namespace lockui {

class ClientNames;

/// How long something lasted, as far as that was seen.
struct SeenTime {
    lockcore::Millis time{ 0 };
    enum Sureness { Exact, About, AtLeast } sureness = Exact;

    bool operator==(const SeenTime &) const = default;
};

/// Where the hold was that an event tells the end of.
enum class Copies {
    None, // on the one server that has the lock
    NotKnown, // on one of several independent ones; whether another one has it is not looked for
    OthersHold, // likewise, and another one had it still: the hold goes on
    LastOne, // likewise, and no other one had it any more, as far as was heard
};

/// What was heard of the same lock before an event, and makes it say more; absent: it was not heard, or not looked for.
struct EventContext {
    std::optional<SeenTime> held; // by the same owner, until then
    std::optional<SeenTime> waited; // in the queue, until then
    std::optional<std::int64_t> countBefore; // free permits, or a latch's count
    std::int64_t times = 1; // renewals of the same hold that stand for one
    std::optional<SeenTime> over; // all of these
    bool linesUpAgain = false; // who left the queue at that moment, also of the event that tells of its new place
    bool isOwnDeed = false; // a person did it in this window
    /// Of a key that is gone, and of who left a queue: what its server had gone through right before.
    std::optional<lockcore::monitor::EventKind> upheaval;
    bool wasUnseen = false; // of such a key: it was out of sight until then
    Copies copies = Copies::None;
};

bool isNoticed(lockcore::monitor::EventKind kind); // its time is that at which it was noticed: it was some time before
lockcore::WallTime happenedAt(const lockcore::monitor::Event &event); // of a restart: before it was noticed
QString asSure(const QString &text, lockcore::monitor::Certainty certainty); // "probably …", or by what it is known
QString eventText(lockcore::monitor::EventKind kind);
QString shortEventText(lockcore::monitor::EventKind kind, lockcore::monitor::Certainty certainty); // `expired?`
QString eventText(const lockcore::monitor::Event &event, std::int64_t times = 1); // `probably expired`, `renewed ×12`
/// What it means for who holds, waits or looks; empty: nothing beyond its name.
QString eventMeaning(const lockcore::monitor::Event &event, const EventContext &context = {});
QString endText(const lockcore::monitor::Event &end, const ClientNames *names); // how a hold ended, and whose it was
QString seenTimeText(const SeenTime &time); // `1.2 s`, `about 1.2 s`, `≥ 1.2 s`

} // namespace lockui
