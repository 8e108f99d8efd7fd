// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
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

} // namespace lockcore::protocol
