// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/event_store.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/text/client_names.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace lockbench {

/// What a page or a view needs where no window is around it.
struct BareStage {
    QTemporaryDir folder;
    QSettings settings{ folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat };
    lockui::Theme theme{ *qApp };
    lockui::ViewClock clock;
    lockui::ClientNames names{ settings };
    lockui::EventStore store;
};

} // namespace lockbench
