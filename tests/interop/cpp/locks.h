// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "lockcore/client/multi_lock.h"
#include "tests/interop/cpp/arguments.h"

#include <map>
#include <memory>
#include <string>

namespace interop {

/// The lock that the tests' peers call so: `reentrant job`, `read job`, `fasterMulti group/a,b`.
lockcore::LockTarget lockTarget(const std::string &kind, const std::string &name);

/// Locks of all kinds: `lock THREAD KIND NAME LEASE WAIT`, and what can be asked of one.
class Locks {
public:
    explicit Locks(lockcore::LockClient &client)
        : m_client(client)
    {
    }

    bool take(const Arguments &arguments); // false: not a command about locks
    bool cancel(const std::string &tag); // false: no such wait

private:
    void acquire(const Arguments &arguments);
    void release(const Arguments &arguments);
    void force(const Arguments &arguments);
    lockcore::MultiLock &multiLock(const std::string &names);
    void acquireMulti(const Arguments &arguments);

    lockcore::LockClient &m_client;
    std::map<std::string, lockcore::AcquireId> m_waits; // by tag
    std::map<std::string, std::unique_ptr<lockcore::MultiLock>> m_multiLocks; // by the names of their members
};

} // namespace interop
