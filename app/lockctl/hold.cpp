// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/hold.h"

#include "app/common/printable_text.h"
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

std::string millisText(Millis millis) { return std::to_string(millis.count()) + " ms"; }

std::string headText(const lockcore::WaiterReading &head)
{
    const std::string text = toString(head.owner) + " stands at the head of its queue";
    if (!head.deadline)
        return text + " without a time-out";
    return text + " for " + durationText(std::max(Millis(0), *head.deadline - lockcore::readClocks().wall)) + " more";
}

} // namespace

Hold::Hold(HoldRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer); // a coarse one comes early, while the lease still runs
    connect(&m_timer, &QTimer::timeout, this, &Hold::timeIsUp);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &Hold::giveUp);
}

void Hold::start(const lockcore::Deployment &deployment)
{
    if (deployment.topology == Topology::Nodes)
        return end({ ErrorCode::NotSupported, "a lock on several independent servers cannot be held from here",
            "hold " + m_request.target.name });
    m_user = deployment.seeds.front().user;
    m_aclLine = lockcore::aclLineForClients(m_user, m_request.target.name, deployment.topology == Topology::Cluster);
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
        end({ ErrorCode::Cancelled, "interrupted", "hold " + m_request.target.name });
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
    if (!outcome) {
        end(outcome.error());
    } else if (outcome->acquired) {
        const lockcore::MonoTime acquiredAt = lockcore::monoNow();
        m_token = outcome->token;
        const std::string token = m_token ? " with token " + std::to_string(*m_token) : "";
        tell("acquired", "acquired after " + millisText(outcome->waited) + token, outcome->waited);
        hold(acquiredAt);
    } else {
        const std::string left = isSemaphore(m_request.target.kind) ? "no permit is free"
            : outcome->head                                         ? "nobody holds it, but " + headText(*outcome->head)
            : outcome->holderTtl ? "its holder has " + millisText(*outcome->holderTtl) + " left"
                                 : "what stands under its name never ends: lockctl show tells whether that is a lock";
        if (m_asJson)
            tell("notAcquired", {}, outcome->waited);
        end({ ErrorCode::Cancelled, "not acquired after " + millisText(outcome->waited) + ", " + left,
            "hold " + m_request.target.name });
    }
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
    m_state = State::Over;
    app::complain("lockctl",
        { ErrorCode::ReplyTimeout, "the server does not answer; " + whatIsLeft(),
            "releasing " + m_request.target.name });
    Q_EMIT finished(app::ServerError);
}

std::string Hold::whatIsLeft() const
{
    const Kind kind = m_request.target.kind;
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
    app::complain("lockctl", error);
    if (error.code == ErrorCode::PermissionDenied)
        std::fprintf(stderr,
            "lockctl: All that holding it needs: %s\n"
            "lockctl: and, unless all channels are permitted: %s\n",
            app::printable(m_aclLine).c_str(), app::printable(lockcore::aclLineForChannels(m_user)).c_str());
    leave(app::exitStatus(error));
}

/// A second signal does not wait for it: it kills.
void Hold::leave(int status)
{
    m_state = State::Over;
    m_timer.stop();
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
    std::vector<json::Field> fields{ { "at", isoTime(lockcore::wallNow()) }, { "event", json::text(event) } };
    addName(fields, "lock", target.name);
    fields.insert(fields.end(),
        { { "kind", json::text(nameOf(HoldKind{ target.kind, target.variant })) },
            { "mode", target.mode ? json::text(nameOf(*target.mode)) : "null" },
            { "client", json::text(m_client->id()) }, { "thread", json::text(Thread) },
            { "waitedMs", waited ? json::number(waited->count()) : "null" },
            { "token", m_token ? json::number(*m_token) : "null" },
            { "permit", m_permit.empty() ? "null" : json::text(m_permit) } });
    printLine(json::object(fields));
}

} // namespace lockctl
