// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/reply.h"

#include <optional>
#include <string>
#include <vector>

namespace lockcore::protocol {

/// What a connection in subscribed state receives: a message, or the confirmation of a (un)subscription.
struct PubSubMessage {
    enum class Type { Message, PatternMessage, Subscribed, Unsubscribed };
    Type type = Type::Message;
    std::string channel; // for patterns' confirmations: the pattern
    std::string pattern; // PatternMessage only
    std::string payload; // Message and PatternMessage
    /// `__redis__:invalidate` carries a list of keys instead of a payload; nil: everything (FLUSHALL).
    std::optional<std::vector<std::string>> keys;
    bool everything = false;
    bool sharded = false; // of a channel that belongs to a slot; such a subscription may end unasked

    bool operator==(const PubSubMessage &) const = default;
};

/// The message in a reply read from a subscribed connection; absent: an ordinary reply (PONG, an error).
std::optional<PubSubMessage> toPubSubMessage(const Reply &reply);

} // namespace lockcore::protocol
