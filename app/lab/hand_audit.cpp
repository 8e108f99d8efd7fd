// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/hand_audit.h"

#include "app/common/words.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <optional>
#include <span>

namespace app {

using lockcore::ErrorCode;
using lockcore::Result;
using lockcore::service::AuditAction;
using lockcore::service::HandDeed;
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

std::string byWhom() { return Words::tr("client by hand").toStdString(); }

lockcore::Error errorOf(const HandOutcome &outcome)
{
    lockcore::Error error{ outcome.code.value_or(ErrorCode::ServerOther), outcome.said, byWhom() };
    if (!outcome.aclLine.empty())
        add(error, { lockcore::Phrase::Permitting, { outcome.aclLine } });
    return error;
}

Result<bool> isDone(const HandOutcome &outcome)
{
    switch (outcome.outcome) {
    case Outcome::Failed:
        return tl::unexpected(errorOf(outcome));
    case Outcome::Crashed: // nobody knows how far it came
        return tl::unexpected(complaint(ErrorCode::ConnectionClosed, Words::tr("the client was killed"), byWhom()));
    default:
        return outcome.outcome != Outcome::NotAcquired && outcome.outcome != Outcome::No;
    }
}

/// Of what a client was at as it ended. What it waited for, or got by then, it has not any more.
Result<bool> isDoneAtEnd(HandAct act, bool isAllGivenBack)
{
    const bool isUnlock = act == HandAct::Unlock;
    const bool isLock = act == HandAct::Lock || act == HandAct::LockToRead;
    if (isAllGivenBack && (isUnlock || isLock))
        return isUnlock;
    return tl::unexpected(
        complaint(ErrorCode::ConnectionClosed, Words::tr("the client ended before this was answered"), byWhom()));
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
                                                      : client.lastMode;
    if (act == HandAct::Renew)
        deed.ttl = group.settings.lease.value_or(group.settings.watchdog);
    return m_log.begin(deed, m_endpoint, wallNow()).map([&](const std::string &id) {
        m_records.emplace(Told{ group.settings.id, client.name, act }, id);
    });
}

void HandAudit::end(const HandOutcome &outcome)
{
    const auto record = m_records.extract({ outcome.group, outcome.client, outcome.act });
    if (record.empty())
        return;
    // It is done whether this can be written or not; the record then tells of no outcome.
    [[maybe_unused]] const auto ended = m_log.endByHand(record.mapped(), isDone(outcome), wallNow());
}

void HandAudit::givesBack(const GivenBack &client)
{
    const Told unlock{ client.group, client.name, HandAct::Unlock };
    const std::size_t onTheirWay = std::min(m_records.count(unlock), client.holds.size()); // of the last ones
    HandDeed deed{
        .action = AuditAction::UnlockByHand, .lock = client.lock, .kind = client.kind, .client = {}, .ttl = {}
    };
    for (const auto &mode : std::span(client.holds).first(client.holds.size() - onTheirWay)) {
        deed.client = { { client.id, lockui::lab::HandThread }, mode };
        if (const auto id = m_log.begin(deed, m_endpoint, wallNow()))
            m_records.emplace(unlock, *id);
    }
}

/// With what it was told and has not answered: nobody will hear that answer.
void HandAudit::gaveBack(const GivenBack &client, bool isAll)
{
    std::erase_if(m_records, [&](const auto &each) {
        const auto &[group, name, act] = each.first;
        if (group != client.group || name != client.name)
            return false;
        [[maybe_unused]] const auto ended = m_log.endByHand(each.second, isDoneAtEnd(act, isAll), wallNow());
        return true;
    });
}

} // namespace app
