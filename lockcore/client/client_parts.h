// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/calls.h"
#include "lockcore/client/clean_ups.h"
#include "lockcore/client/client_core.h"
#include "lockcore/client/releases.h"
#include "lockcore/client/waits.h"
#include "lockcore/client/watchdog.h"

#include <functional>
#include <memory>
#include <utility>

namespace lockcore::client {

/// What all synchronizers of one client work with. Not for applications. Each part knows those that stand above it
/// among the members; what it has to say to others goes through ClientEvents.
struct ClientParts {
    ClientParts(const transport::Deployment &deployment, const LockClientOptions &options)
        : core(deployment, options)
        , cleanUps(core)
        , calls(core)
        , waits(core)
        , watchdog(core)
        , releases(core, cleanUps, waits.channels())
    {
    }

    AcquireId start(std::unique_ptr<WaitPlan> plan);
    void call(Calls::Call call, Calls::Handler handler);

    template <typename Value>
    void tell(std::function<void(Result<Value>)> handler, Result<Value> answer)
    {
        core.outbox.add([handler = std::move(handler), answer = std::move(answer)] { handler(answer); });
    }

    template <typename Value>
    AcquireId refuse(std::function<void(Result<Value>)> handler, const Error &error)
    {
        tell(std::move(handler), Result<Value>(tl::unexpected(error)));
        return AcquireId(++m_lastAcquire);
    }

    /// Runs a script, if what is asked for is valid, and hands over what `parse` reads in its answer.
    template <typename Value, typename Parse>
    void ask(const Result<void> &valid, Calls::Call question, Parse parse, std::function<void(Result<Value>)> handler)
    {
        if (!valid)
            return tell(std::move(handler), Result<Value>(tl::unexpected(valid.error())));
        const Said tried = question.tried;
        call(std::move(question),
            [this, parse, tried, handler = std::move(handler)](const Result<protocol::Reply> &reply, bool) {
                Result<Value> answer = reply.and_then(parse);
                if (reply && !answer && answer.error().context.empty())
                    setTried(answer.error(), tried);
                tell(handler, std::move(answer));
            });
    }

    void connected();
    void disconnected(const Error &error);
    void failAll(const Error &error); // the link is closed
    bool isIdle() const { return waits.isEmpty() && calls.isEmpty() && cleanUps.isEmpty() && releases.isEmpty(); }
    /// What a try may have got would be held by nobody until its lease is over.
    bool isInDoubt() const { return !waits.isEmpty() || releases.isGivingBack() || cleanUps.isPutOff(); }

    ClientCore core;
    CleanUps cleanUps;
    Calls calls;
    Waits waits;
    Watchdog watchdog;
    Releases releases;
    bool isOpen = false;
    Error lastError = errorOf(ErrorCode::ConnectionClosed, { Phrase::ClientNotOpen });

private:
    std::uint64_t m_lastAcquire = 0;
};

} // namespace lockcore::client
