// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/synchronizers/synchronizer.h"
#include "lockcore/synchronizers/token_recognition.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::synchronizers {

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
    std::vector<LockName> unread() const; // names that could not be read; only before take()

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

    void refused(const Question &question, const std::string &error);
    void leaveOut(Item &item);

    std::string m_now;
    TokenNames m_tokens;
    std::vector<Item> m_items;
    Item *m_asking = nullptr; // for this one
    Refusals m_refusals;
    Round m_round = Round::Type;
    std::vector<protocol::Command> m_commands; // of the round being put together
    std::vector<Question> m_questions; // what each of the commands asks
};

} // namespace lockcore::synchronizers
