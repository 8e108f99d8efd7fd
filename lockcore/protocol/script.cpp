// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/script.h"

namespace lockcore::protocol {

namespace {

Command evalCommand(std::string verb, const Script &script, std::string_view which, std::span<const std::string> keys,
    std::span<const std::string> arguments)
{
    Command command{ verb + (script.readOnly ? "_RO" : ""), std::string(which), std::to_string(keys.size()) };
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

} // namespace

Command byDigest(const Script &script, std::span<const std::string> keys, std::span<const std::string> arguments)
{
    return evalCommand("EVALSHA", script, script.sha1, keys, arguments);
}

Command bySource(const Script &script, std::span<const std::string> keys, std::span<const std::string> arguments)
{
    return evalCommand("EVAL", script, script.text, keys, arguments);
}

Command bySource(Command byDigest, const Script &script)
{
    byDigest.at(0) = script.readOnly ? "EVAL_RO" : "EVAL";
    byDigest.at(1) = script.text;
    return byDigest;
}

} // namespace lockcore::protocol
