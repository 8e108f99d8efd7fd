// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_store.h"

#include "ui/dialogs/connection_url.h"
#include "ui/support/display_text.h"

#include <algorithm>

namespace lockui {

QString ConnectionProfile::title() const { return name.isEmpty() ? place() : name; }

QString ConnectionProfile::place() const { return displayText(deployment.display()); }

QString ConnectionProfile::titleWithPlace() const
{
    return name.isEmpty() ? place() : name + QStringLiteral(" · ") + place();
}

QString titleAmong(const ConnectionProfile &profile, const std::vector<ConnectionProfile> &all)
{
    const QString title = profile.title();
    const auto url = connectionUrl(profile.deployment);
    bool isTaken = false;
    for (const ConnectionProfile &other : all) {
        const QString otherUrl = connectionUrl(other.deployment);
        if (otherUrl == url || other.title().compare(title, Qt::CaseInsensitive) != 0)
            continue;
        isTaken = true;
        if (other.place() == profile.place())
            return title + QStringLiteral(" · ") + displayText(toBytes(url)); // they differ in the user, for one
    }
    return isTaken ? profile.titleWithPlace() : title;
}

bool ConnectionProfile::isProduction() const
{
    return environment.startsWith(QStringLiteral("PROD"), Qt::CaseInsensitive);
}

} // namespace lockui
