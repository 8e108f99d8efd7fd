// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/client/deadline_timer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace lockcore::client {

/// Scripts that are run once and answered: all that is neither waiting nor releasing a lock.
/// Errors: a call that was not sent within its time ends with the reason. A call whose answer was lost is sent again
///         only where that does no harm, else its error says that it may have been carried out.
class Calls {
public:
    enum class Repeat {
        Harmless,
        Harmful, // would count twice
    };
    /// An error reply is an error. `repeated`: an earlier attempt may have been carried out before the one that this
    /// answers.
    using Handler = std::function<void(const Result<protocol::Reply> &reply, bool repeated)>;

    explicit Calls(ClientCore &core);

    struct Call {
        synchronizers::ScriptCall script;
        Said tried; // for errors: `adding permits to jobs`
        Repeat repeat = Repeat::Harmless;
        bool patient = false; // waits for a connection, since it does harm if it is never carried out
        std::optional<synchronizers::ScriptCall> repetition = {}; // where that differs
    };

    void start(Call call, Handler handler);
    void connected();
    void disconnected(const Error &error);
    void failAll(const Error &error);
    bool isEmpty() const { return m_pending.empty(); }

private:
    struct Pending {
        Call call;
        Handler handler;
        int attempts = 0; // without an answer
        bool sent = false;
        bool lost = false; // the answer to an earlier attempt
        Error lastError;
    };
    bool isReady(const Pending &pending) const { return m_core.isReadyFor(pending.call.script.keys.front()); }
    void send(std::uint64_t id);
    void answered(std::uint64_t id, const Result<protocol::Reply> &reply);
    void timedOut(std::uint64_t id);
    void finish(std::uint64_t id, Result<protocol::Reply> reply);

    ClientCore &m_core;
    DeadlineTimer m_deadlines;
    std::map<std::uint64_t, Pending> m_pending;
    std::uint64_t m_lastId = 0;
};

} // namespace lockcore::client
