// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/lock_tone.h"

namespace lockui {

Tone toneOf(TtlState state)
{
    switch (state) {
    case TtlState::Free:
        return Tone::Muted;
    case TtlState::NoExpiry:
    case TtlState::Expiring:
    case TtlState::Late:
        return Tone::Warning;
    case TtlState::Watchdog:
        return Tone::Accent;
    case TtlState::Fixed:
        return Tone::Fixed;
    case TtlState::Unknown:
        return Tone::Muted;
    }
    return Tone::Normal;
}

Tone toneOf(const lockcore::monitor::Quorum &quorum)
{
    return quorum.held >= quorum.needed() ? Tone::Good : Tone::Warning;
}

} // namespace lockui
