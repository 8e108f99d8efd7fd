// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/script.h"

namespace lockcore::protocol {

Command byDigest(const Script &script, std::span<const std::string> keys, std::span<const std::string> arguments)
{
    Command command{ script.readOnly ? "EVALSHA_RO" : "EVALSHA", std::string(script.sha1),
        std::to_string(keys.size()) };
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

Command bySource(Command byDigest, const Script &script)
{
    byDigest.at(0) = script.readOnly ? "EVAL_RO" : "EVAL";
    byDigest.at(1) = script.text;
    return byDigest;
}

} // namespace lockcore::protocol
