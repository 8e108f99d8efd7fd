// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/pipelined_reader.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/counter_recognition.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/recognition.h"

#include <algorithm>
#include <set>

namespace lockcore::synchronizers {

namespace values = reply_values;
using protocol::Reply;

namespace {

constexpr const char *NotReadable = "refused";
constexpr int FewFields = 8; // others may have written into a lock
constexpr std::int64_t SpareBytes = 16'384; // for the table of a hash that has shrunk: it may stay as large as it was

/// Another node of the cluster keeps the key, or will soon.
bool isElsewhere(const Reply &reply)
{
    using Kind = protocol::Redirection::Kind;
    const auto redirection = protocol::toRedirection(reply, {});
    return redirection
        && (redirection->kind == Kind::Moved || redirection->kind == Kind::Ask || redirection->kind == Kind::Later);
}

bool isTooLong(const std::string &element) { return std::ssize(element) > LongestElement; }

/// As the script does: what is too long for a lock is told by how it begins.
HashFields shortened(HashFields fields)
{
    constexpr std::size_t Beginning = 32;
    for (auto &[field, value] : fields) {
        for (auto *element : { &field, &value }) {
            if (isTooLong(*element))
                *element = element->substr(0, Beginning) + "…";
        }
    }
    return fields;
}

} // namespace

struct PipelinedReader::Item {
    LockName name;
    bool isByName = false; // a string of this name is a lock
    std::string type;
    std::int64_t size = 0; // fields of the main key
    bool plausible = true; // no field seen that no lock has
    LockLook look;
    std::int64_t namesakeSize = 0;
    CounterLook counter;
    std::int64_t timeouts = 0; // members of the zset of deadlines
    std::set<std::string> large; // keys that are larger than what they would be ours for

    bool mayBeHeld() const { return type == "hash" && size > 0 && plausible; }
    bool isUnread() const { return mayBeHeld() && (size > MaxFields || large.contains(name)); }
    bool isHash() const { return mayBeHeld() && !isUnread(); }
    bool isFree() const { return type == "none"; }
    bool isNumber() const { return type == "string" && mayBeCounter(counter.text); }
    bool isToken() const { return type == "string" && isByName && !isNumber(); }
};

struct PipelinedReader::Question {
    Answer answer;
    Item *item = nullptr;
    std::string command;
    Refusal harmless = Refusal::Fatal;

    /// Without an answer nothing is known of the lock.
    bool isVital() const
    {
        if (harmless == Refusal::OfAny)
            return false;
        return command == "TYPE" || command == "HLEN" || command == "HGETALL" || command == "PTTL"
            || (command == "GETRANGE" && item->type == "string");
    }
    bool allows(const std::string &error) const
    {
        // A key of another type is none of ours, whatever its name.
        return error.starts_with("WRONGTYPE") || harmless == Refusal::OfAny
            || (harmless == Refusal::OfOldServers && error.starts_with("ERR unknown"));
    }
};

PipelinedReader::PipelinedReader(std::vector<LockName> names, WallTime now, const TokenNames &tokens)
    : m_now(epochMilliseconds(now))
    , m_tokens(tokens)
{
    m_items.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_items[i].name = std::move(names[i]);
        m_items[i].isByName = isTokenName(m_tokens, m_items[i].name);
    }
}

PipelinedReader::~PipelinedReader() = default;
PipelinedReader::PipelinedReader(PipelinedReader &&) noexcept = default;
PipelinedReader &PipelinedReader::operator=(PipelinedReader &&) noexcept = default;

std::vector<protocol::Command> PipelinedReader::next()
{
    m_commands.clear();
    m_questions.clear();
    for (; m_commands.empty() && m_round != Round::Done; m_round = Round(int(m_round) + 1)) {
        for (auto &item : m_items)
            askOfRound(item);
    }
    return std::move(m_commands);
}

void PipelinedReader::askOfRound(Item &item)
{
    m_asking = &item;
    switch (m_round) {
    case Round::Type:
        return askType(item);
    case Round::Size:
        return askSize(item);
    case Round::Field:
        return askField(item);
    case Round::Content:
        return askContent(item);
    case Round::Details:
        return askDetails(item);
    case Round::Done:
        return;
    }
}

void PipelinedReader::ask(protocol::Command command, Answer answer, Refusal harmless)
{
    m_commands.push_back(std::move(command));
    m_questions.push_back({ std::move(answer), m_asking, m_commands.back().front(), harmless });
}

