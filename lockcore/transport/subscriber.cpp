// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/subscriber.h"

#include "lockcore/protocol/server_error.h"

#include <QTimer>
#include <map>

namespace lockcore::transport {

namespace {

/// Channels, patterns and channels of slots have separate names.
struct Topic {
    std::string form; // the first letter of its commands
    std::string name;

    auto operator<=>(const Topic &) const = default;

    protocol::Command subscribe() const { return { form + "SUBSCRIBE", name }; }
    protocol::Command unsubscribe() const { return { form + "UNSUBSCRIBE", name }; }
};

constexpr int AskAgainMs = 1'000;
constexpr const char *Plain = "";
constexpr const char *Pattern = "P";
constexpr const char *Sharded = "S";

/// A subscriber runs no script, so it needs no clock of the server.
ConnectionOptions subscribing(ConnectionOptions options)
{
    options.asksTime = false;
    return options;
}

Topic topicOf(const protocol::PubSubMessage &message)
{
    if (message.type == protocol::PubSubMessage::Type::PatternMessage)
        return { Pattern, message.pattern };
    return { message.sharded ? Sharded : Plain, message.channel };
}

struct Subscription {
    Subscriber::MessageHandler onMessage;
    Subscriber::ConfirmedHandler confirmed; // empty once called
};

struct Entry {
    std::map<SubscriptionId, Subscription> subscriptions;
    bool confirmed = false;
    std::uint64_t request = 0; // the SUBSCRIBE that counts: one before an UNSUBSCRIBE may still be answered; 0: refused
};

} // namespace

class Subscriber::Private {
public:
    Private(Subscriber *owner, Endpoint endpoint, ConnectionOptions options)
        : q(owner)
        , connection(std::move(endpoint), subscribing(options))
    {
        askAgain.setSingleShot(true);
        askAgain.setInterval(AskAgainMs);
        QObject::connect(&askAgain, &QTimer::timeout, q, [this] { requestRefused(); });
    }

    SubscriptionId add(Topic topic, MessageHandler onMessage, ConfirmedHandler confirmed)
    {
        const SubscriptionId id{ ++lastId };
        topics.emplace(id, topic);
        const auto entry = entries.try_emplace(topic).first;
        entry->second.subscriptions.emplace(id, Subscription{ std::move(onMessage), std::move(confirmed) });
        const bool asked = entry->second.confirmed || entry->second.request != 0;
        if (!asked && connection.state() == Connection::State::Ready)
            request(topic);
        else if (entry->second.confirmed)
            QMetaObject::invokeMethod(
                q, [this, topic, request = entry->second.request] { confirm(topic, request, {}); },
                Qt::QueuedConnection);
        return id;
    }

    void remove(SubscriptionId id)
    {
        const auto topic = topics.find(id);
        if (topic == topics.end())
            return;
        const auto entry = entries.find(topic->second);
        entry->second.subscriptions.erase(id);
        if (entry->second.subscriptions.empty()) {
            entries.erase(entry);
            if (connection.state() == Connection::State::Ready)
                connection.send(topic->second.unsubscribe(), [](const Result<protocol::Reply> &) {});
        }
        topics.erase(topic);
    }

    void request(const Topic &topic, bool again = false)
    {
        ++unanswered;
        const std::uint64_t request = entries.at(topic).request = ++lastRequest;
        connection.send(topic.subscribe(), [this, topic, request, again](const Result<protocol::Reply> &reply) {
            --unanswered;
            if (reply && !reply->isError())
                confirm(topic, request, {});
            else if (reply) // only other rights could change that
                confirm(topic, request,
                    tl::unexpected(protocol::toError(*reply, { Phrase::SubscribingTo, { topic.name } })));
            const bool heardAgain = again && reply && !reply->isError();
            const bool restored = reply && restoring && unanswered == 0;
            restoring = restoring && !restored;
            if (heardAgain || restored)
                Q_EMIT q->ready();
        });
    }

