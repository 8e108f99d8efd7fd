// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/random_keyspace.h"

#include <algorithm>
#include <set>

namespace testsupport {

using namespace lockcore;
using namespace lockcore::synchronizers;
using protocol::Command;

namespace {

std::string withBraces(const std::string &name)
{
    return name.find('{') == std::string::npos ? '{' + name + '}' : name;
}

bool isPort(const OwnerId &owner) { return owner.thread.size() == 36 && owner.thread[8] == '-'; }

constexpr auto Score = 1732174560000;

} // namespace

RandomKeyspace::RandomKeyspace(int others, int locks, unsigned seed)
    : m_random(seed)
{
    for (int i = 0; i < locks; ++i)
        addLock(i);
    for (int i = 0; i < others; ++i)
        addOther(i);
    for (auto &lock : m_locks) {
        std::sort(lock.holders.begin(), lock.holders.end(), [](const HolderReading &a, const HolderReading &b) {
            return std::tie(a.owner, a.mode) < std::tie(b.owner, b.mode);
        });
        if (lock.kind == Kind::ReadWrite)
            std::sort(lock.keys.begin() + 1, lock.keys.end());
    }
}

std::vector<LockName> RandomKeyspace::names() const
{
    std::set<LockName> names;
    for (const auto &command : m_commands) {
        names.insert(command[1]);
        names.insert(withBraces(command[1]));
        names.insert(command.back()); // of RENAME
    }
    for (const auto &lock : m_locks) {
        names.insert(lock.name);
        names.insert(withBraces(lock.name));
    }
    return { names.begin(), names.end() };
}

int RandomKeyspace::random(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }

std::string RandomKeyspace::uuid()
{
    std::string result = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx";
    for (auto &c : result) {
        if (c == 'x')
            c = "0123456789abcdef"[random(16)];
        else if (c == 'v')
            c = "89ab"[random(4)];
    }
    return result;
}

OwnerId RandomKeyspace::owner()
{
    switch (random(8)) {
    case 0:
        return { uuid(), uuid() }; // a port's
    case 1:
        return { uuid(), std::to_string(random(500)) + ":0123456789abcdef0123456789abcdef" };
    case 2:
        return { uuid(), "-9223372036854775808" };
    default:
        return { uuid(), std::to_string(random(500)) };
    }
}

LockName RandomKeyspace::lockName()
{
    const auto number = std::to_string(m_next++);
    const LockName names[] = { "inventory:sku:" + number, "{orders}:" + number, "x{a" + number + "}y", "a{b" + number,
        "a}b" + number, std::string("\0\xff\n", 3) + number, "redisson_lock_queue:" + number, number,
        "{map}:Zm9vYmFyYmF6cXV4cXV1eA:lock" + number };
    return names[random(static_cast<int>(std::size(names)))];
}

void RandomKeyspace::add(Command command) { m_commands.push_back(std::move(command)); }

void RandomKeyspace::expire(const std::string &key, std::int64_t steps)
{
    add({ "PEXPIRE", key, std::to_string(steps * TtlStep + TtlStep / 2) });
}

LockReading &RandomKeyspace::start(Kind kind)
{
    LockReading lock;
    lock.name = lockName();
    lock.kind = kind;
    m_locks.push_back(std::move(lock));
    return m_locks.back();
}

void RandomKeyspace::addLock(int index)
{
    switch (index % 9) {
    case 0:
    case 1:
        addExclusive(start(Kind::Reentrant));
        break;
    case 2:
        addExclusive(start(Kind::Fair));
        addQueue(m_locks.back());
        break;
    case 3:
        addQueue(start(Kind::Fair)); // free
        break;
    case 4: {
        auto &lock = start(Kind::Fenced);
        addExclusive(lock);
        lock.token = 1 + random(1'000);
        lock.keys.push_back("redisson_lock_token:" + withBraces(lock.name));
        add({ "SET", lock.keys.back(), std::to_string(*lock.token) });
        break;
    }
    case 5:
    case 6:
        addReadWrite(false);
        break;
    case 7:
        addReadWrite(true);
        break;
    default:
        addGroup();
    }
}

void RandomKeyspace::addExclusive(LockReading &lock)
{
    HolderReading holder;
    holder.owner = owner();
    holder.count = 1 + random(3);
    holder.fromPort = isPort(holder.owner);
    add({ "HSET", lock.name, toString(holder.owner), std::to_string(holder.count) });
    lock.holders.push_back(std::move(holder));
    lock.keys.push_back(lock.name);
    if (random(5) > 0) {
        const int steps = 1 + random(50);
        expire(lock.name, steps);
        lock.ttl = Millis(steps * TtlStep);
    }
}

void RandomKeyspace::addQueue(LockReading &lock)
{
    const auto queue = "redisson_lock_queue:" + withBraces(lock.name);
    const auto timeouts = "redisson_lock_timeout:" + withBraces(lock.name);
    lock.keys.push_back(queue);
    bool scored = false;
    const int waiters = 1 + random(6);
    for (int i = 0; i < waiters; ++i) {
        WaiterReading waiter{ owner(), {} };
        add({ "RPUSH", queue, toString(waiter.owner) });
        if (random(4) > 0) {
            waiter.score = Millis(Score + random(100'000));
            waiter.deadline = WallTime(*waiter.score);
            add({ "ZADD", timeouts, std::to_string(waiter.score->count()), toString(waiter.owner) });
            scored = true;
        }
        lock.waiters.push_back(std::move(waiter));
    }
    if (scored)
        lock.keys.push_back(timeouts);
}

void RandomKeyspace::addReadWrite(bool write)
{
    auto &lock = start(Kind::ReadWrite);
    lock.mode = write ? HoldMode::Write : HoldMode::Read;
    lock.keys.push_back(lock.name);
    add({ "HSET", lock.name, "mode", write ? "write" : "read" });
    expire(lock.name, 7);
    lock.ttl = Millis(7 * TtlStep);
    if (!write) {
        const int readers = 1 + random(5);
        for (int i = 0; i < readers; ++i)
            addReader(lock, owner());
        return;
    }
    HolderReading writer;
    writer.owner = { uuid(), std::to_string(random(500)) };
    writer.count = 1 + random(2);
    writer.mode = HoldMode::Write;
    add({ "HSET", lock.name, toString(writer.owner) + ":write", std::to_string(writer.count) });
    lock.holders.push_back(writer);
    if (random(2) == 0)
        addReader(lock, writer.owner);
}

void RandomKeyspace::addReader(LockReading &lock, const OwnerId &owner)
{
    HolderReading reader;
    reader.owner = owner;
    reader.count = 1 + random(4);
    reader.mode = HoldMode::Read;
    reader.fromPort = isPort(owner);
    add({ "HSET", lock.name, toString(owner), std::to_string(reader.count) });
    for (int i = 1; i <= reader.count; ++i) {
        reader.readTtls.push_back(Millis(0));
        if (random(4) == 0)
            continue; // has run out
        const auto key = withBraces(lock.name) + ':' + toString(owner) + ":rwlock_timeout:" + std::to_string(i);
        add({ "SET", key, "1" });
        expire(key, i);
        reader.readTtls.back() = Millis(i * TtlStep);
        lock.keys.push_back(key);
    }
    lock.holders.push_back(std::move(reader));
}

void RandomKeyspace::addGroup()
{
    auto &lock = start(Kind::FasterMulti);
    lock.keys.push_back(lock.name);
    const int holders = 1 + random(3);
    for (int i = 0; i < holders; ++i) {
        HolderReading holder;
        holder.owner = { uuid(), std::to_string(random(500)) };
        holder.count = 1 + random(2);
        holder.heldUntil = WallTime(Millis(Score + i));
        for (int value = 0; value < 2; ++value) {
            const auto hash = "Zm9vYmFyYmF6+/V4cXV1" + std::to_string(i) + std::to_string(value);
            add({ "HSET", lock.name, hash, toString(holder.owner), hash + ':' + toString(holder.owner) + ":expire_time",
                std::to_string(Score + i - value), hash + ':' + toString(holder.owner) + ":lock_count",
                std::to_string(value == 0 ? holder.count : 1) });
        }
        lock.holders.push_back(std::move(holder));
    }
    expire(lock.name, 3);
    lock.ttl = Millis(3 * TtlStep);
}

Command RandomKeyspace::otherHash(const std::string &name)
{
    const auto id = uuid();
    auto otherVersion = id;
    otherVersion[14] = '1';
    auto upper = id;
    std::transform(upper.begin(), upper.end(), upper.begin(),
        [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
    const Command similar[] = {
        { "name", "Alice", "age", "41" },
        { id, "1" },
        { id + ":57", "1", id + ":58", "1", id + ":59", "1", id + ":60", "1", id + ":61", "1" },
        { id + ":57", "1", id + ":58", "0" },
        { id + ":57", "pending" },
        { id + ":57", "0" },
        { id + ":57", "-1" },
        { id + ":57", "1.0" },
        { otherVersion + ":57", "1" },
        { upper + ":57", "1" },
        { id + ":main", "1" },
        { id + ":57:write", "1" },
        { id + ':' + otherVersion, "1" },
        { "mode", "read" },
        { "mode", "write", "volume", "11" },
        { "mode", "read", id + ":57", "1", "volume", "11" },
        { "mode", "read", id + ":57:write", "0" },
        { "mode", "write", id + ":57", "many" },
        { "Zm9vYmFyYmF6cXV4cXV1eA", id + ":57" },
        { "Zm9vYmFyYmF6cXV4cXV1eA", "x", "Zm9vYmFyYmF6cXV4cXV1eA:" + id + ":57:lock_count", "1" },
    };
    Command command{ "HSET", name };
    const auto &fields = similar[random(static_cast<int>(std::size(similar)))];
    command.insert(command.end(), fields.begin(), fields.end());
    return command;
}

void RandomKeyspace::addOther(int index)
{
    const auto name = "other:" + std::to_string(m_next++);
    const auto value = uuid() + ":57";
    switch (index % 11) {
    case 0:
        return add({ "SET", name, value });
    case 1:
        return add({ "RPUSH", name, value });
    case 2:
        return add({ "ZADD", name, "1732174560000", value });
    case 3:
        return add({ "SADD", name, value });
    case 4:
        return add({ "XADD", name, "*", value, "1" });
    case 5:
        return add({ "RPUSH", "redisson_lock_queue:{" + name + '}', "job 7", value });
    case 6:
        return add({ "ZADD", "redisson_lock_timeout:{" + name + '}', "1732174560000", value });
    case 7:
        return add({ "SET", "redisson_unlock_latch:{" + name + "}:0123456789abcdef0123456789abcdef", "1" });
    case 8:
        return add({ "SET", "redisson_lock_token:{" + name + '}', "7" });
    default:
        add(otherHash(name));
        if (random(2) == 0)
            expire(name, 9);
    }
}

void RandomKeyspace::damage(int times)
{
    for (int i = 0; i < times; ++i)
        damageOne();
}

void RandomKeyspace::damageOne()
{
    const auto lock = m_locks[static_cast<std::size_t>(random(static_cast<int>(m_locks.size())))];
    const auto queue = "redisson_lock_queue:" + withBraces(lock.name);
    const auto timeouts = "redisson_lock_timeout:" + withBraces(lock.name);
    const auto token = "redisson_lock_token:" + withBraces(lock.name);
    const auto field = lock.holders.empty() ? toString(owner()) : toString(lock.holders.front().owner);
    const auto other = lock.name.find('{') == std::string::npos ? '{' + lock.name + '}' : lock.name + "}";
    const Command changes[] = {
        { "HDEL", lock.name, field },
        { "HDEL", lock.name, "mode" },
        { "HSET", lock.name, field, "0" },
        { "HSET", lock.name, field, "9223372036854775808" },
        { "HSET", lock.name, field, "1200" },
        { "HSET", lock.name, field + ":write", "1" },
        { "HSET", lock.name, "mode", random(2) == 0 ? "read" : "write" },
        { "HSET", lock.name, toString(owner()), "1" },
        { "HSET", lock.name, "colour", "red" },
        { "PERSIST", lock.name },
        { "DEL", lock.name },
        { "DEL", lock.name },
        { "DEL", queue },
        { "DEL", timeouts },
        { "RPUSH", queue, toString(owner()) },
        { "RPUSH", queue, "somebody" },
        { "ZADD", timeouts, "inf", field },
        { "ZADD", timeouts, "-1.5", "somebody" },
        { "SET", token, random(2) == 0 ? "12" : "twelve" },
        { "SADD", token, "12" },
        { "SET", timeouts, "1" },
        { "HSET", other, toString(owner()), "1" },
        { "HSET", other, "colour", "red" },
        { "RENAME", lock.name, other },
        { "PERSIST", withBraces(lock.name) + ':' + field + ":rwlock_timeout:1" },
    };
    add(changes[random(static_cast<int>(std::size(changes)))]);
}

} // namespace testsupport
