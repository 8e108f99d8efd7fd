// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/support/theme.h"

#include <QString>

namespace lockui {

/// On how many independent servers a lock is, and what that makes of it as a RedLock.

QString quorumText(const lockcore::Quorum &quorum); // `on 2 of 3 servers`, `on 1 of 3 servers, 1 unknown`
QString shortText(const lockcore::Quorum &quorum); // `2 of 3`; `1–2 of 3` while one cannot be seen
/// Whether that is more than half, and what of it is inferred.
QString quorumMeaning(const lockcore::LockState &lock);
Tone toneOf(const lockcore::Quorum &quorum);

/// The server that it was read from, or all that have it.
QString whereText(const lockcore::LockState &lock);

} // namespace lockui
