// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/feeds/subscriber_numbers.h"
#include "lockcore/transport/subscriber.h"

#include <string>
#include <utility>

namespace lockcore {

/// A channel listened to by its name, with the mark that says so to other monitors (subscriber_numbers.h).
struct MarkedSubscription {
    SubscriptionId mark{};
    SubscriptionId channel{};

    using Subscribe = decltype(&Subscriber::subscribe); // or ssubscribe

    /// Where the mark is refused, the channel may still be heard.
    static MarkedSubscription begin(Subscriber &subscriber, Subscribe subscribe, const std::string &channel,
        Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
    {
        const auto mark = (subscriber.*subscribe)(
            markOf(channel), [](const auto &) {}, [](const auto &) {});
        return { mark, (subscriber.*subscribe)(channel, std::move(onMessage), std::move(confirmed)) };
    }

    void end(Subscriber &subscriber) const
    {
        subscriber.unsubscribe(channel);
        subscriber.unsubscribe(mark);
    }
};

} // namespace lockcore
