// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "lockcore/client/multi_lock.h"
#include "tests/interop/cpp/arguments.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace interop {

/// The lock that the tests' peers call so: `reentrant job`, `read job`, `fasterMulti group/a,b`.
lockcore::client::LockTarget lockTarget(const std::string &kind, const std::string &name);

/// Locks of all kinds: `lock THREAD KIND NAME LEASE WAIT`, and what can be asked of one.
class Locks {
public:
    using Clients = std::vector<std::unique_ptr<lockcore::client::LockClient>>;

    /// The first client is that of all locks but RedLocks.
    Locks(const Clients &clients, bool defaultCodec)
        : m_clients(clients)
        , m_client(*clients.front())
        , m_defaultCodec(defaultCodec)
    {
    }

    bool take(const Arguments &arguments); // false: not a command about locks
    bool cancel(const std::string &tag); // false: no such wait

private:
    lockcore::client::LockTarget target(const Arguments &arguments) const;
    void acquire(const Arguments &arguments);
    void release(const Arguments &arguments);
    void force(const Arguments &arguments);
    lockcore::client::MultiLock &multiLock(const Arguments &arguments);
    void acquireMulti(const Arguments &arguments);

    const Clients &m_clients;
    lockcore::client::LockClient &m_client;
    const bool m_defaultCodec; // of the values of faster multi-locks
    std::map<std::string, lockcore::client::AcquireId> m_waits; // by tag
    std::map<std::string, std::unique_ptr<lockcore::client::MultiLock>> m_multiLocks; // by kind and names
};

} // namespace interop
