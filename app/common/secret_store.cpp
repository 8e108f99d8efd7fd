// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/secret_store.h"

#include <optional>

#ifdef LOCKSCOPE_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace app {
namespace {

#ifdef LOCKSCOPE_KEYCHAIN
const QString Service = QStringLiteral("lockscope");

// A keychain that is absent or locked is no error: the person is asked again.
void writeToKeychain(const QString &key, const std::string &password, QObject *context)
{
    auto *job = new QKeychain::WritePasswordJob(Service, context);
    job->setKey(key);
    job->setTextData(QString::fromStdString(password));
    job->start();
}

void deleteFromKeychain(const QString &key, QObject *context)
{
    auto *job = new QKeychain::DeletePasswordJob(Service, context);
    job->setKey(key);
    job->start();
}

template <typename Handler>
void readFromKeychain(const QString &key, QObject *context, Handler handler)
{
    auto *job = new QKeychain::ReadPasswordJob(Service, context);
    job->setKey(key);
    QObject::connect(job, &QKeychain::Job::finished, context, [job, handler] {
        handler(job->error() == QKeychain::NoError ? std::optional(job->textData().toStdString()) : std::nullopt);
    });
    job->start();
}
#else
void writeToKeychain(const QString &, const std::string &, QObject *) { }
void deleteFromKeychain(const QString &, QObject *) { }
template <typename Handler>
void readFromKeychain(const QString &, QObject *context, Handler handler)
{
    QMetaObject::invokeMethod(
        context, [handler] { handler(std::nullopt); }, Qt::QueuedConnection);
}
#endif

} // namespace

void SecretStore::load(const QString &key)
{
    readFromKeychain(key, this, [this, key](const std::optional<std::string> &password) {
        if (password && !m_passwords.contains(key))
            m_passwords.insert(key, *password);
        Q_EMIT loaded(key);
    });
}

void SecretStore::keep(const QString &key, const std::string &password, Place place)
{
    m_passwords.insert(key, password);
    if (place == InKeychain)
        writeToKeychain(key, password, this);
    else
        deleteFromKeychain(key, this);
}

std::string SecretStore::password(const QString &key) const { return m_passwords.value(key); }

} // namespace app
