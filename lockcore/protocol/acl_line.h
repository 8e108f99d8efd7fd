// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"

#include <string>

namespace lockcore::protocol {

// What permits a user more is told as one line that an administrator can run, `ACL SETUSER name +time ~*`. It only adds
// rules. Which rules something needs is told beside what needs them; lines are made and put together here alone.

/// The rules have blanks between them, and stand in the line once each; without any there is no line. An empty user:
/// the default one.
LOCKCORE_EXPORT std::string aclLine(const std::string &user, const std::string &rules);

/// Makes of two lines one that permits what both do. Another user's rules are left out.
LOCKCORE_EXPORT void addAclRules(std::string &line, const std::string &other);

} // namespace lockcore::protocol
