// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/play_text.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/text/printable_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lockui::lab {

using lockcore::Millis;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;

namespace {

struct PlayWords {
    Q_DECLARE_TR_FUNCTIONS(lockui::lab::PlayText)
};

QString plainBytes(const std::string &bytes) { return QString::fromStdString(printable(bytes)); }

/// `$A:1` is thread 1 of the client A, whom nobody takes for a variable here.
QString namingClients(const std::string &text) { return plainBytes(text).remove(QLatin1Char('$')); }

QString listedOwners(const std::vector<std::string> &texts)
{
    QStringList parts;
    for (const std::string &each : texts)
        parts << namingClients(each);
    return parts.isEmpty() ? PlayWords::tr("nobody") : parts.join(QStringLiteral(", "));
}

QString timeWindowText(const Window &window)
{
    if (window.most == Millis::max())
        return PlayWords::tr("at least %1").arg(spanText(window.least));
    return PlayWords::tr("%1 to %2").arg(spanText(window.least), spanText(window.most));
}

QString lockObject(const Step &step)
{
    if (!step.locks.empty()) {
        QStringList names;
        for (const lockcore::LockName &name : step.locks)
            names << plainBytes(name);
        return QStringLiteral("multiLock(%1)").arg(names.join(QStringLiteral(", ")));
    }
    const QString name = plainBytes(step.lock);
    if (!step.mode)
        return name;
    return name + (*step.mode == HoldMode::Read ? QStringLiteral(".readLock()") : QStringLiteral(".writeLock()"));
}

/// Redisson's name of what takes it, with the times that it is given.
QString takingCall(const Step &step)
{
    const bool isPermit = lockcore::synchronizers::isSemaphore(step.kind);
    QStringList times;
    if (step.wait)
        times << (*step.wait == Millis(0) ? QString() : spanText(*step.wait));
    if (step.lease)
        times << PlayWords::tr("lease %1").arg(spanText(*step.lease));
    times.removeAll(QString());
    const QString name = step.wait ? (isPermit ? QStringLiteral("tryAcquire") : QStringLiteral("tryLock"))
                                   : (isPermit ? QStringLiteral("acquire") : QStringLiteral("lock"));
    return QStringLiteral("%1(%2)").arg(name, times.join(QStringLiteral(", ")));
}

QString clientCall(const Step &step)
{
    switch (step.act) {
    case Act::Lock:
        return takingCall(step);
    case Act::Unlock:
        return lockcore::synchronizers::isSemaphore(step.kind) ? QStringLiteral("release()")
                                                               : QStringLiteral("unlock()");
    case Act::Renew:
        return QStringLiteral("expire(%1)").arg(spanText(*step.lease));
    case Act::SetPermits:
        return QStringLiteral("trySetPermits(%1)").arg(step.count);
    case Act::SetCount:
        return QStringLiteral("trySetCount(%1)").arg(step.count);
    case Act::CountDown:
        return QStringLiteral("countDown()");
    case Act::Await:
        return step.wait ? QStringLiteral("await(%1)").arg(spanText(*step.wait)) : QStringLiteral("await()");
    default:
        return {};
    }
}

QString outcomeWord(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Acquired:
        return PlayWords::tr("acquired");
    case Outcome::NotAcquired:
        return PlayWords::tr("not acquired");
    case Outcome::Released:
        return PlayWords::tr("released");
    case Outcome::StillHeld:
        return PlayWords::tr("released once, still held");
    case Outcome::Done:
        return PlayWords::tr("done");
    case Outcome::No:
        return PlayWords::tr("refused: nothing changed");
    case Outcome::Failed:
        return PlayWords::tr("an error");
    case Outcome::Crashed:
        return PlayWords::tr("never answered: its process died");
    }
    return {};
}

QString expectedKey(const KeyExpectation &key)
{
    QStringList parts;
    if (key.exists)
        parts << (*key.exists ? PlayWords::tr("is there") : PlayWords::tr("is not there"));
    if (key.value)
        parts << QStringLiteral("\"%1\"").arg(namingClients(*key.value));
    if (key.fields) {
        QStringList fields;
        for (const auto &[field, value] : *key.fields)
            fields << namingClients(field) + QStringLiteral(" = ") + namingClients(value);
        parts << (fields.isEmpty() ? PlayWords::tr("no fields") : fields.join(QStringLiteral(", ")));
    }
    if (key.elements)
        parts << listedOwners(*key.elements);
    if (key.ttl)
        parts << PlayWords::tr("time to live %1").arg(timeWindowText(*key.ttl));
    const QString where = key.server > 0 ? PlayWords::tr(" on server %1").arg(key.server + 1) : QString();
    return QStringLiteral("%1%2: %3").arg(namingClients(key.key), where, parts.join(QStringLiteral("; ")));
}

