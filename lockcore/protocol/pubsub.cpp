// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/pubsub.h"

#include <string_view>

namespace lockcore::protocol {

namespace {

using Type = PubSubMessage::Type;

struct Form {
    std::string_view word;
    std::size_t size;
    Type type;
    bool sharded = false;
};

constexpr Form Forms[]{
    { "message", 3, Type::Message },
    { "pmessage", 4, Type::PatternMessage },
    { "smessage", 3, Type::Message, true },
    { "subscribe", 3, Type::Subscribed },
    { "psubscribe", 3, Type::Subscribed },
    { "ssubscribe", 3, Type::Subscribed, true },
    { "unsubscribe", 3, Type::Unsubscribed },
    { "punsubscribe", 3, Type::Unsubscribed },
    { "sunsubscribe", 3, Type::Unsubscribed, true },
};

const Form *formOf(const Reply::Array &parts)
{
    const std::string *word = parts.empty() ? nullptr : parts.front().bulk();
    for (const Form &form : Forms) {
        if (word && *word == form.word && parts.size() == form.size)
            return &form;
    }
    return nullptr;
}

std::optional<std::string> textOf(const Reply &reply)
{
    if (reply.isNil()) // the confirmation that nothing was subscribed names no channel
        return std::string();
    return reply.bulk() ? std::optional(*reply.bulk()) : std::nullopt;
}

bool readInvalidation(const Reply &reply, PubSubMessage &message)
{
    message.everything = reply.isNil();
    if (message.everything)
        return true;
    if (!reply.array())
        return false;
    auto &keys = message.keys.emplace();
    keys.reserve(reply.array()->size());
    for (const Reply &key : *reply.array()) {
        if (!key.bulk())
            return false;
        keys.push_back(*key.bulk());
    }
    return true;
}

bool readPayload(const Reply &reply, PubSubMessage &message)
{
    if (!reply.bulk())
        return readInvalidation(reply, message);
    message.payload = *reply.bulk();
    return true;
}

} // namespace

std::optional<PubSubMessage> toPubSubMessage(const Reply &reply)
{
    const Form *form = reply.array() ? formOf(*reply.array()) : nullptr;
    if (!form)
        return std::nullopt;
    const Reply::Array &parts = *reply.array();
    PubSubMessage message;
    message.type = form->type;
    message.sharded = form->sharded;
    const bool byPattern = form->type == Type::PatternMessage;
    const auto first = textOf(parts[1]);
    const auto channel = byPattern ? textOf(parts[2]) : first;
    if (!first || !channel)
        return std::nullopt;
    message.channel = *channel;
    if (byPattern)
        message.pattern = *first;
    const bool carriesPayload = byPattern || form->type == Type::Message;
    if (carriesPayload ? !readPayload(parts.back(), message) : !parts.back().integer())
        return std::nullopt;
    return message;
}

} // namespace lockcore::protocol
