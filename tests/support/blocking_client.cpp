// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/blocking_client.h"

#include <hiredis/hiredis.h>

namespace testsupport {

using lockcore::protocol::Command;
using lockcore::protocol::Reply;

namespace {

Reply convert(const redisReply &reply)
{
    const auto text = [&] { return std::string(reply.str, static_cast<std::size_t>(reply.len)); };
    switch (reply.type) {
    case REDIS_REPLY_INTEGER:
        return Reply(Reply::Value(std::int64_t{ reply.integer }));
    case REDIS_REPLY_STRING:
        return Reply(Reply::Value(text()));
    case REDIS_REPLY_STATUS:
        return Reply(Reply::Status{ text() });
    case REDIS_REPLY_ERROR:
        return Reply(Reply::ServerError{ text() });
    case REDIS_REPLY_ARRAY: {
        Reply::Array array;
        for (std::size_t i = 0; i < reply.elements; ++i)
            array.push_back(convert(*reply.element[i]));
        return Reply(std::move(array));
    }
    default:
        return {};
    }
}

} // namespace

class BlockingClient::Private {
public:
    std::unique_ptr<redisContext, decltype(&redisFree)> context{ nullptr, redisFree };

    void send(const Command &command)
    {
        std::vector<const char *> texts;
        std::vector<std::size_t> lengths;
        for (const auto &argument : command) {
            texts.push_back(argument.data());
            lengths.push_back(argument.size());
        }
        redisAppendCommandArgv(context.get(), static_cast<int>(texts.size()), texts.data(), lengths.data());
    }

    Reply receive()
    {
        void *raw = nullptr;
        if (redisGetReply(context.get(), &raw) != REDIS_OK)
            return {};
        const std::unique_ptr<redisReply, decltype(&freeReplyObject)> reply(
            static_cast<redisReply *>(raw), freeReplyObject);
        return convert(*reply);
    }
};

BlockingClient::BlockingClient(const std::string &socketPath)
    : d(std::make_unique<Private>())
{
    d->context.reset(redisConnectUnix(socketPath.c_str()));
}

BlockingClient::~BlockingClient() = default;

Reply BlockingClient::run(const Command &command)
{
    d->send(command);
    return d->receive();
}

Reply BlockingClient::next() { return d->receive(); }

std::vector<Reply> BlockingClient::runAll(const std::vector<Command> &commands)
{
    for (const auto &command : commands)
        d->send(command);
    std::vector<Reply> replies;
    for (std::size_t i = 0; i < commands.size(); ++i)
        replies.push_back(d->receive());
    return replies;
}

Reply BlockingClient::eval(const lockcore::protocol::Script &script, const std::vector<std::string> &keys,
    const std::vector<std::string> &arguments)
{
    Command command{ script.readOnly ? "EVAL_RO" : "EVAL", std::string(script.text), std::to_string(keys.size()) };
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command);
}

} // namespace testsupport
