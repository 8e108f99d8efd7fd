// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/bulk_lines.h"

#include "lockcore/service/actions/audit_entry.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/dialogs/holder_list.h"
#include "ui/text/action_text.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

struct BulkText {
    Q_DECLARE_TR_FUNCTIONS(BulkText)
};

using State = BulkLine::State;

/// The holders of a lock, one a line, as one line.
QString heldByText(QString holders) { return holders.replace(QLatin1Char('\n'), QStringLiteral(", ")).simplified(); }

BulkLine lineFor(const BulkLine::Lock &lock, const std::optional<std::string> &client)
{
    BulkLine line;
    line.seen = lock;
    line.current = lock;
    line.expected = expectedHolders(*lock);
    const auto never = [&line](const QString &why) {
        line.state = State::Never;
        line.isWanted = false;
        line.said = why;
        return line;
    };
    if (isFree(*lock) || lock->holders.empty())
        return never(BulkText::tr("Nobody holds it as a whole: there is nothing to release."));
    if (!rowOf(lock->kind).actions.forceRelease)
        return never(BulkText::tr("A lock of this kind cannot be released by force."));
    if (!client)
        return line;
    const auto isOthers = [&](const ExpectedHolder &holder) { return holder.owner.client != *client; };
    if (std::ranges::none_of(line.expected, isOthers))
        return line;
    if (isOneQuorumHold(*lock)) { // that it is one hold is inferred, so a person has to decide
        line.isWanted = false;
        line.said
            = BulkText::tr("Has another id on its other servers, as a RedLock has: tick it to release all of it.");
        return line;
    }
    std::erase_if(line.expected, isOthers);
    const bool reads = !line.expected.empty()
        && std::ranges::all_of(line.expected, [](const auto &holder) { return holder.mode == HoldMode::Read; });
    if (!reads)
        return never(BulkText::tr("Others hold it too, and would lose it: release it by itself."));
    line.isPart = true;
    return line;
}

/// Whether those who are to lose the lock still hold it, and nobody else does where all of it is to be released.
bool isAsSeen(const BulkLine &line, const LockState &now)
{
    if (now.kind != line.seen->kind || isElsewhere(*line.seen, now))
        return false;
    const auto held = expectedHolders(now);
    if (mayBeTakenAnew(*line.seen, now, line.expected))
        return false;
    return line.isPart ? std::ranges::includes(held, line.expected) : held == line.expected;
}

QString seenChangeText(const BulkLine &line, const ClientNames &names)
{
    if (!line.current)
        return BulkText::tr("Gone since you looked.");
    if (isFree(*line.current))
        return BulkText::tr("Free by now.");
    const QString heldBy = heldByText(holderLines(*line.current, names));
    if (expectedHolders(*line.current) != expectedHolders(*line.seen))
        return BulkText::tr("Changed since you looked: held by %1.").arg(heldBy);
    if (isTakenAnew(*line.seen, *line.current, line.expected))
        return BulkText::tr("Taken anew since you looked: held by %1.").arg(heldBy);
    if (isElsewhere(*line.seen, *line.current))
        return BulkText::tr("Read from another server since you looked: %1 instead of %2. Held by %3.")
            .arg(displayText(line.current->node), displayText(line.seen->node), heldBy);
    return BulkText::tr(
        "May have been taken anew since you looked: its end was set anew, or it was out of sight. Held by %1.")
        .arg(heldBy);
}

} // namespace

std::vector<BulkLine> bulkLines(const std::vector<BulkLine::Lock> &locks, const std::optional<std::string> &client)
{
    std::vector<BulkLine> lines;
    for (const BulkLine::Lock &lock : locks)
        lines.push_back(lineFor(lock, client));
    return lines;
}

void setCurrent(BulkLine &line, BulkLine::Lock lock, const ClientNames &names)
{
    if (lock == line.current)
        return;
    line.current = std::move(lock);
    if (line.state != State::Open && line.state != State::Queued && line.state != State::Changed)
        return;
    if (line.state != State::Changed && line.current && isAsSeen(line, *line.current)) {
        line.seen = line.current; // the last look at which it was so
        return;
    }
    line.state = State::Changed;
    line.said = seenChangeText(line, names);
}

void setLostServers(BulkLine &line, const QStringList &servers)
{
    line.lostServers = servers;
    if (line.state == State::Open && line.isWanted && !servers.isEmpty()) {
        line.isWanted = false;
        line.untickedFor = servers;
    }
}

AdminCommand commandFor(const BulkLine &line, std::string reason)
{
    ForceRelease command{ line.seen->name, line.seen->kind, line.expected, std::move(reason) };
    command.onlyThese = line.isPart;
    command.queue = queueElsewhere(*line.seen);
    command.end = line.isPart ? std::nullopt : seenEnd(*line.seen);
    return command;
}

