// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/rights_watch.h"

#include "lockcore/base/backoff.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <optional>
#include <set>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

using protocol::Reply;

namespace {

constexpr Backoff BetweenQuestions{ Millis{ 10'000 }, Millis{ 300'000 } };
constexpr auto NobodysLock = "lockscope:nobody";

} // namespace

/// The questions that are asked together.
struct RightsWatch::Round {
    std::uint64_t number = 0;
    Known known;
    int unanswered = 1; // until all are asked
    std::set<Right> asked;
    RefusedRights refused;
};

RightsWatch::RightsWatch(Connection &commands, Subscriber &subscriber, MissingRights &rights, QObject *parent)
    : QObject(parent)
    , m_commands(commands)
    , m_subscriber(subscriber)
    , m_rights(rights)
    , m_lock(NobodysLock)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (!m_rights.lacking().empty())
            return look({});
        m_timesGiven = 0;
        m_timer.start(BetweenQuestions.pause(m_timesGiven));
    });
}

void RightsWatch::start(Known known)
{
    stop();
    m_timer.start(BetweenQuestions.pause(m_timesGiven));
    if (m_rights.lacking().empty())
        return known();
    m_complete = true;
    look(std::move(known));
}

void RightsWatch::stop()
{
    ++m_round;
    m_timer.stop();
    m_complete = false;
}

void RightsWatch::somethingIsMissing()
{
    if (!std::exchange(m_complete, true))
        look({});
}

void RightsWatch::look(Known known)
{
    const auto round = std::make_shared<Round>();
    round->number = ++m_round;
    round->known = std::move(known);
    askAll(round);
    answered(*round);
}

void RightsWatch::askAll(const std::shared_ptr<Round> &round)
{
    const auto &server = m_commands.serverInfo();
    const bool inCluster = m_inCluster || server.mode == "cluster";
    for (auto &question : rightQuestions(inCluster, m_lock))
        ask(round, std::move(question));
    if (m_rights.lacks(Right::Tracking) || m_rights.lacks(Right::Invalidations) || m_rights.lacks(Right::ConnectionId))
        ask(round, { Right::Tracking, { "CLIENT", "TRACKING", "OFF" } }); // it is not on
    if (m_rights.lacks(Right::NotificationSettings))
        ask(round, { Right::NotificationSettings, { "CONFIG", "GET", "notify-keyspace-events" } });
    for (const Right right : { Right::Invalidations, Right::UnlockMessages, Right::Notifications }) {
        if (m_rights.lacks(right))
            listen(round, right, {});
    }
    if (inCluster)
        listen(round, Right::ShardedMessages, key_layout::lockChannel(m_lock));
}

void RightsWatch::ask(const std::shared_ptr<Round> &round, RightQuestion question)
{
    ++round->unanswered;
    const Right right = question.right;
    const bool looksAtKey = question.looksAtKey();
    m_commands.send(std::move(question.command), [this, round, right, looksAtKey](const Result<Reply> &reply) {
        if (!reply)
            return; // so is the connection
        round->asked.insert(right);
        round->refused.take(right, looksAtKey, *reply);
        answered(*round);
    });
}

void RightsWatch::listen(const std::shared_ptr<Round> &round, Right right, const std::string &channel)
{
    if (m_subscriber.connection().state() != Connection::State::Ready)
        return;
    ++round->unanswered;
    const auto subscription = std::make_shared<std::optional<SubscriptionId>>();
    const auto confirmed = [this, round, right, subscription](const Result<void> &result) {
        round->asked.insert(right);
        if (!result && result.error().code == ErrorCode::PermissionDenied)
            round->refused.add(right);
        if (*subscription)
            m_subscriber.unsubscribe(**subscription);
        answered(*round);
    };
    const auto ignore = [](const protocol::PubSubMessage &) {};
    const auto notifications = "__keyevent@" + std::to_string(m_commands.endpoint().database) + "__:*";
    *subscription = right == Right::Invalidations ? m_subscriber.subscribe("__redis__:invalidate", ignore, confirmed)
        : right == Right::UnlockMessages ? m_subscriber.psubscribe(std::string(key_layout::Channels), ignore, confirmed)
        : right == Right::Notifications  ? m_subscriber.psubscribe(notifications, ignore, confirmed)
                                         : m_subscriber.ssubscribe(channel, ignore, confirmed);
}

void RightsWatch::answered(Round &round)
{
    if (--round.unanswered == 0 && round.number == m_round)
        conclude(round);
}

void RightsWatch::conclude(Round &round)
{
    const std::set<Right> refused = round.refused.rights();
    const auto &lacking = m_rights.lacking();
    const bool given = std::any_of(lacking.begin(), lacking.end(),
        [&](Right right) { return round.asked.contains(right) && !refused.contains(right); });
    const auto known = std::move(round.known);
    if (given) {
        ++m_timesGiven; // it may not help: then less often
        Q_EMIT regained();
        return;
    }
    m_timer.start(BetweenQuestions.pause(m_timesGiven));
    bool isNew = false;
    for (const Right right : refused) {
        if (!m_rights.lacks(right)) {
            m_rights.add(right);
            isNew = true;
        }
    }
    if (known)
        known();
    else if (isNew)
        Q_EMIT found();
}

} // namespace lockcore::service
