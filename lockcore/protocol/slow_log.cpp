// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/slow_log.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>

namespace lockcore::protocol {

namespace {

constexpr std::size_t LongestName = 32;
constexpr std::size_t LongestKey = 256;
constexpr std::size_t ClientAddress = 4; // its place in an entry
constexpr std::size_t ClientName = 5;
constexpr std::string_view NoClient = "?:0"; // the address where a script ran it, or the client was gone by then
constexpr std::int64_t LatestSecond = 1'000'000'000'000; // whatever a server says: what is reckoned from it fits
constexpr std::int64_t LongestMicros = 1'000'000'000'000'000;

/// Commands whose first argument is a key, or the pattern of keys. Of all others it may be anything: a password, a
/// script, a message. So only what stands here is told, sorted.
constexpr std::string_view KeyFirst[]{ "APPEND", "BITCOUNT", "BITFIELD", "BITFIELD_RO", "BITPOS", "BLPOP", "BRPOP",
    "BZPOPMAX", "BZPOPMIN", "COPY", "DECR", "DECRBY", "DEL", "DUMP", "EXISTS", "EXPIRE", "EXPIREAT", "EXPIRETIME",
    "GEOADD", "GEODIST", "GEOHASH", "GEOPOS", "GEORADIUS", "GEORADIUSBYMEMBER", "GEOSEARCH", "GEOSEARCHSTORE", "GET",
    "GETBIT", "GETDEL", "GETEX", "GETRANGE", "GETSET", "HDEL", "HEXISTS", "HGET", "HGETALL", "HINCRBY", "HINCRBYFLOAT",
    "HKEYS", "HLEN", "HMGET", "HMSET", "HRANDFIELD", "HSCAN", "HSET", "HSETNX", "HSTRLEN", "HVALS", "INCR", "INCRBY",
    "INCRBYFLOAT", "KEYS", "LINDEX", "LINSERT", "LLEN", "LMOVE", "LPOP", "LPOS", "LPUSH", "LPUSHX", "LRANGE", "LREM",
    "LSET", "LTRIM", "MGET", "MOVE", "MSET", "MSETNX", "PERSIST", "PEXPIRE", "PEXPIREAT", "PEXPIRETIME", "PFADD",
    "PFCOUNT", "PFMERGE", "PSETEX", "PTTL", "RENAME", "RENAMENX", "RESTORE", "RPOP", "RPOPLPUSH", "RPUSH", "RPUSHX",
    "SADD", "SCARD", "SDIFF", "SDIFFSTORE", "SET", "SETBIT", "SETEX", "SETNX", "SETRANGE", "SINTER", "SINTERSTORE",
    "SISMEMBER", "SMEMBERS", "SMISMEMBER", "SMOVE", "SORT", "SORT_RO", "SPOP", "SRANDMEMBER", "SREM", "SSCAN", "STRLEN",
    "SUNION", "SUNIONSTORE", "TOUCH", "TTL", "TYPE", "UNLINK", "WATCH", "XACK", "XADD", "XAUTOCLAIM", "XCLAIM", "XDEL",
    "XLEN", "XPENDING", "XRANGE", "XREVRANGE", "XTRIM", "ZADD", "ZCARD", "ZCOUNT", "ZDIFFSTORE", "ZINCRBY",
    "ZINTERSTORE", "ZLEXCOUNT", "ZMSCORE", "ZPOPMAX", "ZPOPMIN", "ZRANDMEMBER", "ZRANGE", "ZRANGEBYLEX",
    "ZRANGEBYSCORE", "ZRANGESTORE", "ZRANK", "ZREM", "ZREMRANGEBYLEX", "ZREMRANGEBYRANK", "ZREMRANGEBYSCORE",
    "ZREVRANGE", "ZREVRANGEBYLEX", "ZREVRANGEBYSCORE", "ZREVRANK", "ZSCAN", "ZSCORE", "ZUNIONSTORE" };
static_assert(std::ranges::is_sorted(KeyFirst));

/// The first key stands behind the script or function and the number of keys.
constexpr std::string_view Scripts[]{ "EVAL", "EVALSHA", "EVALSHA_RO", "EVAL_RO", "FCALL", "FCALL_RO" };

/// What the second word does is told of these; of the rest of them nothing but a key where one follows.
constexpr std::string_view WithWord[]{ "ACL", "CLIENT", "CLUSTER", "COMMAND", "CONFIG", "DEBUG", "FUNCTION", "LATENCY",
    "MEMORY", "MODULE", "OBJECT", "PUBSUB", "SCRIPT", "SLOWLOG", "XGROUP", "XINFO" };
constexpr std::string_view KeyBehindWord[]{ "MEMORY USAGE", "OBJECT ENCODING", "OBJECT FREQ", "OBJECT IDLETIME",
    "OBJECT REFCOUNT" };

bool isOneOf(std::string_view word, auto &words) { return std::ranges::find(words, word) != std::end(words); }

/// In capitals; empty: it is no name of a command.
std::string nameOf(const std::string &word)
{
    if (word.size() > LongestName)
        return {};
    std::string name;
    for (const char c : word) {
        const bool isLower = c >= 'a' && c <= 'z';
        const bool isOther = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
        if (!isLower && !isOther)
            return {};
        name += isLower ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return name;
}

std::string wordAt(const Reply::Array &words, std::size_t place)
{
    const std::string *word = place < words.size() ? words[place].bulk() : nullptr;
    return word ? word->substr(0, LongestKey) : std::string();
}

void readWords(const Reply::Array &words, SlowCommand &slow)
{
    slow.command = nameOf(wordAt(words, 0));
    if (isOneOf(slow.command, KeyFirst)) {
        slow.key = wordAt(words, 1);
    } else if (isOneOf(slow.command, Scripts)) {
        const std::string keys = wordAt(words, 2);
        if (!keys.empty() && keys != "0" && keys.find_first_not_of("0123456789") == std::string::npos)
            slow.key = wordAt(words, 3);
    } else if (isOneOf(slow.command, WithWord)) {
        if (const std::string word = nameOf(wordAt(words, 1)); !word.empty())
            slow.command += ' ' + word;
        if (isOneOf(slow.command, KeyBehindWord))
            slow.key = wordAt(words, 2);
    }
}

std::optional<SlowCommand> readEntry(const Reply &entry)
{
    const Reply::Array *parts = entry.array();
    if (!parts || parts->size() < 4)
        return std::nullopt;
    const std::int64_t *id = (*parts)[0].integer();
    const std::int64_t *second = (*parts)[1].integer();
    const std::int64_t *micros = (*parts)[2].integer();
    const Reply::Array *words = (*parts)[3].array();
    const bool isWhole = id && second && micros && words && *id >= 0 && *second >= 0 && *second <= LatestSecond
        && *micros >= 0 && *micros <= LongestMicros;
    if (!isWhole)
        return std::nullopt;
    SlowCommand slow;
    slow.id = *id;
    slow.at = WallTime(std::chrono::seconds(*second));
    slow.took = std::chrono::microseconds(*micros);
    readWords(*words, slow);
    slow.client = wordAt(*parts, ClientName);
    slow.isOfScript = slow.client.empty() && wordAt(*parts, ClientAddress) == NoClient;
    return slow;
}

/// Of those that may be of a script: what it ran is logged right before it, and took no longer than that.
void markWhatScriptsRan(std::vector<SlowCommand> &newestFirst)
{
    std::int64_t id = -1; // of the next one that a script may have run
    std::chrono::microseconds left{ 0 };
    for (SlowCommand &slow : newestFirst) {
        slow.isOfScript = slow.isOfScript && slow.id == id && slow.took <= left;
        if (slow.isOfScript)
            left -= slow.took;
        else
            left = isOneOf(slow.command, Scripts) ? slow.took : std::chrono::microseconds(0);
        id = slow.id - 1;
    }
}

} // namespace

std::vector<SlowCommand> parseSlowLog(const Reply &reply)
{
    const Reply::Array *entries = reply.array();
    std::vector<SlowCommand> log;
    for (const Reply &entry : entries ? *entries : Reply::Array()) {
        if (auto slow = readEntry(entry))
            log.push_back(std::move(*slow));
    }
    std::ranges::sort(log, std::greater(), &SlowCommand::id);
    markWhatScriptsRan(log);
    return log;
}

} // namespace lockcore::protocol
