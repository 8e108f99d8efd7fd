// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/hand_audit.h"

#include "app/common/words.h"
#include "lockcore/transport/clock.h"

#include <optional>

namespace app {

using lockcore::ErrorCode;
using lockcore::Result;
using lockcore::service::AuditAction;
using lockcore::service::HandDeed;
using lockcore::synchronizers::CommandOutcome;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::transport::wallNow;
using lockui::lab::ContenderState;
using lockui::lab::GroupState;
using lockui::lab::HandAct;
using lockui::lab::HandOutcome;
using lockui::lab::Outcome;

namespace {

/// Absent: it changes nothing in Redis, or is not done by a command.
std::optional<AuditAction> auditedAct(HandAct act)
{
    switch (act) {
    case HandAct::Lock:
    case HandAct::LockToRead:
        return AuditAction::LockByHand;
    case HandAct::Unlock:
        return AuditAction::UnlockByHand;
    case HandAct::Renew:
        return AuditAction::RenewByHand;
    case HandAct::CountDown:
        return AuditAction::CountDownByHand;
    default:
        return std::nullopt;
    }
}

Result<CommandOutcome> toCommandOutcome(const HandOutcome &outcome)
{
    CommandOutcome done;
    const std::string who = Words::tr("client by hand").toStdString();
    switch (outcome.outcome) {
    case Outcome::Failed:
        return lockcore::failure(ErrorCode::ServerOther, outcome.said, who);
    case Outcome::Crashed: // nobody knows how far it came
        return tl::unexpected(complaint(ErrorCode::ConnectionClosed, Words::tr("the client was killed"), who));
    default:
        done.done = outcome.outcome != Outcome::NotAcquired && outcome.outcome != Outcome::No;
        return done;
    }
}

} // namespace

HandAudit::HandAudit(const QString &file, const lockcore::transport::Deployment &server,
    const lockcore::service::AuditedConnection &connection)
    : m_log(file, connection)
    , m_endpoint(server.seeds.front().displayWithDatabase())
{
}

Result<void> HandAudit::begin(const GroupState &group, const ContenderState &client, HandAct act)
{
    const auto action = auditedAct(act);
    if (!action)
        return {};
    HandDeed deed{ .action = *action, .lock = group.lock, .kind = group.settings.kind, .client = {}, .ttl = {} };
    deed.client.owner = { client.id, lockui::lab::HandThread };
    if (group.settings.kind == Kind::ReadWrite)
        deed.client.mode = act == HandAct::LockToRead ? HoldMode::Read
            : act == HandAct::Lock                    ? HoldMode::Write
                                                      : client.mode;
    if (act == HandAct::Renew)
        deed.ttl = group.settings.lease.value_or(group.settings.watchdog);
    return m_log.begin(deed, m_endpoint, wallNow()).map([&](const std::string &id) {
        m_records.insert_or_assign({ group.settings.id, client.name, act }, id);
    });
}

void HandAudit::end(const HandOutcome &outcome)
{
    const auto record = m_records.extract({ outcome.group, outcome.client, outcome.act });
    if (record.empty())
        return;
    // It is done whether this can be written or not; the record then tells of no outcome.
    [[maybe_unused]] const auto ended = m_log.end(record.mapped(), toCommandOutcome(outcome), wallNow());
}

} // namespace app
