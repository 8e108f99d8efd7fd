// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/hold.h"

#include "app/common/printable_text.h"
#include "app/common/signal_watch.h"
#include "app/lockctl/duration_text.h"
#include "app/lockctl/json.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"
#include "app/lockctl/output.h"
#include "lockcore/client/client_rights.h"
#include "lockcore/client/clock.h"
#include "lockcore/client/lock_request.h"
#include "lockcore/client/semaphore.h"

#include <algorithm>
#include <cstdio>

namespace lockctl {

using lockcore::ErrorCode;
using lockcore::Kind;
using lockcore::LockClient;
using lockcore::Millis;
using lockcore::Result;
using lockcore::Topology;

namespace {

const std::string Thread = "1"; // the process has one

/// By then the server counts a lease as over too.
constexpr Millis BehindTheEnd{ 2 };

/// What is taken within it was hardly waited for.
constexpr Millis LongWait{ 500 };
constexpr Millis PatienceWithALook{ 2'000 };

constexpr const char *NoSuchSemaphore = "there is no such semaphore";

std::string millisText(Millis millis) { return std::to_string(millis.count()) + " ms"; }

std::string headText(const lockcore::WaiterReading &head)
{
    const std::string text = toString(head.owner) + " stands at the head of its queue";
    if (!head.deadline)
        return text + " without a time-out";
    return text + " for " + durationText(std::max(Millis(0), *head.deadline - lockcore::readClocks().wall)) + " more";
}

/// For one who wanted to take a lock, and knows no commands of Redis.
lockcore::Error inPlainWords(lockcore::Error error)
{
    if (error.code == ErrorCode::WrongType)
        error.message = "what stands under this name is no such lock: lockctl show tells what it is";
    else if (error.code == ErrorCode::ReadOnlyReplica)
        error.message = "this server is a replica and can only be looked at: open its master to take a lock";
    return error;
}

} // namespace

Hold::Hold(HoldRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer); // a coarse one comes early, while the lease still runs
    connect(&m_timer, &QTimer::timeout, this, &Hold::timeIsUp);
    m_longWait.setSingleShot(true);
    connect(&m_longWait, &QTimer::timeout, this,
        [this] { look([this](const lockcore::Snapshot *seen) { tellWhatIsWaitedFor(seen); }); });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &Hold::giveUp);
}

void Hold::start(const lockcore::Deployment &deployment)
{
    if (deployment.topology == Topology::Nodes)
        return end({ ErrorCode::NotSupported, "a lock on several independent servers cannot be held from here",
            "hold " + m_request.target.name });
    m_deployment = deployment;
    m_user = deployment.seeds.front().user;
    m_aclLine = lockcore::aclLineForClients(m_user, deployment.topology == Topology::Cluster);
    m_client = std::make_unique<LockClient>(deployment);
    connect(m_client.get(), &LockClient::ready, this, &Hold::acquire);
    connect(m_client.get(), &LockClient::lockLost, this, [this] { lose("the watchdog found it gone"); });
    connect(m_client.get(), &LockClient::lockUnconfirmed, this, &Hold::unconfirmed);
    connect(m_client.get(), &LockClient::renewed, this, [this] { tell("renewed", "renewed"); });
    connect(m_client.get(), &LockClient::lost, this, &Hold::lost);
    connect(m_client.get(), &LockClient::cleanUpFailed, this,
        [](const lockcore::Error &error) { app::complain("lockctl", error); });
    m_client->open();
}

void Hold::lost(const lockcore::Error &error)
{
    if (m_state == State::Connecting && error.code == ErrorCode::PermissionDenied)
        return end(error); // it stays refused until somebody permits it
    if (m_state != State::Over)
        app::complain("lockctl", { error.code, error.message + "; trying again", error.context });
}

