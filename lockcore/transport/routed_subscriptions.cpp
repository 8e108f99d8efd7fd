// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/routed_subscriptions.h"

namespace lockcore::transport {

namespace {

bool isElsewhere(const Error &error) { return error.code == ErrorCode::Moved || error.code == ErrorCode::ClusterBusy; }

} // namespace

RoutedSubscriptions::RoutedSubscriptions(Endpoint named, const ConnectionOptions &options, Whereabouts whereabouts)
    : m_named(std::move(named))
    , m_options(options)
    , m_whereabouts(std::move(whereabouts))
{
}

RoutedSubscriptions::~RoutedSubscriptions() = default;

void RoutedSubscriptions::follow()
{
    std::set<NodeAddress> used;
    for (auto &[id, subscription] : m_subscriptions) {
        place(id, subscription);
        if (subscription.home)
            used.insert(*subscription.home);
    }
    for (auto each = m_subscribers.begin(); each != m_subscribers.end();) {
        if (used.contains(each->first)) {
            ++each;
        } else {
            retire(std::move(each->second));
            each = m_subscribers.erase(each);
        }
    }
}

void RoutedSubscriptions::close()
{
    for (auto &[id, subscription] : m_subscriptions)
        leave(id, subscription);
    for (auto &[node, subscriber] : std::exchange(m_subscribers, {}))
        retire(std::move(subscriber));
}

bool RoutedSubscriptions::isReady() const
{
    for (const auto &[node, subscriber] : m_subscribers) {
        if (subscriber->connection().state() != Connection::State::Ready)
            return false;
    }
    return true;
}

SubscriptionId RoutedSubscriptions::subscribe(
    const std::string &channel, Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
{
    const SubscriptionId id{ ++m_lastId };
    const auto added = m_subscriptions.emplace(
        id, Subscription{ channel, std::move(onMessage), std::move(confirmed), std::nullopt });
    place(id, added.first->second);
    return id;
}

void RoutedSubscriptions::unsubscribe(SubscriptionId id)
{
    const auto subscription = m_subscriptions.find(id);
    if (subscription == m_subscriptions.end())
        return;
    leave(id, subscription->second);
    m_subscriptions.erase(subscription);
    settled(id);
}

void RoutedSubscriptions::place(SubscriptionId id, Subscription &subscription)
{
    const auto home = m_whereabouts(subscription.channel);
    if (home == subscription.home)
        return;
    leave(id, subscription);
    if (!home)
        return;
    subscription.home = home;
    const std::uint64_t move = subscription.move = ++m_lastMove;
    auto confirmed = [this, id, move](const Result<void> &result) { placed(id, move, result); };
    Subscriber &subscriber = subscriberAt(*home);
    subscription.there = m_sharded
        ? subscriber.ssubscribe(subscription.channel, subscription.onMessage, std::move(confirmed))
        : subscriber.subscribe(subscription.channel, subscription.onMessage, std::move(confirmed));
}

void RoutedSubscriptions::placed(SubscriptionId id, std::uint64_t move, const Result<void> &result)
{
    const auto found = m_subscriptions.find(id);
    if (found == m_subscriptions.end() || !found->second.home || found->second.move != move)
        return;
    if (!result && isElsewhere(result.error())) {
        leave(id, found->second);
        Q_EMIT astray();
        return;
    }
    if (const auto confirmed = std::exchange(found->second.confirmed, {}))
        confirmed(result);
    else if (!result)
        Q_EMIT lost(result.error());
    settled(id);
}

void RoutedSubscriptions::leave(SubscriptionId id, Subscription &subscription)
{
    if (!subscription.home)
        return;
    m_subscribers.at(*subscription.home)->unsubscribe(subscription.there);
    subscription.home.reset();
    if (!subscription.confirmed)
        m_moving.insert(id);
}

void RoutedSubscriptions::settled(SubscriptionId id)
{
    if (m_moving.erase(id) != 0 && m_moving.empty())
        tellBack();
}

void RoutedSubscriptions::dropped(const NodeAddress &node, const std::string &channel)
{
    for (auto &[id, subscription] : m_subscriptions) {
        if (subscription.home == node && subscription.channel == channel)
            leave(id, subscription);
    }
    Q_EMIT astray();
}

Subscriber &RoutedSubscriptions::subscriberAt(const NodeAddress &node)
{
    auto &subscriber = m_subscribers[node];
    if (!subscriber) {
        subscriber = std::make_unique<Subscriber>(endpointAt(m_named, node), m_options);
        connect(subscriber.get(), &Subscriber::ready, this, [this] { tellBack(); });
        connect(subscriber.get(), &Subscriber::lost, this, &RoutedSubscriptions::lost);
        connect(subscriber.get(), &Subscriber::dropped, this,
            [this, node](const std::string &channel) { dropped(node, channel); });
        subscriber->open();
    }
    return *subscriber;
}

/// Once, however many moved together.
void RoutedSubscriptions::tellBack()
{
    if (std::exchange(m_tellsBack, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_tellsBack = false;
            Q_EMIT back();
        },
        Qt::QueuedConnection);
}

/// Later: this may be called from one of its signals.
void RoutedSubscriptions::retire(std::unique_ptr<Subscriber> subscriber)
{
    subscriber->disconnect();
    subscriber->close();
    subscriber->setParent(this);
    subscriber.release()->deleteLater();
}

} // namespace lockcore::transport
