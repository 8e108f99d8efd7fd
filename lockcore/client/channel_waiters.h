// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/client/deadline_timer.h"
#include "lockcore/transport/link.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockcore::client {

/// Who of those that wait on one channel is woken by a message: the longest waiting first, and no more than can have
/// what the message tells of.
/// Source: Redisson: LockPubSub, SemaphorePubSub and CountDownLatchPubSub, onMessage.
class WakeOrder {
public:
    using Waiter = std::uint64_t; // numbers that grow

    enum class Message {
        Lock, // `0`: one of each group, `1`: all
        Permits, // how many there are
        Gate, // whatever it says, all look
    };
    struct Share {
        std::string group = {}; // those of one group can only have it one after the other
        std::int64_t wants = 1; // permits
    };
    enum class Readiness {
        Asleep,
        Trying, // its answer may be older than the message
        TryingAgain, // it has been woken already, and will try once more whatever the answer to this try is
        Unfit, // it has no connection, or has not been refused yet, or is gone
    };

    explicit WakeOrder(Message message)
        : m_message(message)
    {
    }

    void set(Waiter waiter, const Share &share, Readiness readiness);
    bool isEmpty() const { return m_groups.empty(); }

    std::vector<Waiter> wokenBy(std::string_view payload);
    /// A lock with one holder is being released here: who may try at once, instead of with the message that it brings.
    /// None: nobody sleeps, or it is the turn of the waiters of other clients, who know of it only by the message.
    std::optional<Waiter> nextWaiter();
    void noMessage(); // one that nextWaiter() counted on does not come
    void messagesMissed(); // no message that nextWaiter() counted on comes any more
    /// Who sleeps longest, one of each group: what they wait for may have ended without a word.
    std::vector<Waiter> firsts() const;
    /// Who may use a wake-up that the one it was for leaves behind unused.
    std::optional<Waiter> insteadOf(const Share &share) const;
    /// Who may be content with what was not enough for the one that was woken.
    std::optional<Waiter> contentWithLess(const Share &share) const;

private:
    struct Group {
        std::set<Waiter> asleep;
        std::set<Waiter> trying;
        std::map<std::int64_t, std::set<Waiter>> asleepByWants;
        std::map<Waiter, std::int64_t> wants;
    };
    static constexpr int MostHandOvers = 4; // in a row

    static void take(const Group &group, std::int64_t permits, std::vector<Waiter> &woken);
    std::vector<Waiter> all() const;

    Message m_message;
    std::map<std::string, Group> m_groups;
    int m_usedUp = 0; // messages to come, whose next waiters have been woken
    int m_handOvers = 0; // since others had their turn
};

/// Who waits on which channel, and when whom to wake. One subscription a channel, however many wait, and none when
/// nobody does. A message wakes whom its WakeOrder names; since whoever holds a lock may leave no word, the longest
/// waiting one is woken too when the time of that holder is over.
///
/// The local hand-over: when a lock with one holder is given back while others wait for it in this client, the next
/// waiter tries right behind the unlock, in the same piece, and the message of that unlock, which comes a round trip
/// later, wakes nobody. handOver() begins it, and handedOver() tells what became of the unlock: unless all went as
/// expected somebody is woken after all, since another's message may have been taken for the one that was counted on.
class ChannelWaiters {
public:
    using Waiter = WakeOrder::Waiter;
    using Readiness = WakeOrder::Readiness;
    struct Sink {
        std::function<void(Waiter)> subscribed;
        std::function<void(Waiter, const Error &)> failed; // to subscribe
        std::function<void(const std::vector<Waiter> &)> woken;
    };
    struct HandOver {
        std::string channel;
        Waiter nextWaiter;
    };

    ChannelWaiters(transport::Link &link, Sink sink);

    /// Without a call of Sink::subscribed, where messages come already; false: they do not, and nothing is done.
    bool join(const std::string &channel, Waiter waiter, const WakeOrder::Share &share);
    void subscribe(
        const std::string &channel, Waiter waiter, const WakeOrder::Share &share, WakeOrder::Message messages);
    /// At first a waiter is unfit.
    void set(const std::string &channel, Waiter waiter, Readiness readiness);
    /// What the waiter was woken for was not enough for it.
    void passOn(const std::string &channel, Waiter waiter);
    enum class WakeUp { Used, Unused };
    void leave(const std::string &channel, Waiter waiter, WakeUp wakeUp); // an unused one goes to another

    /// Of the lock that is waited for, as the answer to a try told; absent: its holder may keep it without end.
    void holderHas(const std::string &channel, std::optional<Millis> left);
    void messagesMissed(); // on all channels; the caller then wakes every waiter
    std::optional<HandOver> handOver(const std::string &channel); // absent: nobody here is to try
    void handedOver(const HandOver &handOver, bool released);

    bool isListenedTo(const std::string &channel) const { return m_channels.contains(channel); }
    bool isListenedToByOthers(const std::string &channel, Waiter waiter) const;

private:
    struct Member {
        WakeOrder::Share share;
        Readiness readiness = Readiness::Unfit;
    };
    struct Channel {
        WakeOrder order;
        std::uint64_t number; // of this subscription, and of the deadline of the holder
        transport::SubscriptionId subscription{};
        bool isConfirmed = false;
        std::map<Waiter, Member> members = {};
    };

    void confirmed(const std::string &channel, std::uint64_t number, const Result<void> &result);
    void messageCame(const std::string &channel, const std::string &payload);
    void holderIsOver(std::uint64_t number);
    void wake(std::optional<Waiter> waiter);
    Channel *find(const std::string &channel);

    transport::Link &m_link;
    const Sink m_sink;
    std::unordered_map<std::string, Channel> m_channels;
    std::unordered_map<std::uint64_t, Channel *> m_byNumber;
    std::uint64_t m_lastNumber = 0;
    DeadlineTimer m_holders; // when the time of each one is over
};

} // namespace lockcore::client
