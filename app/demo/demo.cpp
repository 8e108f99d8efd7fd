// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"

#include "app/demo/operator.h"
#include "lockcore/transport/connection.h"

#include <QFile>
#include <QTimer>

#include <random>

namespace app {

using namespace std::chrono_literals;
using namespace lockcore::transport;

namespace {

constexpr auto ReportAfter = 4s;
constexpr const char *ReportScript
    = "local sum = 0 for i = 1, 4000000 do sum = sum + i % 7 end return redis.call('EXISTS', KEYS[1])";

ConnectionOptions reportOptions()
{
    ConnectionOptions options;
    options.readOnly = false; // for EVAL; it changes nothing
    return options;
}

} // namespace

/// Somebody who runs a report on the demo's server, once: for some tens of milliseconds nobody else is served.
class Demo::Report {
public:
    explicit Report(const Endpoint &endpoint)
        : m_connection(endpoint, reportOptions())
    {
        m_timer.setSingleShot(true);
        m_timer.callOnTimeout([this] {
            m_connection.send({ "EVAL", ReportScript, "1", "report:monthly" },
                [this](const lockcore::Result<lockcore::protocol::Reply> &) { m_connection.close(); });
        });
        m_timer.start(ReportAfter);
        m_connection.open();
    }

private:
    Connection m_connection;
    QTimer m_timer;
};

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

Demo::~Demo() = default;

void Demo::start() { m_server.start(); }

QString Demo::auditFile() const { return QFile::decodeName((m_server.folder() + "/audit.jsonl").c_str()); }

} // namespace app
