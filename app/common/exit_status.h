// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"

namespace app {

/// What scripts rely on.
enum ExitStatus {
    Done = 0,
    AnswerIsNo = 1, // not acquired, refused, holders changed
    UsageError = 2,
    ServerError = 3, // no connection, the server's error, or not all servers that may have it were asked
};

ExitStatus exitStatus(const lockcore::Error &error);

/// One line on stderr: what was tried and what was said, whatever bytes are in it.
void complain(const char *program, const lockcore::Error &error);

} // namespace app
