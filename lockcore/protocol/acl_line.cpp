// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/acl_line.h"

#include <iterator>
#include <set>
#include <sstream>

namespace lockcore::protocol {

std::string aclLine(const std::string &user, const std::string &rules)
{
    std::istringstream each(rules);
    std::set<std::string> said;
    std::string line;
    for (std::string rule; each >> rule;) {
        if (said.insert(rule).second)
            line += ' ' + rule;
    }
    return line.empty() ? line : "ACL SETUSER " + (user.empty() ? "default" : user) + line;
}

void addAclRules(std::string &line, const std::string &other)
{
    constexpr std::size_t WordsBefore = 3; // ACL SETUSER name
    std::istringstream theirs(other);
    std::istringstream ours(line);
    const std::set<std::string> known{ std::istream_iterator<std::string>(ours), {} };
    std::string word;
    for (std::size_t i = 0; theirs >> word; ++i) {
        if (i < WordsBefore && !line.empty() && !known.empty() && !known.contains(word))
            return;
        if (!known.contains(word))
            line += (line.empty() ? "" : " ") + word;
    }
}

} // namespace lockcore::protocol