void Hold::unconfirmed()
{
    if (m_state == State::Holding)
        app::complain("lockctl",
            { ErrorCode::LockLost, "not renewed for a whole lease: it may have run out, and another may hold it",
                "hold " + m_request.target.name });
}

void Hold::interrupt()
{
    switch (m_state) {
    case State::Connecting:
        end(interruption());
        break;
    case State::Waiting:
        m_client->cancel(m_acquire);
        break;
    case State::Holding:
        release();
        break;
    case State::Releasing:
    case State::Over:
        break;
    }
}

void Hold::acquire()
{
    if (m_state != State::Connecting) // back after the connection was lost
        return;
    m_state = State::Waiting;
    m_longWait.start(LongWait);
    if (isSemaphore(m_request.target.kind))
        return acquirePermit();
    m_acquire = m_client->acquire({ m_request.target, Thread, m_request.lease, m_request.wait },
        [this](const Result<lockcore::AcquireOutcome> &outcome) { answered(outcome); });
}

void Hold::acquirePermit()
{
    const lockcore::LockName &name = m_request.target.name;
    if (m_request.target.kind == Kind::Semaphore) {
        m_acquire = lockcore::Semaphore(*m_client, name)
                        .acquire(1, m_request.wait,
                            [this](const Result<lockcore::AcquireOutcome> &outcome) { answered(outcome); });
        return;
    }
    m_acquire
        = lockcore::PermitExpirableSemaphore(*m_client, name)
              .acquire(1, m_request.lease, m_request.wait, [this](const Result<lockcore::PermitOutcome> &outcome) {
                  if (outcome && outcome->acquired)
                      m_permit = outcome->permits.front();
                  answered(outcome.map([](const lockcore::PermitOutcome &got) {
                      return lockcore::AcquireOutcome{ got.acquired, {}, got.waited };
                  }));
              });
}

void Hold::answered(const Result<lockcore::AcquireOutcome> &outcome)
{
    m_longWait.stop();
    if (!outcome) {
        end(outcome.error().code == ErrorCode::Cancelled ? interruption() : outcome.error());
    } else if (outcome->acquired) {
        const lockcore::MonoTime acquiredAt = lockcore::monoNow();
        m_token = outcome->token;
        const std::string token = m_token ? " with token " + std::to_string(*m_token) : "";
        tell("acquired", "acquired after " + millisText(outcome->waited) + token, outcome->waited);
        hold(acquiredAt);
    } else if (isSemaphore(m_request.target.kind)) {
        look([this, outcome = *outcome](const lockcore::Snapshot *seen) {
            notAcquired(outcome, lacksPermits(seen) ? NoSuchSemaphore : "no permit is free");
        });
    } else {
        notAcquired(*outcome,
            outcome->head ? "nobody holds it, but " + headText(*outcome->head)
                : outcome->holderTtl
                ? "its holder has " + millisText(*outcome->holderTtl) + " left"
                : "what stands under its name never ends: lockctl show tells whether that is a lock");
    }
}

void Hold::notAcquired(const lockcore::AcquireOutcome &outcome, const std::string &why)
{
    if (m_asJson)
        tell("notAcquired", {}, outcome.waited);
    end({ ErrorCode::Cancelled, "not acquired after " + millisText(outcome.waited) + ", " + why,
        "hold " + m_request.target.name });
}

/// The client knows only for how long to wait. Null: it could not be looked at.
void Hold::look(std::function<void(const lockcore::Snapshot *seen)> take)
{
    lockcore::MonitorOptions options;
    options.onlyLock = m_request.target.name;
    m_look = std::make_unique<OneSweep>(options, OneSweep::Until::Seen);
    m_look->sayNothing();
    const auto end = [this, take = std::move(take)](const lockcore::Snapshot *seen) {
        m_look->disconnect(this);
        m_look.release()->deleteLater(); // it is the one that says so
        take(seen);
    };
    connect(m_look.get(), &OneSweep::done, this,
        [end](const std::shared_ptr<const lockcore::Snapshot> &snapshot) { end(snapshot.get()); });
    connect(m_look.get(), &OneSweep::failed, this, [end] { end(nullptr); });
    m_look->giveUpAfter(PatienceWithALook);
    m_look->start(m_deployment);
}

