// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/keyspace_dump.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace interop {

using lockcore::protocol::Reply;

namespace {

// key, type, PEXPIRETIME, content
constexpr const char *Everything = R"(
local readers = {
    hash = function(key) return redis.call('HGETALL', key) end,
    list = function(key) return redis.call('LRANGE', key, 0, -1) end,
    zset = function(key) return redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end,
    string = function(key) return { redis.call('GET', key) } end,
}
local found = {}
for _, key in ipairs(redis.call('KEYS', '*' .. ARGV[1] .. '*')) do
    local type = redis.call('TYPE', key)['ok']
    found[#found + 1] = { key, type, redis.call('PEXPIRETIME', key), readers[type](key) }
end
return found
)";

std::string hex(const std::string &bytes)
{
    std::string text;
    for (const char byte : bytes) {
        constexpr const char *Digits = "0123456789abcdef";
        const auto value = static_cast<unsigned char>(byte);
        text += { Digits[value / 16], Digits[value % 16] };
    }
    return text;
}

/// Permit ids are raw bytes.
std::string readable(const std::string &text, const Aliases &aliases)
{
    const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    std::string result = printable ? text : hex(text);
    for (const auto &[original, alias] : aliases) {
        for (auto at = result.find(original); at != std::string::npos; at = result.find(original, at + alias.size()))
            result.replace(at, original.size(), alias);
    }
    return result;
}

class Dumper {
public:
    explicit Dumper(const Aliases &aliases)
        : m_aliases(aliases)
    {
    }

    void add(const Reply::Array &entry)
    {
        const std::string &key = *entry[0].bulk();
        if (key.starts_with("redisson_unlock_latch:"))
            return;
        const std::string name = readable(key, m_aliases);
        const std::string &type = *entry[1].bulk();
        m_dump.facts[name + " is a"] = type;
        if (const std::int64_t end = *entry[2].integer(); end < 0)
            m_dump.facts[name + " runs out"] = "never";
        else
            addTime(name + " runs out", end);
        addContent(name, type, *entry[3].array());
    }

    void addChannels(const Reply::Array &channels)
    {
        m_dump.channels = channels.size();
        for (const Reply &channel : channels)
            m_dump.facts["channel " + readable(*channel.bulk(), m_aliases)] = "subscribed";
    }

    KeyspaceDump take() { return std::move(m_dump); }

private:
    void addContent(const std::string &name, const std::string &type, const Reply::Array &content)
    {
        const auto text = [&](std::size_t index) { return readable(*content[index].bulk(), m_aliases); };
        for (std::size_t i = 0; i < content.size(); ++i) {
            if (type == "list")
                m_dump.facts[name + '[' + std::to_string(i) + ']'] = text(i);
            else if (type == "string")
                m_dump.facts[name + " ="] = text(i);
            else if (i % 2 == 1)
                continue;
            else if (type == "zset" || text(i).ends_with(":expire_time"))
                addTime(name + '[' + text(i) + ']', std::llround(std::stod(text(i + 1))));
            else
                m_dump.facts[name + '[' + text(i) + ']'] = text(i + 1);
        }
    }

    /// That there is one is a fact.
    void addTime(const std::string &name, std::int64_t time)
    {
        m_dump.times[name] = time;
        m_dump.facts[name] = "a time";
    }

    const Aliases &m_aliases;
    KeyspaceDump m_dump;
};

template <typename Value, typename Same>
void compare(const std::map<std::string, Value> &ours, const std::map<std::string, Value> &theirs, Same same,
    std::string (*show)(const Value &), std::string &text)
{
    std::set<std::string> names;
    for (const auto &[name, value] : ours)
        names.insert(name);
    for (const auto &[name, value] : theirs)
        names.insert(name);
    for (const std::string &name : names) {
        const auto our = ours.find(name);
        const auto their = theirs.find(name);
        if (our != ours.end() && their != theirs.end() && same(our->second, their->second))
            continue;
        text += "  " + name + ": " + (our == ours.end() ? "absent" : show(our->second)) + ", Redisson "
            + (their == theirs.end() ? "absent" : show(their->second)) + '\n';
    }
}

} // namespace

KeyspaceDump dumpKeyspace(testsupport::BlockingClient &redis, const std::string &name, const Aliases &aliases)
{
    const auto replies
        = redis.runAll({ { "EVAL", Everything, "0", name }, { "PUBSUB", "CHANNELS", "redisson_*{" + name + "}*" } });
    Dumper dumper(aliases);
    if (!replies[0].array() || !replies[1].array()) {
        KeyspaceDump failed;
        failed.failed = true;
        return failed;
    }
    for (const Reply &entry : *replies[0].array())
        dumper.add(*entry.array());
    dumper.addChannels(*replies[1].array());
    return dumper.take();
}

std::string differentFacts(const KeyspaceDump &ours, const KeyspaceDump &theirs)
{
    std::string text;
    compare<std::string>(
        ours.facts, theirs.facts, [](const auto &a, const auto &b) { return a == b; },
        [](const std::string &value) { return value; }, text);
    return text;
}

std::string differentTimes(const KeyspaceDump &ours, const KeyspaceDump &theirs, std::int64_t toleranceMs)
{
    std::string text;
    compare<std::int64_t>(
        ours.times, theirs.times, [=](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= toleranceMs; },
        [](const std::int64_t &value) { return std::to_string(value); }, text);
    return text;
}

} // namespace interop
