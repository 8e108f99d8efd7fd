// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/hold.h"

#include "app/common/printable_text.h"
#include "app/lockctl/json.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"
#include "app/lockctl/output.h"

#include <algorithm>

namespace lockctl {

using lockcore::ErrorCode;
using lockcore::LockClient;
using lockcore::Millis;
using lockcore::Result;

namespace {

const std::string Thread = "1"; // the process has one

/// By then the server counts a lease as over too.
constexpr Millis BehindTheEnd{ 2 };

std::string millisText(Millis millis) { return std::to_string(millis.count()) + " ms"; }

} // namespace

Hold::Hold(HoldRequest request, bool asJson)
    : m_request(std::move(request))
    , m_asJson(asJson)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer); // a coarse one comes early, while the lease still runs
    connect(&m_timer, &QTimer::timeout, this, &Hold::release);
}

void Hold::start(const lockcore::Endpoint &endpoint)
{
    m_client = std::make_unique<LockClient>(endpoint);
    connect(m_client.get(), &LockClient::ready, this, &Hold::acquire);
    connect(m_client.get(), &LockClient::lockLost, this, [this] { lose("the watchdog found it gone"); });
    connect(m_client.get(), &LockClient::renewed, this, [this] { tell("renewed", "renewed"); });
    connect(m_client.get(), &LockClient::lost, this, [](const lockcore::Error &error) {
        app::complain("lockctl", { error.code, error.message + "; trying again", error.context });
    });
    m_client->open();
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
    m_acquire = m_client->acquire({ m_request.target, Thread, m_request.lease, m_request.wait },
        [this](const Result<lockcore::AcquireOutcome> &outcome) { answered(outcome); });
}

void Hold::answered(const Result<lockcore::AcquireOutcome> &outcome)
{
    if (!outcome) {
        end(outcome.error());
    } else if (outcome->acquired) {
        tell("acquired", "acquired after " + millisText(outcome->waited), outcome->waited);
        hold();
    } else {
        const std::string left = outcome->holderTtl ? "its holder has " + millisText(*outcome->holderTtl) + " left"
                                                    : "its holder's time never ends";
        if (m_asJson)
            tell("notAcquired", {}, outcome->waited);
        end({ ErrorCode::Cancelled, "not acquired after " + millisText(outcome->waited) + ", " + left,
            "hold " + m_request.target.name });
    }
}

void Hold::hold()
{
    m_state = State::Holding;
    std::optional<Millis> lasts = m_request.holdFor;
    if (m_request.lease)
        lasts = std::min(lasts.value_or(Millis::max()), *m_request.lease + BehindTheEnd);
    if (lasts)
        m_timer.start(*lasts);
}

/// At the end of a lease too: the server's answer tells whether it ran out.
void Hold::release()
{
    m_state = State::Releasing;
    m_client->release(
        m_request.target, Thread, [this](const Result<lockcore::ReleaseOutcome> &outcome) { released(outcome); });
}

void Hold::released(const Result<lockcore::ReleaseOutcome> &outcome)
{
    if (outcome) {
        m_state = State::Over;
        tell("released", "released");
        Q_EMIT finished(app::Done);
    } else if (outcome.error().code == ErrorCode::NotHeld) {
        lose(outcome.error().message);
    } else {
        end(outcome.error());
    }
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
    m_state = State::Over;
    m_timer.stop();
    fail(error);
}

void Hold::tell(const char *event, const std::string &text, std::optional<Millis> waited) const
{
    const lockcore::LockTarget &target = m_request.target;
    if (!m_asJson) {
        printLine(text + ": " + app::printable(target.name) + " as " + m_client->id() + ':' + Thread);
        return;
    }
    std::vector<json::Field> fields{ { "at", isoTime(readClocks().wall) }, { "event", json::text(event) } };
    addName(fields, "lock", target.name);
    fields.insert(fields.end(),
        { { "kind", json::text(nameOf(target.kind)) },
            { "mode", target.mode ? json::text(nameOf(*target.mode)) : "null" },
            { "client", json::text(m_client->id()) }, { "thread", json::text(Thread) },
            { "waitedMs", waited ? json::number(waited->count()) : "null" } });
    printLine(json::object(fields));
}

} // namespace lockctl
