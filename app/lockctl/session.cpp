// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/session.h"

#include "app/common/exit_status.h"
#include "app/common/saved_connections.h"
#include "app/common/secret_store.h"
#include "app/common/words.h"
#include "app/lockctl/output.h"
#include "ui/text/error_text.h"

namespace lockctl {

using app::AccessCheck;
using app::Demo;
using app::Words;

Session::Session(Globals globals, QObject *parent)
    : QObject(parent)
    , m_globals(std::move(globals))
{
    connect(&m_check, &AccessCheck::granted, this, [this] {
        if (m_check.isPartOfCluster())
            notePart();
        Q_EMIT ready(m_globals.deployment);
    });
    connect(&m_check, &AccessCheck::denied, this, &Session::denied);
}

void Session::open()
{
    if (!m_globals.demo) {
        if (m_globals.secret.isEmpty())
            m_check.start(m_globals.deployment);
        else
            findSecrets();
        return;
    }
    m_demo = std::make_unique<Demo>();
    connect(m_demo.get(), &Demo::failed, this, &Session::failed);
    connect(m_demo.get(), &Demo::opened, this, [this] { Q_EMIT ready(m_demo->endpoint()); });
    m_demo->start();
}

/// The keychain answers in order: that of the servers comes last.
void Session::findSecrets()
{
    connect(&m_secrets, &app::SecretStore::loaded, this, [this](const QString &key) {
        if (key == m_globals.secret)
            check();
    });
    if (m_globals.deployment.topology == lockcore::transport::Topology::Sentinel)
        m_secrets.load(app::sentinelSecret(m_globals.secret));
    m_secrets.load(m_globals.secret);
}

void Session::check()
{
    lockcore::transport::Deployment &deployment = m_globals.deployment;
    for (lockcore::transport::Endpoint &seed : deployment.seeds)
        seed.password = m_secrets.password(m_globals.secret);
    if (deployment.sentinelPassword.empty())
        deployment.sentinelPassword = m_secrets.password(app::sentinelSecret(m_globals.secret));
    m_check.start(deployment);
}

void Session::notePart() const
{
    note(Words::tr("%1 is a node of a cluster: only the locks of its own slots are seen; redis-cluster://%1 shows all")
             .arg(app::shown(m_globals.deployment.display())));
}

void Session::denied(const lockcore::Error &error)
{
    lockcore::transport::Deployment &deployment = m_globals.deployment;
    if (lockui::isOfSentinelLogin(error))
        return deniedBySentinels(error);
    if (error.code == lockcore::ErrorCode::AuthenticationFailed && deployment.seeds.front().password.empty()) {
        if (const auto password = app::askPassword(
                Words::tr("Password for %1").arg(QString::fromStdString(deployment.display())).toStdString())) {
            for (lockcore::transport::Endpoint &seed : deployment.seeds)
                seed.password = *password;
            m_check.start(deployment);
            return;
        }
        return failAfterAll(app::withMore(error, Words::tr("; no password was given: LOCKSCOPE_PASSWORD can hold it")));
    }
    failAfterAll(error);
}

/// Each server that was tried has its own reason.
void Session::failAfterAll(const lockcore::Error &last)
{
    for (const lockcore::Error &error : m_check.earlierRefusals())
        app::complain("lockctl", error);
    Q_EMIT failed(last);
}

/// They have a login of their own.
void Session::deniedBySentinels(const lockcore::Error &error)
{
    lockcore::transport::Deployment &deployment = m_globals.deployment;
    if (!deployment.sentinelPassword.empty())
        return Q_EMIT failed(error);
    if (const auto password = app::askPassword(Words::tr("Password of the sentinels of %1")
                                                   .arg(QString::fromStdString(deployment.display()))
                                                   .toStdString())) {
        deployment.sentinelPassword = *password;
        m_check.start(deployment);
        return;
    }
    Q_EMIT failed(app::withMore(error,
        Words::tr("; no password for the sentinels themselves was given: LOCKSCOPE_SENTINEL_PASSWORD can hold it")));
}

} // namespace lockctl
