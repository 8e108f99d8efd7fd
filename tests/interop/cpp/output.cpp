// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/cpp/output.h"

#include <algorithm>
#include <cstdio>

namespace interop {

namespace {

const char *name(lockcore::ErrorCode code)
{
    using lockcore::ErrorCode;
    switch (code) {
    case ErrorCode::NotHeld:
        return "NotHeld";
    case ErrorCode::AlreadyHeld:
        return "AlreadyHeld";
    case ErrorCode::Cancelled:
        return "Cancelled";
    case ErrorCode::WrongType:
        return "WrongType";
    default:
        return "Other";
    }
}

} // namespace

void say(const std::string &tag, const std::string &text)
{
    std::printf("%s %s\n", tag.c_str(), text.c_str());
    std::fflush(stdout);
}

std::string answer(const lockcore::Error &error)
{
    std::string text = toString(error);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return std::string("error ") + name(error.code) + ' ' + text;
}

} // namespace interop
