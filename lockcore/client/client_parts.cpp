// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/client_parts.h"

namespace lockcore::client {

AcquireId ClientParts::start(std::unique_ptr<WaitPlan> plan)
{
    const std::uint64_t id = ++m_lastAcquire;
    waits.start(id, std::move(plan));
    if (core.link->isDown())
        waits.refuse(id, lastError);
    return AcquireId(id);
}

void ClientParts::call(Calls::Call call, Calls::Handler handler)
{
    const bool isHopeless = !isOpen || (core.link->isDown() && !call.patient);
    if (!isHopeless)
        return calls.start(std::move(call), std::move(handler));
    Error error = lastError;
    addTried(error, call.tried);
    handler(tl::unexpected(error), false);
}

void ClientParts::connected()
{
    watchdog.connected();
    releases.connected();
    cleanUps.connected();
    calls.connected();
    waits.connected();
}

void ClientParts::disconnected(const Error &error)
{
    lastError = error;
    waits.disconnected(error);
    calls.disconnected(error);
}

void ClientParts::failAll(const Error &error)
{
    cleanUps.forgetCopies();
    releases.failAll(error);
    calls.failAll(error);
    cleanUps.failAll(error);
    core.holds.clear();
}

} // namespace lockcore::client
