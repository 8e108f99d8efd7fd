// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/rights/connection_probe.h"

#include <QStringList>

namespace lockui {

/// Who of several servers answered when a connection was tried: one line on all, then one each; of one server: none.
QStringList answerLines(const lockcore::service::ConnectionReport &report);

} // namespace lockui
