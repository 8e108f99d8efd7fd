// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/watch/command_trace.h"

#include <charconv>
#include <hiredis/hiredis.h>
#include <memory>
#include <sys/time.h>
#include <utility>

namespace crowdwatch {

namespace {

constexpr timeval LookUpEvery{ .tv_sec = 0, .tv_usec = 200'000 };

std::int64_t numberIn(std::string_view digits)
{
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

char unescaped(char letter)
{
    switch (letter) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    default:
        return letter;
    }
}

/// Cuts one quoted word off the front.
std::optional<std::string> takeWord(std::string_view &rest)
{
    const auto quote = rest.find('"');
    if (quote == std::string_view::npos)
        return std::nullopt;
    std::string word;
    for (std::size_t i = quote + 1; i < rest.size(); ++i) {
        if (rest[i] == '"') {
            rest.remove_prefix(i + 1);
            return word;
        }
        if (rest[i] != '\\' || i + 1 >= rest.size()) {
            word += rest[i];
        } else if (rest[++i] != 'x' || i + 2 >= rest.size()) {
            word += unescaped(rest[i]);
        } else {
            int byte = 0;
            std::from_chars(rest.data() + i + 1, rest.data() + i + 3, byte, 16);
            word += static_cast<char>(byte);
            i += 2;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<TracedCommand> parseLine(std::string_view line)
{
    const auto point = line.find('.');
    const auto open = line.find(" [");
    const auto close = line.find("] ");
    if (point == std::string_view::npos || open == std::string_view::npos || close == std::string_view::npos
        || open < point)
        return std::nullopt;
    TracedCommand command;
    command.at = std::chrono::seconds(numberIn(line.substr(0, point)))
        + Moment(numberIn(line.substr(point + 1, open - point - 1)));
    command.fromScript = line.substr(open, close - open).ends_with(" lua");
    auto rest = line.substr(close + 1);
    for (auto word = takeWord(rest); word; word = takeWord(rest))
        command.words.push_back(std::move(*word));
    return command.words.empty() ? std::nullopt : std::optional(std::move(command));
}

CommandTrace::CommandTrace(std::string socketPath, std::function<void(TracedCommand)> sink)
    : m_socketPath(std::move(socketPath))
    , m_sink(std::move(sink))
    , m_thread([this] { run(); })
{
}

CommandTrace::~CommandTrace()
{
    m_stopping = true;
    m_thread.join();
}

void CommandTrace::run()
{
    const std::unique_ptr<redisContext, decltype(&redisFree)> context(
        redisConnectUnix(m_socketPath.c_str()), redisFree);
    void *raw = nullptr;
    redisAppendCommand(context.get(), "MONITOR");
    if (context->err != 0 || redisGetReply(context.get(), &raw) != REDIS_OK) {
        m_broken = true;
        return;
    }
    freeReplyObject(raw);
    redisSetTimeout(context.get(), LookUpEvery);
    m_listening = true;
    while (!m_stopping) {
        if (redisGetReply(context.get(), &raw) != REDIS_OK) {
            const bool isSilent = context->err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK);
            if (!isSilent) {
                m_broken = true;
                return;
            }
            context->err = 0; // nothing was said for a while
            context->errstr[0] = '\0';
            continue;
        }
        const std::unique_ptr<redisReply, decltype(&freeReplyObject)> reply(
            static_cast<redisReply *>(raw), freeReplyObject);
        if (reply->type == REDIS_REPLY_STATUS) {
            if (auto command = parseLine({ reply->str, static_cast<std::size_t>(reply->len) }))
                m_sink(std::move(*command));
        }
    }
}

} // namespace crowdwatch
