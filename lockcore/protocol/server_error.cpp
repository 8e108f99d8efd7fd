// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/server_error.h"

#include "lockcore/base/backoff.h"
#include "lockcore/protocol/cluster_slots.h"

#include <charconv>
#include <string_view>

namespace lockcore::protocol {

static_assert(hasRowForEach(Phrases));

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

Error toError(const Reply &errorReply, Said tried)
{
    if (!errorReply.isError())
        return errorOf(ErrorCode::MalformedReply, { Phrase::UnexpectedReply }, std::move(tried));
    const std::string &text = errorReply.error()->text;
    const auto essence = withoutPlace(text);
    const auto meaning
        = std::ranges::find_if(Meanings, [essence](const Meaning &each) { return essence.starts_with(each.start); });
    Error error{ meaning == std::end(Meanings) ? ErrorCode::ServerOther : meaning->code, text, {} };
    setTried(error, std::move(tried));
    if (essence.starts_with("CROSSSLOT"))
        add(error, { Phrase::TagNeeded });
    return error;
}

namespace {

using Kind = Redirection::Kind;

constexpr int MostMovesAtOnce = 5;
constexpr Backoff Pauses{ Millis{ 50 }, Millis{ 400 } };

std::string_view takeWord(std::string_view &text)
{
    const auto end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return word;
}

/// `MOVED 3999 127.0.0.1:6381`; an IPv6 address has no brackets here.
std::optional<Redirection> toNode(Kind kind, std::string_view rest, const std::string &askedHost)
{
    Redirection redirection{ kind, -1, {} };
    const std::string_view slot = takeWord(rest);
    const std::string_view node = takeWord(rest);
    const auto colon = node.rfind(':');
    std::from_chars(slot.data(), slot.data() + slot.size(), redirection.slot);
    if (redirection.slot < 0 || redirection.slot >= SlotCount || colon == node.npos)
        return std::nullopt;
    const std::string_view host = node.substr(0, colon);
    const auto address = nodeAddress(host.empty() || host == "?" ? askedHost : host, node.substr(colon + 1));
    if (!address)
        return std::nullopt;
    redirection.node = *address;
    return redirection;
}

} // namespace

std::optional<Redirection> toRedirection(const Reply &reply, const std::string &askedHost)
{
    if (!reply.isError())
        return std::nullopt;
    std::string_view rest = reply.error()->text;
    const std::string_view word = takeWord(rest);
    if (word == "MOVED")
        return toNode(Kind::Moved, rest, askedHost);
    if (word == "ASK")
        return toNode(Kind::Ask, rest, askedHost);
    if (word == "TRYAGAIN")
        return Redirection{ Kind::Later, 0, {} };
    if (word == "CLUSTERDOWN")
        return Redirection{ Kind::Down, 0, {} };
    if (word == "READONLY" || rest.find("-READONLY") != rest.npos) // the second: inside a script, before Redis 7
        return Redirection{ Kind::Demoted, 0, {} };
    return std::nullopt;
}

RedirectLimit::Step RedirectLimit::follow(const Redirection &redirection, MonoTime now)
{
    if (!m_end)
        m_end = now + m_time;
    if (hasPassed(now))
        return Step::GiveUp;
    switch (redirection.kind) {
    case Kind::Moved:
        return ++m_atOnce <= MostMovesAtOnce ? Step::ToOwner : Step::Wait;
    case Kind::Ask:
        return Step::ToNamed;
    case Kind::Later:
    case Kind::Down:
    case Kind::Demoted:
        break;
    }
    return Step::Wait;
}

Millis RedirectLimit::nextPause(double chance) { return Pauses.pause(m_pauses++, chance); }

} // namespace lockcore::protocol