QStringList expectedOfMonitor(const SeenExpectation &seen)
{
    QStringList parts;
    if (seen.held)
        parts << (*seen.held ? PlayWords::tr("held") : PlayWords::tr("not held"));
    if (seen.holders)
        parts << PlayWords::tr("held by %1").arg(listedOwners(*seen.holders));
    if (seen.waiters)
        parts << PlayWords::tr("queue %1").arg(listedOwners(*seen.waiters));
    if (seen.lease)
        parts << PlayWords::tr("lease: %1").arg(plainBytes(*seen.lease));
    if (seen.freePermits)
        parts << PlayWords::tr("%n free permits", nullptr, static_cast<int>(*seen.freePermits));
    if (seen.count)
        parts << PlayWords::tr("count %1").arg(*seen.count);
    if (seen.quorum)
        parts << PlayWords::tr("on %n servers", nullptr, *seen.quorum);
    if (seen.suspect)
        parts << PlayWords::tr("suspect: %1").arg(plainBytes(*seen.suspect));
    return parts;
}

QStringList expectations(const Step &step)
{
    const Expectation &expects = step.expects;
    QStringList lines;
    if (expects.error)
        lines << PlayWords::tr("the error %1").arg(plainBytes(*expects.error));
    else if (expects.outcome)
        lines << outcomeWord(*expects.outcome);
    if (expects.took)
        lines << PlayWords::tr("after %1").arg(timeWindowText(*expects.took));
    if (expects.tokenAbove)
        lines << PlayWords::tr("a token above that of “%1”").arg(plainBytes(*expects.tokenAbove));
    for (const KeyExpectation &key : expects.redis)
        lines << expectedKey(key);
    for (const SeenExpectation &seen : expects.seen)
        lines << PlayWords::tr("monitor: %1 %2")
                     .arg(plainBytes(seen.lock), expectedOfMonitor(seen).join(QStringLiteral(", ")));
    for (const EventExpectation &event : expects.events)
        lines << PlayWords::tr("monitor: %1 %2").arg(plainBytes(event.lock), eventText(event.event))
                + (event.owner ? QLatin1Char(' ') + namingClients(*event.owner) : QString());
    if (!expects.order.empty()) {
        QStringList order;
        for (const std::string &each : expects.order)
            order << plainBytes(each);
        lines << PlayWords::tr("one after the other: %1").arg(order.join(QStringLiteral(", ")));
    }
    if (expects.stays)
        lines << PlayWords::tr("and so for %1").arg(spanText(*expects.stays));
    return lines;
}

/// What its client answered, and when.
QString answer(const StepProgress &progress)
{
    QString text = progress.said.isEmpty() ? outcomeWord(*progress.outcome) : progress.said;
    if (progress.took && *progress.outcome != Outcome::Crashed)
        text = PlayWords::tr("%1 after %2").arg(text, exactDurationText(*progress.took));
    return progress.token ? PlayWords::tr("%1, token %2").arg(text).arg(*progress.token) : text;
}

} // namespace

QString groupText(std::optional<Group> group)
{
    if (!group)
        return PlayWords::tr("Others");
    switch (*group) {
    case Group::Basics:
        return PlayWords::tr("Basics");
    case Group::Leases:
        return PlayWords::tr("Leases");
    case Group::Waiting:
        return PlayWords::tr("Waiting");
    case Group::Kinds:
        return PlayWords::tr("Kinds");
    case Group::Faults:
        return PlayWords::tr("Faults");
    }
    return {};
}

