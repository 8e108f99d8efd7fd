// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <string>

namespace app {

/// Asks on the controlling terminal, without echo; nothing where there is none.
std::optional<std::string> askPassword(const std::string &question);

/// Passwords, as long as the program runs, and longer in the desktop's keychain where there is one. Never in a file.
class SecretStore : public QObject {
    Q_OBJECT
public:
    enum Place { InMemory, InKeychain };

    using QObject::QObject;

    void load(const QString &key); // from the keychain, whenever it answers
    void keep(const QString &key, const std::string &password, Place place);
    void forget(const QString &key); // also in the keychain
    std::string password(const QString &key) const; // empty: not known
    /// `answer` hears why nothing can be kept in the keychain; empty: it can be. While `context` lives, whenever the
    /// keychain has told.
    static void tryKeychain(QObject *context, std::function<void(const QString &whyNot)> answer);

Q_SIGNALS:
    void loaded(const QString &key); // the keychain has answered, whatever it was

private:
    QHash<QString, std::string> m_passwords;
};

} // namespace app
