// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"
#include "ui/text/lock_text.h"

namespace lockui {

Tone toneOf(TtlState state);
Tone toneOf(const lockcore::monitor::Quorum &quorum);

} // namespace lockui
