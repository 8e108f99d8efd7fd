// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/subscriber.h"

namespace lockcore {

/// A channel listened to by its name, with the mark that says so to other monitors (subscriber_numbers.h).
struct MarkedSubscription {
    SubscriptionId mark{}; // made first
    SubscriptionId channel{};

    void end(Subscriber &subscriber) const
    {
        subscriber.unsubscribe(channel);
        subscriber.unsubscribe(mark);
    }
};

} // namespace lockcore
