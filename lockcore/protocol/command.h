// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::protocol {

/// A command with its arguments, each one bytes.
using Command = std::vector<std::string>;

/// The command as it goes over the wire.
std::string format(const Command &command);

/// Which request the next reply belongs to. An abandoned request keeps its place: its reply still comes.
template <typename Id>
class Pipeline {
public:
    void sent(Id request) { m_waiting.push_back(request); }

    /// The request that this reply answers; absent: nobody asked.
    std::optional<Id> answered()
    {
        if (m_waiting.empty())
            return std::nullopt;
        const Id request = m_waiting.front();
        m_waiting.pop_front();
        return request;
    }

    /// Which request the next reply will belong to.
    std::optional<Id> next() const { return m_waiting.empty() ? std::nullopt : std::optional(m_waiting.front()); }

    bool empty() const { return m_waiting.empty(); }

private:
    std::deque<Id> m_waiting;
};

/// True for the few commands that a read-only connection may send: none of them can change data or disturb others.
/// Whatever is not known is refused.
bool isReadOnly(const Command &command);

/// A server-side script that is part of the library.
struct Script {
    std::string_view name; // of its file, for messages
    std::string_view text;
    std::string_view sha1; // 40 lower-case hex characters, what EVALSHA wants
    bool readOnly = false; // sent by EVALSHA_RO, so that the server itself refuses writes
    bool hasLastMoment = false; // its first argument: after it, by the server's clock, it does nothing
};

/// The last moment of a call until it is sent, or where the server's clock is not known.
inline constexpr const char *AnyTime = "";

/// EVALSHA, or EVALSHA_RO.
Command byDigest(const Script &script, std::span<const std::string> keys, std::span<const std::string> arguments);
Command bySource(Command byDigest, const Script &script); // the same call with EVAL, or EVAL_RO
void setLastMoment(Command &call, std::optional<WallTime> moment); // of a call that has one; absent: AnyTime
/// The answer to a call that came after its last moment and has done nothing: the server's time then.
std::optional<WallTime> cameLateAt(const Reply &reply);

} // namespace lockcore::protocol
