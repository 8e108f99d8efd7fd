// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/actions/audit_entry.h"

#include <QString>
#include <QStringList>
#include <string>

namespace lockui {

class ClientNames;

/// What was done to a lock of others, such as `force release`; the word of a later version as it stands there.
QString actionText(const lockcore::service::AuditEntry &entry);

/// Whom or what an action was aimed at, as bytes: the holders as they were seen, the waiter, or the permit.
std::string auditTarget(const lockcore::service::AuditEntry &entry);

/// The same in short, with the names of clients.
QString shortTargetText(const lockcore::service::AuditEntry &entry, const ClientNames *names);

/// What came of it, in a few words: `done`, `refused: held by 7f21aa09…:7 by then`.
QString auditOutcomeText(const lockcore::service::AuditEntry &entry, lockcore::WallTime now, const ClientNames *names);
/// The same as one word or two.
QString auditStateText(const lockcore::service::AuditEntry &entry, lockcore::WallTime now);
/// Why it was refused although it was who was expected: `it had lined up again`.
QString anewText(const lockcore::service::AuditEntry &entry);
/// What that means and what to do, in whole sentences; empty: nothing needs to be said.
QString auditStateExplanation(const lockcore::service::AuditEntry &entry, lockcore::WallTime now);

/// `ops@bastion`
QString auditPersonText(const lockcore::service::AuditEntry &entry);

/// `billing · PROD`: the connection, as the person calls it; empty: it has no name, or none is recorded.
QString auditConnectionText(const lockcore::service::AuditEntry &entry);

/// `PROD · billing · 10.0.0.5:6379`: what to be careful of first.
QString notAskedText(const lockcore::service::AuditEntry &entry); // independent servers out of sight; empty: none
QString auditWhereText(const lockcore::service::AuditEntry &entry);

/// Holders of a record, in full, one each.
QStringList ownerTexts(const std::vector<lockcore::synchronizers::ExpectedHolder> &holders, const ClientNames *names);
QStringList ownerTexts(const std::vector<lockcore::synchronizers::HolderReading> &holders, const ClientNames *names);

} // namespace lockui
