// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/phrase.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lockcore {

enum class ErrorCode {
    // network
    HostNotFound, // the name has no address
    ConnectionRefused, // nobody listens there
    ConnectTimeout, // no connection within the limit
    ReplyTimeout, // connected, but no answer within the limit
    ConnectionClosed, // the peer closed, or we did
    TlsFailed, // handshake failed, or a plain server at the other end
    CertificateRejected, // certificate not trusted, or for another host
    NetworkOther,
    // protocol
    MalformedReply, // not RESP
    ReplyTooLarge, // beyond our limits of size or nesting
    // server: an error reply
    AuthenticationFailed, // wrong user or password, or one is needed
    PermissionDenied, // NOPERM: the user's ACL forbids it
    Loading, // the server reads its data set
    ReadOnlyReplica,
    NoScript,
    WrongType,
    OutOfMemory,
    ScriptBusy,
    Moved, // another node of the cluster keeps the key
    ClusterBusy, // a part of the cluster is down or being moved: it will take the command later
    ServerOther,
    // data
    UnknownLayout, // not in a form that Redisson writes
    // local
    InvalidArgument, // what the caller passed cannot be right
    ReadOnlyMode, // the connection was not switched to writable
    NotSupported,
    FileFailed,
    Cancelled,
    // locks
    NotHeld, // released by somebody who does not hold it
    HolderChanged, // the holders are not those that were seen
    LockLost, // held until now, gone without our doing
    AlreadyHeld, // taken again by its holder, though it is not reentrant
    NotReplicated, // taken, but too few replicas had it in time, so it was given back
    // TLS, what the server says
    ClientCertificateRejected, // it wants a certificate of ours, or does not accept the one it got
};

inline constexpr NameRow<ErrorCode> ErrorCodes[]{
    { ErrorCode::HostNotFound, "hostNotFound", 0 },
    { ErrorCode::ConnectionRefused, "connectionRefused", 1 },
    { ErrorCode::ConnectTimeout, "connectTimeout", 2 },
    { ErrorCode::ReplyTimeout, "replyTimeout", 3 },
    { ErrorCode::ConnectionClosed, "connectionClosed", 4 },
    { ErrorCode::TlsFailed, "tlsFailed", 5 },
    { ErrorCode::CertificateRejected, "certificateRejected", 6 },
    { ErrorCode::NetworkOther, "networkOther", 7 },
    { ErrorCode::MalformedReply, "malformedReply", 8 },
    { ErrorCode::ReplyTooLarge, "replyTooLarge", 9 },
    { ErrorCode::AuthenticationFailed, "authenticationFailed", 10 },
    { ErrorCode::PermissionDenied, "permissionDenied", 11 },
    { ErrorCode::Loading, "loading", 12 },
    { ErrorCode::ReadOnlyReplica, "readOnlyReplica", 13 },
    { ErrorCode::NoScript, "noScript", 14 },
    { ErrorCode::WrongType, "wrongType", 15 },
    { ErrorCode::OutOfMemory, "outOfMemory", 16 },
    { ErrorCode::ScriptBusy, "scriptBusy", 17 },
    { ErrorCode::Moved, "moved", 18 },
    { ErrorCode::ClusterBusy, "clusterBusy", 19 },
    { ErrorCode::ServerOther, "serverOther", 20 },
    { ErrorCode::UnknownLayout, "unknownLayout", 21 },
    { ErrorCode::InvalidArgument, "invalidArgument", 22 },
    { ErrorCode::ReadOnlyMode, "readOnlyMode", 23 },
    { ErrorCode::NotSupported, "notSupported", 24 },
    { ErrorCode::FileFailed, "fileFailed", 25 },
    { ErrorCode::Cancelled, "cancelled", 26 },
    { ErrorCode::NotHeld, "notHeld", 27 },
    { ErrorCode::HolderChanged, "holderChanged", 28 },
    { ErrorCode::LockLost, "lockLost", 29 },
    { ErrorCode::AlreadyHeld, "alreadyHeld", 30 },
    { ErrorCode::NotReplicated, "notReplicated", 31 },
    { ErrorCode::ClientCertificateRejected, "clientCertificateRejected", 32 },
};
static_assert(hasRowForEach(ErrorCodes));
constexpr const char *nameOf(ErrorCode code) { return rowOf(ErrorCodes, code).name; }

/// What went wrong, for logs and for people; never holds a secret.
struct Error {
    ErrorCode code = ErrorCode::ServerOther;
    std::string message; // what the server or the system said, or `why` in English
    std::string context; // what was tried, and where
    std::vector<Said> why{}; // the message as values; empty: it has only words
    std::vector<Said> tried{}; // the context as values, the whole before its part; empty: it has only words

    bool operator==(const Error &) const = default;
};

inline void setTried(Error &error, Said tried)
{
    error.context = toString(tried);
    error.tried.clear();
    if (tried.phrase != Phrase::Nothing)
        error.tried.push_back(std::move(tried));
}

/// What was tried was a part of this.
inline void addTried(Error &error, Said whole)
{
    if (error.tried.empty() && !error.context.empty())
        error.tried.push_back({ Phrase::Words, { error.context } });
    error.context = toString(whole) + (error.context.empty() ? "" : ", " + error.context);
    error.tried.insert(error.tried.begin(), std::move(whole));
}

inline Error errorOf(ErrorCode code, Said why, Said tried = {})
{
    Error error{ code, toString(why), {}, { std::move(why) } };
    setTried(error, std::move(tried));
    return error;
}

/// Among others, perhaps.
inline bool says(const Error &error, Phrase phrase)
{
    return std::ranges::find(error.why, phrase, &Said::phrase) != error.why.end();
}

/// One phrase more, behind what it says already.
inline void add(Error &error, Said more)
{
    if (error.why.empty())
        error.why.push_back({ Phrase::Words, { error.message } });
    error.message += toString(more);
    error.why.push_back(std::move(more));
}

/// One phrase more, before what it says already.
inline void addBefore(Error &error, Said more)
{
    if (error.why.empty())
        error.why.push_back({ Phrase::Words, { error.message } });
    error.message = toString(more) + error.message;
    error.why.insert(error.why.begin(), std::move(more));
}

/// One line: what was tried, then what was said.
inline std::string toString(const Error &error)
{
    return error.context.empty() ? error.message : error.context + ": " + error.message;
}

} // namespace lockcore
