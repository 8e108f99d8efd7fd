// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/releases.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

namespace {

constexpr int MostLosses = 5;
constexpr std::size_t LatchesAtOnce = 100;
constexpr Millis LatchesWait{ 100 };

} // namespace

Releases::Releases(ClientCore &core, CleanUps &cleanUps, ChannelWaiters &waiters)
    : m_core(core)
    , m_cleanUps(cleanUps)
    , m_waiters(waiters)
    , m_deadlines([this](std::uint64_t id) {
        const Error error = m_pending.at(id).lastError;
        finish(id, tl::unexpected(error));
    })
    , m_retries([this](std::uint64_t id) { send(id); })
{
    m_spentTimer.setSingleShot(true);
    m_spentTimer.setInterval(LatchesWait);
    QObject::connect(&m_spentTimer, &QTimer::timeout, &m_spentTimer, [this] { deleteSpentLatches(); });
}

Releases::~Releases() { deleteSpentLatches(); }

std::uint64_t Releases::add(const HoldKey &key, const LockBehaviour &behaviour, ReleaseHandler handler)
{
    const std::uint64_t id = ++m_lastId;
    const ClientTimes &times = m_core.options.times;
    UnlockCall unlock{ key.target.name, m_core.owner(key.thread),
        m_core.holds.leaseAfterRelease(key, m_core.options.watchdogTimeout), randomRequestId(),
        std::max(times.latch, times.release), key.target.values };
    m_pending.emplace(id,
        Pending{ key, std::move(unlock), &behaviour, std::move(handler), 0, false,
            errorOf(
                ErrorCode::ConnectionClosed, { Phrase::NotConnected }, { Phrase::Releasing, { key.target.name } }) });
    return id;
}

void Releases::start(const HoldKey &key, const LockBehaviour &behaviour, ReleaseHandler handler)
{
    const std::uint64_t id = add(key, behaviour, std::move(handler));
    const MonoTime now = monoNow();
    m_core.holds.releaseBegins(key, now + m_pending.at(id).call.lease);
    m_deadlines.arm(id, now + m_core.options.times.release);
    takeTurn(id, HoldTurns::Rank::Last);
}

void Releases::giveBack(const HoldKey &key, const LockBehaviour &behaviour, Millis lease)
{
    const std::uint64_t id = add(key, behaviour, {});
    Pending &pending = m_pending.at(id);
    pending.isSurplus = true;
    pending.call.lease = m_core.holds.leaseNeeded(key, m_core.options.watchdogTimeout);
    ++m_givingBack;
    // The try that may have got it lies at the server, and may be carried out later than now: when it lives again.
    m_deadlines.arm(id, monoNow() + lease + 2 * m_core.options.times.call);
    takeTurn(id, HoldTurns::Rank::First);
}

void Releases::takeTurn(std::uint64_t id, HoldTurns::Rank rank)
{
    const std::string place = placeOf(m_pending.at(id).key);
    m_core.turns.take(place, rank, [this, id, place] {
        const auto found = m_pending.find(id);
        if (found == m_pending.end())
            return m_core.turns.end(place); // its time was over before
        Pending &pending = found->second;
        pending.hasTurn = true;
        send(id);
        if (pending.isUnderWay && !pending.isSurplus)
            beginHandOver(pending);
    });
}

/// Only behind the first attempt: a second one may find that the first has released it, and sends no message.
void Releases::beginHandOver(Pending &pending)
{
    const bool hasOneHolder = pending.behaviour->unlock == unlockPlain && pending.behaviour->channel;
    if (hasOneHolder && m_core.holds.count(pending.key) == 1)
        pending.handOver = m_waiters.handOver(pending.behaviour->channel(pending.call.name, pending.call.owner));
}

void Releases::endHandOver(Pending &pending, bool released)
{
    if (const auto handOver = std::exchange(pending.handOver, {}))
        m_waiters.handedOver(*handOver, released);
}

void Releases::connected()
{
    for (const auto &[id, pending] : m_pending) {
        if (!pending.isUnderWay)
            send(id);
    }
}

void Releases::failAll(const Error &error)
{
    while (!m_pending.empty())
        finish(m_pending.begin()->first, tl::unexpected(error));
}

void Releases::deleteSpentLatches()
{
    m_spentTimer.stop();
    if (m_spentLatches.empty())
        return;
    --m_latchesLeft;
    deleteLatches(std::exchange(m_spentLatches, {}), m_spentName);
}

void Releases::send(std::uint64_t id)
{
    Pending &pending = m_pending.at(id);
    pending.isUnderWay = pending.hasTurn && m_core.isReadyFor(pending.key.target.name);
    if (!pending.isUnderWay)
        return; // connected() sends it
    m_retries.disarm(id);
    pending.call.publish = m_core.link->publishCommand();
    if (pending.isSurplus)
        pending.call.keep = m_core.holds.known(pending.key);
    m_core.send(pending.behaviour->unlock(pending.call),
        [this, id](const Result<protocol::Reply> &reply) { answered(id, reply); });
}

