// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/test_clients_worker.h"

#include "lockcore/client/clock.h"

#include <algorithm>
#include <cstdio>

namespace lockcore {

namespace {

std::string duration(Millis time)
{
    if (time < std::chrono::seconds(1))
        return std::to_string(time.count()) + " ms";
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f s", static_cast<double>(time.count()) / 1'000);
    return text;
}

std::string message(const AcquireOutcome &outcome)
{
    if (outcome.acquired)
        return "acquired after " + duration(outcome.waited);
    if (outcome.head)
        return "not acquired: nobody holds it, and it is the turn of " + toString(outcome.head->owner);
    return outcome.holderTtl ? "not acquired: the holder has " + duration(*outcome.holderTtl) + " left"
                             : std::string("not acquired: the holder's lock never expires");
}

Result<std::string> message(const Result<ReleaseOutcome> &outcome)
{
    return outcome.map([](ReleaseOutcome released) -> std::string {
        return released == ReleaseOutcome::Released ? "released" : "released once, still held";
    });
}

} // namespace

TestClientsWorker::TestClientsWorker(Sink sink)
    : m_sink(std::move(sink))
    , m_leases([this](std::uint64_t number) { leaseEnded(number); })
{
}

TestClientsWorker::~TestClientsWorker() = default;

void TestClientsWorker::open(const Deployment &deployment, const std::vector<std::string> &names)
{
    close([] {});
    for (const std::string &name : names)
        m_clients.push_back(newClient(deployment, name));
    publish();
}

std::unique_ptr<TestClientsWorker::Client> TestClientsWorker::newClient(
    const Deployment &deployment, const std::string &name)
{
    auto client = std::make_unique<Client>();
    client->name = name;
    client->client = std::make_unique<LockClient>(deployment);
    LockClient *const lockClient = client->client.get();
    connect(lockClient, &LockClient::ready, this, [this] { publish(); });
    connect(lockClient, &LockClient::lost, this, [this] { publish(); });
    connect(lockClient, &LockClient::lockLost, this,
        [this, entry = client.get()](const LockTarget &target, const std::string &thread) {
            forget(*entry, { target, thread });
        });
    lockClient->open();
    return client;
}

void TestClientsWorker::close(std::function<void()> done)
{
    m_left = std::move(done);
    for (auto &client : std::exchange(m_clients, {}))
        leave(std::move(client));
    publish();
    if (m_leaving.empty())
        m_left();
}

void TestClientsWorker::leave(std::unique_ptr<Client> client)
{
    LockClient *const lockClient = client->client.get();
    disconnect(lockClient, nullptr, this, nullptr);
    for (const auto &[hold, use] : client->uses) {
        for (std::int64_t i = 0; i < use.count; ++i)
            lockClient->release(hold.target, hold.thread, [](const Result<ReleaseOutcome> &) {});
    }
    connect(lockClient, &LockClient::closed, this, [this, entry = client.get()] {
        std::erase_if(m_leaving, [entry](const auto &each) { return each.get() == entry; });
        if (m_leaving.empty())
            m_left();
    });
    m_leaving.push_back(std::move(client));
    lockClient->close();
}

void TestClientsWorker::acquire(CommandId id, const std::string &name, const AcquireRequest &request)
{
    Client *const client = findOrReport(id, name);
    if (!client)
        return;
    const auto wait = std::make_shared<AcquireId>(); // known to the handler: it is called later
    *wait = client->client->acquire(request, [this, id, client, request, wait](const Result<AcquireOutcome> &outcome) {
        acquired(*client, request, *wait, outcome);
        m_sink.report(id, outcome.map([](const AcquireOutcome &done) { return message(done); }));
    });
    client->uses[{ request.target, request.thread }].waits.push_back(*wait);
    publish();
}

void TestClientsWorker::cancel(const std::string &name, const HoldKey &hold)
{
    Client *const client = find(name);
    if (!client)
        return;
    const auto use = client->uses.find(hold);
    if (use == client->uses.end())
        return;
    for (const AcquireId wait : use->second.waits)
        client->client->cancel(wait);
}

void TestClientsWorker::acquired(
    Client &client, const AcquireRequest &request, AcquireId wait, const Result<AcquireOutcome> &outcome)
{
    const HoldKey hold{ request.target, request.thread };
    Use &use = client.uses[hold];
    std::erase(use.waits, wait);
    if (outcome && outcome->acquired) {
        ++use.count;
        if (request.lease)
            use.lease = *request.lease;
        else
            use.renewed = true;
        leaseStarts(use);
    }
    if (use.count == 0 && use.waits.empty())
        client.uses.erase(hold);
    publish();
}

void TestClientsWorker::release(CommandId id, const std::string &name, const HoldKey &hold)
{
    Client *const client = findOrReport(id, name);
    if (!client)
        return;
    client->client->release(hold.target, hold.thread,
        [this, id, client, hold](const Result<ReleaseOutcome> &outcome) { released(id, *client, hold, outcome); });
}

void TestClientsWorker::released(
    CommandId id, Client &client, const HoldKey &hold, const Result<ReleaseOutcome> &outcome)
{
    const auto use = client.uses.find(hold);
    const bool isGone = outcome ? *outcome == ReleaseOutcome::Released : outcome.error().code == ErrorCode::NotHeld;
    if (use != client.uses.end() && !isGone && use->second.count > 1) { // one hold is over, also after an error
        --use->second.count;
        if (outcome)
            leaseStarts(use->second);
    } else if (outcome || isGone) {
        forget(client, hold);
    }
    publish();
    m_sink.report(id, message(outcome));
}

void TestClientsWorker::renew(CommandId id, const std::string &name, const HoldKey &hold, Millis lease)
{
    Client *const client = findOrReport(id, name);
    if (!client)
        return;
    client->client->renew(hold.target, hold.thread, lease, [this, id, client, hold, lease](const Result<void> &done) {
        const auto use = client->uses.find(hold);
        if (done && use != client->uses.end()) {
            use->second.lease = lease;
            leaseStarts(use->second);
        } else if (!done && done.error().code == ErrorCode::NotHeld) {
            forget(*client, hold);
        }
        m_sink.report(id, done.map([lease] { return "renewed to " + duration(lease); }));
    });
}

TestClientsWorker::Client *TestClientsWorker::find(const std::string &name)
{
    const auto client
        = std::find_if(m_clients.begin(), m_clients.end(), [&](const auto &each) { return each->name == name; });
    return client == m_clients.end() ? nullptr : client->get();
}

TestClientsWorker::Client *TestClientsWorker::findOrReport(CommandId id, const std::string &name)
{
    if (Client *const client = find(name))
        return client;
    m_sink.report(id, failure(ErrorCode::InvalidArgument, "there is no test client of this name", name));
    return nullptr;
}

void TestClientsWorker::leaseStarts(Use &use)
{
    m_leases.disarm(use.number);
    if (use.renewed)
        return;
    use.number = ++m_lastUse;
    m_leases.arm(use.number, monoNow() + use.lease);
}

void TestClientsWorker::leaseEnded(std::uint64_t number)
{
    for (const auto &client : m_clients) {
        for (const auto &[hold, use] : client->uses) {
            if (use.number == number)
                return forget(*client, HoldKey(hold));
        }
    }
}

void TestClientsWorker::forget(Client &client, const HoldKey &hold)
{
    const auto use = client.uses.find(hold);
    if (use == client.uses.end())
        return;
    m_leases.disarm(use->second.number);
    if (!use->second.waits.empty())
        use->second = Use{ 0, std::move(use->second.waits), false, {}, 0 };
    else
        client.uses.erase(use);
    publish();
}

void TestClientsWorker::publish()
{
    auto states = std::make_shared<std::vector<TestClientState>>();
    for (const auto &client : m_clients) {
        TestClientState state{ client->name, client->client->id(), client->client->isReady(), {} };
        for (const auto &[hold, use] : client->uses)
            state.locks.push_back({ hold.target, hold.thread, use.count });
        states->push_back(std::move(state));
    }
    m_sink.publish(std::move(states));
}

} // namespace lockcore
