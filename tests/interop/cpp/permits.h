// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "tests/interop/cpp/arguments.h"

#include <map>
#include <string>

namespace interop {

/// Semaphores, permits with an id, and latches: `sem.acquire THREAD NAME COUNT WAIT` and so on.
class Permits {
public:
    explicit Permits(lockcore::client::LockClient &client)
        : m_client(client)
    {
    }

    bool take(const Arguments &arguments); // false: not a command about these
    bool cancel(const std::string &tag); // false: no such wait

private:
    bool semaphore(const std::string &verb, const Arguments &arguments);
    bool permit(const std::string &verb, const Arguments &arguments);
    bool latch(const std::string &verb, const Arguments &arguments);
    lockcore::client::LockClient::AcquireHandler acquired(const std::string &tag);

    lockcore::client::LockClient &m_client;
    std::map<std::string, lockcore::client::AcquireId> m_waits; // by tag
};

} // namespace interop
