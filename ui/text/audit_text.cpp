// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/audit_text.h"

#include "lockcore/base/error.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;

namespace {

struct AuditText {
    Q_DECLARE_TR_FUNCTIONS(AuditText)
};

std::string ownerBytes(const OwnerId &owner, const std::optional<HoldMode> &mode)
{
    return mode ? toString(owner) + ':' + nameOf(*mode) : toString(owner);
}

QString withMode(const QString &owner, const std::optional<HoldMode> &mode)
{
    return mode ? AuditText::tr("%1, %2", "a holder, read or write").arg(owner, modeText(*mode)) : owner;
}

/// The first, and how many more there are.
QString shortList(const QString &first, std::size_t count)
{
    const auto more = static_cast<qint64>(count) - 1;
    return more == 0 ? first : AuditText::tr("%1 and %2 more").arg(first, countText(more));
}

bool isLockByHand(const AuditEntry &entry)
{
    return entry.byHand && named(AuditActions, entry.action) == AuditAction::LockByHand;
}

QString refusedText(const AuditEntry &entry)
{
    return isLockByHand(entry) ? AuditText::tr("not acquired") : AuditText::tr("refused");
}

/// As it stands in front of an error of no server; empty: an action of a later version, or by hand.
std::string triedWords(const AuditEntry &entry)
{
    const auto action = named(AuditActions, entry.action);
    if (action == AuditAction::ForceRelease)
        return toString(Said{ Phrase::ForceReleasing });
    if (action == AuditAction::Renew)
        return toString(Said{ Phrase::Renewing });
    if (action == AuditAction::DropWaiter)
        return toString(Said{ Phrase::DroppingWaiter });
    return action == AuditAction::ReturnPermit ? toString(Said{ Phrase::ReturningPermit }) : std::string();
}

/// What was tried stands in front of it, and ends with the server: both are told beside it, and would leave no room.
std::string_view reasonIn(const AuditEntry &entry)
{
    const std::string_view error = entry.outcome->error;
    const std::string &server = entry.endpoint;
    for (std::size_t at = error.find(server); !server.empty() && at != error.npos; at = error.find(server, at + 1)) {
        std::size_t end = at + server.size();
        if (end < error.size() && error[end] == '/') // a database
            end = error.find_first_not_of("0123456789", end + 1);
        if (end < error.size() && error.substr(end).starts_with(": "))
            return error.substr(end + 2);
    }
    const std::string tried = triedWords(entry) + ": ";
    return error.starts_with(tried) ? error.substr(tried.size()) : error;
}

QString foundText(const AuditEntry &entry, const ClientNames *names)
{
    const AuditOutcome &outcome = *entry.outcome;
    if (outcome.isUnsent)
        return AuditText::tr("refused, not sent: %1").arg(displayText(reasonIn(entry)));
    if (entry.byHand)
        return isLockByHand(entry) ? refusedText(entry) : AuditText::tr("refused: it was not held by then");
    if (outcome.isAnew)
        return AuditText::tr("refused: %1").arg(anewText(entry));
    if (entry.waiter)
        return AuditText::tr("refused: it did not wait by then");
    if (entry.permit)
        return AuditText::tr("refused: nobody held the permit by then, or its lease was another");
    if (outcome.found.empty())
        return AuditText::tr("refused: nobody held it by then");
    return AuditText::tr("refused: held by %1 by then")
        .arg(shortList(namedOwner(outcome.found.front().owner, names), outcome.found.size()));
}

QString withServersNotAsked(const QString &text, const AuditEntry &entry)
{
    const QString servers = notAskedText(entry);
    return servers.isEmpty() ? text : AuditText::tr("%1; not asked: %2", "what came of it").arg(text, servers);
}

QString unsentExplanation(const AuditEntry &entry)
{
    const auto code = named(ErrorCodes, entry.outcome->code);
    if (code == ErrorCode::NotHeld)
        return AuditText::tr("Nothing was sent. None of the servers that were seen had it.");
    const bool isOfHolders = named(AuditEnds, entry.outcome->end) == AuditEnd::Refused;
    if (!code || (code == ErrorCode::HolderChanged && !isOfHolders))
        return AuditText::tr("Nothing was sent.");
    return AuditText::tr("Nothing was sent. %1").arg(errorText(*code));
}

QString refusedExplanation(const AuditEntry &entry)
{
    if (entry.outcome->isUnsent)
        return unsentExplanation(entry);
    if (isLockByHand(entry))
        return AuditText::tr("The client did not get it.");
    if (entry.byHand)
        return AuditText::tr("The client did not hold it any more.");
    if (entry.outcome->isAnew && entry.waiter)
        return AuditText::tr("It had left the queue since it was looked at, and had lined up again: its client lived. "
                             "Nothing was changed.");
    if (entry.outcome->isAnew)
        return AuditText::tr("The holder was the one that was seen, but the lock ended at another time: the holder had "
                             "set that anew, or had taken the lock anew. Nothing was changed.");
    return AuditText::tr("Who was there was not who was expected. Nothing was changed.");
}

} // namespace

