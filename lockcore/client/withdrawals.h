// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/client/deadlines.h"

#include <cstdint>
#include <map>
#include <string>

namespace lockcore {

/// Requests that nobody waits for any more, though a copy of them may still come to the server. Each has a latch there,
/// as unlocks have: once that is written, a copy does nothing.
class Withdrawals {
public:
    explicit Withdrawals(ClientCore &core);

    void start(const LockName &name, const std::string &requestId);
    void connected(); // sends what waits for the connection: before anything that a copy could harm
    void clear();

private:
    struct Withdrawal {
        LockName name;
        std::string latch;
        int attempts = 0;
        bool isUnderWay = false;
    };
    void send(std::uint64_t id);
    void answered(std::uint64_t id, const Result<protocol::Reply> &reply);

    ClientCore &m_core;
    Deadlines m_retries;
    std::map<std::uint64_t, Withdrawal> m_pending;
    std::uint64_t m_lastId = 0;
};

} // namespace lockcore
