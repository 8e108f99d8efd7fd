// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/text/client_names.h"

#include <QSettings>
#include <QTemporaryDir>

namespace lockui::test {

/// The names that a person gave to clients, kept in a folder that goes with the test.
struct TestNames {
    QTemporaryDir folder;
    QSettings settings{ folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat };
    ClientNames names{ settings };
};

} // namespace lockui::test
