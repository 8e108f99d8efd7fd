// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include <malloc.h>

namespace testsupport {

/// What this program has from the system's allocator.
inline std::size_t heapBytes()
{
    const auto heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

} // namespace testsupport
