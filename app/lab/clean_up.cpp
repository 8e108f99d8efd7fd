// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/clean_up.h"

#include "app/common/words.h"
#include "app/lab/client_protocol.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace app {

using lockcore::ErrorCode;
using lockcore::Result;
using lockcore::protocol::Command;
using lockcore::protocol::Reply;
using lockcore::transport::Connection;

namespace {

using namespace std::chrono_literals;

constexpr auto TriesFor = 5min;
constexpr auto BetweenLooks = 200ms;
constexpr const char *KeysAtOnce = "1000";

} // namespace

CleanUp::CleanUp(std::string prefix, QObject *parent)
    : QObject(parent)
    , m_prefix(std::move(prefix))
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &CleanUp::look);
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        fail(complaint(ErrorCode::ConnectionClosed,
            Words::tr("the server does not answer; keys with %1 in their names may be left there").arg(shown(m_prefix)),
            Words::tr("removing what a scenario left behind").toStdString()));
    });
}

void CleanUp::start(const lockcore::transport::Deployment &deployment)
{
    m_connection = std::make_unique<Connection>(
        deployment.seeds.front(), lockcore::transport::ConnectionOptions{ .readOnly = false });
    connect(m_connection.get(), &Connection::ready, this, [this] {
        if (m_hasBegun)
            look();
        else if (!m_isTold)
            tryWhetherItMay();
    });
    m_input = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
    connect(m_input.get(), &QSocketNotifier::activated, this, &CleanUp::inputArrives);
    m_connection->open();
}

template <typename Then>
auto CleanUp::answered(Then then)
{
    return [this, then](const Result<Reply> &reply) {
        if (!reply)
            return;
        if (const auto *error = reply->error()) {
            const bool isForGood = error->text.starts_with("NOPERM") || error->text.starts_with("NOAUTH");
            if (m_hasBegun && !isForGood)
                return m_again.start(BetweenLooks); // it loads, is busy, or cannot write just now
            const QString said = shown(error->text);
            return fail(complaint(ErrorCode::ServerOther,
                m_hasBegun ? Words::tr("%1; keys with %2 in their names may be left there").arg(said, shown(m_prefix))
                           : said,
                Words::tr("removing what a scenario left behind").toStdString()));
        }
        then(*reply);
    };
}

void CleanUp::tryWhetherItMay()
{
    if (m_connection->serverInfo().mode == "cluster")
        return fail(complaint(ErrorCode::NotSupported,
            Words::tr("%1 is a node of a cluster: scenarios are played on a server that stands alone")
                .arg(shown(m_connection->endpoint().display())),
            "run"));
    m_connection->send({ "SCAN", "0", "MATCH", '*' + m_prefix + '*', "COUNT", "1" }, answered([this](const Reply &) {
        m_connection->send({ "DEL", m_prefix }, answered([this](const Reply &) {
            m_isTold = true;
            const QByteArray line = lineOf(ClientMessage(ClientNews{}));
            std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stdout);
            std::fflush(stdout);
        }));
    }));
}

void CleanUp::inputArrives()
{
    char buffer[64];
    const auto size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN)))
        return;
    m_input->setEnabled(false);
    begin();
}

void CleanUp::begin()
{
    if (!m_isTold) // nothing has begun
        return Q_EMIT finished(Done);
    m_hasBegun = true;
    m_limit.start(TriesFor);
    look();
}

void CleanUp::look()
{
    m_again.stop();
    m_cursor = "0";
    m_found = 0;
    scan();
}

void CleanUp::scan()
{
    m_connection->send({ "SCAN", m_cursor, "MATCH", '*' + m_prefix + '*', "COUNT", KeysAtOnce },
        answered([this](const Reply &page) { take(page); }));
}

void CleanUp::take(const Reply &page)
{
    const auto *parts = page.array();
    if (!parts || parts->size() != 2 || !(*parts)[0].bulk() || !(*parts)[1].array())
        return;
    m_cursor = *(*parts)[0].bulk();
    Command command{ "DEL" };
    for (const Reply &key : *(*parts)[1].array())
        command.push_back(*key.bulk());
    m_found += command.size() - 1;
    if (command.size() > 1)
        m_connection->send(std::move(command), answered([](const Reply &) {}));
    if (m_cursor != "0")
        return scan();
    lookIsOver();
}

void CleanUp::lookIsOver()
{
    m_cleanLooks = m_found == 0 ? m_cleanLooks + 1 : 0;
    if (m_cleanLooks == 2)
        return Q_EMIT finished(Done);
    m_again.start(BetweenLooks);
}

void CleanUp::fail(const lockcore::Error &error)
{
    complain("lockctl", error);
    Q_EMIT finished(exitStatus(error));
}

} // namespace app