bool Hold::lacksPermits(const lockcore::Snapshot *seen) const
{
    const lockcore::LockState *lock = seen != nullptr ? findLock(*seen, m_request.target.name) : nullptr;
    return seen != nullptr && isSemaphore(m_request.target.kind) && (lock == nullptr || !lock->permits)
        && whyNotFound(*seen, {}).code == ErrorCode::NotHeld;
}

/// Once: who holds it then is the one to ask.
void Hold::tellWhatIsWaitedFor(const lockcore::Snapshot *seen) const
{
    if (m_state != State::Waiting)
        return;
    std::string text;
    if (const auto *lock = seen != nullptr ? findLock(*seen, m_request.target.name) : nullptr) {
        for (const lockcore::Holder &holder : lock->holders)
            text += (text.empty() ? ", held by " : ", ") + toString(holder.owner);
    }
    if (lacksPermits(seen))
        text = std::string(": ") + NoSuchSemaphore;
    std::fprintf(stderr, "lockctl: waiting for %s%s\n", app::printable(m_request.target.name).c_str(),
        app::printable(text).c_str());
}

lockcore::Error Hold::interruption() const
{
    return { ErrorCode::Cancelled,
        std::string("ended by ") + app::SignalWatch::nameOfLast() + " before it was acquired",
        "hold " + m_request.target.name };
}

void Hold::hold(lockcore::MonoTime since)
{
    m_state = State::Holding;
    std::optional<Millis> lasts = m_request.holdFor;
    if (m_request.lease) {
        m_leaseEndsAt = since + *m_request.lease;
        lasts = std::min(lasts.value_or(Millis::max()), *m_request.lease + BehindTheEnd);
    }
    if (!lasts)
        return;
    m_endsAt = since + *lasts;
    m_timer.start(lockcore::timerFor(m_endsAt));
}

void Hold::timeIsUp()
{
    if (lockcore::monoNow() < m_endsAt)
        m_timer.start(lockcore::timerFor(m_endsAt));
    else
        release();
}

/// At the end of a lease too: the server's answer tells whether it ran out.
void Hold::release()
{
    m_state = State::Releasing;
    m_ranOut = m_leaseEndsAt && lockcore::monoNow() >= *m_leaseEndsAt;
    m_timer.stop();
    m_patience.start(lockcore::ClientTimes().close);
    if (isSemaphore(m_request.target.kind))
        return releasePermit();
    m_client->release(
        m_request.target, Thread, [this](const Result<lockcore::ReleaseOutcome> &outcome) { released(outcome); });
}

void Hold::releasePermit()
{
    const lockcore::LockName &name = m_request.target.name;
    if (m_request.target.kind == Kind::Semaphore) {
        lockcore::Semaphore(*m_client, name).release(1, [this](const Result<void> &done) {
            released(done.map([] { return lockcore::ReleaseOutcome::Released; }));
        });
        return;
    }
    lockcore::PermitExpirableSemaphore(*m_client, name).release({ m_permit }, [this](const Result<bool> &answer) {
        if (answer && !*answer)
            lose("the permit's lease ran out");
        else
            released(answer.map([](bool) { return lockcore::ReleaseOutcome::Released; }));
    });
}

void Hold::released(const Result<lockcore::ReleaseOutcome> &outcome)
{
    if (outcome) {
        tell("released", "released");
        leave(app::Done);
    } else if (outcome.error().code == ErrorCode::NotHeld) {
        lose(m_leaseEndsAt && lockcore::monoNow() >= *m_leaseEndsAt
                ? "its lease of " + millisText(*m_request.lease) + " ran out, unless it was taken away before"
                : outcome.error().message);
    } else if (m_ranOut) {
        lose("its lease of " + millisText(*m_request.lease) + " ran out; " + outcome.error().message);
    } else {
        auto error = outcome.error();
        error.message += "; " + whatIsLeft();
        end(error);
    }
}

