// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/command.h"

namespace lockcore::protocol {

namespace {

void appendHeader(std::string &out, char type, std::size_t number)
{
    out += type;
    out += std::to_string(number);
    out += "\r\n";
}

} // namespace

std::string format(const Command &command)
{
    constexpr std::size_t HeaderBytes = 16;
    std::size_t size = HeaderBytes;
    for (const std::string &argument : command)
        size += argument.size() + HeaderBytes;
    std::string out;
    out.reserve(size);
    appendHeader(out, '*', command.size());
    for (const std::string &argument : command) {
        appendHeader(out, '$', argument.size());
        out += argument;
        out += "\r\n";
    }
    return out;
}

} // namespace lockcore::protocol