QString anewText(const AuditEntry &entry)
{
    return entry.waiter ? AuditText::tr("it had lined up again") : AuditText::tr("it ended at another time");
}

QString actionText(const AuditEntry &entry)
{
    const auto action = named(AuditActions, entry.action);
    if (!action)
        return displayText(entry.action);
    switch (*action) {
    case AuditAction::ForceRelease:
        return entry.onlyThese ? AuditText::tr("force release of readers") : AuditText::tr("force release");
    case AuditAction::Renew:
        return entry.ttl ? AuditText::tr("renew to %1").arg(ttlText(*entry.ttl)) : AuditText::tr("renew");
    case AuditAction::DropWaiter:
        return AuditText::tr("drop waiter");
    case AuditAction::ReturnPermit:
        return AuditText::tr("return permit");
    case AuditAction::LockByHand:
        return AuditText::tr("lock by hand");
    case AuditAction::UnlockByHand:
        return AuditText::tr("unlock by hand");
    case AuditAction::RenewByHand:
        return entry.ttl ? AuditText::tr("renew by hand to %1").arg(ttlText(*entry.ttl))
                         : AuditText::tr("renew by hand");
    case AuditAction::CountDownByHand:
        return AuditText::tr("count down by hand");
    }
    return {};
}

std::string auditTarget(const AuditEntry &entry)
{
    if (entry.permit)
        return *entry.permit;
    if (entry.waiter)
        return toString(*entry.waiter);
    if (entry.byHand)
        return ownerBytes(entry.byHand->owner, entry.byHand->mode);
    std::string text;
    for (const ExpectedHolder &holder : entry.expected)
        text += (text.empty() ? "" : ", ") + ownerBytes(holder.owner, holder.mode);
    return text;
}

QString shortTargetText(const AuditEntry &entry, const ClientNames *names)
{
    if (entry.permit)
        return displayText(*entry.permit);
    if (entry.waiter)
        return namedOwner(*entry.waiter, names);
    if (entry.byHand)
        return withMode(namedOwner(entry.byHand->owner, names), entry.byHand->mode);
    if (entry.expected.empty())
        return QStringLiteral("–");
    const ExpectedHolder &first = entry.expected.front();
    return shortList(withMode(namedOwner(first.owner, names), first.mode), entry.expected.size());
}

QString auditStateText(const AuditEntry &entry, WallTime now)
{
    switch (stateOf(entry, now)) {
    case AuditState::Done:
        return AuditText::tr("done");
    case AuditState::Refused:
        return refusedText(entry);
    case AuditState::Failed:
        return entry.outcome->isUnsent ? AuditText::tr("not sent") : AuditText::tr("failed");
    case AuditState::AnswerLost:
        return AuditText::tr("outcome not known");
    case AuditState::UnderWay:
        return AuditText::tr("no outcome yet");
    case AuditState::Interrupted:
        return AuditText::tr("interrupted");
    case AuditState::Other:
        return displayText(entry.outcome->end);
    }
    return {};
}

