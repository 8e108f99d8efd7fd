// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_store.h"

#include "ui/text/display_text.h"

#include <utility>

namespace lockui {

using lockcore::transport::Deployment;
using lockcore::transport::Endpoint;

Deployment withClientName(Deployment deployment)
{
    for (Endpoint &seed : deployment.seeds)
        seed.clientName = lockcore::transport::WindowName;
    return deployment;
}

QString ConnectionProfile::title() const { return name.isEmpty() ? place() : name; }

QString ConnectionProfile::place() const { return displayText(deployment.display()); }

QString ConnectionProfile::titleWithPlace() const
{
    return name.isEmpty() ? place() : name + QStringLiteral(" · ") + place();
}

lockcore::service::AuditedConnection ConnectionProfile::audited() const
{
    return { name.toStdString(), environment.toStdString() };
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
            return (profile.name.isEmpty() ? QString() : title + QStringLiteral(" · "))
                + displayText(toBytes(url)); // they differ in the user, for one
    }
    return isTaken ? profile.titleWithPlace() : title;
}

QString toAlsoLocks(const std::vector<std::string> &patterns)
{
    QString text;
    for (const std::string &pattern : patterns) {
        if (!text.isEmpty())
            text += QLatin1Char(' ');
        bool isEscaped = false;
        for (const QChar c : QString::fromStdString(pattern)) {
            if (c.isSpace() && !isEscaped)
                text += QLatin1Char('\\');
            isEscaped = c == QLatin1Char('\\') && !isEscaped;
            text += c;
        }
    }
    return text;
}

std::vector<std::string> fromAlsoLocks(const QString &text)
{
    std::vector<std::string> patterns;
    QString pattern;
    bool isEscaped = false;
    const QString all = text + QLatin1Char(' ');
    for (const QChar c : all) {
        if (!c.isSpace() || isEscaped)
            pattern += c;
        else if (!pattern.isEmpty())
            patterns.push_back(std::exchange(pattern, QString()).toStdString());
        isEscaped = c == QLatin1Char('\\') && !isEscaped;
    }
    if (!pattern.isEmpty())
        patterns.push_back(pattern.chopped(1).toStdString()); // it ends with a backslash, and our own space
    return patterns;
}

bool ConnectionProfile::isProduction() const { return isProductionTag(environment); }

} // namespace lockui
