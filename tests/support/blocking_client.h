// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"

#include <memory>
#include <string>
#include <vector>

namespace testsupport {

/// One connection over a Unix socket that waits for each reply: what a test says to Redis beside the code under test.
/// Binary-safe. A broken connection ends in nil replies.
class BlockingClient {
public:
    explicit BlockingClient(const std::string &socketPath);
    ~BlockingClient();

    lockcore::protocol::Reply run(const lockcore::protocol::Command &command);
    /// What the server says next by itself, to whoever has subscribed; waits for it.
    lockcore::protocol::Reply next();
    std::vector<lockcore::protocol::Reply> runAll(
        const std::vector<lockcore::protocol::Command> &commands); // pipelined
    lockcore::protocol::Reply eval(const lockcore::protocol::Script &script, const std::vector<std::string> &keys,
        const std::vector<std::string> &arguments);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace testsupport
