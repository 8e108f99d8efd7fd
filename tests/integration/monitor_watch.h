// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/monitor_service.h"
#include "tests/support/redis_server.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace testsupport {

using namespace lockcore;

inline const QString OwnerA = QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7");
inline const QString OwnerB = QStringLiteral("5d0e77c1-0a1b-4c2d-8e3f-405162738495:112");

/// A monitor of a server, and what it reported.
struct Watch {
    explicit Watch(const Deployment &deployment, MonitorOptions options = {})
        : service(std::move(options))
    {
        QObject::connect(&service, &MonitorService::eventsReported, &service,
            [this](const EventList &list) { events.insert(events.end(), list->begin(), list->end()); });
        service.open(deployment);
    }

    SourceStatus status() const { return service.latest()->status; }
    bool isLive() const { return status().phase == SourcePhase::Live; }
    std::shared_ptr<const LockState> lock(const std::string &name) const { return service.latest()->locks.find(name); }
    std::vector<EventKind> kinds(const std::string &name) const
    {
        std::vector<EventKind> kinds;
        for (const auto &event : events) {
            if (event.lock == name)
                kinds.push_back(event.kind);
        }
        return kinds;
    }
    std::optional<Certainty> certainty(const std::string &name, EventKind kind) const
    {
        for (const auto &event : events) {
            if (event.lock == name && event.kind == kind)
                return event.certainty;
        }
        return std::nullopt;
    }
    bool saysMissing(const char *word) const
    {
        const auto missing = status().missingRights;
        return std::any_of(missing.begin(), missing.end(),
            [word](const auto &sentence) { return sentence.find(word) != std::string::npos; });
    }

    std::map<std::string, std::string> holders() const
    {
        std::map<std::string, std::string> holders;
        const auto snapshot = service.latest();
        for (const auto &lock : snapshot->locks) {
            if (!lock->holders.empty())
                holders[lock->name] = toString(lock->holders[0].owner);
        }
        return holders;
    }
    std::vector<Millis> gaps() const
    {
        std::vector<Millis> gaps;
        for (const auto &event : events) {
            if (event.kind == EventKind::Gap)
                gaps.push_back(event.ttl.value_or(Millis{ -1 }));
        }
        return gaps;
    }

    MonitorService service;
    std::vector<Event> events;
};

/// As Redisson does it: in one step.
inline void take(const RedisServer &server, const QString &name, const QString &owner, int leaseMs)
{
    server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("redis.call('HINCRBY', KEYS[1], ARGV[1], 1) redis.call('PEXPIRE', KEYS[1], ARGV[2])"),
        QStringLiteral("1"), name, owner, QString::number(leaseMs) });
}

inline void release(const RedisServer &server, const QString &name)
{
    const QByteArray id(32, 'c');
    server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("redis.call('DEL', KEYS[1]) redis.call('PUBLISH', KEYS[2], '0') "
                       "redis.call('SET', KEYS[3], '1', 'PX', '5000')"),
        QStringLiteral("3"), name, QStringLiteral("redisson_lock__channel:{%1}").arg(name),
        QStringLiteral("redisson_unlock_latch:{%1}:%2").arg(name, QLatin1String(id)) });
}

inline QStringList words(const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); }

/// Reading all hashes without anything of lockcore: name and first field.
inline std::map<std::string, std::string> heldDirectly(const RedisServer &server, int database = 0)
{
    const auto text = server.cli({ QStringLiteral("-n"), QString::number(database), QStringLiteral("EVAL"),
        QStringLiteral("local held = {} for _, key in ipairs(redis.call('KEYS', '*')) do "
                       "if redis.call('TYPE', key).ok == 'hash' then held[#held + 1] = key .. ' ' .. "
                       "redis.call('HKEYS', key)[1] end end return held"),
        QStringLiteral("0") });
    std::map<std::string, std::string> held;
    for (const auto &line : text.split('\n')) {
        if (const auto space = line.indexOf(' '); space > 0)
            held[line.left(space).toStdString()] = line.mid(space + 1).toStdString();
    }
    return held;
}

} // namespace testsupport
