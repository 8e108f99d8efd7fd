// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"

#include <set>
#include <string>
#include <vector>

namespace lockcore::service {

bool isPermissionError(const protocol::Reply &reply);

/// Whether there may be locks that are not shown, since the user may not look at them.
LOCKCORE_EXPORT bool mayHideLocks(const monitor::SourceStatus &status);

/// All that was found missing on one connection.
class MissingRights {
public:
    explicit MissingRights(std::string user) // empty: the default user
        : m_user(std::move(user))
    {
    }

    void add(monitor::Right right);
    void add(monitor::Right right, const protocol::Reply &refusal);
    void clear();

    bool lacks(monitor::Right right) const { return m_rights.contains(right); }
    const std::set<monitor::Right> &lacking() const { return m_rights; }
    bool isEmpty() const { return m_missing.empty(); }
    const std::vector<monitor::MissingRight> &missing() const { return m_missing; }
    /// Permits all of it: `ACL SETUSER name +… &…`. Empty: no ACL is in the way.
    std::string aclLine() const;

private:
    void note(monitor::MissingRight missing);

    std::string m_user;
    std::set<monitor::Right> m_rights; // refused by the ACL
    std::vector<monitor::MissingRight> m_missing;
};

/// A command that changes nothing and says little; whether it is refused is its answer.
struct RightQuestion {
    monitor::Right right;
    protocol::Command command;

    bool looksAtKey() const;
};

/// One question or more for each right that can be asked for without a subscription. Of a lock with this name, which
/// need not exist.
std::vector<RightQuestion> rightQuestions(bool inCluster, const std::string &lock);

/// What the answers to such questions tell. Of what reads, some commands may be refused, or some keys.
class RefusedRights {
public:
    void take(monitor::Right asked, bool looksAtKey, const protocol::Reply &reply);
    void add(monitor::Right refused) { m_rights.insert(refused); }

    /// Where no key could be looked at with any command, nothing tells whether the keys may be: what is needed in any
    /// case is then among them.
    std::set<monitor::Right> rights() const;

private:
    std::set<monitor::Right> m_rights;
    bool m_hasLookedAtKey = false;
};

} // namespace lockcore::service
