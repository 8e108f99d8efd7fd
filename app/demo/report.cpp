// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/report.h"

namespace app {

using namespace std::chrono_literals;

namespace {

constexpr auto ReportAfter = 4s;
constexpr const char *ReportScript
    = "local sum = 0 for i = 1, 4000000 do sum = sum + i % 7 end return redis.call('EXISTS', KEYS[1])";

lockcore::transport::ConnectionOptions reportOptions()
{
    lockcore::transport::ConnectionOptions options;
    options.readOnly = false; // for EVAL; it changes nothing
    return options;
}

} // namespace

Report::Report(const lockcore::transport::Endpoint &endpoint, QObject *parent)
    : QObject(parent)
    , m_connection(endpoint, reportOptions())
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(ReportAfter);
    connect(&m_timer, &QTimer::timeout, this, &Report::run);
    m_timer.start();
    m_connection.open();
}

void Report::run()
{
    m_connection.send({ "EVAL", ReportScript, "1", "report:monthly" },
        [this](const lockcore::Result<lockcore::protocol::Reply> &) { m_connection.close(); });
}

} // namespace app
