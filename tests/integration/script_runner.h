// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace testsupport {

/// Given to scripts as the command to publish with: what would be told stands in a list named as the channel.
inline const std::string Told = "RPUSH";

/// Runs script calls as a client does, and looks at what they leave behind.
class ScriptRunner {
public:
    bool start()
    {
        if (!m_server.start())
            return false;
        m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
        return true;
    }

    std::string socketPath() const { return m_server.socketPath().toStdString(); }

    /// What scripts take for the server's time from now on.
    ScriptRunner &at(lockcore::WallTime time)
    {
        m_time = time;
        return *this;
    }

    lockcore::protocol::Reply run(const lockcore::synchronizers::ScriptCall &call)
    {
        if (!m_time)
            return m_client->eval(*call.script, call.keys, call.arguments);
        lockcore::protocol::Command command{ "EVAL", atTime(std::string(call.script->text), *m_time),
            std::to_string(call.keys.size()) };
        command.insert(command.end(), call.keys.begin(), call.keys.end());
        command.insert(command.end(), call.arguments.begin(), call.arguments.end());
        return m_client->run(command);
    }
    lockcore::protocol::Reply ask(const lockcore::protocol::Command &command) { return m_client->run(command); }

    lockcore::Result<lockcore::synchronizers::TryReply> tryTo(const lockcore::synchronizers::ScriptCall &call)
    {
        return lockcore::synchronizers::parseTryReply(run(call));
    }
    bool acquires(const lockcore::synchronizers::ScriptCall &call)
    {
        const auto reply = tryTo(call);
        return reply && reply->acquired;
    }
    bool says(const lockcore::synchronizers::ScriptCall &call)
    {
        return lockcore::synchronizers::parseAnswer(run(call)).value();
    }
    std::int64_t counts(const lockcore::synchronizers::ScriptCall &call)
    {
        return lockcore::synchronizers::parseCount(run(call)).value();
    }
    lockcore::ErrorCode refusal(const lockcore::synchronizers::ScriptCall &call)
    {
        return lockcore::protocol::toError(run(call), {}).code;
    }

    std::int64_t number(const lockcore::protocol::Command &command)
    {
        const auto reply = ask(command);
        return reply.integer() ? *reply.integer() : -1'000'000;
    }
    std::string text(const lockcore::protocol::Command &command)
    {
        const auto reply = ask(command);
        return reply.bulk() ? *reply.bulk() : std::string();
    }
    std::vector<std::string> texts(const lockcore::protocol::Command &command)
    {
        std::vector<std::string> result;
        const auto reply = ask(command);
        if (reply.array()) {
            for (const auto &item : *reply.array())
                result.push_back(item.bulk() ? *item.bulk() : std::string());
        }
        return result;
    }

    std::int64_t pttl(const std::string &key) { return number({ "PTTL", key }); }
    std::vector<std::string> told(const std::string &channel)
    {
        auto messages = texts({ "LRANGE", channel, "0", "-1" });
        ask({ "DEL", channel });
        return messages;
    }
    std::map<std::string, std::string> hash(const std::string &key)
    {
        const auto items = texts({ "HGETALL", key });
        std::map<std::string, std::string> fields;
        for (std::size_t i = 0; i + 1 < items.size(); i += 2)
            fields[items[i]] = items[i + 1];
        return fields;
    }
    std::vector<std::string> keys()
    {
        auto names = texts({ "KEYS", "*" });
        std::erase_if(
            names, [](const std::string &name) { return lockcore::synchronizers::key_layout::isUnlockLatch(name); });
        std::ranges::sort(names);
        return names;
    }
    /// All keys with their contents; those of a hash have no order.
    std::map<std::string, std::string> everything()
    {
        std::map<std::string, std::string> contents;
        for (const std::string &key : keys()) {
            for (const auto &[field, value] : hash(key))
                contents[key] += field + '=' + value + ' ';
            if (contents[key].empty())
                contents[key] = text({ "DUMP", key });
        }
        return contents;
    }

private:
    static std::string atTime(std::string script, lockcore::WallTime time)
    {
        const std::string asked = "redis.call('TIME')";
        const auto millis = time.time_since_epoch().count();
        if (const auto at = script.find(asked); at != script.npos)
            script.replace(at, asked.size(),
                "{ '" + std::to_string(millis / 1'000) + "', '" + std::to_string(millis % 1'000 * 1'000) + "' }");
        return script;
    }

    std::optional<lockcore::WallTime> m_time; // absent: as it is
    RedisServer m_server;
    std::unique_ptr<BlockingClient> m_client;
};

using Texts = std::vector<std::string>;

} // namespace testsupport
