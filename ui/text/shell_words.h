// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lockui {

/// Bytes as one word of a POSIX shell, in single quotes where anything in them could mean something to it. A zero byte
/// cannot be in such a word.
std::string shellWord(std::string_view bytes);

/// Bytes as one argument of redis-cli, as a person types it there: in double quotes, with `\xNN` for what is not
/// printable UTF-8. It has no single quote either, so that it can stand between those of a shell.
std::string redisCliWord(std::string_view bytes);

/// The name of a lock as arguments of `lockctl`: as it is, or after `--escaped` as it is printed.
std::string lockctlName(std::string_view name);

} // namespace lockui
