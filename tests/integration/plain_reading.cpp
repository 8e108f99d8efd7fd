// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/plain_reading.h"

#include "lockcore/synchronizers/catalog.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace testsupport {

using namespace lockcore;
using namespace lockcore::synchronizers;

namespace {

const auto Uuid = QStringLiteral("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

struct Owner {
    OwnerId id;
    bool write = false;
    bool fromPort = false;
};

QRegularExpressionMatch match(const QString &pattern, const std::string &text)
{
    const QRegularExpression expression(
        QStringLiteral("\\A(?:") + pattern + QStringLiteral(")\\z"), QRegularExpression::DotMatchesEverythingOption);
    return expression.match(QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size())));
}

std::optional<Owner> toOwner(const std::string &text)
{
    const auto plain = match(QStringLiteral("(%1):(-?[0-9]{1,19})(:write)?(:[0-9a-f]{32})?").arg(Uuid), text);
    if (plain.hasMatch()) {
        return Owner{ { plain.captured(1).toStdString(),
                          plain.captured(2).toStdString() + plain.captured(4).toStdString() },
            !plain.captured(3).isEmpty(), false };
    }
    const auto port = match(QStringLiteral("(%1):(%1)(:write)?").arg(Uuid), text);
    if (port.hasMatch())
        return Owner{ { port.captured(1).toStdString(), port.captured(2).toStdString() }, !port.captured(3).isEmpty(),
            true };
    return std::nullopt;
}

std::optional<std::int64_t> toCount(const std::string &text)
{
    bool ok = false;
    const auto value = QByteArray::fromStdString(text).toLongLong(&ok);
    const bool canonical = match(QStringLiteral("[1-9][0-9]*"), text).hasMatch();
    return ok && canonical && value >= 1 ? std::optional<std::int64_t>(value) : std::nullopt;
}

class PlainReader {
public:
    explicit PlainReader(BlockingClient &client)
        : m_client(client)
    {
    }

    std::optional<LockReading> read(const LockName &name)
    {
        m_reading = {};
        m_isMixed = false;
        m_reading.name = name;
        const auto type = typeOf(name);
        if (type == "none")
            return readFree();
        if (type != "hash")
            return std::nullopt;
        m_fields = fieldsOf(name);
        m_reading.keys = { name };
        const auto pttl = *m_client.run({ "PTTL", name }).integer();
        if (pttl >= 0)
            m_reading.ttl = Millis(pttl);
        const bool isLock = m_fields.size() == 1 ? readExclusive()
            : m_fields.contains("mode")          ? readReadWrite()
                                                 : readGroup();
        return isLock ? std::optional(m_reading) : std::nullopt;
    }

private:
    using Fields = std::map<std::string, std::string>;

    std::string typeOf(const std::string &key) { return m_client.run({ "TYPE", key }).status()->text; }

    Fields fieldsOf(const std::string &key)
    {
        Fields fields;
        const auto reply = m_client.run({ "HGETALL", key });
        for (std::size_t i = 0; i + 1 < reply.array()->size(); i += 2)
            fields[*(*reply.array())[i].bulk()] = *(*reply.array())[i + 1].bulk();
        return fields;
    }

    std::string tagged() const
    {
        const auto &name = m_reading.name;
        return name.find('{') == std::string::npos ? '{' + name + '}' : name;
    }

    bool isExclusive(const Fields &fields)
    {
        if (fields.size() != 1)
            return false;
        const auto owner = toOwner(fields.begin()->first);
        return owner && !owner->write && toCount(fields.begin()->second);
    }

    bool readExclusive()
    {
        if (!isExclusive(m_fields))
            return false;
        const auto &[field, value] = *m_fields.begin();
        const auto owner = toOwner(field);
        HolderReading holder;
        holder.owner = owner->id;
        holder.count = *toCount(value);
        holder.fromPort = owner->fromPort;
        m_reading.holders = { holder };
        readAuxiliaryKeys();
        return true;
    }

    std::optional<LockReading> readFree()
    {
        const auto &name = m_reading.name;
        readAuxiliaryKeys();
        if (std::ranges::find(m_reading.keys, "redisson_lock_queue:" + tagged()) == m_reading.keys.end())
            return std::nullopt;
        if (name.find('{') == std::string::npos && typeOf(tagged()) == "hash" && isExclusive(fieldsOf(tagged())))
            return std::nullopt; // the queue is that of the held one
        if (match(QStringLiteral("\\{[^{]*\\}"), name).hasMatch()) {
            const auto inner = name.substr(1, name.size() - 2);
            const auto type = typeOf(inner);
            if (type == "none" || (type == "hash" && isExclusive(fieldsOf(inner))))
                return std::nullopt;
        }
        return m_reading;
    }

    void readAuxiliaryKeys()
    {
        const auto queue = "redisson_lock_queue:" + tagged();
        const auto timeouts = "redisson_lock_timeout:" + tagged();
        const auto token = "redisson_lock_token:" + tagged();
        const bool hasTimeouts = typeOf(timeouts) == "zset" && firstIsWaiter(timeouts);
        if (typeOf(queue) == "list")
            readWaiters(queue, typeOf(timeouts) == "zset" ? timeouts : std::string());
        const bool isUnread = m_isMixed && (hasTimeouts || !m_reading.holders.empty());
        if (!m_reading.waiters.empty() || isUnread)
            m_reading.keys.push_back(queue);
        if (hasTimeouts)
            m_reading.keys.push_back(timeouts);
        if (typeOf(token) == "string")
            m_reading.token = toCount(*m_client.run({ "GET", token }).bulk());
        if (m_reading.token)
            m_reading.keys.push_back(token);
        if (!m_reading.waiters.empty() || hasTimeouts || isUnread)
            m_reading.kind = Kind::Fair;
        else if (m_reading.token)
            m_reading.kind = Kind::Fenced;
    }

