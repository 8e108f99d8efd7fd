// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/blocking_client.h"

#include <QByteArray>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace interop {

/// Everything that locks left on a server, in words that two servers have in common.
struct KeyspaceDump {
    std::map<std::string, std::string> facts; // keys, types, fields, values, order, channels
    std::map<std::string, std::int64_t> times; // epoch ms: when keys run out, scores, deadlines in fields
    std::size_t channels = 0;
    bool failed = false; // a reply was not as expected
};

/// What differs from client to client, and what it is called instead; the longest first.
using Aliases = std::vector<std::pair<std::string, std::string>>;

/// One look at all keys with that name in theirs, and at the channels of the lock that is called so. Without the
/// latches of unlocks: these are deleted in a step of their own.
KeyspaceDump dumpKeyspace(testsupport::BlockingClient &redis, const std::string &name, const Aliases &aliases);

/// What differs, one line each; empty: nothing.
std::string differentFacts(const KeyspaceDump &ours, const KeyspaceDump &theirs);
std::string differentTimes(const KeyspaceDump &ours, const KeyspaceDump &theirs, std::int64_t toleranceMs);

} // namespace interop
