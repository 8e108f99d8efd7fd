// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_keyspace.h"

using lockcore::protocol::Command;

namespace testsupport {

namespace {

const std::string Client = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2";
const std::string Other = "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f";

/// As prefixName of RedissonObject: a prefix for a key that belongs to a lock.
std::string prefixed(const std::string &prefix, const std::string &name)
{
    return name.find('{') == std::string::npos ? prefix + ":{" + name + "}" : prefix + ":" + name;
}

} // namespace

void addHold(std::vector<Command> &commands, const std::string &name, const std::string &owner, int leaseMs)
{
    commands.push_back({ "HSET", name, owner, "1" });
    commands.push_back({ "PEXPIRE", name, std::to_string(leaseMs) });
}

void addLocks(std::vector<Command> &commands, int count)
{
    for (int i = 0; i < count; ++i) {
        const std::string name = (i % 3 == 0 ? "order:{" : "stock:") + std::to_string(i) + (i % 3 == 0 ? "}:pay" : "");
        const std::string owner = Client + ':' + std::to_string(i);
        const std::string waiter = Other + ":7";
        if (i % 10 == 1) {
            addHold(commands, name, owner, 90'000);
            commands.push_back({ "RPUSH", prefixed("redisson_lock_queue", name), waiter });
            commands.push_back({ "ZADD", prefixed("redisson_lock_timeout", name), "1999999999999", waiter });
        } else if (i % 10 == 2) {
            const std::string timeout
                = (name.find('{') == std::string::npos ? "{" + name + "}" : name) + ':' + owner + ":rwlock_timeout:1";
            commands.push_back({ "HSET", name, "mode", "read", owner, "1" });
            commands.push_back({ "PEXPIRE", name, "90000" });
            commands.push_back({ "SET", timeout, "1", "PX", "90000" });
        } else {
            addHold(commands, name, owner, 90'000);
        }
    }
}

void addOther(Commands &commands, int number, int lifeMs)
{
    const std::string name = "other:" + std::to_string(number);
    switch (number % 8) {
    case 0:
        commands.push_back({ "SET", name, "value" });
        break;
    case 1:
        commands.push_back({ "HSET", name, "name", "Ada", "age", "36" });
        break;
    case 2:
        commands.push_back({ "RPUSH", name, "a", "b" });
        break;
    case 3:
        commands.push_back({ "ZADD", name, "1", "a" });
        break;
    case 4:
        commands.push_back({ "SADD", name, "a" });
        break;
    case 5:
        commands.push_back({ "XADD", name, "*", "a", "b" });
        break;
    case 6:
        commands.push_back({ "HSET", name, Client + ":1", "not a count" });
        commands.push_back({ "PEXPIRE", name, std::to_string(lifeMs) });
        break;
    case 7:
        commands.push_back({ "SET", "redisson_unlock_latch:{" + name + "}:0123456789abcdef0123456789abcdef", "1", "PX",
            std::to_string(lifeMs) });
        break;
    }
}

void addOthers(Commands &commands, int count)
{
    for (int i = 0; i < count; ++i)
        addOther(commands, i);
}

} // namespace testsupport
