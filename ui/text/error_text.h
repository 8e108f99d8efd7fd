// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"

#include <QString>

namespace lockui {

/// One sentence for a person: what happened and what to do.
QString errorText(lockcore::ErrorCode code);
QString errorText(const lockcore::Error &error); // also whose password it was

/// An action on independent servers was done on some of them.
bool isDoneInPart(const lockcore::Error &error);

/// Sentinels refused their own login, which is another than that of the servers.
bool isOfSentinelLogin(const lockcore::Error &error);

/// A phrase of an error, with its details; nothing: empty.
QString phraseText(const lockcore::Said &said);

/// Why it failed, without what was tried.
QString errorReason(const lockcore::Error &error);

/// The same, as a sentence of its own.
QString errorSentence(const lockcore::Error &error);

/// What was tried and what the server or the system said, as it came.
QString errorDetail(const lockcore::Error &error);

} // namespace lockui
