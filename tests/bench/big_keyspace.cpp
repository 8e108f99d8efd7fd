// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/big_keyspace.h"

#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"

#include <algorithm>

namespace lockbench {

using testsupport::Commands;

namespace {

constexpr int CommandsAtOnce = 10'000;
constexpr int LeaseMs = 24 * 3'600'000; // longer than all rounds
const std::string Client = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2";
const std::string Other = "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f";
const std::string Deadline = "1999999999999";
const std::string Value = "Zm9vYmFyYmF6cXV4cXV1eA";

/// Out of twenty: eleven reentrant, two fair with waiters and one that is free, two read/write, one of each other kind.
void addLock(Commands &commands, int number)
{
    const std::string digits = std::to_string(number);
    const std::string name = number % 3 == 0 ? "order:{" + digits + "}:pay" : "stock:" + digits;
    const std::string braced = number % 3 == 0 ? name : '{' + name + '}';
    const std::string owner = Client + ':' + digits;
    const auto held = [&] { testsupport::addHold(commands, name, owner, LeaseMs); };
    const auto queue = [&] {
        commands.push_back({ "RPUSH", "redisson_lock_queue:" + braced, Other + ":7" });
        commands.push_back({ "ZADD", "redisson_lock_timeout:" + braced, Deadline, Other + ":7" });
    };
    switch (number % 20) {
    case 0:
    case 1:
        held();
        return queue();
    case 2:
        return queue();
    case 3:
    case 4:
        commands.push_back({ "HSET", name, "mode", "read", owner, "1" });
        commands.push_back({ "PEXPIRE", name, std::to_string(LeaseMs) });
        commands.push_back({ "SET", braced + ':' + owner + ":rwlock_timeout:1", "1", "PX", std::to_string(LeaseMs) });
        return;
    case 5:
        commands.push_back({ "HSET", name, "mode", "write", owner + ":write", "1" });
        commands.push_back({ "PEXPIRE", name, std::to_string(LeaseMs) });
        return;
    case 6:
        held();
        commands.push_back({ "SET", "redisson_lock_token:" + braced, "7" });
        return;
    case 7:
        commands.push_back({ "HSET", name, Value, owner, Value + ':' + owner + ":expire_time", Deadline,
            Value + ':' + owner + ":lock_count", "1" });
        commands.push_back({ "PEXPIRE", name, std::to_string(LeaseMs) });
        return;
    case 8:
        commands.push_back({ "SET", name, "3" });
        commands.push_back({ "ZADD", braced + ":timeout", Deadline, std::string(32, 'a') });
        return;
    default:
        held();
    }
}

} // namespace

int fill(const testsupport::RedisServer &server, const KeyspaceSize &size)
{
    testsupport::BlockingClient client(server.socketPath().toStdString());
    Commands commands;
    const auto send = [&] {
        const auto replies = client.runAll(commands);
        commands.clear();
        return std::none_of(
            replies.begin(), replies.end(), [](const auto &reply) { return reply.isNil() || reply.isError(); });
    };
    for (int i = 0; i < size.locks; ++i) {
        addLock(commands, i);
        if (commands.size() >= CommandsAtOnce && !send())
            return 0;
    }
    if (!send())
        return 0;
    const auto keys = client.run({ "DBSIZE" });
    for (int i = 0; keys.integer() && i < size.keys - *keys.integer(); ++i) {
        testsupport::addOther(commands, i, LeaseMs);
        if (commands.size() >= CommandsAtOnce && !send())
            return 0;
    }
    return send() ? size.locks : 0;
}

} // namespace lockbench
