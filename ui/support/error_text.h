// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"

#include <QString>

namespace lockui {

/// One sentence for a person: what happened and what to do.
QString errorText(lockcore::ErrorCode code);

/// What was tried and what the server or the system said, as it came.
QString errorDetail(const lockcore::Error &error);

} // namespace lockui
