// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/hold.h"

#include "app/common/signal_watch.h"
#include "app/common/words.h"
#include "app/lockctl/option_names.h"
#include "app/lockctl/output.h"
#include "lockcore/client/client_rights.h"
#include "lockcore/client/lock_request.h"
#include "lockcore/client/semaphore.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_pattern.h"
#include "lockcore/transport/clock.h"
#include "ui/text/error_text.h"
#include "ui/text/json.h"
#include "ui/text/lock_json.h"

#include <algorithm>

namespace lockctl {

namespace json = lockui::json;
using lockui::addName;
using lockui::isoTime;
using Json = lockui::JsonValue;

using app::complaint;
using app::raw;
using app::shown;
using app::withMore;
using app::Words;
using lockcore::ErrorCode;
using lockcore::Millis;
using lockcore::Result;
using lockcore::client::AcquireOutcome;
using lockcore::client::LockClient;
using lockcore::client::PermitExpirableSemaphore;
using lockcore::client::PermitOutcome;
using lockcore::client::ReleaseOutcome;
using lockcore::client::Semaphore;
using lockcore::monitor::Snapshot;
using lockcore::synchronizers::Kind;
using lockcore::transport::monoNow;
using lockcore::transport::Topology;
using lockui::millisText;
using lockui::ttlText;

namespace {

const std::string Thread = "1"; // the process has one

/// By then the server counts a lease as over too.
constexpr Millis BehindTheEnd{ 2 };

/// What is taken within it was hardly waited for.
constexpr Millis LongWait{ 500 };
constexpr Millis PatienceWithALook{ 2'000 };

QString noSuchSemaphore() { return Words::tr("there is no such semaphore"); }

/// How many stand in the queue is of the lock as it was looked at just after; null: it could not be.
QString headText(const lockcore::synchronizers::WaiterReading &head, const lockcore::monitor::LockState *lock)
{
    const std::ptrdiff_t waiting = lock != nullptr ? std::ssize(lock->waiters) : 1;
    const QString queue = waiting > 1 && mayHaveMoreWaiters(*lock) ? Words::tr("its queue of %1 or more").arg(waiting)
        : waiting > 1                                              ? Words::tr("its queue of %1").arg(waiting)
                                                                   : Words::tr("its queue");
    if (!head.deadline)
        return Words::tr("%1 stands at the head of %2 without a time-out").arg(raw(toString(head.owner)), queue);
    return Words::tr("%1 stands at the head of %2 for %3 more")
        .arg(raw(toString(head.owner)), queue, ttlText(*head.deadline - lockcore::transport::readClocks().wall));
}

/// For one who wanted to take a lock, and knows no commands of Redis.
lockcore::Error inPlainWords(const lockcore::Error &error)
{
    lockcore::Error plain = error;
    if (error.code == ErrorCode::WrongType)
        plain.why = { { lockcore::Phrase::Words,
            { Words::tr("what stands under this name is no such lock: lockctl show tells what it is")
                    .toStdString() } } };
    if (error.code == ErrorCode::ReadOnlyReplica)
        plain.why = { { lockcore::Phrase::Words,
            { Words::tr("this server is a replica and can only be looked at: open its master to take a lock")
                    .toStdString() } } };
    return plain;
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
        [this] { look([this](const Snapshot *seen) { tellWhatIsWaitedFor(seen); }); });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &Hold::giveUp);
}

void Hold::start(const lockcore::transport::Deployment &deployment)
{
    if (deployment.topology == Topology::Nodes)
        return end(complaint(ErrorCode::NotSupported,
            Words::tr("a lock on several independent servers cannot be held from here"), context()));
    m_deployment = deployment;
    m_user = deployment.seeds.front().user;
    m_aclLine = lockcore::client::aclLineForClients(m_user, deployment.topology == Topology::Cluster);
    m_client = std::make_unique<LockClient>(deployment);
    connect(m_client.get(), &LockClient::ready, this, &Hold::acquire);
    connect(m_client.get(), &LockClient::lockLost, this, [this] { lose(Words::tr("the watchdog found it gone")); });
    connect(m_client.get(), &LockClient::lockUnconfirmed, this, &Hold::unconfirmed);
    connect(m_client.get(), &LockClient::renewed, this, [this] { tell("renewed", Words::tr("renewed")); });
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
        app::complain("lockctl", withMore(error, Words::tr("; trying again")));
}

void Hold::unconfirmed()
{
    if (m_state == State::Holding)
        app::complain("lockctl",
            complaint(ErrorCode::LockLost,
                Words::tr("not renewed for a whole lease: it may have run out, and another may hold it"), context()));
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
        [this](const Result<AcquireOutcome> &outcome) { answered(outcome); });
}

void Hold::acquirePermit()
{
    const lockcore::LockName &name = m_request.target.name;
    if (m_request.target.kind == Kind::Semaphore) {
        m_acquire
            = Semaphore(*m_client, name).acquire(1, m_request.wait, [this](const Result<AcquireOutcome> &outcome) {
                  answered(outcome);
              });
        return;
    }
    m_acquire = PermitExpirableSemaphore(*m_client, name)
                    .acquire(1, m_request.lease, m_request.wait, [this](const Result<PermitOutcome> &outcome) {
                        if (outcome && outcome->acquired)
                            m_permit = outcome->permits.front();
                        answered(outcome.map([](const PermitOutcome &got) {
                            return AcquireOutcome{ got.acquired, {}, got.waited };
                        }));
                    });
}

