// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace app {

using Random = std::mt19937;

/// Drawn evenly, both ends included.
struct Span {
    lockcore::Millis least{ 0 };
    lockcore::Millis most{ 0 };

    lockcore::Millis draw(Random &random) const
    {
        return lockcore::Millis(std::uniform_int_distribution<std::int64_t>(least.count(), most.count())(random));
    }
};

/// How a turn with a lock ends.
enum class Ending {
    Release,
    Die, // the client instance goes without a word, holding or waiting, and a new one comes
};

/// What one thread of the shop does over and over: get a lock, hold it, give it back, rest.
struct WorkloadStep {
    std::string service = {}; // the client instance it runs in
    std::string thread = {};
    std::vector<lockcore::LockName> locks = {}; // one is drawn each turn
    lockcore::synchronizers::Kind kind = lockcore::synchronizers::Kind::Reentrant;
    std::optional<lockcore::synchronizers::HoldMode> mode = {};
    Span hold = {};
    Span rest = {};
    std::optional<lockcore::Millis> every = {}; // its turns begin so far apart, with those of others; absent: it rests
    lockcore::Millis firstAfter{ 0 };
    int reentries = 0;
    std::optional<lockcore::Millis> lease = {};
    std::optional<lockcore::Millis> wait = {};
    Ending ending = Ending::Release;
    int goodTurns = 0; // Die: so many turns before end with a release
    std::optional<lockcore::LockName> then
        = {}; // taken while the first is held, for as long as `wait`; of the same kind
    Span beforeThen = {};
    std::optional<Span> dieAfter
        = {}; // Die: from the first try, whether the lock was got or not; absent: after the hold
};

struct Service {
    std::string name;
    lockcore::client::LockClientOptions options;
};

/// What is going on in the shop: varied, and the same kinds of trouble at all times.
std::vector<Service> shopServices();
std::vector<WorkloadStep> shopSteps();
std::vector<std::string> shopTokenNames(); // of locks that are another library's

} // namespace app
