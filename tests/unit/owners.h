// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"

namespace testsupport {

inline const lockcore::OwnerId A{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
inline const lockcore::OwnerId B{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };
inline const lockcore::OwnerId C{ "0c5d1be0-0a1b-4c2d-8e3f-405162738495", "1" };

} // namespace testsupport