void Releases::answered(std::uint64_t id, const Result<protocol::Reply> &reply)
{
    const auto found = m_pending.find(id);
    if (found == m_pending.end())
        return; // given up meanwhile
    Pending &pending = found->second;
    pending.isUnderWay = false;
    const auto left = reply.and_then(parseUnlockReply);
    endHandOver(pending, left == 0);
    const Said tried{ Phrase::Releasing, { pending.key.target.name } };
    if (!reply) {
        pending.lastError = reply.error();
        if (++pending.losses >= MostLosses && !pending.isSurplus)
            finish(id, tl::unexpected(reply.error()));
        else
            send(id);
        return;
    }
    if (isPassing(*reply)) {
        pending.lastError = protocol::toError(*reply, tried);
        m_retries.arm(id, monoNow() + m_core.options.times.releaseAgain);
        return;
    }
    if (reply->isError())
        return finish(id, tl::unexpected(protocol::toError(*reply, tried)));
    if (!left) {
        Error error = left.error();
        setTried(error, tried);
        return notHeld(id, error);
    }
    if (pending.losses == 0) // else a copy of it may still come
        deleteLatchSoon(pending);
    if (pending.isSurplus)
        gaveBack(id, *left);
    else
        released(id, *left);
}

// Of several values one may have run out, and then none is released: what is held of the others is given back.
void Releases::notHeld(std::uint64_t id, const Error &error)
{
    const HoldKey key = m_pending.at(id).key;
    const LockBehaviour &behaviour = *m_pending.at(id).behaviour;
    const bool mayHoldOthers = !m_pending.at(id).isSurplus && key.target.values.size() > 1;
    finish(id, tl::unexpected(error));
    if (mayHoldOthers)
        giveBack(key, behaviour, m_core.options.watchdogTimeout);
}

// More than is known is left of tries whose answers were lost: not the owner's, who would never give it back.
void Releases::released(std::uint64_t id, std::int64_t left)
{
    const Pending &pending = m_pending.at(id);
    const HoldKey key = pending.key;
    const LockBehaviour &behaviour = *pending.behaviour;
    m_core.holds.released(key, left);
    finish(id, m_core.holds.count(key) > 0 ? ReleaseOutcome::StillHeld : ReleaseOutcome::Released);
    if (left > m_core.holds.known(key).ofOwner)
        giveBack(key, behaviour, m_core.options.watchdogTimeout);
}

// Fewer than are known: those had run out before a lost try took the lock again, which was nobody's in between.
void Releases::gaveBack(std::uint64_t id, std::int64_t left)
{
    Pending &pending = m_pending.at(id);
    const HoldTable::Entry *entry = m_core.holds.find(pending.key);
    const bool tells = pending.key.target.kind != Kind::FasterMulti && pending.call.keep; // how many are left
    if (tells && entry && entry->second.releasing == 0 && left < pending.call.keep->ofOwner) {
        m_core.holds.forget(pending.key);
        m_core.events.lost(pending.key);
    }
    if (left <= m_core.holds.known(pending.key).ofOwner)
        return finish(id, ReleaseOutcome::Released);
    pending.call.requestId = randomRequestId(); // one was taken off, and there is another
    pending.losses = 0;
    send(id);
}

// Nobody asks for it any more; until it runs out a monitor would take it for an answer that was lost. Many go with one
// command: one for each would cost a third of what the unlocks do. Those of a cluster lie in different slots.
void Releases::deleteLatchSoon(const Pending &pending)
{
    const LockName &name = pending.key.target.name;
    const std::string latch = key_layout::unlockLatch(name, pending.call.requestId);
    if (m_core.link->isSharded())
        return deleteLatches({ "DEL", latch }, name);
    if (m_spentLatches.empty()) {
        m_spentLatches = { "DEL" };
        m_spentName = name;
        ++m_latchesLeft;
        m_spentTimer.start();
    }
    m_spentLatches.push_back(latch);
    if (m_spentLatches.size() > LatchesAtOnce)
        deleteSpentLatches();
}

void Releases::deleteLatches(protocol::Command command, const LockName &name)
{
    ++m_latchesLeft;
    m_core.link->send(std::move(command), name, [this](const Result<protocol::Reply> &) {
        --m_latchesLeft;
        m_core.events.ended();
    });
}

void Releases::finish(std::uint64_t id, Result<ReleaseOutcome> outcome)
{
    m_deadlines.disarm(id);
    m_retries.disarm(id);
    auto node = m_pending.extract(id);
    Pending &pending = node.mapped();
    endHandOver(pending, false); // nobody knows
    if (!outcome && !pending.isSurplus)
        dropHold(pending.key, outcome.error());
    if (pending.isSurplus)
        --m_givingBack;
    else
        m_core.holds.releaseEnds(pending.key);
    if (!outcome && (pending.isUnderWay || pending.losses > 0)) {
        m_cleanUps.withdraw(pending.call.name, pending.call.requestId);
        outcome = tl::unexpected(afterLostAnswer(outcome.error()));
    }
    if (pending.handler)
        m_core.outbox.add([handler = pending.handler, outcome] { handler(outcome); });
    if (pending.isSurplus && !outcome) {
        Error failed = outcome.error();
        addBefore(failed, { Phrase::MaybeNotGivenBack });
        setTried(failed, { Phrase::AfterWaitFor, { pending.key.target.name } });
        m_core.events.cleanUpFailed(failed);
    }
    if (pending.hasTurn)
        m_core.turns.end(placeOf(pending.key));
    m_core.events.ended();
}

/// What could not be released is not renewed either, so that it runs out.
void Releases::dropHold(const HoldKey &key, const Error &why)
{
    if (why.code != ErrorCode::NotHeld && why.code != ErrorCode::WrongType)
        return m_core.holds.dropNewest(key);
    const HoldTable::Entry *entry = m_core.holds.find(key);
    const bool isMissed = entry && entry->second.staysRenewed();
    m_core.holds.forget(key);
    if (isMissed)
        m_core.events.lost(key);
}

} // namespace lockcore::client
