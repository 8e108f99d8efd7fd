// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/exit_status.h"

#include "app/common/printable_text.h"

#include <cstdio>

namespace app {

using lockcore::ErrorCode;

ExitStatus exitStatus(const lockcore::Error &error)
{
    switch (error.code) {
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotSupported:
    case ErrorCode::ReadOnlyMode:
        return UsageError;
    case ErrorCode::Cancelled:
    case ErrorCode::NotHeld:
    case ErrorCode::HolderChanged:
    case ErrorCode::LockLost:
    case ErrorCode::AlreadyHeld:
    case ErrorCode::NotReplicated:
        return AnswerIsNo;
    default:
        return ServerError;
    }
}

void complain(const char *program, const lockcore::Error &error)
{
    std::fprintf(stderr, "%s: %s\n", program, printable(lockcore::toString(error)).c_str());
}

} // namespace app
