// SPDX-License-Identifier: GPL-3.0-or-later
// What is said between a play and the processes of its clients: a line of JSON each, orders one way, answers the other.
#pragma once

#include "lockcore/base/result.h"
#include "ui/lab/scenario.h"

#include <QByteArray>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace app {

/// What a client is to do: a step of a scenario by a client, or to give up one that waits.
struct ClientOrder {
    std::uint64_t number = 0; // its answer has the same
    lockui::lab::Step step = {};
    std::optional<std::uint64_t> givesUp = {}; // the order that waits: its answer is then that it was cancelled
};

struct ClientAnswer {
    std::uint64_t number = 0;
    lockui::lab::Outcome outcome = lockui::lab::Outcome::Done;
    std::chrono::microseconds took{ 0 }; // from the order to the answer, in the process of the client
    std::optional<std::int64_t> token = {}; // of a fenced lock
    std::string permit = {}; // of a semaphore whose permits have ids
    std::string error = {}; // its name
    std::string message = {}; // and what was said
};

/// What a client tells by itself.
struct ClientNews {
    enum class What { Ready, Renewed, Lost, Unconfirmed, Disconnected, Reconnected };

    What what = What::Ready;
    std::string client = {}; // its id: Ready
    lockcore::LockName lock = {};
    std::string thread = {};
    std::string message = {}; // Disconnected: why
};

using ClientMessage = std::variant<ClientAnswer, ClientNews>;

/// With the line break.
QByteArray lineOf(const ClientOrder &order);
QByteArray lineOf(const ClientMessage &message);

void say(const ClientMessage &message); // on stdout, at once: in the process of the client

/// Errors: local/invalid-argument with what was expected.
lockcore::Result<ClientOrder> readOrder(const QByteArray &line);
lockcore::Result<ClientMessage> readMessage(const QByteArray &line);

} // namespace app
