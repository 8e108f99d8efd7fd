// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/notification_feed.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <memory>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

using protocol::PubSubMessage;
using protocol::Reply;

namespace {

constexpr std::string_view Setting = "notify-keyspace-events";
constexpr int SettingCheckEveryMs = 3'000;
constexpr std::string_view ClassesOfLocks = "g$lhzx"; // expiries, and what is done to the types that locks are kept in

bool has(const std::string &settings, char what) { return settings.find(what) != settings.npos; }

bool tellsOfLocks(const std::string &settings)
{
    return has(settings, 'A') || std::all_of(ClassesOfLocks.begin(), ClassesOfLocks.end(), [&settings](char each) {
        return has(settings, each);
    });
}

std::string settingsOf(const Reply &reply)
{
    const auto *pair = reply.array();
    const auto *value = pair && pair->size() == 2 ? pair->back().bulk() : nullptr;
    return value ? *value : std::string();
}

/// For a pattern of PSUBSCRIBE.
std::string literal(const std::string &text)
{
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("*?[]\\^").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

} // namespace

NotificationFeed::NotificationFeed(Connection &commands, Subscriber &subscriber, MissingRights &rights)
    : m_commands(commands)
    , m_subscriber(subscriber)
    , m_rights(rights)
    , m_telling(TurnWork::Order::Deliver, [this] { Q_EMIT keysChanged(std::exchange(m_keys, {})); })
{
    m_settingCheck.setInterval(SettingCheckEveryMs);
    connect(&m_settingCheck, &QTimer::timeout, this, [this] { checkSetting(); });
}

void NotificationFeed::start(const Prefixes &prefixes, bool needed, Started started)
{
    m_attempts.supersede();
    end(m_next);
    m_commands.send({ "CONFIG", "GET", std::string(Setting) },
        m_attempts.whileLatest(
            [this, askedAt = monoNow(), prefixes, needed, started = std::move(started)](const Result<Reply> &reply) {
                if (!reply)
                    return;
                if (reply->isError()) {
                    if (needed)
                        m_rights.add(Right::NotificationSettings, *reply);
                    return started(FeedDetour{ FeedObstacle::SettingsUnknown });
                }
                const auto settings = settingsOf(*reply);
                const auto wanted = patterns(settings, prefixes);
                if (wanted.empty())
                    return started(settings.empty() ? FeedDetour{ FeedObstacle::NotificationsOff }
                                                    : FeedDetour{ FeedObstacle::NotificationsTellTooLittle, settings });
                listen(wanted, needed, [this, prefixes, wanted, askedAt, started](std::optional<FeedDetour> obstacle) {
                    if (!obstacle)
                        isOn(prefixes, wanted, askedAt);
                    started(std::move(obstacle));
                });
            }));
}

bool NotificationFeed::lacksRights() const
{
    return m_rights.lacks(Right::NotificationSettings) || m_rights.lacks(Right::Notifications);
}

void NotificationFeed::isOn(const Prefixes &prefixes, const std::vector<std::string> &patterns, MonoTime askedAt)
{
    m_prefixes = prefixes;
    m_patterns = patterns;
    m_worksAt = askedAt;
    m_settingCheck.start();
}

/// Nothing is told of its change. Where that may be asked no longer, it is not known either.
void NotificationFeed::checkSetting()
{
    m_commands.send({ "CONFIG", "GET", std::string(Setting) },
        m_attempts.whileLatest([this, askedAt = monoNow()](const Result<Reply> &reply) {
            if (!reply || (reply->isError() && !isPermissionError(*reply)))
                return;
            if (!reply->isError() && patterns(settingsOf(*reply), m_prefixes) == m_patterns) {
                m_worksAt = askedAt;
                return;
            }
            m_settingCheck.stop();
            Q_EMIT broken(m_worksAt);
        }));
}

/// By event where everything is told: an ACL has to name this very pattern, and this is the one that people grant.
std::vector<std::string> NotificationFeed::patterns(const std::string &settings, const Prefixes &prefixes) const
{
    const auto database = std::to_string(m_commands.endpoint().database);
    if (!tellsOfLocks(settings))
        return {};
    if (prefixes.empty() && has(settings, 'E'))
        return { "__keyevent@" + database + "__:*" };
    const auto start = "__keyspace@" + database + "__:";
    if (!has(settings, 'K'))
        return {};
    if (prefixes.empty())
        return { start + '*' };
    std::vector<std::string> patterns;
    for (const auto &prefix : prefixes)
        patterns.push_back(start + literal(prefix) + '*');
    return patterns;
}

void NotificationFeed::listen(const std::vector<std::string> &patterns, bool needed, const Started &started)
{
    const auto unconfirmed = std::make_shared<std::size_t>(patterns.size());
    for (const auto &pattern : patterns) {
        const auto confirmed = m_attempts.whileLatest([this, unconfirmed, needed, started](const Result<void> &result) {
            if (!result) {
                stop();
                if (needed)
                    m_rights.add(Right::Notifications);
                return started(FeedDetour{ FeedObstacle::NotificationsRefused });
            }
            if (--*unconfirmed > 0)
                return;
            m_tookOver = !m_subscriptions.empty();
            end(m_subscriptions);
            m_subscriptions = std::exchange(m_next, {});
            started(std::nullopt);
        });
        m_next.push_back(m_subscriber.psubscribe(
            pattern, [this](const PubSubMessage &message) { heard(message); }, confirmed));
    }
}

/// `__keyevent@0__:hset` carries the key, `__keyspace@0__:key` the event.
void NotificationFeed::heard(const PubSubMessage &message)
{
    const bool byEvent = message.channel.starts_with("__keyevent@");
    const auto colon = message.channel.find(':');
    if (colon == message.channel.npos)
        return;
    const std::string rest = message.channel.substr(colon + 1);
    const std::string &key = byEvent ? message.payload : rest;
    const std::string &event = byEvent ? rest : message.payload;
    // The end of a latch tells nothing of its lock, only its beginning does.
    if (key_layout::isUnlockLatch(key) && event != "set")
        return;
    m_keys.push_back(key);
    m_telling.ask();
}

void NotificationFeed::stop()
{
    m_attempts.supersede();
    m_settingCheck.stop();
    end(m_next);
    end(m_subscriptions);
}

void NotificationFeed::end(std::vector<SubscriptionId> &subscriptions)
{
    for (const auto subscription : std::exchange(subscriptions, {}))
        m_subscriber.unsubscribe(subscription);
}

} // namespace lockcore::service