QString spanText(Millis span)
{
    constexpr Millis Minute{ 60'000 };
    constexpr Millis Second{ 1'000 };
    if (span >= Minute && span % Minute == Millis(0))
        return PlayWords::tr("%1 min").arg(span / Minute);
    if (span % Second == Millis(0) && span > Millis(0))
        return PlayWords::tr("%1 s").arg(span / Second);
    return PlayWords::tr("%1 ms").arg(span.count());
}

QString momentText(const PlayRecord &record, lockcore::MonoTime at)
{
    if (!record.start)
        return {};
    const double seconds = std::chrono::duration<double>(at - record.start->mono).count();
    return PlayWords::tr("%1 s").arg(QLocale().toString(std::max(0.0, seconds), 'f', 2));
}

QString actorText(const Step &step)
{
    switch (lockcore::rowOf(Acts, step.act).actor) {
    case Actor::Client:
        return plainBytes(step.client) + (step.thread == "1" ? QString() : QLatin1Char(':') + plainBytes(step.thread));
    case Actor::Administrator:
        return PlayWords::tr("operator");
    case Actor::Server:
        return PlayWords::tr("server %1").arg(step.server + 1);
    case Actor::Nobody:
        break;
    }
    return QStringLiteral("–");
}

QString doesText(const Step &step)
{
    switch (step.act) {
    case Act::Crash:
        return PlayWords::tr("process killed with -9");
    case Act::Pause:
        return PlayWords::tr("process stands still");
    case Act::Resume:
        return PlayWords::tr("process goes on");
    case Act::Start:
        return PlayWords::tr("process starts again");
    case Act::Cut:
        return PlayWords::tr("network cut");
    case Act::Mend:
        return PlayWords::tr("network mended");
    case Act::ForceRelease:
        return PlayWords::tr("force release of %1").arg(plainBytes(step.lock));
    case Act::KillServer:
        return PlayWords::tr("server killed with -9");
    case Act::StartServer:
        return PlayWords::tr("server starts again, empty");
    case Act::PauseServer:
        return PlayWords::tr("server stands still");
    case Act::ResumeServer:
        return PlayWords::tr("server goes on");
    case Act::CutReplication:
        return PlayWords::tr("replication cut");
    case Act::Check:
        return step.note.empty() ? PlayWords::tr("a look") : plainBytes(step.note);
    default:
        return lockObject(step) + QLatin1Char('.') + clientCall(step);
    }
}

QString expectedText(const Step &step) { return expectations(step).join(QLatin1Char('\n')); }

QString withClientNames(const PlayRecord &record, QString text)
{
    for (const auto &[name, lives] : record.clientIds) {
        for (std::size_t life = 0; life < lives.size(); ++life)
            text.replace(QString::fromStdString(lives[life]),
                plainBytes(name) + QString(static_cast<int>(life), QLatin1Char('\'')));
    }
    return text;
}

QString seenText(const PlayRecord &record, std::size_t step)
{
    const StepProgress &progress = record.progress[step];
    if (progress.state == StepState::Waiting)
        return {};
    QStringList lines;
    if (progress.outcome)
        lines << answer(progress);
    else if (progress.state == StepState::Running)
        lines << (progress.endedAt ? PlayWords::tr("looking…") : PlayWords::tr("running…"));
    lines << progress.seen;
    const Expectation &expects = record.scenario.steps[step].expects;
    if (!expects.order.empty() && progress.problems.isEmpty() && progress.state == StepState::Passed)
        lines << PlayWords::tr("in this order");
    if (lines.isEmpty() && progress.state == StepState::Passed)
        lines << PlayWords::tr("done");
    return withClientNames(record, lines.join(QLatin1Char('\n')));
}

QStringList problemTexts(const PlayRecord &record, std::size_t step)
{
    QStringList texts;
    for (const QString &problem : record.progress[step].problems)
        texts << withClientNames(record, problem);
    return texts;
}

QString factsText(const Scenario &scenario)
{
    QStringList facts{ PlayWords::tr("%n clients", nullptr, static_cast<int>(scenario.clients.size())) };
    switch (scenario.setting) {
    case Setting::One:
        facts << PlayWords::tr("one server");
        break;
    case Setting::Replicated:
        facts << PlayWords::tr("a master, its replica and a Sentinel");
        break;
    case Setting::Independent:
        facts << PlayWords::tr("%n independent servers", nullptr, static_cast<int>(scenario.servers));
        break;
    }
    if (scenario.watchdog != Scenario().watchdog)
        facts << PlayWords::tr("watchdog %1").arg(spanText(scenario.watchdog));
    if (scenario.fairWait != Scenario().fairWait)
        facts << PlayWords::tr("fair wait %1").arg(spanText(scenario.fairWait));
    return facts.join(QStringLiteral(" · "));
}

} // namespace lockui::lab