/// The client would go on trying for much longer; what it has sent is on its way all the same.
void Hold::giveUp()
{
    if (m_state != State::Releasing)
        return;
    if (m_ranOut && m_asJson)
        tell("lost", {});
    m_state = State::Over;
    const lockcore::Error error = m_ranOut
        ? lockcore::Error{ ErrorCode::LockLost,
              "lost: its lease of " + millisText(*m_request.lease) + " ran out, and the server does not answer",
              "hold " + m_request.target.name }
        : lockcore::Error{ ErrorCode::ReplyTimeout, "the server does not answer; " + whatIsLeft(),
              "releasing " + m_request.target.name };
    app::complain("lockctl", error);
    Q_EMIT finished(app::exitStatus(error));
}

std::string Hold::whatIsLeft() const
{
    const Kind kind = m_request.target.kind;
    if (m_leaseEndsAt && lockcore::monoNow() >= *m_leaseEndsAt)
        return "its lease of " + millisText(*m_request.lease) + " is over by now";
    if (isSemaphore(kind)) {
        return std::string("a permit may still be taken there")
            + (m_request.lease ? ", for at most " + millisText(*m_request.lease) : ", until it is given back");
    }
    return "it may still be held there by " + m_client->id() + ':' + Thread + ", for at most "
        + millisText(m_request.lease.value_or(lockcore::LockClientOptions().watchdogTimeout));
}

void Hold::lose(const std::string &how)
{
    if (m_state == State::Over)
        return;
    if (m_asJson)
        tell("lost", {});
    end({ ErrorCode::LockLost, "lost: " + how, "hold " + m_request.target.name });
}

void Hold::end(const lockcore::Error &error)
{
    app::complain("lockctl", inPlainWords(error));
    if (error.code == ErrorCode::PermissionDenied)
        std::fprintf(stderr,
            "lockctl: All that holding it needs: %s\n"
            "lockctl: and, unless all keys are permitted: %s\n"
            "lockctl: and, unless all channels are permitted: %s\n",
            app::printable(m_aclLine).c_str(),
            app::printable(lockcore::aclLineForKeys(m_user, m_request.target.name)).c_str(),
            app::printable(lockcore::aclLineForChannels(m_user)).c_str());
    leave(app::exitStatus(error));
}

/// A second signal does not wait for it: it kills.
void Hold::leave(int status)
{
    m_state = State::Over;
    m_timer.stop();
    m_longWait.stop();
    m_patience.stop();
    if (!m_client)
        return Q_EMIT finished(status);
    connect(m_client.get(), &LockClient::closed, this, [this, status] { Q_EMIT finished(status); });
    m_client->close();
}

void Hold::tell(const char *event, const std::string &text, std::optional<Millis> waited) const
{
    const lockcore::LockTarget &target = m_request.target;
    if (!m_asJson) {
        printLine(text + ": " + app::printable(target.name) + " as " + m_client->id() + ':' + Thread);
        return;
    }
    Json object{ { "at", isoTime(lockcore::wallNow()) }, { "event", event } };
    addName(object, "lock", target.name);
    object.update(Json{
        { "kind", nameOf(HoldKind{ target.kind, target.variant }) },
        { "mode", target.mode ? Json(nameOf(*target.mode)) : Json() },
        { "client", json::text(m_client->id()) },
        { "thread", Thread },
        { "waitedMs", waited ? Json(waited->count()) : Json() },
        { "token", json::orNull(m_token) },
        { "permit", m_permit.empty() ? Json() : Json(json::text(m_permit)) },
    });
    printLine(json::line(object));
}

} // namespace lockctl
