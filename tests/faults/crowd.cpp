// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/crowd.h"

#include "lockcore/transport/clock.h"
#include "tests/faults/user.h"

namespace faults {

using lockcore::client::LockClient;

Crowd::Crowd(const Plan &plan, int number, const lockcore::transport::Deployment &deployment, Say say)
    : m_plan(plan)
    , m_number(number)
    , m_say(std::move(say))
    , m_client(deployment, clientOptions(plan))
{
    const PlannedClient &planned = plan.clients.at(std::size_t(number));
    for (int i = 0; i < planned.users; ++i) {
        const std::string thread = std::to_string(number * 10 + i + 1);
        m_say(std::to_string(micros(lockcore::transport::monoNow())) + ' ' + m_client.id() + ':' + thread + " client "
            + std::to_string(number));
        m_users.push_back(std::make_unique<User>(
            plan, planned.isMortal, m_client, thread, plan.seed * 1'000 + std::uint64_t(number * 10 + i), m_say));
    }
    const auto user = [this](const std::string &thread) -> User & {
        return *m_users.at(std::size_t(std::stoi(thread) - m_number * 10 - 1));
    };
    connect(&m_client, &LockClient::cleanUpFailed, this, [this](const lockcore::Error &error) {
        for (const auto &each : m_users) // it does not say whose
            each->mayBeLeft(error);
    });
    connect(&m_client, &LockClient::renewed, this,
        [user](const LockTarget &target, const std::string &thread) { user(thread).renewed(target); });
    connect(&m_client, &LockClient::lockLost, this,
        [user](const LockTarget &target, const std::string &thread) { user(thread).lost(target); });
    connect(&m_client, &LockClient::lockUnconfirmed, this,
        [user](const LockTarget &target, const std::string &thread) { user(thread).unconfirmed(target); });
}

Crowd::~Crowd() { m_client.disconnect(this); }

void Crowd::start()
{
    m_client.open();
    for (const auto &user : m_users)
        user->start();
}

void Crowd::freeze()
{
    for (const auto &user : m_users)
        user->freeze();
}

void Crowd::finish()
{
    for (const auto &user : m_users)
        user->finish();
}

void Crowd::close(std::function<void()> closed)
{
    freeze();
    connect(&m_client, &LockClient::closed, this, std::move(closed));
    m_client.close();
}

} // namespace faults
