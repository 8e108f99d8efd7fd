// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <optional>

namespace lockcore::service {

/// What time it is at a server, by what it said when it was asked: deadlines in Redis are compared with that, not with
/// the clock of this computer, which may be set to anything. It goes on by the clock of MonoTime, whatever happens to
/// the wall clock meanwhile.
class ServerClock {
public:
    void answered(MonoTime asked, MonoTime answered, WallTime said);

    /// By how much it is ahead of the wall clock of this computer; zero while that is not known, and where the two
    /// differ by less than could matter. It stays the same while nothing was set, so that what goes by it does, too.
    Millis ahead(Now now);

private:
    struct Reference {
        MonoTime mono;
        WallTime wall;
        MonoTime::duration uncertainty;
    };

    WallTime at(MonoTime mono) const;

    std::optional<Reference> m_reference;
    Millis m_ahead{ 0 };
};

} // namespace lockcore::service
