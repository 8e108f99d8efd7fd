// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/server_error.h"

namespace lockcore {

/// The server may take the same command a little later: it loads, or fails over, or moves keys, or runs short of
/// memory or of replicas.
inline bool isPassing(const protocol::Reply &reply)
{
    if (!reply.isError())
        return false;
    if (reply.error()->text.starts_with("NOREPLICAS"))
        return true;
    switch (protocol::toError(reply, {}).code) {
    case ErrorCode::Loading:
    case ErrorCode::ScriptBusy:
    case ErrorCode::ClusterBusy:
    case ErrorCode::ReadOnlyReplica:
    case ErrorCode::OutOfMemory:
        return true;
    default:
        return false;
    }
}

/// Of a request that was sent and may have been carried out all the same.
inline Error afterLostAnswer(Error error)
{
    error.message = "the answer was lost, it may have been carried out: " + error.message;
    return error;
}

} // namespace lockcore
