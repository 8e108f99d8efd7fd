// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/command.h"
#include "lockcore/service/rights/missing_rights.h"

#include <set>
#include <string>
#include <vector>

namespace lockcore {

/// A command that changes nothing and says little; whether it is refused is its answer.
struct RightQuestion {
    Right right;
    protocol::Command command;
};

/// One question or more for each right that can be asked for without a subscription. Of a lock with this name, which
/// need not exist.
std::vector<RightQuestion> rightQuestions(bool inCluster, const std::string &lock);

/// What a refusal of such a question tells: of the commands that read, some may be refused, or some keys.
Right refusedRight(Right asked, const protocol::Reply &refusal);

/// Where nothing at all may be read, nothing tells whether the keys might be: adds what is needed in any case.
void addUnknowable(std::set<Right> &refused);

} // namespace lockcore
