// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/session.h"

#include "app/common/password.h"

namespace lockctl {

using app::AccessCheck;
using app::Demo;

Session::Session(Globals globals, QObject *parent)
    : QObject(parent)
    , m_globals(std::move(globals))
{
    connect(&m_check, &AccessCheck::granted, this, [this] { Q_EMIT ready(m_globals.deployment); });
    connect(&m_check, &AccessCheck::denied, this, &Session::denied);
}

void Session::open()
{
    if (!m_globals.demo) {
        m_check.start(m_globals.deployment);
        return;
    }
    m_demo = std::make_unique<Demo>();
    connect(m_demo.get(), &Demo::failed, this, &Session::failed);
    connect(m_demo.get(), &Demo::opened, this, [this] { Q_EMIT ready(m_demo->endpoint()); });
    m_demo->start();
}

void Session::denied(const lockcore::Error &error)
{
    lockcore::Deployment &deployment = m_globals.deployment;
    if (error.code == lockcore::ErrorCode::AuthenticationFailed && deployment.seeds.front().password.empty()) {
        if (const auto password = app::askPassword("Password for " + deployment.display())) {
            for (lockcore::Endpoint &seed : deployment.seeds)
                seed.password = *password;
            m_check.start(deployment);
            return;
        }
    }
    Q_EMIT failed(error);
}

} // namespace lockctl
