// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <string>
#include <vector>

namespace lockctl {

/// Says on stderr what the server's ACL refuses, and the line that permits all of it. What was said is not said again.
class RightsNote {
public:
    void tell(const lockcore::SourceStatus &status);

    /// A refusal is the reason, but what would help is not known yet.
    static bool isOpen(const lockcore::SourceStatus &status);

private:
    std::vector<std::string> m_said;
    std::string m_line;
};

} // namespace lockctl
