// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/lock_client.h"

#include "lockcore/client/client_parts.h"
#include "lockcore/client/clock.h"
#include "lockcore/client/lock_plan.h"
#include "lockcore/client/random_ids.h"
#include "lockcore/client/releases.h"
#include "lockcore/client/replicated_acquires.h"
#include "lockcore/client/request_check.h"
#include "lockcore/client/watchdog.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/lock_replies.h"

#include <QTimer>

namespace lockcore {

namespace {

const Error Closed{ ErrorCode::Cancelled, "the client was closed", {} };

} // namespace

class LockClient::Private {
public:
    Private(LockClient *owner, const Deployment &deployment, const LockClientOptions &options)
        : q(owner)
        , parts(deployment, options)
        , core(parts.core)
        , watchdog(core,
              { [this](const HoldKey &key) { tell([this, key] { Q_EMIT q->renewed(key.target, key.thread); }); },
                  [this](const HoldKey &key) { tellLost(key); },
                  [this](const HoldKey &key) {
                      tell([this, key] { Q_EMIT q->lockUnconfirmed(key.target, key.thread); });
                  } })
        , releases(core, parts.waits, parts.withdrawals, [this](const HoldKey &key) { tellLost(key); })
        , replicated(core,
              { [this](AcquireRequest request, AcquireHandler handler) {
                   return acquire(std::move(request), std::move(handler));
               },
                  [this](AcquireId id) { parts.waits.cancel(std::uint64_t(id)); },
                  [this](const LockTarget &target, const std::string &thread, ReleaseHandler handler) {
                      q->release(target, thread, std::move(handler));
                  } })
        , planContext{ core, parts.cleanUps, parts.lateCopies,
            [this](const HoldKey &key, const LockBehaviour &behaviour, const LockPlanContext::Got &got) {
                acquired(key, behaviour, got);
            },
            [this](const HoldKey &key, const LockBehaviour &behaviour, Millis lease, MonoTime sent) {
                watchdog.leaseMayHaveBegun(key, lease, sent);
                releases.giveBack(key, behaviour, lease);
            },
            [this](const std::string &channel) { return parts.waits.isListenedTo(channel); } }
    {
        if (core.unusable)
            parts.lastError = *core.unusable;
        core.progress = [this] { closeIfIdle(); };
        const auto failed = [this](const Error &error) { tell([this, error] { Q_EMIT q->cleanUpFailed(error); }); };
        parts.cleanUps.failed = failed;
        releases.failed = failed;
        closeTimer.setSingleShot(true);
        QObject::connect(&closeTimer, &QTimer::timeout, q, [this] { closeNow(); });
        QObject::connect(core.link.get(), &Link::ready, q, [this] { connected(); });
        QObject::connect(core.link.get(), &Link::lost, q, [this](const Error &error) { disconnected(error); });
        QObject::connect(core.link.get(), &Link::subscriptionsBack, q, [this] {
            parts.waits.messagesMissed();
            announce();
        });
        QObject::connect(core.link.get(), &Link::subscriptionsLost, q, [this](const Error &error) {
            if (!core.link->isDown())
                announceLoss(error);
        });
    }

    void tell(std::function<void()> message) { core.outbox.add(std::move(message)); }

    void tellLost(const HoldKey &key)
    {
        tell([this, key] { Q_EMIT q->lockLost(key.target, key.thread); });
    }

    Result<void> checkNamed(const LockName &name) const
    {
        return checkName(name).and_then([&] { return checkSlots(core, name, key_layout::lockChannel(name)); });
    }

    /// Passes on how a lock is acted on, if that can be done.
    auto inOneSlot(const LockName &name) const
    {
        return [this, name](
                   const LockBehaviour *behaviour) { return checkNamed(name).map([behaviour] { return behaviour; }); };
    }

    void acquired(const HoldKey &key, const LockBehaviour &behaviour, const LockPlanContext::Got &got)
    {
        const Millis lease = got.lease.value_or(core.options.watchdogTimeout);
        if (got.unknownBefore < 0)
            core.holds.ranOut(key, -got.unknownBefore);
        core.holds.acquired(key, got.lease, got.sent + lease);
        watchdog.leaseBegan(key, lease, got.sent);
        if (got.unknownBefore > 1)
            releases.giveBack(key, behaviour, lease);
    }

    AcquireId acquire(AcquireRequest request, AcquireHandler handler)
    {
        const auto behaviour = checkAcquire(request).and_then(inOneSlot(request.target.name));
        if (!behaviour)
            return parts.refuse(std::move(handler), behaviour.error());
        return parts.start(
            std::make_unique<LockPlan>(planContext, std::move(request), **behaviour, std::move(handler)));
    }

    void setLease(const HoldKey &key, const LockBehaviour &behaviour, Millis lease, DoneHandler handler)
    {
        const MonoTime sent = monoNow();
        const std::string tried = "renewing " + key.target.name;
        SetLeaseCall first{ key.target.name, core.owner(key.thread), lease, randomRequestId(), {}, key.target.values };
        SetLeaseCall again = first;
        again.latchTtl = core.options.times.latch;
        core.holds.settingBegins(key, lease, sent);
        watchdog.maybeCut(key);
        parts.call({ behaviour.setLease(first), tried, Calls::Repeat::Harmless, false, behaviour.setLease(again) },
            [this, key, lease, sent, tried, requestId = first.requestId, handler = std::move(handler)](
                const Result<protocol::Reply> &reply, bool mayComeAgain) {
                core.holds.settingEnds(key, lease);
                if (!reply && mayComeAgain)
                    parts.withdrawals.start(key.target.name, requestId);
                auto done = reply.and_then([](const protocol::Reply &answer) { return parseRenewReply(answer, 1); })
                                .and_then([](const std::vector<bool> &held) -> Result<void> {
                                    if (!held.front())
                                        return failure(ErrorCode::NotHeld, "not held by this one");
                                    return {};
                                });
                if (done)
                    watchdog.leaseWasSet(key, lease, sent);
                else if (reply)
                    done.error().context = tried;
                parts.tell(handler, std::move(done));
            });
    }

