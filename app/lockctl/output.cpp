// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/output.h"

#include <cstdio>

namespace lockctl {

bool printLine(std::string_view line)
{
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    return std::fflush(stdout) == 0;
}

} // namespace lockctl
