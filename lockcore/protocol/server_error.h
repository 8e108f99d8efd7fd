// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/protocol/reply.h"

namespace lockcore::protocol {

/// What a server error reply means.
Error toError(const Reply &errorReply, Said tried);

/// An error reply which says that the request was not carried out, and where or when it would be.
struct Redirection {
    enum class Kind {
        Moved, // for good
        Ask, // this request alone, after ASKING
        Later, // TRYAGAIN: the slot is being moved
        Down, // CLUSTERDOWN: nobody keeps the slot now
        Demoted, // READONLY: this was a master
    };
    Kind kind = Kind::Later;
    int slot = 0; // Moved and Ask
    NodeAddress node; // Moved and Ask

    bool operator==(const Redirection &) const = default;
};

/// Absent: an ordinary reply. A node that announces no host is where `askedHost` is.
std::optional<Redirection> toRedirection(const Reply &reply, const std::string &askedHost);

/// How one request follows its redirections, each of which says that it has not been carried out and may be sent again.
/// At first it does so at once; but two nodes may name each other for as long as a slot is moving, so that pauses come
/// in between, and for a limited time alone.
class RedirectLimit {
public:
    enum class Step {
        ToOwner, // who is known, after a MOVED, to own the slot
        ToNamed, // the node of an ASK, after ASKING
        Wait, // and then to the owner
        GiveUp,
    };

    explicit RedirectLimit(Millis time)
        : m_time(time)
    {
    }

    Step follow(const Redirection &redirection, MonoTime now);
    bool hasPassed(MonoTime now) const { return m_end && now >= *m_end; } // never before the first redirection
    bool wasRedirected() const { return m_end.has_value(); }
    Millis nextPause(double chance); // 0…1, see Backoff

private:
    Millis m_time;
    std::optional<MonoTime> m_end;
    int m_atOnce = 0;
    int m_pauses = 0;
};

} // namespace lockcore::protocol
