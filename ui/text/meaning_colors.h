// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockui {

/// Colours that mean the same in the window and in reports, as 0xRRGGBB. None stands alone: text or shape goes with it.
struct MeaningColors {
    unsigned watchdog; // held, and renewed
    unsigned fixed; // held for a fixed lease
    unsigned warning; // expiring or late
    unsigned danger; // lost or dangerous
    unsigned waiting;
    unsigned good; // also permits that are held
};

inline constexpr MeaningColors ColorsOnLight{ 0x1f6feb, 0x0f8f7e, 0xc77700, 0xd0342c, 0x7a4fd6, 0x2e8b4f };
inline constexpr MeaningColors ColorsOnDark{ 0x4c9aff, 0x2fb4a0, 0xf0a92b, 0xef6461, 0xb18cf5, 0x5cc27d };

} // namespace lockui
