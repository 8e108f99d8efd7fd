// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/monitor/feed_reason.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::monitor {

/// Beginnings of keys, none of which is the beginning of another, as client tracking demands.
using Prefixes = std::vector<std::string>;

/// What the keys of these locks begin with, and as few of the non-lock keys as possible: so short that the locks'
/// likely siblings begin with it too. Includes the locks' other keys. Empty: locks and non-lock keys cannot be told
/// apart. `locks` are in order. So many non-lock keys are `tolerated` with a beginning: they may be locks that nobody
/// has read yet.
Prefixes learnPrefixes(
    const std::vector<LockName> &locks, std::vector<std::string> nonLockKeys, std::size_t tolerated = 0);

/// What every name that matches a pattern of SCAN's MATCH begins with.
std::string literalStart(std::string_view pattern);

/// What all keys of the locks begin with whose names match a pattern of SCAN's MATCH. Empty: nothing in particular.
Prefixes prefixesOfPattern(std::string_view pattern);

/// The same where no NameMapper gives these locks other keys.
Prefixes plainPrefixesOfPattern(std::string_view pattern);

/// A pattern of PSUBSCRIBE for the channels of these locks; of all, where their names begin with nothing in particular.
std::string channelsOfPattern(std::string_view pattern);

bool covers(const Prefixes &prefixes, std::string_view key);
bool tellsOf(const FeedScope &scope, std::string_view key);

} // namespace lockcore::monitor