    void connected()
    {
        watchdog.connected();
        releases.connected();
        parts.connected();
        announce();
    }

    void disconnected(const Error &error)
    {
        parts.disconnected(error);
        if (closing && core.link->isDown() && !isInDoubt())
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

    /// What a try may have got would be held by nobody until its lease is over.
    bool isInDoubt() const
    {
        return !parts.waits.isEmpty() || releases.isGivingBack() || parts.cleanUps.isPutOff()
            || !parts.lateCopies.isEmpty();
    }

    // Queues of fair locks are left in order.
    void close()
    {
        closing = true;
        watchdog.stop();
        parts.waits.cancelAll();
        releases.deleteSpentLatches();
        const ClientTimes &times = core.options.times;
        if (isInDoubt())
            closeTimer.start(std::max(times.close, times.closeInDoubt));
        else if (!core.link->isDown())
            closeTimer.start(times.close);
        else
            closeNow();
        closeIfIdle();
    }

    void closeIfIdle()
    {
        if (closing && parts.isIdle() && releases.isEmpty())
            closeNow();
    }

    void closeNow()
    {
        if (!closing)
            return;
        closing = false;
        closeTimer.stop();
        announced = false;
        parts.isOpen = false;
        parts.lastError = Closed;
        core.link->close();
        parts.lateCopies.clear();
        parts.withdrawals.clear(); // they matter to later holds only
        releases.failAll(Closed);
        parts.calls.failAll(Closed);
        parts.cleanUps.failAll(Closed);
        core.holds.clear();
        tell([this] { Q_EMIT q->closed(); });
    }

    LockClient *q;
    ClientParts parts;
    ClientCore &core;
    Watchdog watchdog;
    Releases releases;
    ReplicatedAcquires replicated;
    LockPlanContext planContext;
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
    d->parts.isOpen = !d->core.unusable;
    d->core.link->open();
}

void LockClient::close() { d->close(); }

bool LockClient::isReady() const { return d->core.link->isReady(); }

AcquireId LockClient::acquire(AcquireRequest request, AcquireHandler handler)
{
    return d->core.options.replicas ? d->replicated.start(std::move(request), std::move(handler))
                                    : d->acquire(std::move(request), std::move(handler));
}

void LockClient::cancel(AcquireId acquire) { d->replicated.cancel(acquire); }

void LockClient::release(LockTarget target, std::string thread, ReleaseHandler handler)
{
    auto behaviour = checkHold(target, thread).and_then(d->inOneSlot(target.name));
    if (behaviour && !d->parts.isOpen)
        behaviour = tl::unexpected(d->parts.lastError);
    if (!behaviour)
        return d->parts.tell(std::move(handler), Result<ReleaseOutcome>(tl::unexpected(behaviour.error())));
    const HoldKey key{ std::move(target), std::move(thread) };
    d->releases.start(key, **behaviour, std::move(handler));
    d->watchdog.maybeCut(key);
}

void LockClient::renew(LockTarget target, std::string thread, Millis lease, DoneHandler handler)
{
    const auto behaviour = checkRenewal(target, thread, lease).and_then(d->inOneSlot(target.name));
    if (!behaviour)
        return d->parts.tell(std::move(handler), Result<void>(tl::unexpected(behaviour.error())));
    d->setLease({ std::move(target), std::move(thread) }, **behaviour, lease, std::move(handler));
}

void LockClient::state(LockTarget target, StateHandler handler)
{
    d->parts.ask<LockReading>(
        d->checkNamed(target.name), { { &readLocksScript(), { target.name }, {} }, "reading " + target.name },
        [target](const protocol::Reply &reply) -> Result<LockReading> {
            const auto readings = decodeReadLocks({ &target.name, 1 }, reply);
            if (!readings)
                return tl::unexpected(readings.error());
            if (!readings->empty())
                return readings->front();
            LockReading free;
            free.name = target.name;
            free.kind = target.kind;
            return free;
        },
        std::move(handler));
}

void LockClient::forceRelease(LockTarget target, std::vector<ExpectedHolder> expected, ForceReleaseHandler handler)
{
    const std::string tried = "releasing " + target.name + " by force";
    const ForceRelease command{ target.name, target.kind, std::move(expected), {} };
    const auto valid
        = d->checkNamed(target.name).and_then([&] { return prepare(command, {}); }).map([](const ScriptCall &) {});
    const auto release = [this, command, tried, handler](const Result<WallTime> &now) {
        const auto call = now.and_then([&](WallTime asked) {
            return prepare(command, asked + d->core.options.times.answer, d->core.link->publishCommand());
        });
        if (!call)
            return handler(tl::unexpected(call.error()));
        d->parts.ask<CommandOutcome>({}, { *call, tried, Calls::Repeat::Harmful }, decodeOutcome, handler);
    };
    d->parts.ask<WallTime>(valid, { askServerTime(target.name), tried }, parseServerTime, release);
}

ClientParts &LockClient::parts() { return d->parts; }

std::int64_t LockClient::holdsKnown(const LockTarget &target, const std::string &thread) const
{
    return d->core.holds.count({ target, thread });
}

} // namespace lockcore
