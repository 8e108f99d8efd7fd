// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/interop/watch/command_trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace crowdwatch {

enum class End { Open, Released, Expired, Forced, Deleted };

const char *name(End end);

/// One owner in one mode, from the first acquire to the last release.
struct TrueHold {
    std::string owner; // `client:thread`
    bool writes = false; // of a read/write lock
    Moment begin{};
    Moment end{};
    End how = End::Open;
    bool ranOut = false; // its own lease had passed by then: a reader may stand in the hash beyond it
};

/// One stay in the queue of a fair lock.
struct TrueStay {
    std::string owner;
    Moment begin{};
    Moment end{}; // zero: still there
    bool acquired = false;
    bool thrownOut = false; // by another, for its deadline
    bool overdue = false; // its deadline had passed when it left
};

/// Something that happened to a hold that went on.
struct TrueStep {
    std::string owner;
    Moment at{};
    std::int64_t count = 0;
};

/// A lease as it was set, of the key as a whole.
struct TrueLease {
    Moment at{};
    Moment deadline{};
};

struct TrueCourse {
    std::vector<TrueHold> holds; // in the order of their beginnings
    std::vector<TrueStay> stays;
    std::vector<TrueStep> renewals; // a lease that was set anew while the count stayed
    std::vector<TrueStep> reentries;
    std::vector<TrueStep> partialReleases;
    std::vector<TrueLease> leases;
    std::vector<std::pair<Moment, std::int64_t>> numbers; // of a semaphore
};

/// Follows the keys of locks by the commands that a server carried out, each script as one step.
/// Locks are known by the kind that their name begins with: `fair:3`.
class TrueCourses {
public:
    void take(const TracedCommand &command);
    /// Who holds what, as lock and `client:thread`, but for what has run out by then.
    std::set<std::pair<std::string, std::string>> held(Moment now) const;
    void finish(Moment now); // what ran out by itself until then; nothing is taken after it
    const std::map<std::string, TrueCourse> &all() const { return m_courses; }

private:
    using Words = std::vector<std::string>;
    struct Hash {
        std::map<std::string, std::int64_t> counts; // of `client:thread` or `client:thread:write`
        std::optional<Moment> deadline;
    };

    void endStep();
    void apply(const TracedCommand &command);
    void applyToHash(const std::string &lock, const std::string &verb, const Words &words);
    void applyToNumber(const std::string &name, const std::string &verb, const Words &words);
    void applyToQueue(const std::string &lock, const std::string &verb, const Words &words);
    void applyToDeadlines(const std::string &lock, const std::string &verb, const Words &words);
    void applyToReader(const std::string &key, const std::string &verb, const Words &words);
    void runOut(const std::string &lock, Moment until);
    void compare(const std::string &lock, const Hash &before);
    void begin(const std::string &lock, const std::string &field);
    void end(const std::string &lock, const std::string &field, Moment at, End how);
    bool readerRanOut(const std::string &lock, const std::string &owner, Moment at) const;
    End howEnded(const std::string &field) const;
    bool isAskedBy(const std::string &owner) const;

    std::map<std::string, TrueCourse> m_courses;
    std::map<std::string, Hash> m_hashes;
    std::map<std::string, std::vector<std::string>> m_queues;
    std::map<std::string, double> m_deadlines; // of waiters, in milliseconds, as `lock owner`
    std::map<std::string, Moment> m_readers; // deadlines of `{lock}:owner:rwlock_timeout:n`
    std::map<std::string, Moment> m_goneReaders; // deleted in this step
    std::optional<TracedCommand> m_step; // the command, or the call of a script, that is being carried out
    Moment m_now{};
    std::map<std::string, Hash> m_touched; // by this step, as they were before
    std::set<std::string> m_extended; // fields whose lease was set in this step, as `lock owner`
};

} // namespace crowdwatch
