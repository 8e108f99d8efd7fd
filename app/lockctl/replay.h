// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/requests.h"

namespace lockctl {

/// Prints the events of a recording, or its locks at a moment. The exit status.
int printRecording(const ReplayRequest &request);

} // namespace lockctl
