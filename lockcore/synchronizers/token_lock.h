// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

#include <string>

namespace lockcore::synchronizers {

struct ForceRelease;
struct SetTtl;

/// Takes and holds the locks of other libraries as those do, see token_recognition.h. They have no channel: whoever
/// waits asks again and again.
const LockBehaviour &tokenLock();

ScriptCall forceReleaseToken(const ForceRelease &command, const std::string &lastMoment, const std::string &publish);
ScriptCall setTtlToken(const SetTtl &command, const std::string &lastMoment);

} // namespace lockcore::synchronizers
