// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_book.h"

#include "ui/support/display_text.h"

namespace lockui {

QString ConnectionProfile::title() const { return name.isEmpty() ? displayText(deployment.display()) : name; }

bool ConnectionProfile::isProduction() const
{
    return environment.startsWith(QStringLiteral("PROD"), Qt::CaseInsensitive);
}

} // namespace lockui
