// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"

#include <QByteArray>
#include <random>

namespace app {

Demo::Demo(QObject *parent)
    : QObject(parent)
{
    connect(&m_server, &DemoServer::failed, this, &Demo::failed);
    connect(&m_server, &DemoServer::ready, this, &Demo::ready);
    connect(&m_server, &DemoServer::ready, this, [this] {
        bool given = false;
        const int seed = qEnvironmentVariableIntValue("LOCKSCOPE_DEMO_SEED", &given);
        m_shop.start(m_server.endpoint(), given ? static_cast<std::uint32_t>(seed) : std::random_device()());
    });
    connect(&m_shop, &Shop::opened, this, &Demo::opened);
}

void Demo::start() { m_server.start(); }

} // namespace app
