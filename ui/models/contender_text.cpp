// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/contender_text.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::synchronizers;
using lab::ClientPhase;
using lab::ContenderState;
using lab::HandAct;
using lab::Micros;
using lab::Outcome;

namespace {

struct ContenderText {
    Q_DECLARE_TR_FUNCTIONS(ContenderText)
};

constexpr Micros ShownInParts{ 10'000 };

QString bareText(const ContenderState &client)
{
    switch (client.phase) {
    case ClientPhase::Starting:
        return client.insteadOf.empty() ? ContenderText::tr("starts") : ContenderText::tr("starts anew");
    case ClientPhase::Thinking:
        if (client.isByHand && !client.insteadOf.empty())
            return ContenderText::tr("idle, new process");
        return client.isByHand ? ContenderText::tr("idle") : ContenderText::tr("thinks");
    case ClientPhase::Waiting:
        if (client.mode)
            return *client.mode == HoldMode::Read ? ContenderText::tr("waits to read")
                                                  : ContenderText::tr("waits to write");
        return ContenderText::tr("waits");
    case ClientPhase::Holding:
        if (client.hasLostIt)
            return ContenderText::tr("lost it, works on");
        if (client.goneSince)
            return ContenderText::tr("thinks it holds, gone");
        if (client.onlyThinksItHolds())
            return ContenderText::tr("thinks it holds, not seen");
        if (client.waitsForMore)
            return ContenderText::tr("holds, waits for more");
        if (client.mode)
            return *client.mode == HoldMode::Read ? ContenderText::tr("reads") : ContenderText::tr("writes");
        return client.holds > 1 ? ContenderText::tr("holds ×%1").arg(countText(client.holds))
                                : ContenderText::tr("holds");
    case ClientPhase::Releasing:
        return ContenderText::tr("releases");
    case ClientPhase::Crashed:
        return ContenderText::tr("crashed");
    }
    return {};
}

QString actText(HandAct act)
{
    switch (act) {
    case HandAct::Take:
        return ContenderText::tr("taken by the hand");
    case HandAct::Lock:
        return ContenderText::tr("lock");
    case HandAct::LockToRead:
        return ContenderText::tr("lock to read");
    case HandAct::GiveUp:
        return ContenderText::tr("gives up");
    case HandAct::Unlock:
        return ContenderText::tr("unlock");
    case HandAct::Renew:
        return ContenderText::tr("renewed");
    case HandAct::CountDown:
        return ContenderText::tr("counted down");
    case HandAct::Pause:
        return ContenderText::tr("stands still");
    case HandAct::Resume:
        return ContenderText::tr("goes on");
    case HandAct::Crash:
        return ContenderText::tr("crashed");
    case HandAct::Start:
        return ContenderText::tr("started again");
    case HandAct::LetGo:
        return ContenderText::tr("left to itself");
    }
    return {};
}

/// Absent: the act itself says it all.
std::optional<QString> handEndText(const lab::HandOutcome &outcome)
{
    switch (outcome.outcome) {
    case Outcome::Acquired:
        return ContenderText::tr("acquired after %1").arg(microsText(outcome.took));
    case Outcome::NotAcquired:
        return ContenderText::tr("not acquired in %1").arg(microsText(outcome.took));
    case Outcome::Released:
        return ContenderText::tr("released in %1").arg(microsText(outcome.took));
    case Outcome::StillHeld:
        return ContenderText::tr("released once, still held");
    case Outcome::No:
        return ContenderText::tr("it was not held any more");
    case Outcome::Failed:
        return outcome.aclLine.empty()
            ? displayText(outcome.said)
            : displayText(outcome.said) + phraseText({ Phrase::Permitting, { outcome.aclLine } });
    case Outcome::Crashed:
        return ContenderText::tr("it crashed before that ended");
    case Outcome::Done:
        break;
    }
    return std::nullopt;
}

} // namespace

QString contendedText(Kind kind, LockVariant variant)
{
    switch (variant) {
    case LockVariant::Spin:
        return ContenderText::tr("Spin lock");
    case LockVariant::NonReentrant:
        return ContenderText::tr("Non-reentrant");
    case LockVariant::Standard:
        break;
    }
    return kindText(kind);
}

namespace {

QString ownTitle(const lab::GroupSettings &group)
{
    constexpr int MostOfTitle = 24;
    if (group.byHand)
        return displayText(*group.byHand, MostOfTitle);
    if (group.lease)
        return ContenderText::tr("lease %1").arg(exactDurationText(*group.lease));
    if (group.kind == Kind::PermitExpirableSemaphore)
        return ContenderText::tr("no lease");
    return group.renews ? ContenderText::tr("watchdog") : ContenderText::tr("no renewals");
}

} // namespace

QStringList groupTitles(const std::vector<lab::GroupSettings> &groups)
{
    QStringList kinds;
    for (const lab::GroupSettings &group : groups)
        kinds << contendedText(group.kind, group.variant);
    QStringList titles;
    for (qsizetype i = 0; i < kinds.size(); ++i) {
        const lab::GroupSettings &group = groups[static_cast<std::size_t>(i)];
        const bool isAlone = kinds.count(kinds[i]) == 1;
        const bool hasOwn = group.byHand || !isCounter(group.kind) || group.kind == Kind::PermitExpirableSemaphore;
        const QString title = isAlone || !hasOwn ? kinds[i] : kinds[i] + QStringLiteral(" · ") + ownTitle(group);
        QString own = title;
        for (int number = 2; titles.contains(own); ++number)
            own = ContenderText::tr("%1 (%2)").arg(title).arg(number);
        titles << own;
    }
    return titles;
}

QString microsText(Micros time)
{
    if (time >= ShownInParts)
        return exactDurationText(std::chrono::duration_cast<Millis>(time));
    return ContenderText::tr("%1 ms").arg(static_cast<double>(time.count()) / 1'000, 0, 'f', 2);
}

QString microsText(const std::optional<Micros> &time) { return time ? microsText(*time) : QStringLiteral("–"); }

namespace {

/// With how long it has been so.
QString timed(const QString &bare, const ContenderState &client, MonoTime now)
{
    const bool hasTime = client.phase == ClientPhase::Waiting || client.phase == ClientPhase::Holding
        || client.phase == ClientPhase::Crashed;
    const MonoTime since = client.hasLostIt ? client.lostAt
        : client.goneSince                  ? client.goneSince->at
        : client.onlyThinksItHolds()        ? *client.unseenSince
                                            : client.since;
    const auto time = std::chrono::duration_cast<Millis>(now - since);
    const bool isLeast = client.goneSince && !client.goneSince->exact;
    const QString length = isLeast ? QStringLiteral("≥ ") + ttlText(time) : ttlText(time);
    return hasTime && time >= Millis(100) ? ContenderText::tr("%1 %2").arg(bare, length) : bare;
}

} // namespace

QString phaseText(const ContenderState &client, MonoTime now)
{
    const QString bare = bareText(client);
    if (client.isPaused && client.goneSince)
        return ContenderText::tr("still (lost it)");
    if (client.isPaused) // it cannot say what became of its hold
        return client.phase == ClientPhase::Holding && !client.hasLostIt ? ContenderText::tr("still (it held)")
                                                                         : ContenderText::tr("still (%1)").arg(bare);
    return timed(bare, client, now);
}

QString lastPhaseText(const ContenderState &client, MonoTime now)
{
    if (client.phase == ClientPhase::Waiting)
        return ContenderText::tr("waited until then");
    if (client.phase != ClientPhase::Holding || client.hasLostIt || client.goneSince || client.onlyThinksItHolds())
        return phaseText(client, now);
    if (client.mode)
        return *client.mode == HoldMode::Read ? ContenderText::tr("read until then")
                                              : ContenderText::tr("wrote until then");
    return ContenderText::tr("held until then");
}

QString shortPhaseText(const ContenderState &client, MonoTime now)
{
    if (client.isPaused || client.phase != ClientPhase::Holding)
        return {};
    if (client.hasLostIt)
        return timed(ContenderText::tr("lost it"), client, now);
    if (client.goneSince)
        return timed(ContenderText::tr("gone"), client, now);
    return client.onlyThinksItHolds() ? timed(ContenderText::tr("not seen"), client, now) : QString();
}

QString unansweredText() { return ContenderText::tr("Its server does not answer it."); }

QString replacedText(const ContenderState &client)
{
    if (client.insteadOf.empty())
        return {};
    const auto shown = [](const std::string &id) { return shortOwner({ id, lab::HandThread }); };
    if (client.id.empty())
        return ContenderText::tr("in place of %1: a knob was turned").arg(shown(client.insteadOf));
    return ContenderText::tr("%1 in place of %2: a knob was turned").arg(shown(client.id), shown(client.insteadOf));
}

QString phaseExplanation(const ContenderState &client)
{
    QStringList lines{ bareText(client) };
    if (client.isPaused)
        lines << ContenderText::tr("Its process stands still (SIGSTOP), and its watchdog with it.");
    if (client.hasLostIt)
        lines << ContenderText::tr(
            "Its lease is over, or Redis names another holder. A program that does not look goes "
            "on all the same; its unlock will fail.");
    else if (client.goneSince)
        lines << ContenderText::tr(
            "Redis does not name it as a holder any more: the monitor of this window has seen that. It has not been "
            "told: its watchdog finds out when it comes next, without one its unlock will fail.");
    else if (client.onlyThinksItHolds())
        lines << ContenderText::tr(
            "Its server has not confirmed that since then: its lease may have run out, and another may hold it.");
    if (client.unansweredSince)
        lines << unansweredText();
    if (client.isByHand)
        lines << ContenderText::tr("In your hand: it does nothing by itself.");
    if (client.isLeaving)
        lines << ContenderText::tr("Leaves once it has given back what it holds or waits for.");
    if (const QString replaced = replacedText(client); !replaced.isEmpty())
        lines << replaced << ContenderText::tr("A process keeps for life what it was started with.");
    if (!client.id.empty())
        lines << displayText(client.id);
    return lines.join(u'\n');
}

Tone phaseTone(const ContenderState &client, bool isFixedLease)
{
    if (client.phase == ClientPhase::Crashed || client.hasLostIt || client.goneSince)
        return Tone::Danger;
    if (client.isPaused)
        return Tone::Warning;
    if (client.onlyThinksItHolds())
        return Tone::Muted;
    switch (client.phase) {
    case ClientPhase::Holding:
    case ClientPhase::Releasing:
        return isFixedLease ? Tone::Fixed : Tone::Accent;
    case ClientPhase::Waiting:
        return Tone::Waiting;
    default:
        return Tone::Muted;
    }
}

QString handText(const lab::HandOutcome &outcome)
{
    const auto end = handEndText(outcome);
    const QString what = ContenderText::tr("%1: %2").arg(displayText(outcome.client), actText(outcome.act));
    return end ? ContenderText::tr("%1 – %2").arg(what, *end) : what;
}

QString ghostText(const lab::GroupState &group, MonoTime now)
{
    QStringList lines;
    for (const lab::HolderGhost &ghost : group.ghosts) {
        const QString client = displayText(ghost.client);
        if (!ghost.until)
            lines << ContenderText::tr("%1 is dead: its permit is taken for good").arg(client);
        else if (*ghost.until > now)
            lines << ContenderText::tr("%1 died as a holder: unless somebody removes it, its lease ends in at most %2")
                         .arg(client, ttlText(std::chrono::ceil<Millis>(*ghost.until - now)));
    }
    lines.removeDuplicates();
    return lines.join(u'\n');
}

std::optional<QString> mishapText(const lab::GroupState &group)
{
    QStringList parts;
    const auto add = [&parts](std::int64_t count, const QString &text) {
        if (count > 0)
            parts << text.arg(countText(count));
    };
    const auto unaware = std::ranges::count_if(
        group.clients, [](const ContenderState &client) { return client.hasLostIt || client.goneSince; });
    add(unaware, ContenderText::tr("%1 go on without their lock", nullptr, pluralOf(unaware)));
    add(std::ranges::count_if(group.clients, &ContenderState::onlyThinksItHolds),
        ContenderText::tr("%1 not seen to hold any more"));
    add(group.overlaps,
        isSemaphore(group.settings.kind) ? ContenderText::tr("%1 × more holders than permits")
                                         : ContenderText::tr("%1 × two at once"));
    add(group.losses, ContenderText::tr("%1 lost before their unlock", nullptr, pluralOf(group.losses)));
    add(group.timeouts, ContenderText::tr("%1 waits given up", nullptr, pluralOf(group.timeouts)));
    add(group.crashes, ContenderText::tr("%1 crashes", nullptr, pluralOf(group.crashes)));
    return parts.isEmpty() ? std::nullopt : std::optional(parts.join(QStringLiteral(" · ")));
}

} // namespace lockui