bool setOutcome(BulkLine &line, const Result<CommandOutcome> &outcome, const ClientNames &names)
{
    const bool wasSent = line.state == State::Sent;
    if (outcome && outcome->done) {
        line.state = State::Released;
        line.said = waitingCount(*line.seen) == 0 ? BulkText::tr("Released. Nobody was seen to wait.")
            : outcome->published                  ? BulkText::tr("Released; the message for those who wait was sent.")
                                                  : BulkText::tr("Released.");
        if (const QString ghost = line.isPart ? QString() : ghostIsNextText(*line.seen); !ghost.isEmpty())
            line.said += QLatin1Char(' ') + ghost;
        if (!outcome->notAsked.empty())
            line.said += QLatin1Char(' ') + wasNotAskedText(outcome->notAsked);
        if (outcome->notRecorded)
            line.said += QLatin1Char(' ')
                + BulkText::tr("The audit log could not be told: %1").arg(displayText(*outcome->notRecorded));
        return outcome->notRecorded.has_value();
    }
    if (outcome) {
        line.state = State::Refused;
        line.said = outcome->isAnew
            ? BulkText::tr("Refused, nothing was changed: its end was set anew since you looked.")
            : BulkText::tr("Refused, nothing was changed: held by %1.")
                  .arg(heldByText(holderLines(outcome->found, names)));
        if (!outcome->notAsked.empty())
            line.said += QLatin1Char(' ') + wasNotAskedText(outcome->notAsked);
        return false;
    }
    const Error &error = outcome.error();
    if (isDoneInPart(error)) {
        line.state = service::mayHaveBeenDone(error.code) ? State::Unknown : State::Failed;
        line.said = errorText(error) + QLatin1Char(' ') + errorDetail(error);
        return true;
    }
    if (error.code == ErrorCode::HolderChanged || error.code == ErrorCode::NotHeld) {
        line.state = State::Refused;
        line.said = BulkText::tr("Refused, nothing was changed: %1").arg(errorDetail(error));
        return false;
    }
    if (!wasSent && error.code == ErrorCode::Cancelled) {
        line.state = State::NotSent;
        line.said = BulkText::tr("Not sent: stopped.");
        return true;
    }
    const bool maybeDone = wasSent && service::mayHaveBeenDone(error.code);
    line.state = maybeDone ? State::Unknown : State::Failed;
    line.said = errorText(error) + QLatin1Char(' ')
        + (maybeDone      ? BulkText::tr("Whether it was done is not known: look at the lock.")
                : wasSent ? errorDetail(error)
                          : BulkText::tr("Nothing was sent."));
    return true;
}

QString meaningText(const BulkLine &line)
{
    if (line.state == State::Never)
        return QStringLiteral("–");
    const LockState &lock = *line.seen;
    if (line.isPart)
        return BulkText::tr("only these read holds end, others keep theirs");
    QStringList parts;
    if (line.expected.size() > 1 && isOneQuorumHold(lock))
        parts << BulkText::tr(
            "on %1 servers, under an id on each: taken for one client", nullptr, pluralOf(std::ssize(line.expected)))
                     .arg(countText(std::ssize(line.expected)));
    else if (line.expected.size() > 1)
        parts << BulkText::tr("all %1 holders lose it", nullptr, pluralOf(std::ssize(line.expected)))
                     .arg(countText(std::ssize(line.expected)));
    const auto waiting = waitingCount(lock);
    const QString ghost = ghostIsNextText(lock);
    if (!tellsOfReleases(lock.kind))
        parts << BulkText::tr("nobody is woken: they ask again and again");
    else if (!waiting)
        parts << BulkText::tr("who is woken is not known");
    else if (*waiting == 0)
        parts << BulkText::tr("nobody is seen to wait");
    else if (!lock.waiters.empty() && ghost.isEmpty())
        parts
            << BulkText::tr("the first of %1 in the queue is next", nullptr, pluralOf(*waiting)).arg(waitingText(lock));
    else if (lock.waiters.empty())
        parts << BulkText::tr("wakes %1 client instances", nullptr, pluralOf(*waiting)).arg(waitingText(lock));
    const QString notAsked = line.lostServers.isEmpty() ? notAskedText(line.notAsked) : QString(); // else left out
    QStringList sentences{ parts.join(QStringLiteral("; ")), notAsked, ghost };
    sentences.removeAll(QString());
    return sentences.join(QStringLiteral(". "));
}

QStringList aliveTexts(const std::vector<BulkLine> &lines, const ClientNames &names, const ToldMoment &moment)
{
    constexpr qsizetype MostNamed = 4;
    std::map<std::string, std::vector<KnownLock>> locks; // of each client
    for (const BulkLine &line : lines) {
        if (!line.isOpen() || (!line.isSeen && !moment.isPast))
            continue;
        const KnownLock &lock = line.current ? line.current : line.seen;
        for (const ExpectedHolder &holder : line.expected)
            if (auto &its = locks[holder.owner.client]; its.empty() || its.back() != lock)
                its.push_back(lock);
    }
    for (const BulkLine &line : lines) { // what one took anew is not released, and shows that it lives
        for (const ExpectedHolder &holder : line.expected)
            if (const auto its = locks.find(holder.owner.client);
                its != locks.end() && line.state == State::Changed && line.current)
                its->second.push_back(line.current);
    }
    QStringList texts;
    qsizetype more = 0;
    for (const auto &[client, its] : locks) {
        const QString text = aliveText(client, its, names, moment);
        if (text.isEmpty())
            continue;
        if (texts.size() == MostNamed)
            ++more;
        else
            texts << text;
    }
    if (more > 0)
        texts << (moment.isPast ? BulkText::tr("%1 more clients looked alive then.", nullptr, pluralOf(more))
                                : BulkText::tr("%1 more clients look alive.", nullptr, pluralOf(more)))
                     .arg(countText(more));
    return texts;
}

} // namespace lockui
