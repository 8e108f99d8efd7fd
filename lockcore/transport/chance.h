// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRandomGenerator>

namespace lockcore::transport {

/// 0…1, another each time: what is left to chance of a pause, see Backoff. Logic is told it, as it is told the time.
inline double drawChance() { return QRandomGenerator::global()->generateDouble(); }

} // namespace lockcore::transport
