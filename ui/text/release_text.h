// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>
#include <QStringList>

namespace lockui {

class ClientNames;

/// What freeing the lock by force would do, in whole sentences.
QStringList releaseWarnings(const lockcore::monitor::LockState &lock);

/// Who is woken by it, as far as Redis tells.
QString wokenText(const lockcore::monitor::LockState &lock, const ClientNames &names);

} // namespace lockui
