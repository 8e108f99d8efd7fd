// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/no_link.h"

namespace lockcore {

NoLink::NoLink(Error error)
    : m_error(std::move(error))
{
}

void NoLink::eval(
    const protocol::Script &, std::span<const std::string>, std::span<const std::string>, ReplyHandler handler)
{
    send({}, {}, std::move(handler));
}

void NoLink::send(protocol::Command, std::string_view, ReplyHandler handler)
{
    QMetaObject::invokeMethod(
        this, [this, handler = std::move(handler)] { handler(tl::unexpected(m_error)); }, Qt::QueuedConnection);
}

SubscriptionId NoLink::subscribe(
    const std::string &, Subscriber::MessageHandler, Subscriber::ConfirmedHandler confirmed)
{
    QMetaObject::invokeMethod(
        this, [this, confirmed = std::move(confirmed)] { confirmed(tl::unexpected(m_error)); }, Qt::QueuedConnection);
    return {};
}

} // namespace lockcore
