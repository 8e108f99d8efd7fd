// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/lock_client.h"

#include "lockcore/client/client_parts.h"
#include "lockcore/client/replicated_acquires.h"
#include "lockcore/client/request_check.h"
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/counter_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/transport/clock.h"

#include <QTimer>

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

namespace {

const Error Closed = errorOf(ErrorCode::Cancelled, { Phrase::ClientClosed });

/// Gives back what was got, or perhaps got, by a try sent then, when it was no longer wanted.
void giveBack(ClientParts &parts, const HoldKey &key, const LockBehaviour &behaviour, Millis lease, MonoTime sent)
{
    parts.watchdog.leaseMayHaveBegun(key, lease, sent);
    parts.releases.giveBack(key, behaviour, lease);
}

/// Leaves a place in a queue, unless somebody waits in that place again: once no try is under way, since whoever was
/// refused listens.
void leaveQueue(ClientParts &parts, const HoldKey &key, CleanUps::Task task)
{
    const std::string place = placeOf(key);
    parts.core.turns.take(place, HoldTurns::Rank::First, [&parts, place, task = std::move(task)] {
        if (!parts.waits.channels().isListenedTo(task.place))
            parts.cleanUps.start(task);
        parts.core.turns.end(place);
    });
}

/// A wait for a lock, of whatever kind.
class LockPlan : public WaitPlan {
public:
    LockPlan(ClientParts &parts, AcquireRequest request, const LockBehaviour &behaviour, AcquireHandler handler);

    const LockName &name() const override { return m_key.target.name; }
    AcquireFsm::Settings settings() const override;
    std::string channel() const override { return m_channel; }
    WakeOrder::Message messages() const override { return WakeOrder::Message::Lock; }
    WakeOrder::Share share() const override;

    std::string place() const override { return placeOf(m_key); }
    ScriptCall attempt() override;
    std::optional<Millis> lease() const override { return m_call.lease; }
    Result<TryReply> read(const protocol::Reply &reply) override;

    void answerLost() override;
    void acquired() override;
    void giveUp() override;
    void undo() override;
    void finish(const Result<AcquireOutcome> &outcome) override;

private:
    bool isOneTry() const { return m_wait == Millis(0); }
    bool linesUp() const { return m_behaviour.giveUp && !isOneTry(); }
    CleanUps::Task leaving() const { return { m_key.target.name, m_behaviour.giveUp(m_call), m_channel }; }

