// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"

#include <QString>
#include <string_view>

namespace lockui {

/// Writes the file as a whole or not at all: what stood there before stays when it fails.
/// Errors: local/file-failed, with what the system said.
[[nodiscard]] lockcore::Result<void> saveFile(const QString &file, std::string_view bytes);

} // namespace lockui
