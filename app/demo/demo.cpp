// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"

#include <QFile>

#include <random>

namespace app {

Demo::Demo(QObject *parent)
    : QObject(parent)
{
    connect(&m_server, &PrivateServer::failed, this, &Demo::failed);
    connect(&m_server, &PrivateServer::ready, this, &Demo::ready);
    connect(&m_server, &PrivateServer::ready, this, [this] {
        bool given = false;
        const int seed = qEnvironmentVariableIntValue("LOCKSCOPE_DEMO_SEED", &given);
        m_shop.start(m_server.endpoint(), given ? static_cast<std::uint32_t>(seed) : std::random_device()());
        m_report = std::make_unique<Report>(m_server.endpoint());
        if (m_hasOperator)
            m_operator = std::make_unique<Operator>(m_server.endpoint(), auditFile());
    });
    connect(&m_shop, &Shop::opened, this, &Demo::opened);
}

void Demo::start() { m_server.start(); }

QString Demo::auditFile() const { return QFile::decodeName((m_server.folder() + "/audit.jsonl").c_str()); }

} // namespace app
