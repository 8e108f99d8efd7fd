// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/manual_clients.h"

#include "lockcore/client/deadline_timer.h"
#include "lockcore/client/hold_table.h"
#include "lockcore/service/threads/worker_thread.h"
#include "lockcore/transport/clock.h"

#include <QSemaphore>
#include <algorithm>
#include <map>

namespace lockcore::service {

using namespace client;
using namespace transport;

namespace {

using End = ManualOutcome::End;

ManualOutcome endOf(const AcquireOutcome &outcome)
{
    if (outcome.acquired)
        return { End::Acquired, outcome.waited };
    if (outcome.head)
        return { .end = End::NotAcquired, .next = outcome.head->owner };
    return { .end = End::NotAcquired, .holderTtl = outcome.holderTtl };
}

ManualOutcome endOf(ReleaseOutcome outcome)
{
    return { outcome == ReleaseOutcome::Released ? End::Released : End::StillHeld };
}

/// What ManualClients does, on its own thread.
class ManualClientsWorker : public QObject {
public:
    struct Sink {
        std::function<void(ManualClientStates)> publish;
        std::function<void(CommandId, Result<ManualOutcome>)> report;
    };

    explicit ManualClientsWorker(Sink sink);
    ~ManualClientsWorker() override;

    void open(const Deployment &deployment, const std::vector<std::string> &names);
    void close(std::function<void()> done); // called when all is released, or cannot be

    void acquire(CommandId id, const std::string &name, const AcquireRequest &request);
    void cancel(const std::string &name, const HoldKey &hold);
    void release(CommandId id, const std::string &name, const HoldKey &hold);
    void renew(CommandId id, const std::string &name, const HoldKey &hold, Millis lease);

private:
    struct Use {
        std::int64_t count = 0;
        std::vector<AcquireId> waits;
        bool renewed = false; // by the watchdog
        Millis lease{ 0 }; // otherwise
        std::uint64_t number = 0; // in the queue of leases
    };
    struct Client {
        std::string name;
        std::unique_ptr<LockClient> client;
        std::map<HoldKey, Use> uses;
    };

    Client *find(const std::string &name);
    Client *findOrReport(CommandId id, const std::string &name);
    std::unique_ptr<Client> newClient(const Deployment &deployment, const std::string &name);
    void leave(std::unique_ptr<Client> client);
    void acquired(Client &client, const AcquireRequest &request, AcquireId wait, const Result<AcquireOutcome> &outcome);
    void released(CommandId id, Client &client, const HoldKey &hold, const Result<ReleaseOutcome> &outcome);
    void leaseStarts(Use &use);
    void leaseEnded(std::uint64_t number);
    void forget(Client &client, const HoldKey &hold);
    void publish();

    Sink m_sink;
    std::vector<std::unique_ptr<Client>> m_clients;
    std::vector<std::unique_ptr<Client>> m_leaving;
    std::function<void()> m_left;
    DeadlineTimer m_leases; // one ends without a word from anybody
    std::uint64_t m_lastUse = 0;
};

ManualClientsWorker::ManualClientsWorker(Sink sink)
    : m_sink(std::move(sink))
    , m_leases([this](std::uint64_t number) { leaseEnded(number); })
{
}

ManualClientsWorker::~ManualClientsWorker() = default;

void ManualClientsWorker::open(const Deployment &deployment, const std::vector<std::string> &names)
{
    close([] {});
    for (const std::string &name : names)
        m_clients.push_back(newClient(deployment, name));
    publish();
}

std::unique_ptr<ManualClientsWorker::Client> ManualClientsWorker::newClient(
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

void ManualClientsWorker::close(std::function<void()> done)
{
    m_left = std::move(done);
    for (auto &client : std::exchange(m_clients, {}))
        leave(std::move(client));
    publish();
    if (m_leaving.empty())
        m_left();
}

void ManualClientsWorker::leave(std::unique_ptr<Client> client)
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

void ManualClientsWorker::acquire(CommandId id, const std::string &name, const AcquireRequest &request)
{
    Client *const client = findOrReport(id, name);
    if (!client)
        return;
    const auto wait = std::make_shared<AcquireId>(); // known to the handler: it is called later
    *wait = client->client->acquire(request, [this, id, client, request, wait](const Result<AcquireOutcome> &outcome) {
        acquired(*client, request, *wait, outcome);
        m_sink.report(id, outcome.map([](const AcquireOutcome &done) { return endOf(done); }));
    });
    client->uses[{ request.target, request.thread }].waits.push_back(*wait);
    publish();
}

void ManualClientsWorker::cancel(const std::string &name, const HoldKey &hold)
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

void ManualClientsWorker::acquired(
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

void ManualClientsWorker::release(CommandId id, const std::string &name, const HoldKey &hold)
{
    Client *const client = findOrReport(id, name);
    if (!client)
        return;
    client->client->release(hold.target, hold.thread,
        [this, id, client, hold](const Result<ReleaseOutcome> &outcome) { released(id, *client, hold, outcome); });
}

void ManualClientsWorker::released(
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
    m_sink.report(id, outcome.map([](ReleaseOutcome done) { return endOf(done); }));
}

void ManualClientsWorker::renew(CommandId id, const std::string &name, const HoldKey &hold, Millis lease)
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
        m_sink.report(id, done.map([lease] { return ManualOutcome{ End::Renewed, lease }; }));
    });
}

ManualClientsWorker::Client *ManualClientsWorker::find(const std::string &name)
{
    const auto client
        = std::find_if(m_clients.begin(), m_clients.end(), [&](const auto &each) { return each->name == name; });
    return client == m_clients.end() ? nullptr : client->get();
}

ManualClientsWorker::Client *ManualClientsWorker::findOrReport(CommandId id, const std::string &name)
{
    if (Client *const client = find(name))
        return client;
    m_sink.report(id, failure(ErrorCode::InvalidArgument, { Phrase::NoSuchClient }, { Phrase::Words, { name } }));
    return nullptr;
}

void ManualClientsWorker::leaseStarts(Use &use)
{
    m_leases.disarm(use.number);
    if (use.renewed)
        return;
    use.number = ++m_lastUse;
    m_leases.arm(use.number, monoNow() + use.lease);
}

void ManualClientsWorker::leaseEnded(std::uint64_t number)
{
    for (const auto &client : m_clients) {
        for (const auto &[hold, use] : client->uses) {
            if (use.number == number)
                return forget(*client, HoldKey(hold));
        }
    }
}

void ManualClientsWorker::forget(Client &client, const HoldKey &hold)
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

void ManualClientsWorker::publish()
{
    auto states = std::make_shared<std::vector<ManualClientState>>();
    for (const auto &client : m_clients) {
        ManualClientState state{ client->name, client->client->id(), client->client->isReady(), {} };
        for (const auto &[hold, use] : client->uses)
            state.locks.push_back({ hold.target, hold.thread, use.count });
        states->push_back(std::move(state));
    }
    m_sink.publish(std::move(states));
}

} // namespace