QString auditOutcomeText(const AuditEntry &entry, WallTime now, const ClientNames *names)
{
    QString state = auditStateText(entry, now);
    switch (stateOf(entry, now)) {
    case AuditState::Refused: // what was not sent says it by itself
        return entry.outcome->isUnsent ? foundText(entry, names) : withServersNotAsked(foundText(entry, names), entry);
    case AuditState::AnswerLost:
        return AuditText::tr("not known: the answer was lost");
    case AuditState::Interrupted:
        return AuditText::tr("interrupted: no outcome recorded");
    case AuditState::Failed:
        if (!entry.outcome->error.empty())
            return AuditText::tr("%1: %2", "failed, and why").arg(state, displayText(reasonIn(entry)));
        return state;
    case AuditState::Done:
        return withServersNotAsked(state, entry);
    default:
        return state;
    }
}

QString auditStateExplanation(const AuditEntry &entry, WallTime now)
{
    switch (stateOf(entry, now)) {
    case AuditState::Done:
        return {};
    case AuditState::Refused:
        return refusedExplanation(entry);
    case AuditState::Failed: {
        if (entry.outcome->isUnsent)
            return unsentExplanation(entry);
        const auto code = named(ErrorCodes, entry.outcome->code);
        return code ? errorText(*code) : QString();
    }
    case AuditState::AnswerLost:
        return AuditText::tr(
            "It was sent, and no answer came: it may have been carried out. Look at the lock before you "
            "try again.");
    case AuditState::UnderWay:
        if (entry.byHand)
            return AuditText::tr("The client waits for it, or the program has ended before it was answered. A client "
                                 "gives back what it holds when the program ends.");
        return AuditText::tr("It was begun a moment ago. What came of it is recorded as soon as it is known.");
    case AuditState::Interrupted:
        return AuditText::tr("Nobody recorded what came of it: the program ended, or the file could not be written. It "
                             "may have been carried out. Look at the lock before you try again.");
    case AuditState::Other:
        return AuditText::tr("Another version of the program wrote this. What it means is not known here.");
    }
    return {};
}

QString auditConnectionText(const AuditEntry &entry)
{
    QStringList parts{ displayText(entry.connection.name), displayText(entry.connection.environment) };
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString notAskedText(const AuditEntry &entry)
{
    QStringList servers;
    for (const std::string &server : entry.notAsked)
        servers << displayText(server);
    return servers.join(QStringLiteral(", "));
}

QString auditWhereText(const AuditEntry &entry)
{
    QStringList parts{ displayText(entry.connection.environment), displayText(entry.connection.name),
        displayText(entry.endpoint) };
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString auditPersonText(const AuditEntry &entry)
{
    const QString user = entry.user.empty() ? QStringLiteral("–") : displayText(entry.user);
    return entry.host.empty() ? user : user + QLatin1Char('@') + displayText(entry.host);
}

QStringList ownerTexts(const std::vector<ExpectedHolder> &holders, const ClientNames *names)
{
    QStringList texts;
    for (const ExpectedHolder &each : holders)
        texts << withMode(fullNamedOwner(each.owner, names), each.mode);
    return texts;
}

QStringList ownerTexts(const std::vector<HolderReading> &holders, const ClientNames *names)
{
    QStringList texts;
    for (const HolderReading &each : holders) {
        const QString owner = withMode(fullNamedOwner(each.owner, names), each.mode);
        texts << (each.count == 1 ? owner : owner + QStringLiteral(" ×") + countText(each.count));
    }
    return texts;
}

} // namespace lockui
