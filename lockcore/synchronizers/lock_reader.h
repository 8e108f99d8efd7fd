// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/protocol/script.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockcore {

/// What is known of a key without asking again.
struct ScannedKey {
    std::string name;
    std::string type; // hash, list, zset
};

/// One look at some names, atomic by script. A name that holds no lock gives no reading; a free lock with a fair queue
/// does. The script takes the lock names as KEYS; every other key is derived from them (standard auxiliary names).
const protocol::Script &readLocksScript();
Result<std::vector<LockReading>> decodeReadLocks(std::span<const LockName> names, const protocol::Reply &reply);

/// The first sweep: one bounded page of SCAN, on the server. Arguments: cursor, count, type.
const protocol::Script &sweepPageScript();
struct SweepPage {
    std::string nextCursor; // "0": the end
    std::int64_t keysSeen = 0;
    std::vector<LockName> candidates; // lock names to read with readLocks; parents of auxiliary keys included
};
Result<SweepPage> decodeSweepPage(const protocol::Reply &reply);

/// The same without scripts: rounds of pipelined commands. `next` tells what to send, `feed` takes the replies in
/// order.
class PipelinedReader {
public:
    explicit PipelinedReader(std::vector<LockName> names);
    /// Empty: done.
    std::vector<protocol::Command> next();
    Result<void> feed(std::vector<protocol::Reply> replies);
    std::vector<LockReading> take();

private:
    struct Item;
    std::vector<Item> m_items;
    int m_round = 0;
};

} // namespace lockcore
