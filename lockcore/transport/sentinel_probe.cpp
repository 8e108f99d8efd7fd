// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/sentinel_probe.h"

#include "lockcore/protocol/server_error.h"

#include <algorithm>

namespace lockcore {

namespace {

constexpr const char *SwitchChannel = "+switch-master"; // `name old-host old-port new-host new-port`

std::vector<Endpoint> sentinelsOf(const Deployment &deployment)
{
    std::vector<Endpoint> sentinels = deployment.seeds;
    for (Endpoint &sentinel : sentinels) {
        sentinel.user = deployment.sentinelUser;
        sentinel.password = deployment.sentinelPassword;
        sentinel.database = 0;
    }
    return sentinels;
}

std::optional<NodeAddress> readAddress(const protocol::Reply &reply)
{
    const protocol::Reply::Array *parts = reply.array();
    if (!parts || parts->size() != 2 || !parts->front().bulk() || !parts->back().bulk())
        return std::nullopt;
    return protocol::nodeAddress(*parts->front().bulk(), *parts->back().bulk());
}

} // namespace

SentinelProbe::SentinelProbe(const Deployment &deployment, const ConnectionOptions &options)
    : m_masterName(deployment.masterName)
    , m_sentinels(sentinelsOf(deployment))
    , m_inquiry(options, [this](Connection &sentinel) { ask(sentinel); })
{
    connect(&m_inquiry, &Inquiry::failed, this, &SentinelProbe::failed);
    for (const Endpoint &sentinel : m_sentinels) {
        const auto &watch = m_watches.emplace_back(std::make_unique<Subscriber>(sentinel, options));
        connect(watch.get(), &Subscriber::ready, this, &SentinelProbe::changed); // it may have been missed
        const auto heard = [this](const protocol::PubSubMessage &message) {
            if (message.payload.starts_with(m_masterName + ' '))
                Q_EMIT changed();
        };
        watch->subscribe(SwitchChannel, heard, [](const Result<void> &) {});
    }
}

void SentinelProbe::open()
{
    for (const auto &watch : m_watches)
        watch->open();
    look();
}

void SentinelProbe::close()
{
    m_inquiry.stop();
    for (const auto &watch : m_watches)
        watch->close();
}

void SentinelProbe::look(Trust trust)
{
    if (trust == Trust::Doubt)
        std::rotate(m_sentinels.begin(), m_sentinels.begin() + 1, m_sentinels.end());
    m_inquiry.start(m_sentinels);
}

void SentinelProbe::ask(Connection &sentinel)
{
    sentinel.send({ "SENTINEL", "GET-MASTER-ADDR-BY-NAME", m_masterName },
        m_inquiry.ifStillAsking([this, where = sentinel.endpoint()](const auto &reply) { take(where, reply); }));
}

void SentinelProbe::take(const Endpoint &sentinel, const protocol::Reply &reply)
{
    const std::string context = "asking the sentinel " + sentinel.display() + " for the master " + m_masterName;
    if (reply.isError())
        return m_inquiry.next(protocol::toError(reply, context));
    if (reply.isNil())
        return m_inquiry.next({ ErrorCode::InvalidArgument, "the sentinel knows no master of this name", context });
    const auto address = readAddress(reply);
    if (!address)
        return m_inquiry.next({ ErrorCode::MalformedReply, "a reply of another form than expected", context });
    std::stable_partition(
        m_sentinels.begin(), m_sentinels.end(), [&](const Endpoint &each) { return each == sentinel; });
    m_inquiry.stop();
    Q_EMIT found(*address);
}

} // namespace lockcore
