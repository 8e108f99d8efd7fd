// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sentinel_setup.h"

#include "tests/support/replication.h"
#include "tests/support/wait_until.h"

using namespace Qt::StringLiterals;
using lockcore::protocol::Command;
using lockcore::protocol::Reply;

namespace testsupport {

namespace {

bool contains(const Reply &reply, const char *text)
{
    return reply.bulk() && reply.bulk()->find(text) != std::string::npos;
}

} // namespace

RedisServerOptions SentinelSetup::readyToReplicate(RedisServerOptions options) const
{
    options.config << u"repl-diskless-sync-delay 0"_s;
    if (!options.password.isEmpty())
        options.config << u"masterauth \"%1\""_s.arg(options.password);
    if (options.tls) {
        options.certificates = makeCertificates(m_folder.path());
        options.config << u"tls-replication yes"_s;
    }
    return options;
}

SentinelSetup::SentinelSetup(int sentinels, RedisServerOptions options)
    : m_count(sentinels)
    , m_options(readyToReplicate(std::move(options)))
    , m_first(m_options)
    , m_second(m_options)
{
}

bool SentinelSetup::start()
{
    if (!m_first.start() || !m_second.start())
        return false;
    run(m_second, { "REPLICAOF", "127.0.0.1", std::to_string(portOf(m_first)) });
    return waitUntil([&] {
        const Reply info = run(m_first, { "INFO", "replication" });
        return info.bulk() && isSentTo(1, *info.bulk());
    }) && startSentinels()
        && waitUntil([this] { return isReadyToFailOver(); });
}

bool SentinelSetup::startSentinels()
{
    const QString master = QString::fromLatin1(MasterName);
    RedisServerOptions options;
    options.sentinel = true;
    options.tls = m_options.tls;
    options.certificates = m_options.certificates;
    if (options.tls)
        options.config << u"tls-replication yes"_s;
    options.config << u"sentinel monitor %1 127.0.0.1 %2 %3"_s.arg(master).arg(portOf(m_first)).arg(m_count / 2 + 1)
                   << u"sentinel down-after-milliseconds %1 500"_s.arg(master)
                   << u"sentinel failover-timeout %1 3000"_s.arg(master);
    if (!m_options.password.isEmpty())
        options.config << u"sentinel auth-pass %1 %2"_s.arg(master, m_options.password);
    for (int number = 0; number < m_count; ++number) {
        m_sentinels.push_back(std::make_unique<RedisServer>(options));
        if (!m_sentinels.back()->start())
            return false;
    }
    return true;
}

bool SentinelSetup::isReadyToFailOver() const
{
    const std::string others = ",sentinels=" + std::to_string(m_count);
    for (const auto &sentinel : m_sentinels) {
        const Reply info = run(*sentinel, { "INFO", "sentinel" });
        if (!contains(info, "status=ok") || !contains(info, "slaves=1") || !contains(info, others.c_str()))
            return false;
    }
    return true;
}

lockcore::transport::Deployment SentinelSetup::deployment() const
{
    lockcore::transport::Deployment deployment;
    deployment.topology = lockcore::transport::Topology::Sentinel;
    deployment.masterName = MasterName;
    for (const auto &sentinel : m_sentinels) {
        lockcore::transport::Endpoint seed = m_options.tls ? sentinel->tlsEndpoint() : sentinel->endpoint();
        seed.password = m_options.password.toStdString();
        deployment.seeds.push_back(seed);
    }
    return deployment;
}

void SentinelSetup::startToFailOver() { run(sentinel(0), { "SENTINEL", "FAILOVER", MasterName }); }

Reply SentinelSetup::run(const RedisServer &server, const Command &command)
{
    BlockingClient client(server.socketPath().toStdString());
    if (!server.endpoint().password.empty())
        client.run({ "AUTH", server.endpoint().password });
    return client.run(command);
}

} // namespace testsupport