void Hold::answered(const Result<AcquireOutcome> &outcome)
{
    m_longWait.stop();
    if (!outcome) {
        end(outcome.error().code == ErrorCode::Cancelled ? interruption() : outcome.error());
    } else if (outcome->acquired) {
        const lockcore::MonoTime acquiredAt = monoNow();
        m_token = outcome->token;
        const QString waited = millisText(outcome->waited);
        tell("acquired",
            m_token ? Words::tr("acquired after %1 with token %2").arg(waited).arg(*m_token)
                    : Words::tr("acquired after %1").arg(waited),
            outcome->waited);
        hold(acquiredAt);
    } else if (outcome->head) {
        look([this, outcome = *outcome](const Snapshot *seen) {
            const auto *lock = seen != nullptr ? findLock(*seen, m_request.target.name) : nullptr;
            notAcquired(outcome, Words::tr("nobody holds it, but %1").arg(headText(*outcome.head, lock)));
        });
    } else if (isSemaphore(m_request.target.kind)) {
        look([this, outcome = *outcome](const Snapshot *seen) {
            notAcquired(outcome, lacksPermits(seen) ? noSuchSemaphore() : Words::tr("no permit is free"));
        });
    } else if (outcome->holderTtl) {
        look([this, outcome = *outcome](const Snapshot *seen) { notAcquired(outcome, holderText(outcome, seen)); });
    } else {
        notAcquired(
            *outcome, Words::tr("what stands under its name never ends: lockctl show tells whether that is a lock"));
    }
}

/// The client was told before it waited; by now it may be another holder, or none.
QString Hold::holderText(const AcquireOutcome &outcome, const Snapshot *seen) const
{
    const auto *lock = seen != nullptr ? findLock(*seen, m_request.target.name) : nullptr;
    if (lock != nullptr && isHeld(*lock) && lock->expiresAt)
        return Words::tr("its holder has %1 left")
            .arg(ttlText(std::chrono::duration_cast<Millis>(*lock->expiresAt - monoNow())));
    if (lock != nullptr && isHeld(*lock))
        return Words::tr("its holder has it until it releases it");
    return Words::tr("its holder had %1 left then").arg(millisText(*outcome.holderTtl));
}

void Hold::notAcquired(const AcquireOutcome &outcome, const QString &why)
{
    if (m_asJson)
        tell("notAcquired", {}, outcome.waited);
    end(complaint(
        ErrorCode::Cancelled, Words::tr("not acquired after %1, %2").arg(millisText(outcome.waited), why), context()));
}

/// The client knows only for how long to wait. Null: it could not be looked at.
void Hold::look(std::function<void(const Snapshot *seen)> take)
{
    lockcore::service::MonitorOptions options;
    options.onlyLock = m_request.target.name;
    if (isTokenLock(m_request.target.kind))
        options.tokenNames = { lockcore::synchronizers::exactPattern(m_request.target.name) };
    m_look = std::make_unique<OneSweep>(options, OneSweep::Until::Seen);
    m_look->sayNothing();
    const auto end = [this, take = std::move(take)](const Snapshot *seen) {
        m_look->disconnect(this);
        m_look.release()->deleteLater(); // it is the one that says so
        take(seen);
    };
    connect(m_look.get(), &OneSweep::done, this,
        [end](const std::shared_ptr<const Snapshot> &snapshot) { end(snapshot.get()); });
    connect(m_look.get(), &OneSweep::failed, this, [end] { end(nullptr); });
    m_look->giveUpAfter(PatienceWithALook);
    m_look->start(m_deployment);
}

bool Hold::lacksPermits(const Snapshot *seen) const
{
    const lockcore::monitor::LockState *lock = seen != nullptr ? findLock(*seen, m_request.target.name) : nullptr;
    return seen != nullptr && isSemaphore(m_request.target.kind) && (lock == nullptr || !lock->permits)
        && whyNotFound(*seen, m_request.target.name, {}).code == ErrorCode::NotHeld;
}

/// Once: who holds it then is the one to ask.
void Hold::tellWhatIsWaitedFor(const Snapshot *seen) const
{
    if (m_state != State::Waiting)
        return;
    QStringList holders;
    if (const auto *lock = seen != nullptr ? findLock(*seen, m_request.target.name) : nullptr) {
        for (const lockcore::monitor::Holder &holder : lock->holders)
            holders << shown(toString(holder.owner));
    }
    const QString name = shown(m_request.target.name);
    if (lacksPermits(seen))
        note(Words::tr("waiting for %1: %2").arg(name, noSuchSemaphore()));
    else if (holders.isEmpty())
        note(Words::tr("waiting for %1").arg(name));
    else
        note(Words::tr("waiting for %1, held by %2").arg(name, holders.join(QStringLiteral(", "))));
}