    ClientParts &m_parts;
    const LockBehaviour &m_behaviour;
    HoldKey m_key;
    std::optional<Millis> m_lease; // absent: the watchdog's
    std::optional<Millis> m_wait;
    TryCall m_call;
    std::string m_channel;
    MonoTime m_sent; // the last try
    TryReply m_reply; // to it
    AcquireHandler m_handler;
};

LockPlan::LockPlan(ClientParts &parts, AcquireRequest request, const LockBehaviour &behaviour, AcquireHandler handler)
    : m_parts(parts)
    , m_behaviour(behaviour)
    , m_key{ std::move(request.target), std::move(request.thread) }
    , m_lease(request.lease)
    , m_wait(request.wait)
    , m_handler(std::move(handler))
{
    const LockClientOptions &options = m_parts.core.options;
    m_call.name = m_key.target.name;
    m_call.owner = m_parts.core.owner(m_key.thread);
    m_call.lease = m_lease.value_or(options.watchdogTimeout);
    m_call.wait = isOneTry() ? options.fairWait : m_wait.value_or(options.fairWait);
    m_call.linesUp = !isOneTry();
    m_call.values = m_key.target.values;
    if (m_behaviour.channel)
        m_channel = m_behaviour.channel(m_call.name, m_call.owner);
}

AcquireFsm::Settings LockPlan::settings() const
{
    AcquireFsm::Settings settings = waitSettings(m_parts.core.options.times, m_wait);
    settings.leavesQueue = linesUp();
    settings.polls = !m_behaviour.channel;
    return settings;
}

// Who waits for other values of a group may have them at the same time.
WakeOrder::Share LockPlan::share() const
{
    std::string group;
    for (const std::string &value : m_key.target.values)
        group += std::to_string(value.size()) + ':' + value;
    return { std::move(group), 1 };
}

ScriptCall LockPlan::attempt()
{
    if (linesUp())
        m_parts.cleanUps.keepPlace(m_channel); // an earlier wait's place, which is this one's from now on
    m_call.publish = m_parts.core.link->publishCommand();
    m_call.holdsKnown = m_parts.core.holds.known(m_key);
    m_sent = monoNow();
    return m_behaviour.acquire(m_call);
}

Result<TryReply> LockPlan::read(const protocol::Reply &reply)
{
    auto answer = parseTryReply(reply);
    if (answer)
        m_reply = *answer;
    return answer;
}

// What a copy gets is as little wanted as what the try itself got when nobody waited for it any more.
void LockPlan::answerLost()
{
    const auto leave = linesUp() ? std::optional(leaving()) : std::nullopt;
    m_parts.cleanUps.expectCopy(placeOf(m_key) + ' ' + m_channel + (leave ? " queue " : " ") + share().group,
        [&parts = m_parts, &behaviour = m_behaviour, key = m_key, lease = m_call.lease, leave] {
            giveBack(parts, key, behaviour, lease, monoNow());
            if (leave)
                leaveQueue(parts, key, *leave);
        });
}

void LockPlan::acquired()
{
    HoldTable &holds = m_parts.core.holds;
    if (m_reply.unknownBefore < 0)
        holds.ranOut(m_key, -m_reply.unknownBefore);
    holds.acquired(m_key, m_lease, m_sent + m_call.lease);
    m_parts.watchdog.leaseBegan(m_key, m_call.lease, m_sent);
    if (m_reply.unknownBefore > 1)
        m_parts.releases.giveBack(m_key, m_behaviour, m_call.lease);
}

void LockPlan::giveUp() { m_parts.cleanUps.start(leaving()); }

void LockPlan::undo() { giveBack(m_parts, m_key, m_behaviour, m_call.lease, m_sent); }

void LockPlan::finish(const Result<AcquireOutcome> &outcome)
{
    Result<AcquireOutcome> told = outcome;
    if (told && told->acquired)
        told->token = m_reply.token;
    m_parts.core.outbox.add([handler = std::move(m_handler), told = std::move(told)] { handler(told); });
}

} // namespace

