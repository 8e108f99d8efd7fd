// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faults {

using lockcore::MonoTime;

constexpr MonoTime Forever = MonoTime::max();

inline std::int64_t micros(MonoTime time) { return time.time_since_epoch().count(); }

/// That one may believe in its lock, and from when to when. What may be locked apart is a cell: a lock, or one value of
/// a faster multi-lock.
struct Belief {
    std::string owner;
    std::string cell;
    bool shared = false;
    MonoTime basis; // what it rests on was sent to the server then, or later
    MonoTime from;
    MonoTime until;
};

/// What a user of a client is at, as it says itself.
struct UserState {
    std::string lock; // of its last request
    std::string phase = "idle"; // idle, acquiring, holding, releasing
    std::map<std::string, std::int64_t> counts; // by the field of the lock's hash; of a faster lock all counts together
    std::set<std::string> doubtful; // locks with releases that failed: they may still be counted until all are gone
};

/// What the clients say of themselves, line by line: `time owner word…`, with the times of the monotonic clock, which
/// all processes of a machine share.
///     T OWNER client CLIENT          it belongs to that client
///     T OWNER believes CELL shared|alone BASIS UNTIL
///     T OWNER doubts CELL            that belief has ended
///     T OWNER is PHASE LOCK DOUBTFUL,… [FIELD COUNT]…
///     T OWNER gone CELL BASIS UNTIL  it was told that it does not hold what should last until then
///     T OWNER wrong TEXT             what cannot be right whatever happened
///     T OWNER note TEXT
class Ledger {
public:
    void take(std::string_view line);
    void note(const std::string &text); // of the schedule itself
    void wrong(const std::string &text);

    /// All that was on the server may be lost: what was granted before counts no more.
    void dataLost();
    void died(int client, MonoTime at);
    void closed(int client, MonoTime at); // in order: what it leaves it has told

    bool isAlive(const std::string &owner) const; // false too for those who never were
    bool isKnown(const std::string &owner) const { return m_clients.contains(owner); }
    const std::map<std::string, UserState> &users() const { return m_users; } // by owner, living ones
    const std::map<std::string, UserState> &closed() const { return m_closedUsers; } // as they were at the end
    bool isSure(const std::string &owner, MonoTime until) const; // all that it believes lasts so long

    std::vector<std::string> violations() const; // all found so far, overlaps too
    const std::vector<std::string> &lines() const { return m_lines; }

private:
    void stop(const std::string &owner, const std::string &cell, MonoTime at);
    void checkOverlaps(std::vector<std::string> &found) const;
    MonoTime validUntil(const Belief &belief) const;

    std::map<std::string, int> m_clients; // by owner
    std::set<int> m_dead;
    std::map<std::string, UserState> m_users;
    std::map<std::string, UserState> m_closedUsers;
    std::map<std::pair<std::string, std::string>, Belief> m_open; // by owner and cell
    std::vector<Belief> m_closed;
    std::vector<MonoTime> m_losses;
    struct Gone {
        std::string text;
        MonoTime basis;
        MonoTime at;
    };
    std::vector<Gone> m_gone;
    std::vector<std::string> m_wrong;
    std::vector<std::string> m_lines;
};

} // namespace faults
