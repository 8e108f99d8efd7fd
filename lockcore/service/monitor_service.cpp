// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/monitor_service.h"

#include "lockcore/service/command_ids.h"
#include "lockcore/service/monitor_worker.h"
#include "lockcore/service/snapshot_mailbox.h"
#include "lockcore/service/worker_thread.h"

namespace lockcore {

class MonitorService::Private {
public:
    Private(MonitorService *owner, MonitorOptions options)
        : q(owner)
        , hasAudit(!options.auditFile.isEmpty())
        , thread(QStringLiteral("monitor"), [this, options = std::move(options)] {
            return std::make_unique<MonitorWorker>(options, MonitorSession::Outlet{ publisher(), reporter() },
                [this](CommandId id, const Result<CommandOutcome> &result) { finished(id, result); });
        })
    {
    }

    // These three are called on the worker's thread.
    std::function<void(std::shared_ptr<const Snapshot>)> publisher()
    {
        return [this](std::shared_ptr<const Snapshot> snapshot) {
            if (!mailbox.put(std::move(snapshot)))
                return;
            onOwnThread([this] {
                mailbox.markTaken();
                Q_EMIT q->snapshotReady();
            });
        };
    }
    std::function<void(EventList)> reporter()
    {
        return [this](EventList events) {
            onOwnThread([this, events = std::move(events)] { Q_EMIT q->eventsReported(events); });
        };
    }
    void finished(CommandId id, const Result<CommandOutcome> &result)
    {
        onOwnThread([this, id, result] { Q_EMIT q->commandFinished(id, result); });
    }

    template <typename Call>
    void onOwnThread(Call call)
    {
        QMetaObject::invokeMethod(q, std::move(call), Qt::QueuedConnection);
    }

    MonitorService *q;
    const bool hasAudit;
    bool writable = false;
    SnapshotMailbox mailbox;
    WorkerThread<MonitorWorker> thread; // last: its end must find the mailbox
};

MonitorService::MonitorService(MonitorOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(options)))
{
}

MonitorService::~MonitorService() = default;

void MonitorService::open(const Deployment &deployment)
{
    d->thread.run([deployment](MonitorWorker &worker) { worker.open(deployment); });
}

void MonitorService::close()
{
    d->thread.run([](MonitorWorker &worker) { worker.close(); });
}

std::shared_ptr<const Snapshot> MonitorService::latest() const { return d->mailbox.latest(); }

void MonitorService::refresh()
{
    d->thread.run([](MonitorWorker &worker) { worker.refresh(); });
}

void MonitorService::setWritable(bool writable) { d->writable = writable; }

bool MonitorService::isWritable() const { return d->writable; }

CommandId MonitorService::submit(AdminCommand command)
{
    const auto id = nextCommandId();
    if (!d->writable)
        d->finished(id, failure(ErrorCode::ReadOnlyMode, "the connection is read-only", actionName(command)));
    else if (!d->hasAudit)
        d->finished(id, failure(ErrorCode::NotSupported, "there is no audit log to write it to", actionName(command)));
    else
        d->thread.run([id, command = std::move(command)](MonitorWorker &worker) { worker.submit(id, command); });
    return id;
}

} // namespace lockcore
