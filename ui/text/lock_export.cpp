// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/lock_export.h"

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/client_names.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_json.h"
#include "ui/text/lock_text.h"
#include "ui/text/suspect_text.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct LockExport {
    Q_DECLARE_TR_FUNCTIONS(LockExport)
};

std::string word(const char *text) { return LockExport::tr(text).toStdString(); }

/// What is known to be a lower bound, and what is not known at all, is never a bare number.
const char *const ExactWord = QT_TRANSLATE_NOOP("LockExport", "exact");
const char *const AtLeastWord = QT_TRANSLATE_NOOP("LockExport", "at least");
const char *const PerhapsElsewhereWord
    = QT_TRANSLATE_NOOP("LockExport", "perhaps for a lock of this name in another database");
const char *const UnknownWord = QT_TRANSLATE_NOOP("LockExport", "unknown");

std::string stateOf(const LockState &lock)
{
    return isStateUnknown(lock) ? word(UnknownWord) : isHeld(lock) ? "held" : "free";
}

std::string ownersOf(const LockState &lock)
{
    std::string text;
    for (const Holder &holder : lock.holders) {
        text += (text.empty() ? "" : ", ") + toString(holder.owner);
        if (holder.mode)
            text += std::string(":") + nameOf(*holder.mode);
        if (holder.count > 1)
            text += " ×" + std::to_string(holder.count);
        if (holder.expired)
            text += " (" + LockExport::tr("ran out").toStdString() + ')';
    }
    return text;
}

std::string clientsOf(const LockState &lock, const ClientNames *names)
{
    std::string text;
    for (const Holder &holder : lock.holders) {
        const QString name = names == nullptr ? QString() : names->nameOf(holder.owner.client);
        if (!name.isEmpty())
            text += (text.empty() ? "" : ", ") + name.toStdString();
    }
    return text;
}

std::string ttlOf(const LockState &lock, MonoTime now)
{
    if (isFree(lock))
        return {};
    const auto ttl = ttlAt(lock, now);
    return ttl ? std::to_string(ttl->count()) : LockExport::tr("never ends").toStdString();
}

/// A fair queue that is read whole is who waits; client instances are counted, and several threads may wait in each.
std::vector<std::string> waitingOf(const LockState &lock, const Snapshot &snapshot)
{
    const auto waiting = waitingCount(lock);
    if (!waiting)
        return { word(UnknownWord), {} };
    const bool isQueue = lock.kind == Kind::Fair; // whoever asks again and again listens to no channel
    const char *const is = mayWaitElsewhere(snapshot, lock) ? PerhapsElsewhereWord
        : mayMoreWait(lock) || !isQueue                     ? AtLeastWord
                                                            : ExactWord;
    return { std::to_string(*waiting), word(is) };
}

std::vector<std::string> heldOf(const LockState &lock, MonoTime seenUntil, MonoTime now)
{
    if (lock.holders.empty())
        return { {}, {} };
    const auto held = heldFor(lock, seenUntil);
    if (!held)
        return { word(UnknownWord), {} };
    return { std::to_string(held->count()), word(isHeldForExact(lock) && seenUntil >= now ? ExactWord : AtLeastWord) };
}

std::string permitsOf(const LockState &lock)
{
    if (lock.count)
        return std::to_string(*lock.count);
    return lock.permits ? std::to_string(freePermits(*lock.permits)) : std::string();
}

/// Of permits with ids: a semaphore without any is just a number.
std::string leasedOf(const LockState &lock)
{
    return lock.permits && lock.permits->leased ? std::to_string(*lock.permits->leased) : std::string();
}

/// What else the keys may be, or that they may be no lock.
std::string otherKindsOf(const LockState &lock)
{
    std::string text;
    for (const auto kind : lock.otherKinds)
        text += (text.empty() ? "" : ", ") + std::string(nameOf(kind));
    if (mayBeNoLock(lock))
        text += (text.empty() ? "" : ", ") + LockExport::tr("no lock").toStdString();
    return text;
}

std::string suspectsOf(const LockState &lock, const Analysis *analysis)
{
    if (analysis == nullptr)
        return word(UnknownWord);
    std::string text;
    for (const Suspect &suspect : monitor::suspectsOf(*analysis, lock.name))
        text += (text.empty() ? "" : ", ") + asSure(suspectTitle(suspect.kind), suspect.certainty).toStdString();
    if (text.empty() && analysis->moreSuspects > 0)
        return word(UnknownWord); // not all are listed
    return text;
}

