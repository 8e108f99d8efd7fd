// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/exit_status.h"

#include "ui/text/error_text.h"

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
    case ErrorCode::NotHeld:
    case ErrorCode::HolderChanged: // nobody knows whether it is so where a server was not asked
        return says(error, lockcore::Phrase::WereNotAsked) ? ServerError : AnswerIsNo;
    case ErrorCode::Cancelled:
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
    std::fprintf(stderr, "%s: %s\n", program, lockui::errorDetail(error).toUtf8().constData());
}

} // namespace app
