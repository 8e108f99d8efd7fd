// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/test_clients.h"

#include "lockcore/service/command_ids.h"
#include "lockcore/service/test_clients_worker.h"
#include "lockcore/service/worker_thread.h"

#include <QSemaphore>

namespace lockcore {

class TestClients::Private {
public:
    explicit Private(TestClients *owner)
        : q(owner)
        , thread(QStringLiteral("test clients"), [this] {
            return std::make_unique<TestClientsWorker>(TestClientsWorker::Sink{ publisher(), reporter() });
        })
    {
    }

    // These are called on the worker's thread.
    std::function<void(TestClientStates)> publisher()
    {
        return [this](TestClientStates states) {
            QMetaObject::invokeMethod(
                q, [this, states = std::move(states)] { Q_EMIT q->statesChanged(states); }, Qt::QueuedConnection);
        };
    }
    std::function<void(CommandId, Result<std::string>)> reporter()
    {
        return [this](CommandId id, Result<std::string> message) {
            QMetaObject::invokeMethod(
                q, [this, id, message = std::move(message)] { Q_EMIT q->finished(id, message); }, Qt::QueuedConnection);
        };
    }

    TestClients *q;
    WorkerThread<TestClientsWorker> thread;
};

TestClients::TestClients(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

TestClients::~TestClients()
{
    QSemaphore released;
    d->thread.run([&released](TestClientsWorker &worker) { worker.close([&released] { released.release(); }); });
    released.acquire(); // the clients give up by themselves after a while
}

void TestClients::open(const Deployment &deployment, const std::vector<std::string> &names)
{
    d->thread.run([deployment, names](TestClientsWorker &worker) { worker.open(deployment, names); });
}

void TestClients::close()
{
    d->thread.run([](TestClientsWorker &worker) { worker.close([] {}); });
}

CommandId TestClients::acquire(const std::string &client, AcquireRequest request)
{
    const CommandId id = nextCommandId();
    d->thread.run(
        [id, client, request = std::move(request)](TestClientsWorker &worker) { worker.acquire(id, client, request); });
    return id;
}

void TestClients::cancel(const std::string &client, LockTarget target, const std::string &thread)
{
    d->thread.run([client, hold = HoldKey{ std::move(target), thread }](
                      TestClientsWorker &worker) { worker.cancel(client, hold); });
}

CommandId TestClients::release(const std::string &client, LockTarget target, const std::string &thread)
{
    const CommandId id = nextCommandId();
    d->thread.run([id, client, hold = HoldKey{ std::move(target), thread }](
                      TestClientsWorker &worker) { worker.release(id, client, hold); });
    return id;
}

CommandId TestClients::renew(const std::string &client, LockTarget target, const std::string &thread, Millis lease)
{
    const CommandId id = nextCommandId();
    d->thread.run([id, client, hold = HoldKey{ std::move(target), thread }, lease](
                      TestClientsWorker &worker) { worker.renew(id, client, hold, lease); });
    return id;
}

} // namespace lockcore
