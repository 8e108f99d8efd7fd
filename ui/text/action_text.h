// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/admin_command.h"

#include <QString>
#include <QStringList>

namespace lockui {

/// What is done to a lock of others: `force release`
QString actionText(const lockcore::synchronizers::AdminCommand &command);

/// What was done. `server`: as a person names it.
QString successText(const lockcore::synchronizers::AdminCommand &command,
    const lockcore::synchronizers::CommandOutcome &outcome, const std::string &server);

/// Which independent servers are told nothing since they are not seen, and what that leaves open; empty: none.
QString notAskedText(const std::vector<std::string> &servers);
QString wasNotAskedText(const std::vector<std::string> &servers); // when the others were told

/// Nothing of it was found on the independent servers that were asked, and others were not.
bool mayBeWhereNotAsked(
    const lockcore::synchronizers::AdminCommand &command, const lockcore::synchronizers::CommandOutcome &outcome);

/// Why nothing was: what was found instead of what was expected.
QString refusalText(
    const lockcore::synchronizers::AdminCommand &command, const lockcore::synchronizers::CommandOutcome &outcome);

class ClientNames;

/// What freeing the lock by force would do, in whole sentences.
QStringList releaseWarnings(const lockcore::monitor::LockState &lock);

/// That the one who is next does not take its turn, as far as is known; empty: nothing speaks for that.
QString ghostIsNextText(const lockcore::monitor::LockState &lock);

/// Who is woken by it, as far as Redis tells.
QString wokenText(const lockcore::monitor::LockState &lock, const ClientNames &names);

} // namespace lockui
