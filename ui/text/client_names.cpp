// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/client_names.h"

#include "ui/text/display_text.h"

#include <QDateTime>
#include <QSettings>
#include <algorithm>

namespace lockui {

namespace {

const QString Group = QStringLiteral("clientNames");
constexpr qsizetype MostNames = 1'000;

// A port of Redisson may write any bytes as its id.
QString keyOf(const QByteArray &client) { return QString::fromLatin1(client.toPercentEncoding()); }

QString withName(const QString &owner, const lockcore::OwnerId &id, const ClientNames *names)
{
    const QString name = shownName(id, names);
    return name.isEmpty() ? owner : owner + QStringLiteral(" (") + name + QLatin1Char(')');
}

} // namespace

ClientNames::ClientNames(QSettings &settings, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
{
    settings.beginGroup(Group);
    for (const QString &key : settings.childKeys()) {
        const QStringList value = settings.value(key).toStringList();
        if (value.size() == 2)
            m_names.insert(QByteArray::fromPercentEncoding(key.toLatin1()), { value[0], value[1].toLongLong() });
    }
    settings.endGroup();
}

QString ClientNames::nameOf(const std::string &client) const
{
    return m_names.value(QByteArray::fromStdString(client)).name;
}

void ClientNames::setName(const std::string &client, const QString &name)
{
    const QByteArray id = QByteArray::fromStdString(client);
    const QString wanted = name.trimmed().left(LongestName);
    if (wanted == m_names.value(id).name)
        return;
    m_settings.beginGroup(Group);
    if (wanted.isEmpty()) {
        m_names.remove(id);
        m_settings.remove(keyOf(id));
    } else {
        const Entry entry{ wanted, QDateTime::currentSecsSinceEpoch() };
        m_names.insert(id, entry);
        m_settings.setValue(keyOf(id), QStringList{ entry.name, QString::number(entry.givenAt) });
        dropOldest();
    }
    m_settings.endGroup();
    Q_EMIT changed();
}

std::optional<TimeHeard> ClientNames::heard(const std::string &client) const
{
    const auto found = m_heard.find(client);
    return found == m_heard.end() ? std::nullopt : std::optional(found->second);
}

void ClientNames::setHeard(const std::vector<std::string> &clients, const TimeHeard &time)
{
    constexpr std::chrono::minutes Kept{ 5 };
    std::erase_if(m_heard, [&](const auto &each) { return each.second.until + Kept < time.until; });
    for (const std::string &client : clients)
        m_heard.insert_or_assign(client, time);
}

void ClientNames::dropOldest()
{
    while (m_names.size() > MostNames) {
        const auto oldest = std::min_element(
            m_names.begin(), m_names.end(), [](const Entry &a, const Entry &b) { return a.givenAt < b.givenAt; });
        m_settings.remove(keyOf(oldest.key()));
        m_names.erase(oldest);
    }
}

QString shownName(const lockcore::OwnerId &owner, const ClientNames *names)
{
    return names != nullptr ? displayText(toBytes(names->nameOf(owner.client))) : QString();
}

QString namedOwner(const lockcore::OwnerId &owner, const ClientNames *names)
{
    return withName(shortOwner(owner), owner, names);
}

QString fullNamedOwner(const lockcore::OwnerId &owner, const ClientNames *names)
{
    return withName(fullOwner(owner), owner, names);
}

} // namespace lockui