    void confirm(const Topic &topic, std::uint64_t request, const Result<void> &result)
    {
        const auto entry = entries.find(topic);
        if (entry == entries.end() || entry->second.request != request)
            return;
        entry->second.confirmed = result.has_value();
        if (!result)
            entry->second.request = 0; // whoever asks next, asks the server
        std::vector<ConfirmedHandler> handlers;
        for (auto &[id, subscription] : entry->second.subscriptions) {
            if (subscription.confirmed)
                handlers.push_back(std::exchange(subscription.confirmed, {}));
        }
        for (const auto &handler : handlers)
            handler(result);
        if (!result && handlers.empty()) { // it was confirmed before the connection was lost
            askAgain.start();
            Q_EMIT q->dropped(topic.name);
        }
    }

    /// Whoever listened before a reconnect goes on listening as soon as the server permits it again.
    void requestRefused()
    {
        if (connection.state() != Connection::State::Ready)
            return; // everything is asked for when it is
        for (const auto &[topic, entry] : entries) {
            if (!entry.confirmed && entry.request == 0)
                request(topic, true);
        }
    }

    void restoreAll()
    {
        restoring = true;
        unanswered = 0;
        for (const auto &[topic, entry] : entries)
            request(topic);
        if (entries.empty()) {
            restoring = false;
            Q_EMIT q->ready();
        }
    }

    void connectionLost(const Error &error)
    {
        for (auto &[topic, entry] : entries) {
            entry.confirmed = false;
            entry.request = 0;
        }
        Q_EMIT q->lost(error);
    }

    void deliver(const protocol::PubSubMessage &message)
    {
        const auto entry = entries.find(topicOf(message));
        if (entry == entries.end())
            return;
        if (message.type == protocol::PubSubMessage::Type::Unsubscribed) {
            entry->second.confirmed = false;
            entry->second.request = 0;
            Q_EMIT q->dropped(message.channel);
            return;
        }
        std::vector<SubscriptionId> ids; // a handler may subscribe and unsubscribe
        for (const auto &[id, subscription] : entry->second.subscriptions)
            ids.push_back(id);
        for (const SubscriptionId id : ids) {
            const auto topic = topics.find(id);
            if (topic == topics.end())
                continue;
            const auto handler = entries.at(topic->second).subscriptions.at(id).onMessage;
            handler(message);
        }
    }

    Subscriber *q;
    std::uint64_t lastId = 0;
    std::uint64_t lastRequest = 0;
    int unanswered = 0;
    bool restoring = false;
    QTimer askAgain;
    std::map<Topic, Entry> entries;
    std::map<SubscriptionId, Topic> topics;
    Connection connection; // last: its end must not find the maps gone
};

Subscriber::Subscriber(Endpoint endpoint, ConnectionOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(endpoint), options))
{
    connect(&d->connection, &Connection::ready, this, [this] { d->restoreAll(); });
    connect(&d->connection, &Connection::lost, this, [this](const Error &error) { d->connectionLost(error); });
    connect(&d->connection, &Connection::messageReceived, this,
        [this](const protocol::PubSubMessage &message) { d->deliver(message); });
}

Subscriber::~Subscriber() = default;

void Subscriber::open() { d->connection.open(); }

void Subscriber::close() { d->connection.close(); }

Connection &Subscriber::connection() { return d->connection; }

const Connection &Subscriber::connection() const { return d->connection; }

SubscriptionId Subscriber::subscribe(const std::string &channel, MessageHandler onMessage, ConfirmedHandler confirmed)
{
    return d->add({ Plain, channel }, std::move(onMessage), std::move(confirmed));
}

SubscriptionId Subscriber::ssubscribe(const std::string &channel, MessageHandler onMessage, ConfirmedHandler confirmed)
{
    return d->add({ Sharded, channel }, std::move(onMessage), std::move(confirmed));
}

SubscriptionId Subscriber::psubscribe(const std::string &pattern, MessageHandler onMessage, ConfirmedHandler confirmed)
{
    return d->add({ Pattern, pattern }, std::move(onMessage), std::move(confirmed));
}

void Subscriber::unsubscribe(SubscriptionId subscription) { d->remove(subscription); }

} // namespace lockcore::transport
