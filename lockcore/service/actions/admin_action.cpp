// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/admin_action.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/protocol/server_info.h"
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/transport/chance.h"
#include "lockcore/transport/clock.h"
#include "lockcore/transport/topology.h"

#include <algorithm>
#include <utility>

namespace lockcore::service {

using namespace synchronizers;
using namespace transport;

namespace {

constexpr Millis TimeForRedirects{ 2'000 }; // somebody waits for the outcome

/// Without a time-out of its own for the answer: the action tells of a late one, and what that means.
ConnectionOptions writableOnce(Millis limit)
{
    ConnectionOptions options;
    options.readOnly = false;
    options.reconnect = false;
    options.replyTimeout = 2 * limit;
    return options;
}

} // namespace

AdminAction::AdminAction(
    AdminTarget target, std::string publish, Millis limit, AuditLog &audit, Callbacks callbacks, QObject *parent)
    : QObject(parent)
    , m_slotOwner(std::move(target.endpoint))
    , m_command(std::move(target.command))
    , m_notAsked(std::move(target.notAsked))
    , m_publish(std::move(publish))
    , m_audit(audit)
    , m_callbacks(std::move(callbacks))
    , m_limit(limit)
    , m_redirects(TimeForRedirects)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { over(); });
}

void AdminAction::start()
{
    m_startedAt = wallNow();
    m_lastMoment = monoNow() + m_limit;
    m_timer.start(m_limit);
    visit(m_slotOwner);
}

void AdminAction::cancel(Phrase why)
{
    if (m_sent)
        return;
    Error error = errorOf(ErrorCode::Cancelled, { why }, context());
    add(error, { Phrase::NothingSent });
    finish(tl::unexpected(std::move(error)));
}

bool AdminAction::isTooLate() const { return monoNow() >= m_lastMoment; }

void AdminAction::over()
{
    if (m_sent)
        finish(failure(ErrorCode::ReplyTimeout, { Phrase::LateAnswer }, context()));
    else
        finish(failure(ErrorCode::ConnectTimeout, { Phrase::LateConnection }, context()));
}

void AdminAction::visit(const Endpoint &endpoint, const Asking &asking)
{
    if (m_connection)
        m_connection.release()->deleteLater(); // it may be its answer that sends us on
    m_sent = false;
    m_connection = std::make_unique<Connection>(endpoint, writableOnce(m_limit));
    connect(m_connection.get(), &Connection::ready, this, [this, asking] { askTime(asking); });
    connect(
        m_connection.get(), &Connection::lost, this,
        [this, connection = m_connection.get()](const Error &error) {
            if (connection == m_connection.get() && !m_sent)
                finish(tl::unexpected(error));
        },
        Qt::QueuedConnection);
    m_connection->open();
}

/// What the server's clock says at the last moment: whoever answers with a delay makes it a little earlier.
void AdminAction::askTime(const Asking &asking)
{
    if (m_connection->serverInfo().role == "slave") {
        return finish(failure(ErrorCode::ReadOnlyReplica, { Phrase::OnlyAReplica }, context()));
    }
    m_connection->send({ "TIME" }, [this, asking](const Result<protocol::Reply> &reply) {
        if (!reply)
            return; // the connection tells
        if (reply->isError()) {
            return finish(refused(*reply));
        }
        const auto now = protocol::parseTime(*reply);
        if (!now)
            return finish(tl::unexpected(now.error()));
        send(asking, *now + std::chrono::floor<Millis>(m_lastMoment - monoNow()));
    });
}

void AdminAction::send(const Asking &asking, WallTime lastMoment)
{
    if (isTooLate() || !m_callbacks.finished)
        return;
    const auto call = prepare(m_command, lastMoment, m_publish, m_lastMoment);
    if (!call)
        return finish(tl::unexpected(call.error()));
    if (const auto recorded = record(); !recorded)
        return finish(tl::unexpected(recorded.error())); // what cannot be recorded is not done
    m_sent = true;
    m_callbacks.sent(m_connection->endpoint().display());
    m_connection->eval(
        *call->script, call->keys, call->arguments, [this](const Result<protocol::Reply> &reply) { answered(reply); },
        asking);
}