lockcore::Error Hold::interruption() const
{
    return complaint(ErrorCode::Cancelled,
        Words::tr("ended by %1 before it was acquired").arg(QString::fromLatin1(app::SignalWatch::nameOfLast())),
        context());
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
    m_timer.start(lockcore::transport::timerFor(m_endsAt));
}

void Hold::timeIsUp()
{
    if (monoNow() < m_endsAt)
        m_timer.start(lockcore::transport::timerFor(m_endsAt));
    else
        release();
}

/// At the end of a lease too: the server's answer tells whether it ran out.
void Hold::release()
{
    m_state = State::Releasing;
    m_ranOut = m_leaseEndsAt && monoNow() >= *m_leaseEndsAt;
    m_timer.stop();
    m_patience.start(lockcore::client::ClientTimes().close);
    if (isSemaphore(m_request.target.kind))
        return releasePermit();
    m_client->release(m_request.target, Thread, [this](const Result<ReleaseOutcome> &outcome) { released(outcome); });
}

void Hold::releasePermit()
{
    const lockcore::LockName &name = m_request.target.name;
    if (m_request.target.kind == Kind::Semaphore) {
        Semaphore(*m_client, name).release(1, [this](const Result<void> &done) {
            released(done.map([] { return ReleaseOutcome::Released; }));
        });
        return;
    }
    PermitExpirableSemaphore(*m_client, name).release({ m_permit }, [this](const Result<bool> &answer) {
        if (answer && !*answer)
            lose(Words::tr("the permit's lease ran out"));
        else
            released(answer.map([](bool) { return ReleaseOutcome::Released; }));
    });
}

void Hold::released(const Result<ReleaseOutcome> &outcome)
{
    if (outcome) {
        tell("released", Words::tr("released"));
        leave(app::Done);
    } else if (outcome.error().code == ErrorCode::NotHeld) {
        lose(m_leaseEndsAt && monoNow() >= *m_leaseEndsAt
                ? Words::tr("its lease of %1 ran out, unless it was taken away before").arg(leaseText())
                : lockui::errorReason(outcome.error()));
    } else if (m_ranOut) {
        lose(Words::tr("its lease of %1 ran out; %2").arg(leaseText(), lockui::errorReason(outcome.error())));
    } else {
        end(withMore(outcome.error(), QStringLiteral("; ") + whatIsLeft()));
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
        ? complaint(ErrorCode::LockLost,
            Words::tr("lost: its lease of %1 ran out, and the server does not answer").arg(leaseText()), context())
        : complaint(ErrorCode::ReplyTimeout, Words::tr("the server does not answer; %1").arg(whatIsLeft()),
            Words::tr("releasing %1").arg(raw(m_request.target.name)).toStdString());
    app::complain("lockctl", error);
    Q_EMIT finished(app::exitStatus(error));
}

QString Hold::whatIsLeft() const
{
    if (m_leaseEndsAt && monoNow() >= *m_leaseEndsAt)
        return Words::tr("its lease of %1 is over by now").arg(leaseText());
    if (isSemaphore(m_request.target.kind)) {
        return m_request.lease ? Words::tr("a permit may still be taken there, for at most %1").arg(leaseText())
                               : Words::tr("a permit may still be taken there, until it is given back");
    }
    return Words::tr("it may still be held there by %1, for at most %2")
        .arg(raw(m_client->id() + ':' + Thread),
            millisText(m_request.lease.value_or(lockcore::client::LockClientOptions().watchdogTimeout)));
}

/// Of a lock that has one.
QString Hold::leaseText() const { return millisText(*m_request.lease); }

std::string Hold::context() const { return "hold " + m_request.target.name; }

void Hold::lose(const QString &how)
{
    if (m_state == State::Over)
        return;
    if (m_asJson)
        tell("lost", {});
    end(complaint(ErrorCode::LockLost, Words::tr("lost: %1").arg(how), context()));
}

void Hold::end(const lockcore::Error &error)
{
    app::complain("lockctl", inPlainWords(error));
    if (error.code == ErrorCode::PermissionDenied) {
        note(Words::tr("All that holding it needs: %1").arg(shown(m_aclLine)));
        note(Words::tr("and, unless all keys are permitted: %1")
                 .arg(shown(lockcore::client::aclLineForKeys(m_user, m_request.target.name))));
        note(Words::tr("and, unless all channels are permitted: %1")
                 .arg(shown(lockcore::client::aclLineForChannels(m_user))));
    }
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

void Hold::tell(const char *event, const QString &text, std::optional<Millis> waited) const
{
    const lockcore::client::LockTarget &target = m_request.target;
    if (!m_asJson) {
        printLine(Words::tr("%1: %2 as %3").arg(text, shown(target.name), shown(m_client->id() + ':' + Thread)));
        return;
    }
    Json object{ { "at", isoTime(lockcore::transport::wallNow()) }, { "event", event } };
    addName(object, "lock", target.name);
    object.update(Json{
        { "kind", holdKindName(HoldKind{ target.kind, target.variant }) },
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