class ManualClients::Private {
public:
    explicit Private(ManualClients *owner)
        : q(owner)
        , thread(QStringLiteral("manual-clients"), [this] {
            return std::make_unique<ManualClientsWorker>(ManualClientsWorker::Sink{ publisher(), reporter() });
        })
    {
    }

    // These are called on the worker's thread.
    std::function<void(ManualClientStates)> publisher()
    {
        return [this](ManualClientStates states) {
            QMetaObject::invokeMethod(
                q, [this, states = std::move(states)] { Q_EMIT q->statesChanged(states); }, Qt::QueuedConnection);
        };
    }
    std::function<void(CommandId, Result<ManualOutcome>)> reporter()
    {
        return [this](CommandId id, Result<ManualOutcome> outcome) {
            QMetaObject::invokeMethod(
                q, [this, id, outcome = std::move(outcome)] { Q_EMIT q->finished(id, outcome); }, Qt::QueuedConnection);
        };
    }

    ManualClients *q;
    WorkerThread<ManualClientsWorker> thread;
};

ManualClients::ManualClients(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

ManualClients::~ManualClients()
{
    QSemaphore released;
    d->thread.run([&released](ManualClientsWorker &worker) { worker.close([&released] { released.release(); }); });
    released.acquire(); // the clients give up by themselves after a while
}

void ManualClients::open(const Deployment &deployment, const std::vector<std::string> &names)
{
    d->thread.run([deployment, names](ManualClientsWorker &worker) { worker.open(deployment, names); });
}

void ManualClients::close()
{
    d->thread.run([](ManualClientsWorker &worker) { worker.close([] {}); });
}

CommandId ManualClients::acquire(const std::string &client, AcquireRequest request)
{
    const CommandId id = nextCommandId();
    d->thread.run([id, client, request = std::move(request)](
                      ManualClientsWorker &worker) { worker.acquire(id, client, request); });
    return id;
}

void ManualClients::cancel(const std::string &client, LockTarget target, const std::string &thread)
{
    d->thread.run([client, hold = HoldKey{ std::move(target), thread }](
                      ManualClientsWorker &worker) { worker.cancel(client, hold); });
}

CommandId ManualClients::release(const std::string &client, LockTarget target, const std::string &thread)
{
    const CommandId id = nextCommandId();
    d->thread.run([id, client, hold = HoldKey{ std::move(target), thread }](
                      ManualClientsWorker &worker) { worker.release(id, client, hold); });
    return id;
}

CommandId ManualClients::renew(const std::string &client, LockTarget target, const std::string &thread, Millis lease)
{
    const CommandId id = nextCommandId();
    d->thread.run([id, client, hold = HoldKey{ std::move(target), thread }, lease](
                      ManualClientsWorker &worker) { worker.renew(id, client, hold, lease); });
    return id;
}

} // namespace lockcore::service