/// Before what may be long is fetched. By the first so many elements where that is said, by some at random else; a user
/// without the right to ask gets by without.
void PipelinedReader::askWeight(Item &item, const std::string &key, const std::int64_t &elements,
    std::optional<std::int64_t> samples, std::int64_t spare)
{
    protocol::Command command{ "MEMORY", "USAGE", key };
    if (samples)
        command.insert(command.end(), { "SAMPLES", std::to_string(*samples) });
    const auto weigh = [&item, key, &elements, spare](const Reply &reply) {
        const auto weight = std::max<std::int64_t>(values::integer(reply, 0), 0); // whatever was said
        if ((weight - std::ssize(key) - spare) / (4 * LongestElement) > elements)
            item.large.insert(key);
    };
    ask(std::move(command), weigh, Refusal::OfAny);
}

void PipelinedReader::askType(Item &item)
{
    ask({ "TYPE", item.name }, [&item](const Reply &reply) { item.type = values::text(reply).value_or(""); });
}

void PipelinedReader::askSize(Item &item)
{
    if (item.type == "hash") {
        ask({ "HLEN", item.name }, [&item](const Reply &reply) { item.size = values::integer(reply, 0); });
        askWeight(item, item.name, item.size, {}, SpareBytes);
    }
    if (item.isFree())
        askQueueSize(item);
    if (item.type == "string")
        ask({ "GETRANGE", item.name, "0", std::to_string(item.isByName ? LongestElement : LongestNumber) },
            [&item](const Reply &reply) { item.counter.text = values::text(reply).value_or(""); });
}

void PipelinedReader::askField(Item &item)
{
    if (item.isNumber())
        return askNumber(item);
    if (item.isToken())
        return askTtl(item);
    if (item.isHash()) {
        // Unknown before Redis 6.2: then the whole hash is fetched.
        const auto look = [&item](const Reply &reply) {
            const auto fields = values::texts(reply);
            item.plausible = fields.empty() || std::any_of(fields.begin(), fields.end(), mayBeLock);
        };
        ask({ "HRANDFIELD", item.name, std::to_string(FewFields) }, look, Refusal::OfOldServers);
        if (item.size > 1)
            askWeight(item, item.name, item.size, 0, SpareBytes); // of all
        else
            askQueueSize(item);
    }
    const auto namesake = key_layout::namesake(item.name);
    if (item.isFree())
        askQueue(item);
    if (item.isFree() && item.look.queueLength != 0 && namesake) {
        ask({ "TYPE", *namesake }, [&item](const Reply &reply) { item.look.namesakeType = values::text(reply); });
    }
}

void PipelinedReader::askTtl(Item &item)
{
    ask({ "PTTL", item.name }, [&item](const Reply &reply) { item.counter.pttl = values::integer(reply, -2); });
}

void PipelinedReader::askNumber(Item &item)
{
    auto &look = item.counter;
    askTtl(item);
    ask(
        { "ZCARD", key_layout::permitDeadlines(item.name) },
        [&look](const Reply &reply) { look.permits = values::integer(reply, 0); }, Refusal::OfAny);
    askWeight(item, key_layout::permitDeadlines(item.name), look.permits, MaxLeases);
    const auto other = key_layout::namesake(item.name);
    if (other && item.name.starts_with('{'))
        ask(
            { "GETRANGE", *other, "0", std::to_string(LongestNumber) },
            [&look](const Reply &reply) { look.otherIsNumber = mayBeCounter(values::text(reply).value_or("")); },
            Refusal::OfAny);
}

void PipelinedReader::askPermits(Item &item)
{
    auto &look = item.counter;
    const auto permits = key_layout::permitDeadlines(item.name);
    if (item.large.contains(permits)) {
        look.permits = 0;
        return;
    }
    ask({ "ZRANGE", permits, "0", std::to_string(MaxLeases - 1), "WITHSCORES" },
        [&look](const Reply &reply) { look.firstPermits = values::pairs(reply); });
    ask({ "ZRANGE", permits, "-1", "-1", "WITHSCORES" },
        [&look](const Reply &reply) { look.lastPermit = values::pairs(reply); });
    ask({ "ZCOUNT", permits, "-inf", m_now },
        [&look](const Reply &reply) { look.overdue = values::integer(reply, 0); });
}

void PipelinedReader::askContent(Item &item)
{
    if (item.counter.permits > 0)
        askPermits(item);
    if (item.isHash()) {
        ask({ "HGETALL", item.name },
            [&item](const Reply &reply) { item.look.fields = shortened(values::pairs(reply)); });
        ask({ "PTTL", item.name }, [&item](const Reply &reply) { item.look.pttl = values::integer(reply, -2); });
        if (item.size == 1)
            askQueue(item);
    }
    if (item.look.namesakeType == "hash") {
        ask({ "HLEN", *key_layout::namesake(item.name) },
            [&item](const Reply &reply) { item.namesakeSize = values::integer(reply, 0); });
        askWeight(item, *key_layout::namesake(item.name), item.namesakeSize, {});
    }
}