class LockClient::Private {
public:
    Private(LockClient *owner, const Deployment &deployment, const LockClientOptions &options)
        : q(owner)
        , parts(deployment, options)
        , core(parts.core)
        , replicated(core,
              { [this](AcquireRequest request, AcquireHandler handler) {
                   return acquire(std::move(request), std::move(handler));
               },
                  [this](AcquireId id) { parts.waits.cancel(std::uint64_t(id)); },
                  [this](const LockTarget &target, const std::string &thread, ReleaseHandler handler) {
                      q->release(target, thread, std::move(handler));
                  } })
    {
        if (core.unusable)
            parts.lastError = *core.unusable;
        core.events.ended = [this] { closeIfIdle(); };
        core.events.cleanUpFailed
            = [this](const Error &error) { tell([this, error] { Q_EMIT q->cleanUpFailed(error); }); };
        core.events.renewed = signalOf(&LockClient::renewed);
        core.events.lost = signalOf(&LockClient::lockLost);
        core.events.unconfirmed = signalOf(&LockClient::lockUnconfirmed);
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

    using HoldSignal = void (LockClient::*)(const LockTarget &, const std::string &);
    ClientEvents::OfHold signalOf(HoldSignal signal)
    {
        return [this, signal](const HoldKey &key) {
            tell([this, signal, key] { Q_EMIT(q->*signal)(key.target, key.thread); });
        };
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

    AcquireId acquire(AcquireRequest request, AcquireHandler handler)
    {
        const auto behaviour = checkAcquire(request).and_then(inOneSlot(request.target.name));
        if (!behaviour)
            return parts.refuse(std::move(handler), behaviour.error());
        return parts.start(std::make_unique<LockPlan>(parts, std::move(request), **behaviour, std::move(handler)));
    }

    void setLease(const HoldKey &key, const LockBehaviour &behaviour, Millis lease, DoneHandler handler)
    {
        const MonoTime sent = monoNow();
        const Said tried{ Phrase::RenewingLock, { key.target.name } };
        SetLeaseCall first{ key.target.name, core.owner(key.thread), lease, randomRequestId(), {}, key.target.values };
        SetLeaseCall again = first;
        again.latchTtl = core.options.times.latch;
        core.holds.settingBegins(key, lease, sent);
        parts.watchdog.maybeCut(key);
        parts.call({ behaviour.setLease(first), tried, Calls::Repeat::Harmless, false, behaviour.setLease(again) },
            [this, key, lease, sent, tried, requestId = first.requestId, handler = std::move(handler)](
                const Result<protocol::Reply> &reply, bool mayComeAgain) {
                core.holds.settingEnds(key, lease);
                if (!reply && mayComeAgain)
                    parts.cleanUps.withdraw(key.target.name, requestId);
                auto done = reply.and_then([](const protocol::Reply &answer) { return parseRenewReply(answer, 1); })
                                .and_then([](const std::vector<bool> &held) -> Result<void> {
                                    if (!held.front())
                                        return failure(ErrorCode::NotHeld, { Phrase::NotHeldByThis });
                                    return {};
                                });
                if (done)
                    parts.watchdog.leaseWasSet(key, lease, sent);
                else if (reply)
                    setTried(done.error(), tried);
                parts.tell(handler, std::move(done));
            });
    }

    void connected()
    {
        parts.connected();
        announce();
    }

    void disconnected(const Error &error)
    {
        parts.disconnected(error);
        if (closing && core.link->isDown() && !parts.isInDoubt())
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
        parts.watchdog.stop();
        parts.waits.cancelAll();
        parts.releases.deleteSpentLatches();
        const ClientTimes &times = core.options.times;
        if (parts.isInDoubt())
            closeTimer.start(std::max(times.close, times.closeInDoubt));
        else if (!core.link->isDown())
            closeTimer.start(times.close);
        else
            closeNow();
        closeIfIdle();
    }

    void closeIfIdle()
    {
        if (closing && parts.isIdle())
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
        parts.failAll(Closed);
        tell([this] { Q_EMIT q->closed(); });
    }

    LockClient *q;
    ClientParts parts;
    ClientCore &core;
    ReplicatedAcquires replicated;
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
    d->parts.releases.start(key, **behaviour, std::move(handler));
    d->parts.watchdog.maybeCut(key);
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
    const TokenNames tokens = isTokenLock(target.kind) ? TokenNames{ exactPattern(target.name) } : TokenNames();
    d->parts.ask<LockReading>(
        d->checkNamed(target.name),
        { { &readLocksScript(), { target.name }, readLocksArguments({}, true, { &target.name, 1 }, tokens) },
            { Phrase::Reading, { target.name } } },
        [target, tokens](const protocol::Reply &reply) -> Result<LockReading> {
            const auto readings = decodeReadLocks({ &target.name, 1 }, reply, Recognition::Sure, tokens);
            if (!readings)
                return tl::unexpected(readings.error());
            if (!readings->empty())
                return !tokens.empty() && isPlainNumber(readings->front()) ? tokenLockOf(readings->front())
                                                                           : readings->front();
            LockReading free;
            free.name = target.name;
            free.kind = target.kind;
            return free;
        },
        std::move(handler));
}

void LockClient::forceRelease(LockTarget target, std::vector<ExpectedHolder> expected, ForceReleaseHandler handler)
{
    const Said tried{ Phrase::ReleasingByForce, { target.name } };
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

} // namespace lockcore::client
