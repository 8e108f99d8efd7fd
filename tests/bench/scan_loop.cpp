// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/scan_loop.h"

#include "lockcore/synchronizers/lock_reader.h"
#include "tests/support/blocking_client.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <hiredis/hiredis.h>
#include <memory>

using namespace Qt::StringLiterals;

namespace lockbench {

namespace {

constexpr const char *ClientName = "bare";

struct FreeReply {
    void operator()(redisReply *reply) const { freeReplyObject(reply); }
};
using OwnReply = std::unique_ptr<redisReply, FreeReply>;

using Context = std::unique_ptr<redisContext, decltype(&redisFree)>;

/// Null: the server does not answer.
Context contextOf(const testsupport::RedisServer &server)
{
    Context context(redisConnect("127.0.0.1", server.port()), &redisFree);
    return context && context->err == 0 ? std::move(context) : Context(nullptr, &redisFree);
}

OwnReply ask(redisContext *context, const char *command, const char *argument)
{
    return OwnReply(static_cast<redisReply *>(redisCommand(context, command, argument)));
}

OwnReply ask(redisContext *context, const lockcore::protocol::Command &command)
{
    std::vector<const char *> words;
    std::vector<std::size_t> lengths;
    for (const std::string &word : command) {
        words.push_back(word.data());
        lengths.push_back(word.size());
    }
    return OwnReply(static_cast<redisReply *>(
        redisCommandArgv(context, static_cast<int>(words.size()), words.data(), lengths.data())));
}

bool setSlowlog(const testsupport::RedisServer &server, int fromMicroseconds)
{
    const auto reply = testsupport::BlockingClient(server.socketPath().toStdString())
                           .run({ "CONFIG", "SET", "slowlog-max-len", "1000000", "slowlog-log-slower-than",
                               std::to_string(fromMicroseconds) });
    return reply.status() != nullptr;
}

} // namespace

std::optional<double> scanSeconds(const testsupport::RedisServer &server)
{
    const Context context = contextOf(server);
    if (!context)
        return std::nullopt;
    ask(context.get(), "CLIENT SETNAME %s", ClientName);
    QElapsedTimer elapsed;
    elapsed.start();
    std::string cursor = "0";
    do {
        const OwnReply reply = ask(context.get(), "SCAN %s COUNT 1000 TYPE hash", cursor.c_str());
        if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements != 2)
            return std::nullopt;
        cursor = reply->element[0]->str;
    } while (cursor != "0");
    return static_cast<double>(elapsed.nsecsElapsed()) / 1e9;
}

std::optional<double> pageSeconds(const testsupport::RedisServer &server)
{
    constexpr int Keys = 500; // as a sweep begins with
    const Context context = contextOf(server);
    const auto &script = lockcore::synchronizers::sweepPageScript();
    if (!context || !ask(context.get(), { "SCRIPT", "LOAD", std::string(script.text) }))
        return std::nullopt;
    const auto walks = lockcore::synchronizers::sweepWalks({}, {});
    lockcore::synchronizers::SweepPosition position;
    QElapsedTimer elapsed;
    elapsed.start();
    while (!position.isAtEnd()) {
        const auto arguments = lockcore::synchronizers::sweepPageArguments(walks, position, Keys, true);
        const OwnReply reply = ask(context.get(), lockcore::protocol::byDigest(script, {}, arguments));
        if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements == 0)
            return std::nullopt;
        const redisReply *cursors = reply->element[0];
        position.cursors.clear();
        for (std::size_t i = 0; i < cursors->elements; ++i)
            position.cursors.emplace_back(cursors->element[i]->str, cursors->element[i]->len);
    }
    return static_cast<double>(elapsed.nsecsElapsed()) / 1e9;
}

StepTimes::StepTimes(const testsupport::RedisServer &server)
    : m_server(server)
{
    if (!setSlowlog(server, static_cast<int>(LeastMs * 1e3)))
        std::fprintf(stderr, "the server does not log its steps\n");
    server.cli({ u"SLOWLOG"_s, u"RESET"_s });
}

StepTimes::~StepTimes() { setSlowlog(m_server, -1); }

double StepTimes::slowestOf(const QByteArray &clientName) const
{
    testsupport::BlockingClient client(m_server.socketPath().toStdString());
    const auto log = client.run({ "SLOWLOG", "GET", "-1" });
    double slowest = LeastMs;
    if (!log.array())
        return slowest;
    for (const auto &entry : *log.array()) {
        const auto *parts = entry.array(); // id, when, µs, arguments, address, name
        if (parts && parts->size() == 6 && parts->at(5).bulk() && *parts->at(5).bulk() == clientName.toStdString())
            slowest = std::max(slowest, static_cast<double>(*parts->at(2).integer()) / 1e3);
    }
    return slowest;
}

} // namespace lockbench
