// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/locks_by_hand.h"

namespace testsupport {

void take(const RedisServer &server, const QString &name, const QString &owner, int leaseMs)
{
    server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("redis.call('HINCRBY', KEYS[1], ARGV[1], 1) redis.call('PEXPIRE', KEYS[1], ARGV[2])"),
        QStringLiteral("1"), name, owner, QString::number(leaseMs) });
}

void release(const RedisServer &server, const QString &name)
{
    static int unlocks = 0; // each leaves a latch of its own
    const QByteArray id = QByteArray::number(++unlocks).rightJustified(32, 'c');
    server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("redis.call('DEL', KEYS[1]) redis.call('PUBLISH', KEYS[2], '0') "
                       "redis.call('SET', KEYS[3], '1', 'PX', '5000')"),
        QStringLiteral("3"), name, QStringLiteral("redisson_lock__channel:{%1}").arg(name),
        QStringLiteral("redisson_unlock_latch:{%1}:%2").arg(name, QLatin1String(id)) });
}

std::map<std::string, std::string> heldDirectly(const RedisServer &server)
{
    const auto text = server.cli({ QStringLiteral("EVAL"),
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

QStringList words(const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); }

} // namespace testsupport
