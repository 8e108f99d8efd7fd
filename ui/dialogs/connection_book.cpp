// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_book.h"

#include "ui/dialogs/connection_url.h"
#include "ui/support/display_text.h"

#include <algorithm>

namespace lockui {

QString ConnectionProfile::title() const { return name.isEmpty() ? displayText(deployment.display()) : name; }

QString titleAmong(const ConnectionProfile &profile, const std::vector<ConnectionProfile> &all)
{
    const QString title = profile.title();
    QString place = displayText(profile.deployment.display());
    const auto url = connectionUrl(profile.deployment);
    bool isTaken = false;
    for (const ConnectionProfile &other : all) {
        const QString otherUrl = connectionUrl(other.deployment);
        if (otherUrl == url || other.title().compare(title, Qt::CaseInsensitive) != 0)
            continue;
        isTaken = true;
        if (displayText(other.deployment.display()) == place)
            return title + QStringLiteral(" · ") + displayText(toBytes(url)); // they differ in user or database
    }
    return isTaken ? title + QStringLiteral(" · ") + place : title;
}

bool ConnectionProfile::isProduction() const
{
    return environment.startsWith(QStringLiteral("PROD"), Qt::CaseInsensitive);
}

} // namespace lockui
