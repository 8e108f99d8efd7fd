// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace lockui {

/// While a server's commands were listened to; one of them had the id of the client.
struct TimeHeard {
    lockcore::MonoTime from;
    lockcore::MonoTime until;
};

/// What a person calls the clients whose ids say nothing. Kept in the settings; the oldest go when there are too many.
/// And which of them were heard when the person asked where one is: that is known only here, and for a short time.
class ClientNames : public QObject {
    Q_OBJECT
public:
    explicit ClientNames(QSettings &settings, QObject *parent = nullptr);

    static constexpr qsizetype LongestName = 60; // in characters: what is longer is cut

    QString nameOf(const std::string &client) const; // empty: it has none
    void setName(const std::string &client, const QString &name); // empty: forgets it

    std::optional<TimeHeard> heard(const std::string &client) const; // at last
    void setHeard(const std::vector<std::string> &clients, const TimeHeard &time);

Q_SIGNALS:
    void changed();

private:
    struct Entry {
        QString name;
        qint64 givenAt = 0; // seconds since the epoch
    };
    void dropOldest();

    QSettings &m_settings;
    QHash<QByteArray, Entry> m_names;
    std::map<std::string, TimeHeard> m_heard;
};

/// `7f21aa09…:7`, with the client's name if it has one: `7f21aa09…:7 (billing)`. `names` may be null.
QString namedOwner(const lockcore::OwnerId &owner, const ClientNames *names);
/// The same with the whole id.
QString fullNamedOwner(const lockcore::OwnerId &owner, const ClientNames *names);
/// The name alone, as it stands there; empty: it has none.
QString shownName(const lockcore::OwnerId &owner, const ClientNames *names);

} // namespace lockui
