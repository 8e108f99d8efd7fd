// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/lock_client.h"

#include "lockcore/client/releases.h"
#include "lockcore/client/request_check.h"
#include "lockcore/client/waits.h"
#include "lockcore/client/watchdog.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/lock_replies.h"

#include <QTimer>

namespace lockcore {

namespace {

constexpr Millis LongestClose{ 2'000 };

} // namespace

class LockClient::Private {
public:
    Private(LockClient *owner, const Deployment &deployment, const LockClientOptions &options)
        : q(owner)
        , core(deployment, options)
        , watchdog(core,
              { [this](const HoldKey &key) { tell([this, key] { Q_EMIT q->renewed(key.target, key.thread); }); },
                  [this](const HoldKey &key) { tell([this, key] { Q_EMIT q->lockLost(key.target, key.thread); }); } })
        , releases(core)
        , waits(core,
              { [this](const HoldKey &key, std::optional<Millis> lease) { got(key, lease); },
                  [this](const HoldKey &key, const LockBehaviour &behaviour) { releases.start(key, behaviour, {}); } })
    {
        if (core.unusable)
            lastError = *core.unusable;
        core.progress = [this] { closeIfIdle(); };
        closeTimer.setSingleShot(true);
        QObject::connect(&closeTimer, &QTimer::timeout, q, [this] { closeNow(); });
        QObject::connect(core.link.get(), &Link::ready, q, [this] { connected(); });
        QObject::connect(core.link.get(), &Link::lost, q, [this](const Error &error) { disconnected(error); });
        QObject::connect(core.link.get(), &Link::subscriptionsBack, q, [this] {
            waits.messagesMissed();
            announce();
        });
        QObject::connect(core.link.get(), &Link::subscriptionsLost, q, [this](const Error &error) {
            if (!core.link->isDown())
                announceLoss(error);
        });
    }

    void tell(std::function<void()> message) { core.outbox.add(std::move(message)); }

    void got(const HoldKey &key, std::optional<Millis> lease)
    {
        core.holds.acquired(key, lease);
        if (!lease)
            watchdog.holdAdded();
    }

    void connected()
    {
        watchdog.connected();
        releases.connected();
        waits.connected();
        announce();
    }

    void disconnected(const Error &error)
    {
        lastError = error;
        waits.disconnected(error);
        if (closing && core.link->isDown())
            closeNow();
        announceLoss(error);
    }

    void announce()
    {
        if (!announced && core.link->isReady()) {
            announced = true;
            Q_EMIT q->ready();
        }
    }

    void announceLoss(const Error &error)
    {
        announced = false;
        Q_EMIT q->lost(error);
    }

    // Queues of fair locks are left in order.
    void close()
    {
        closing = true;
        watchdog.stop();
        waits.cancelAll();
        if (!core.link->isDown())
            closeTimer.start(LongestClose);
        else
            closeNow();
        closeIfIdle();
    }

    void closeIfIdle()
    {
        if (closing && waits.isEmpty() && releases.isEmpty())
            closeNow();
    }

    void closeNow()
    {
        if (!closing)
            return;
        closing = false;
        closeTimer.stop();
        announced = false;
        isOpen = false;
        core.link->close();
        releases.failAll({ ErrorCode::Cancelled, "the client was closed", "releasing" });
        core.holds = {};
        tell([this] { Q_EMIT q->closed(); });
    }

    LockClient *q;
    ClientCore core;
    Watchdog watchdog;
    Releases releases;
    Waits waits;
    std::uint64_t lastAcquire = 0;
    Error lastError{ ErrorCode::ConnectionClosed, "the client is not open", {} };
    bool isOpen = false;
    bool announced = false;
    bool closing = false;
    QTimer closeTimer;
};

LockClient::LockClient(Deployment deployment, LockClientOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, deployment, options))
{
}

LockClient::~LockClient() = default;

const std::string &LockClient::id() const { return d->core.id; }

void LockClient::open()
{
    d->closing = false;
    d->closeTimer.stop();
    d->isOpen = !d->core.unusable;
    d->core.link->open();
}

void LockClient::close() { d->close(); }

bool LockClient::isReady() const { return d->core.link->isReady(); }

AcquireId LockClient::acquire(AcquireRequest request, AcquireHandler handler)
{
    const std::uint64_t id = ++d->lastAcquire;
    const auto behaviour = checkAcquire(request);
    if (!behaviour) {
        d->tell([handler = std::move(handler), error = behaviour.error()] { handler(tl::unexpected(error)); });
        return AcquireId(id);
    }
    d->waits.start(id, std::move(request), **behaviour, std::move(handler));
    if (d->core.link->isDown())
        d->waits.refuse(id, d->lastError);
    return AcquireId(id);
}

void LockClient::cancel(AcquireId acquire) { d->waits.cancel(std::uint64_t(acquire)); }

void LockClient::release(LockTarget target, std::string thread, ReleaseHandler handler)
{
    auto behaviour = checkHold(target, thread);
    if (behaviour && !d->isOpen)
        behaviour = tl::unexpected(d->lastError);
    if (!behaviour) {
        d->tell([handler = std::move(handler), error = behaviour.error()] { handler(tl::unexpected(error)); });
        return;
    }
    d->releases.start({ std::move(target), std::move(thread) }, **behaviour, std::move(handler));
}

void LockClient::renew(LockTarget target, std::string thread, Millis lease, DoneHandler handler)
{
    const auto behaviour = checkRenewal(target, thread, lease);
    if (!behaviour) {
        d->tell([handler = std::move(handler), error = behaviour.error()] { handler(tl::unexpected(error)); });
        return;
    }
    const ScriptCall call = (*behaviour)->setLease({ target.name, d->core.owner(thread) }, lease);
    d->core.send(
        call, [this, target = std::move(target), handler = std::move(handler)](const Result<protocol::Reply> &reply) {
            const std::string context = "renewing " + target.name;
            Result<void> done;
            if (!reply)
                done = tl::unexpected(reply.error());
            else if (reply->isError())
                done = tl::unexpected(protocol::toError(*reply, context));
            else if (const auto held = parseRenewReply(*reply, 1); !held)
                done = tl::unexpected(held.error());
            else if (!held->front())
                done = failure(ErrorCode::NotHeld, "not held by this one", context);
            d->tell([handler, done] { handler(done); });
        });
}

std::int64_t LockClient::holdsKnown(const LockTarget &target, const std::string &thread) const
{
    return d->core.holds.count({ target, thread });
}

} // namespace lockcore
