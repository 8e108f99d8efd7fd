// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/scan_loop.h"

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

OwnReply ask(redisContext *context, const char *command, const char *argument)
{
    return OwnReply(static_cast<redisReply *>(redisCommand(context, command, argument)));
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
    const std::unique_ptr<redisContext, decltype(&redisFree)> context(
        redisConnect("127.0.0.1", server.port()), &redisFree);
    if (!context || context->err)
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