void PipelinedReader::askDetails(Item &item)
{
    auto &look = item.look;
    look.deadlines.resize(look.queue.size());
    for (std::size_t i = 0; look.firstTimeout && i < look.queue.size(); ++i) {
        ask({ "ZSCORE", key_layout::fairTimeouts(item.name), look.queue[i] },
            [&look, i](const Reply &reply) { look.deadlines[i] = values::text(reply); });
    }
    for (const auto &[field, count] : readHoldsToAsk(look.fields)) {
        auto &times = look.readHolds[field];
        times.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; item.size > 1 && i < times.size(); ++i) {
            ask({ "PTTL", key_layout::suffixed(item.name, field) + ":rwlock_timeout:" + std::to_string(i + 1) },
                [&times, i](const Reply &reply) { times[i] = values::integer(reply, -2); });
        }
    }
    if (item.namesakeSize == 1 && !item.large.contains(*key_layout::namesake(item.name))) {
        ask({ "HGETALL", *key_layout::namesake(item.name) },
            [&look](const Reply &reply) { look.namesakeFields = values::pairs(reply); });
    }
}

void PipelinedReader::askQueueSize(Item &item)
{
    const auto queue = key_layout::fairQueue(item.name);
    const auto timeouts = key_layout::fairTimeouts(item.name);
    ask({ "LLEN", queue }, [&item](const Reply &reply) { item.look.queueLength = values::integer(reply, 0); });
    askWeight(item, queue, item.look.queueLength, MaxWaiters);
    ask({ "ZCARD", timeouts }, [&item](const Reply &reply) { item.timeouts = values::integer(reply, 0); });
    askWeight(item, timeouts, item.timeouts, 1);
}

void PipelinedReader::askQueue(Item &item)
{
    auto &look = item.look;
    const auto queue = key_layout::fairQueue(item.name);
    const auto timeouts = key_layout::fairTimeouts(item.name);
    if (item.large.contains(queue)) {
        look.queueLength = -1;
    } else {
        ask({ "LRANGE", queue, "0", std::to_string(MaxWaiters - 1) }, [&look](const Reply &reply) {
            look.queue = values::texts(reply);
            if (std::ranges::any_of(look.queue, isTooLong)) {
                look.queue.clear();
                look.queueLength = -1;
            }
        });
    }
    if (!item.large.contains(timeouts)) {
        ask({ "ZRANGE", timeouts, "0", "0" }, [&look](const Reply &reply) {
            const auto members = values::texts(reply);
            if (!members.empty() && !isTooLong(members.front()))
                look.firstTimeout = members.front();
        });
    }
    ask({ "GETRANGE", key_layout::token(item.name), "0", std::to_string(LongestNumber) },
        [&look](const Reply &reply) { look.token = values::text(reply); });
}

Result<void> PipelinedReader::feed(std::vector<Reply> replies)
{
    if (replies.size() != m_questions.size())
        return failure(ErrorCode::MalformedReply, { Phrase::OtherNumberOfReplies }, { Phrase::ReadingSomeLocks });
    for (std::size_t i = 0; i < replies.size(); ++i) {
        const auto &question = m_questions[i];
        const auto *error = replies[i].error();
        if (error && error->text.starts_with("NOPERM")) {
            refused(question, error->text);
            continue;
        }
        if (isElsewhere(replies[i])) {
            leaveOut(*question.item);
            continue;
        }
        if (error && !question.allows(error->text))
            return tl::unexpected(protocol::toError(replies[i], { Phrase::ReadingSomeLocks }));
        question.answer(replies[i]);
    }
    return {};
}

void PipelinedReader::refused(const Question &question, const std::string &error)
{
    const bool key = error.find(" key") != error.npos;
    m_refusals.keys = m_refusals.keys || (key && question.harmless != Refusal::OfAny);
    m_refusals.commands = m_refusals.commands || (!key && question.harmless == Refusal::Fatal);
    if (question.isVital())
        leaveOut(*question.item);
}

void PipelinedReader::leaveOut(Item &item)
{
    if (item.type != NotReadable)
        m_refusals.names.push_back(item.name);
    item.type = NotReadable;
}

std::vector<LockName> PipelinedReader::unread() const
{
    std::vector<LockName> names;
    for (const auto &item : m_items) {
        if (item.isUnread())
            names.push_back(item.name);
    }
    return names;
}

std::vector<LockReading> PipelinedReader::take(Recognition recognition)
{
    std::vector<LockReading> readings;
    for (const auto &item : m_items) {
        const bool known = item.isHash() || item.isFree();
        const bool isString = item.isNumber() || item.isToken();
        auto reading = known ? recognise(item.name, item.look, recognition)
            : isString       ? recogniseString(item.name, item.counter, m_tokens)
                             : std::nullopt;
        if (reading)
            readings.push_back(std::move(*reading));
    }
    m_items.clear();
    return readings;
}

} // namespace lockcore::synchronizers
