// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/protocol/script.h"
#include "lockcore/synchronizers/synchronizer.h"
#include "lockcore/synchronizers/token_lock.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore {

/// One look at some names, atomic by script. A name that holds no lock gives no reading; a free lock with a fair queue
/// does, and so does any number: see isPlainNumber. The script takes the lock names as KEYS; every other key is derived
/// from them (standard auxiliary names). Costs some five commands a usual lock; give at most fifty names at a time.
/// Errors: protocol/malformed-reply; those of the server, when the reply is an error.
const protocol::Script &readLocksScript();
/// The server's time, as far as it is known. Where the server may be asked for it, it goes by its own and tells it.
/// `tokens`: of these names, which strings are read as locks of other libraries.
std::vector<std::string> readLocksArguments(
    WallTime now, bool asks = false, std::span<const LockName> names = {}, const TokenNames &tokens = {});
Result<std::vector<LockReading>> decodeReadLocks(std::span<const LockName> names, const protocol::Reply &reply,
    Recognition recognition = Recognition::Sure, const TokenNames &tokens = {});
/// A moment by the server's clock, as exactly as it is known: not before `from`, and at most `span` later.
struct ServerMoment {
    WallTime from;
    Millis span{ 0 };
};
/// When each of them was looked at; absent: the server was not asked for its time.
std::optional<ServerMoment> timeOfLooks(std::span<const LockName> names, const protocol::Reply &reply);
/// Those of the names that another node of the cluster has to be asked for. A reading of one tells what is still here,
/// and nothing of its other keys.
std::vector<LockName> namesElsewhere(std::span<const LockName> names, const protocol::Reply &reply);
/// Those that were left out, so that the server was not kept busy for long: to be read again. Never the first.
std::vector<LockName> namesForLater(std::span<const LockName> names, const protocol::Reply &reply);
/// Hashes that may be locks and are too large to be read: nothing is known of them.
std::vector<LockName> namesUnread(std::span<const LockName> names, const protocol::Reply &reply);

/// The first sweep: one bounded page of SCAN, on the server. Arguments: cursor ("0" first), count, type, pattern (none
/// or empty: all). Type `hash` finds what is held; type `list` the free fair locks that somebody waits for; type `any`
/// the semaphores and latches that keys tell of by their names; type `string` the strings of one pattern of TokenNames.
/// The pattern is for names of locks and counts for hashes and these strings: sort the other candidates with
/// matchesPattern. Behind a pattern for hashes all of TokenNames may follow, whose strings are then looked for as well.
const protocol::Script &sweepPageScript();
struct SweepPage {
    std::string nextCursor; // "0": the end
    std::int64_t keysSeen = 0; // the size of the database on the first page, 0 on the others: SCAN does not tell
    double progress = 0; // 0…1 of the sweep, after this page
    std::vector<LockName> candidates; // lock names to read with readLocks; parents of auxiliary keys included
    std::vector<LockReading> readings = {}; // of those that were looked at in the same step
    bool ofAllTypes = false; // has the candidates of every type: no other page of these keys is needed
};
Result<SweepPage> decodeSweepPage(const protocol::Reply &reply, Recognition recognition = Recognition::Sure);
/// Where the page after this one, of either kind, begins; absent: it is none.
std::optional<std::string> nextCursorOf(const protocol::Reply &page);

/// The same without scripts: a page of plain SCAN, all of whose hashes are candidates. `keysSeen` stays 0: see DBSIZE.
protocol::Command scanCommand(
    const std::string &cursor, int count, const std::string &type, const std::string &pattern = {});
Result<SweepPage> decodeScan(const std::string &type, const protocol::Reply &reply);

/// Whether a name matches a pattern of SCAN's MATCH; an empty pattern matches all.
bool matchesPattern(std::string_view pattern, std::string_view name);

/// Matches this name alone.
LOCKCORE_EXPORT std::string exactPattern(std::string_view name);

/// Reads locks without scripts: rounds of pipelined commands. `next` tells what to send, `feed` takes the replies in
/// order. Not atomic: a lock that changes between two rounds may be read as a mixture of before and after, so that what
/// follows from comparing its keys (a waiter without a deadline, a reader whose holds have run out) is to be confirmed.
class PipelinedReader {
public:
    PipelinedReader(std::vector<LockName> names, WallTime now, const TokenNames &tokens = {});
    ~PipelinedReader();
    PipelinedReader(PipelinedReader &&) noexcept;
    PipelinedReader &operator=(PipelinedReader &&) noexcept;

    /// Empty: done.
    std::vector<protocol::Command> next();
    /// Errors: those of the server, but for want of a right; protocol/malformed-reply.
    Result<void> feed(std::vector<protocol::Reply> replies);
    std::vector<LockReading> take(Recognition recognition = Recognition::Sure);

    struct Refusals {
        std::vector<LockName> names; // nothing is known of these
        bool keys = false; // some may not be looked at
        bool commands = false; // some are not permitted: what only they tell is missing
    };
    const Refusals &refusals() const { return m_refusals; }
    std::vector<LockName> unread() const; // as namesUnread; before take

private:
    struct Item;
    struct Question;
    enum class Round { Type, Size, Field, Content, Details, Done };
    using Answer = std::function<void(const protocol::Reply &)>;

    enum class Refusal { Fatal, OfOldServers, OfAny };

    void ask(protocol::Command command, Answer answer, Refusal harmless = Refusal::Fatal);
    void askOfRound(Item &item);
    void askWeight(Item &item, const std::string &key, const std::int64_t &elements,
        std::optional<std::int64_t> samples, std::int64_t spare = 0);
    void askType(Item &item);
    void askSize(Item &item);
    void askField(Item &item);
    void askContent(Item &item);
    void askDetails(Item &item);
    void askQueueSize(Item &item);
    void askQueue(Item &item);
    void askTtl(Item &item); // of a string
    void askNumber(Item &item);
    void askPermits(Item &item);

    std::string m_now;
    TokenNames m_tokens;
    void refused(const Question &question, const std::string &error);
    void leaveOut(Item &item);

    std::vector<Item> m_items;
    Item *m_asking = nullptr; // for this one
    Refusals m_refusals;
    Round m_round = Round::Type;
    std::vector<protocol::Command> m_commands; // of the round being put together
    std::vector<Question> m_questions; // one a command
};

} // namespace lockcore