std::string nodesOf(const LockState &lock)
{
    std::string text = lock.node;
    for (const auto &member : lock.members)
        text += (text.empty() ? "" : ", ") + member->node;
    return text;
}

std::vector<std::string> rowFor(
    const LockState &lock, const Now &now, const Snapshot &snapshot, const ClientNames *names, ExportFormat format)
{
    // From the look that may have told of it: the event of that has the same wall clock.
    const auto changedAt = lock.readAt + std::chrono::floor<Millis>(lock.lastChange.at - lock.readAtMono);
    const auto waiting = waitingOf(lock, snapshot);
    const MonoTime seen = seenUntil(snapshot, lock, now.mono);
    const auto held = heldOf(lock, seen, now.mono);
    const auto stale = staleSince(snapshot, lock);
    return { lockNameCell(lock.name, format), nameOf(lock.kind), otherKindsOf(lock), stateOf(lock),
        lock.mode ? nameOf(*lock.mode) : "", ownersOf(lock), clientsOf(lock, names), ttlOf(lock, seen),
        isFree(lock) ? "" : nameOf(lock.lease), waiting.at(0), waiting.at(1), held.at(0), held.at(1),
        nameOf(lock.lastChange.kind), isoTime(changedAt), nameOf(lock.lastChange.certainty), permitsOf(lock),
        leasedOf(lock), lock.token ? std::to_string(*lock.token) : "", suspectsOf(lock, snapshot.analysis.get()),
        nodesOf(lock), std::to_string(lock.slot), isoTime(lock.readAt), stale ? isoTime(*stale, now) : "" };
}

} // namespace

ExportTable lockExport(const std::vector<std::shared_ptr<const LockState>> &locks, const Now &now,
    const Snapshot &snapshot, const ClientNames *names, ExportFormat format)
{
    ExportTable table;
    table.columns = { { "name", word(QT_TRANSLATE_NOOP("LockExport", "Lock")) },
        { "kind", word(QT_TRANSLATE_NOOP("LockExport", "Kind")) },
        { "alsoPossible", word(QT_TRANSLATE_NOOP("LockExport", "Kind may be")) },
        { "state", word(QT_TRANSLATE_NOOP("LockExport", "State")) },
        { "mode", word(QT_TRANSLATE_NOOP("LockExport", "Mode")) },
        { "holders", word(QT_TRANSLATE_NOOP("LockExport", "Holders")) },
        { "clients", word(QT_TRANSLATE_NOOP("LockExport", "Clients, as named here")) },
        { "ttlMs", word(QT_TRANSLATE_NOOP("LockExport", "TTL (ms)")) },
        { "lease", word(QT_TRANSLATE_NOOP("LockExport", "Lease (inferred)")) },
        { "waiting", word(QT_TRANSLATE_NOOP("LockExport", "Waiting")) },
        { "waitingIs", word(QT_TRANSLATE_NOOP("LockExport", "Waiting is")) },
        { "heldMs", word(QT_TRANSLATE_NOOP("LockExport", "Held for (ms)")) },
        { "heldIs", word(QT_TRANSLATE_NOOP("LockExport", "Held for is")) },
        { "lastChange", word(QT_TRANSLATE_NOOP("LockExport", "Last change")) },
        { "lastChangeAt", word(QT_TRANSLATE_NOOP("LockExport", "Last change (UTC)")) },
        { "certainty", word(QT_TRANSLATE_NOOP("LockExport", "Last change is")) },
        { "number", word(QT_TRANSLATE_NOOP("LockExport", "Free permits, or count")) },
        { "leased", word(QT_TRANSLATE_NOOP("LockExport", "Leased permits")) },
        { "token", word(QT_TRANSLATE_NOOP("LockExport", "Token")) },
        { "suspects", word(QT_TRANSLATE_NOOP("LockExport", "Suspects")) },
        { "node", word(QT_TRANSLATE_NOOP("LockExport", "Server")) },
        { "slot", word(QT_TRANSLATE_NOOP("LockExport", "Slot")) },
        { "readAt", word(QT_TRANSLATE_NOOP("LockExport", "Seen so since (UTC)")) },
        { "staleSince", word(QT_TRANSLATE_NOOP("LockExport", "Not up to date since (UTC)")) } };
    for (const auto &lock : locks) {
        if (format == ExportFormat::Json)
            table.objects.push_back(json::line(lockJson(*lock, now, snapshot)));
        else
            table.rows.push_back(rowFor(*lock, now, snapshot, names, format));
    }
    return table;
}

} // namespace lockui
