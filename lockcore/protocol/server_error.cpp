// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/server_error.h"

#include <string_view>

namespace lockcore::protocol {

namespace {

struct Meaning {
    std::string_view start; // of the error's text
    ErrorCode code;
};

constexpr Meaning Meanings[]{
    { "NOAUTH", ErrorCode::AuthenticationFailed }, { "WRONGPASS", ErrorCode::AuthenticationFailed },
    { "DENIED", ErrorCode::AuthenticationFailed }, // protected mode: no password is set and we are not local
    { "ERR AUTH", ErrorCode::AuthenticationFailed }, // a password was sent where none is set
    { "ERR Client sent AUTH", ErrorCode::AuthenticationFailed }, // the same, before Redis 6
    { "ERR invalid password", ErrorCode::AuthenticationFailed }, // before Redis 6
    { "NOPERM", ErrorCode::PermissionDenied },
    { "ERR The user executing the script can't", ErrorCode::PermissionDenied }, // inside a script, Redis 7.0
    { "LOADING", ErrorCode::Loading }, { "READONLY", ErrorCode::ReadOnlyReplica }, { "NOSCRIPT", ErrorCode::NoScript },
    { "WRONGTYPE", ErrorCode::WrongType }, { "OOM", ErrorCode::OutOfMemory }, { "MOVED ", ErrorCode::Moved },
    { "ASK ", ErrorCode::Moved }, { "TRYAGAIN", ErrorCode::ClusterBusy }, { "CROSSSLOT", ErrorCode::InvalidArgument },
    { "CLUSTERDOWN", ErrorCode::ClusterBusy }, { "BUSY ", ErrorCode::ScriptBusy }, // not BUSYGROUP, BUSYKEY
};

/// A script that passes an error on puts in front where it did so.
std::string_view withoutPlace(std::string_view text)
{
    constexpr std::string_view Place = "ERR user_script:";
    const auto end = text.starts_with(Place) ? text.find(": ", Place.size()) : text.npos;
    return end == text.npos ? text : text.substr(end + 2);
}

} // namespace

Error toError(const Reply &errorReply, std::string context)
{
    if (!errorReply.isError())
        return { ErrorCode::MalformedReply, "a reply of another form than expected", std::move(context) };
    const std::string &text = errorReply.error()->text;
    const auto essence = withoutPlace(text);
    for (const Meaning &meaning : Meanings) {
        if (essence.starts_with(meaning.start))
            return { meaning.code, text, std::move(context) };
    }
    return { ErrorCode::ServerOther, text, std::move(context) };
}

} // namespace lockcore::protocol