    bool firstIsWaiter(const std::string &timeouts)
    {
        const auto owner = toOwner(*m_client.run({ "ZRANGE", timeouts, "0", "0" }).array()->front().bulk());
        return owner && !owner->write;
    }

    void readWaiters(const std::string &queue, const std::string &timeouts)
    {
        const auto members = m_client.run({ "LRANGE", queue, "0", "-1" });
        bool isForeign = false;
        for (const auto &member : *members.array()) {
            const auto owner = toOwner(*member.bulk());
            if (!owner || owner->write) {
                isForeign = true;
                continue;
            }
            WaiterReading waiter{ owner->id, {} };
            if (!timeouts.empty()) {
                const auto score = m_client.run({ "ZSCORE", timeouts, *member.bulk() });
                if (score.bulk()) {
                    waiter.deadline = toDeadline(*score.bulk());
                    waiter.score = waiter.deadline->time_since_epoch();
                }
            }
            m_reading.waiters.push_back(waiter);
        }
        m_isMixed = isForeign && !m_reading.waiters.empty();
        if (isForeign)
            m_reading.waiters.clear();
    }

    static WallTime toDeadline(const std::string &score)
    {
        const double value = std::strtod(score.c_str(), nullptr);
        constexpr std::int64_t Furthest = std::int64_t{ 1 } << 53;
        if (std::isinf(value))
            return WallTime(Millis(value > 0 ? Furthest : -Furthest));
        return WallTime(Millis(static_cast<std::int64_t>(std::floor(value))));
    }

    bool readReadWrite()
    {
        const auto mode = m_fields["mode"];
        if ((mode != "read" && mode != "write") || m_fields.size() < 2)
            return false;
        m_reading.kind = Kind::ReadWrite;
        m_reading.mode = mode == "read" ? HoldMode::Read : HoldMode::Write;
        int writers = 0;
        for (const auto &[field, value] : m_fields) {
            if (field == "mode")
                continue;
            const auto owner = toOwner(field);
            if (!owner || !toCount(value))
                return false;
            HolderReading holder;
            holder.owner = owner->id;
            holder.count = *toCount(value);
            holder.fromPort = owner->fromPort;
            holder.mode = owner->write ? HoldMode::Write : HoldMode::Read;
            writers += owner->write ? 1 : 0;
            if (!owner->write)
                readHolds(field, holder);
            m_reading.holders.push_back(holder);
        }
        finish();
        return writers == (mode == "write" ? 1 : 0);
    }

    void readHolds(const std::string &field, HolderReading &holder)
    {
        constexpr std::int64_t Most = 1'000; // more are not looked at
        for (std::int64_t i = 1; holder.count <= Most && i <= holder.count; ++i) {
            const auto key = tagged() + ':' + field + ":rwlock_timeout:" + std::to_string(i);
            const auto pttl = *m_client.run({ "PTTL", key }).integer();
            holder.readTtls.push_back(Millis(pttl == -2 ? 0 : pttl));
            if (pttl != -2)
                m_reading.keys.push_back(key);
        }
    }

    bool readGroup()
    {
        const auto hash = QStringLiteral("[A-Za-z0-9+/]{22}");
        m_reading.kind = Kind::FasterMulti;
        std::map<OwnerId, HolderReading> holders;
        for (const auto &[field, value] : m_fields) {
            const auto detail = match(QStringLiteral("%1:(.*):(expire_time|lock_count)").arg(hash), field);
            if (detail.hasMatch() && toOwner(detail.captured(1).toStdString()))
                continue;
            const auto owner = toOwner(value);
            const std::string prefix = std::string(field).append(1, ':').append(value);
            const auto expiry = m_fields.find(prefix + ":expire_time");
            const auto count = m_fields.find(prefix + ":lock_count");
            if (!match(hash, field).hasMatch() || !owner || owner->write || expiry == m_fields.end()
                || count == m_fields.end() || !toCount(expiry->second) || !toCount(count->second))
                return false;
            auto &holder = holders[owner->id];
            holder.count = std::max(holder.count, *toCount(count->second));
            holder.owner = owner->id;
            holder.fromPort = owner->fromPort;
            holder.heldUntil
                = std::max(holder.heldUntil.value_or(WallTime()), WallTime(Millis(*toCount(expiry->second))));
        }
        for (const auto &[owner, holder] : holders)
            m_reading.holders.push_back(holder);
        finish();
        return !holders.empty();
    }

    void finish()
    {
        std::sort(m_reading.keys.begin() + 1, m_reading.keys.end());
        std::sort(
            m_reading.holders.begin(), m_reading.holders.end(), [](const HolderReading &a, const HolderReading &b) {
                return std::tie(a.owner, a.mode) < std::tie(b.owner, b.mode);
            });
    }

    BlockingClient &m_client;
    LockReading m_reading;
    bool m_isMixed = false; // its queue has waiters, and something else
    Fields m_fields;
};

} // namespace

std::vector<LockReading> readPlainly(BlockingClient &client, const std::vector<LockName> &names)
{
    PlainReader reader(client);
    std::vector<LockReading> readings;
    for (const auto &name : names) {
        if (auto reading = reader.read(name))
            readings.push_back(std::move(*reading));
    }
    return readings;
}

} // namespace testsupport