Result<void> AdminAction::record()
{
    if (!m_record.empty())
        return {};
    m_recordedNode = m_connection->endpoint().displayWithDatabase();
    return m_audit.begin(m_command, m_recordedNode, wallNow(), m_notAsked).map([this](const std::string &id) {
        m_record = id;
    });
}

void AdminAction::answered(const Result<protocol::Reply> &reply)
{
    if (!reply) {
        auto error = reply.error();
        const auto left = std::chrono::ceil<std::chrono::seconds>(m_lastMoment - monoNow());
        add(error, { Phrase::MaybeStillDone, { std::to_string(std::max<std::int64_t>(0, left.count())) } });
        return finish(tl::unexpected(std::move(error)));
    }
    if (!reply->isError())
        return finish(decodeOutcome(*reply));
    using Way = protocol::Redirection::Kind;
    const auto redirection = protocol::toRedirection(*reply, m_connection->endpoint().host);
    if (!redirection || redirection->kind == Way::Demoted) {
        return finish(refused(*reply));
    }
    m_callbacks.moved();
    follow(*redirection, reply->error()->text);
}

void AdminAction::follow(const protocol::Redirection &redirection, const std::string &said)
{
    using Way = protocol::Redirection::Kind;
    using Step = protocol::RedirectLimit::Step;
    if (redirection.kind == Way::Moved)
        m_slotOwner = endpointAt(m_slotOwner, redirection.node);
    switch (m_redirects.follow(redirection, monoNow())) {
    case Step::ToOwner:
        return visit(m_slotOwner);
    case Step::ToNamed:
        return visit(endpointAt(m_slotOwner, redirection.node), { .first = true });
    case Step::Wait:
        m_sent = false;
        return QTimer::singleShot(m_redirects.nextPause(drawChance()), this, [this] {
            if (m_callbacks.finished)
                visit(m_slotOwner);
        });
    case Step::GiveUp:
        break;
    }
    const Phrase why = redirection.kind == Way::Down ? Phrase::SlotUnkept : Phrase::SlotMovingNow;
    finish(failure(ErrorCode::ClusterBusy, { why, { said } }, context()));
}

/// The server has refused the script, or a command that it calls.
Result<CommandOutcome> AdminAction::refused(const protocol::Reply &reply) const
{
    Error error = protocol::toError(reply, {});
    setTried(error, context());
    if (error.code == ErrorCode::PermissionDenied)
        add(error, { Phrase::NothingChanged });
    return tl::unexpected(std::move(error));
}

Said AdminAction::context() const { return actionOn(m_command, m_connection->endpoint().displayWithDatabase()); }

void AdminAction::finish(Result<CommandOutcome> result)
{
    const auto finished = std::exchange(m_callbacks.finished, {});
    if (!finished)
        return;
    m_timer.stop();
    if (result)
        result->notAsked = m_notAsked;
    const std::string recorded = m_connection->endpoint().displayWithDatabase();
    if (m_record.empty() && !result) { // a try that was not sent is told too, where that can be written
        [[maybe_unused]] const auto added
            = m_audit.addUnsent(m_command, recorded, m_startedAt, m_notAsked, result.error(), wallNow());
    } else if (!m_record.empty()) {
        // It is done whether this can be written or not; the record then reads as interrupted, and who acted is told.
        const auto ended
            = m_audit.end(m_record, result, wallNow(), recorded == m_recordedNode ? std::string() : recorded);
        if (!ended && result)
            result->notRecorded = toString(ended.error());
        else if (!ended)
            add(result.error(), { Phrase::NorRecorded, { toString(ended.error()) } });
    }
    finished(result, m_connection->endpoint().display());
    deleteLater();
}

} // namespace lockcore::service
