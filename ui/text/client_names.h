// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <string>

class QSettings;

namespace lockui {

/// What a person calls the clients whose ids say nothing. Kept in the settings; the oldest go when there are too many.
class ClientNames : public QObject {
    Q_OBJECT
public:
    explicit ClientNames(QSettings &settings, QObject *parent = nullptr);

    QString nameOf(const std::string &client) const; // empty: it has none
    void setName(const std::string &client, const QString &name); // empty: forgets it

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
};

/// `7f21aa09…:7`, with the client's name if it has one: `7f21aa09…:7 (billing)`. `names` may be null.
QString namedOwner(const lockcore::OwnerId &owner, const ClientNames *names);
/// The same with the whole id.
QString fullNamedOwner(const lockcore::OwnerId &owner, const ClientNames *names);
/// The name alone, as it stands there; empty: it has none.
QString shownName(const lockcore::OwnerId &owner, const ClientNames *names);

} // namespace lockui
