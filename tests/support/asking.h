// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/connection.h"

#include <QTest>
#include <memory>

namespace testsupport {

/// Opens the connection and waits: nothing when it is ready, else why the first attempt failed.
inline std::optional<lockcore::Error> openAndWait(lockcore::transport::Connection &connection)
{
    std::optional<lockcore::Error> failure;
    QObject context;
    QObject::connect(&connection, &lockcore::transport::Connection::lost, &context,
        [&](const lockcore::Error &error) { failure = failure.value_or(error); });
    connection.open();
    const bool settled = QTest::qWaitFor(
        [&] { return failure || connection.state() == lockcore::transport::Connection::State::Ready; }, 20'000);
    if (!settled)
        return lockcore::Error{ lockcore::ErrorCode::Cancelled, "neither ready nor failed", {} };
    return failure;
}

/// Sends, waits for the reply and gives it.
inline lockcore::Result<lockcore::protocol::Reply> ask(
    lockcore::transport::Connection &connection, lockcore::protocol::Command command)
{
    // Shared with the handler, which may be called after we gave up.
    const auto answer = std::make_shared<std::optional<lockcore::Result<lockcore::protocol::Reply>>>();
    connection.send(std::move(command), [answer](auto reply) { *answer = std::move(reply); });
    if (!QTest::qWaitFor([&] { return answer->has_value(); }, 20'000))
        return lockcore::failure(lockcore::ErrorCode::Cancelled, "no answer at all");
    return **answer;
}

} // namespace testsupport
