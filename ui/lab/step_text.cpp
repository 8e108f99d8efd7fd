// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/step_text.h"

#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/printable_text.h"
#include "ui/text/suspect_text.h"

#include <QCoreApplication>

namespace lockui::lab {

using lockcore::Millis;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::synchronizers::LockVariant;

namespace {

struct StepText {
    Q_DECLARE_TR_FUNCTIONS(StepText)
};

/// Those that are calls have Redisson's names, in every language.
constexpr lockcore::TextRow<Act> ActTexts[]{
    { Act::Lock, "lock" },
    { Act::Unlock, "unlock" },
    { Act::Renew, "expire" },
    { Act::SetPermits, "trySetPermits" },
    { Act::SetCount, "trySetCount" },
    { Act::CountDown, "countDown" },
    { Act::Await, "await" },
    { Act::Crash, QT_TRANSLATE_NOOP("StepText", "is killed (kill -9)") },
    { Act::Pause, QT_TRANSLATE_NOOP("StepText", "is stopped, and stands still") },
    { Act::Resume, QT_TRANSLATE_NOOP("StepText", "goes on") },
    { Act::Start, QT_TRANSLATE_NOOP("StepText", "is started again, with another id") },
    { Act::Cut, QT_TRANSLATE_NOOP("StepText", "its network is cut") },
    { Act::Mend, QT_TRANSLATE_NOOP("StepText", "its network is mended") },
    { Act::ForceRelease, QT_TRANSLATE_NOOP("StepText", "force-release %1") },
    { Act::KillServer, QT_TRANSLATE_NOOP("StepText", "is killed (kill -9)") },
    { Act::StartServer, QT_TRANSLATE_NOOP("StepText", "is started again, empty") },
    { Act::PauseServer, QT_TRANSLATE_NOOP("StepText", "is stopped, and stands still") },
    { Act::ResumeServer, QT_TRANSLATE_NOOP("StepText", "goes on") },
    { Act::MoveSlot, QT_TRANSLATE_NOOP("StepText", "gets the slot of %1") },
    { Act::CutReplication, QT_TRANSLATE_NOOP("StepText", "the replica hears of nothing any more") },
    { Act::Check, QT_TRANSLATE_NOOP("StepText", "look") },
};
static_assert(lockcore::hasRowForEach(ActTexts));

constexpr lockcore::TextRow<Outcome> OutcomeTexts[]{
    { Outcome::Acquired, QT_TRANSLATE_NOOP("StepText", "acquired") },
    { Outcome::NotAcquired, QT_TRANSLATE_NOOP("StepText", "not acquired") },
    { Outcome::Released, QT_TRANSLATE_NOOP("StepText", "released") },
    { Outcome::StillHeld, QT_TRANSLATE_NOOP("StepText", "still held") },
    { Outcome::Done, QT_TRANSLATE_NOOP("StepText", "done") },
    { Outcome::No, QT_TRANSLATE_NOOP("StepText", "no") },
    { Outcome::Failed, QT_TRANSLATE_NOOP("StepText", "an error") },
    { Outcome::Crashed, QT_TRANSLATE_NOOP("StepText", "crashed") },
};
static_assert(lockcore::hasRowForEach(OutcomeTexts));

constexpr lockcore::TextRow<StepState> StateTexts[]{
    { StepState::Waiting, QT_TRANSLATE_NOOP("StepText", "waiting") },
    { StepState::Running, QT_TRANSLATE_NOOP("StepText", "running") },
    { StepState::Passed, QT_TRANSLATE_NOOP("StepText", "passed") },
    { StepState::Failed, QT_TRANSLATE_NOOP("StepText", "failed") },
    { StepState::Stopped, QT_TRANSLATE_NOOP("StepText", "stopped before it ended") },
    { StepState::NotReached, QT_TRANSLATE_NOOP("StepText", "not reached") },
};
static_assert(lockcore::hasRowForEach(StateTexts));

QString quotedText(const std::string &bytes) { return QStringLiteral("\"%1\"").arg(displayText(bytes)); }

QString windowText(const Window &window)
{
    if (window.most == Millis::max())
        return StepText::tr("at least %1").arg(writtenDuration(window.least));
    return window.least == Millis{ 0 }
        ? StepText::tr("at most %1").arg(writtenDuration(window.most))
        : StepText::tr("%1 to %2").arg(writtenDuration(window.least), writtenDuration(window.most));
}

QString joinedTexts(const std::vector<std::string> &texts)
{
    QStringList parts;
    for (const std::string &text : texts)
        parts << displayText(text);
    return parts.isEmpty() ? StepText::tr("nobody") : parts.join(QStringLiteral(", "));
}

QString keyText(const KeyExpectation &expects)
{
    const QString key = displayText(expects.key);
    return expects.server == 0 ? key : StepText::tr("%1 on server %2").arg(key, QString::number(expects.server + 1));
}

void addKeyTexts(QStringList &texts, const KeyExpectation &expects)
{
    const QString key = keyText(expects);
    if (expects.subscribers)
        texts << StepText::tr("in Redis %n listen to the channel %1", nullptr, pluralOf(*expects.subscribers)).arg(key);
    if (expects.exists)
        texts << (*expects.exists ? StepText::tr("in Redis the key %1").arg(key)
                                  : StepText::tr("in Redis no key %1").arg(key));
    if (expects.value)
        texts << StepText::tr("in Redis %1 is %2").arg(key, quotedText(*expects.value));
    if (expects.fields) {
        QStringList fields;
        for (const auto &[field, value] : *expects.fields)
            fields << QStringLiteral("%1 → %2").arg(displayText(field), displayText(value));
        texts << (fields.isEmpty() ? StepText::tr("in Redis %1 has no fields").arg(key)
                                   : StepText::tr("in Redis %1 has %2").arg(key, fields.join(QStringLiteral(", "))));
    }
    if (expects.elements)
        texts << (expects.elements->empty()
                ? StepText::tr("in Redis %1 is an empty list").arg(key)
                : StepText::tr("in Redis %1 lists %2").arg(key, joinedTexts(*expects.elements)));
    if (expects.ttl)
        texts << StepText::tr("in Redis %1 has a time to live of %2").arg(key, windowText(*expects.ttl));
}

void addSeenTexts(QStringList &texts, const SeenExpectation &expects)
{
    const QString lock = displayText(expects.lock);
    if (expects.held)
        texts << (*expects.held ? StepText::tr("the monitor shows %1 held").arg(lock)
                                : StepText::tr("the monitor shows %1 free").arg(lock));
    if (expects.holders)
        texts << StepText::tr("the monitor shows %1 held by %2").arg(lock, joinedTexts(*expects.holders));
    if (expects.waiters)
        texts << StepText::tr("the monitor shows in the queue of %1: %2").arg(lock, joinedTexts(*expects.waiters));
    if (expects.lease)
        texts << StepText::tr("the monitor shows the lease of %1: %2").arg(lock, leaseTextOf(*expects.lease));
    if (expects.freePermits)
        texts << StepText::tr("the monitor shows %n free permits of %1", nullptr, pluralOf(*expects.freePermits))
                     .arg(lock);
    if (expects.count)
        texts << StepText::tr("the monitor shows the count of %1: %2").arg(lock, countText(*expects.count));
    if (expects.quorum)
        texts << StepText::tr("the monitor shows %1 held on %n servers", nullptr, *expects.quorum).arg(lock);
    if (expects.suspect)
        texts << StepText::tr("the monitor suspects of %1: %2").arg(lock, suspectTextOf(*expects.suspect));
}

QString eventExpectationText(const EventExpectation &expects)
{
    const QString what = expects.certainty ? toldText(expects.event, *expects.certainty) : eventText(expects.event);
    const QString lock = displayText(expects.lock);
    return expects.owner
        ? StepText::tr("the monitor tells of %1 on %2: %3").arg(displayText(*expects.owner), lock, what)
        : StepText::tr("the monitor tells of %1: %2").arg(lock, what);
}

/// Of what a client did.
QStringList answerTexts(const Expectation &expects)
{
    QStringList texts;
    if (expects.error)
        texts << StepText::tr("the error %1").arg(displayText(*expects.error));
    else if (expects.outcome)
        texts << outcomeText(*expects.outcome);
    if (expects.took)
        texts << StepText::tr("takes %1").arg(windowText(*expects.took));
    if (expects.tokenAbove)
        texts << StepText::tr("a token above that of %1").arg(quotedText(*expects.tokenAbove));
    if (!expects.order.empty()) {
        QStringList names;
        for (const std::string &id : expects.order)
            names << quotedText(id);
        texts << StepText::tr("these end one after the other: %1").arg(names.join(QStringLiteral(", ")));
    }
    return texts;
}

/// Of the world afterwards.
QStringList worldTexts(const Expectation &expects)
{
    QStringList texts;
    for (const KeyExpectation &key : expects.redis)
        addKeyTexts(texts, key);
    for (const SeenExpectation &seen : expects.seen)
        addSeenTexts(texts, seen);
    for (const EventExpectation &event : expects.events)
        texts << eventExpectationText(event);
    return texts;
}

/// What a program calls it on: `orders`, `orders.readLock()`, `multiLock(a, b)`.
QString calledObject(const Step &step)
{
    if (!step.locks.empty()) {
        QStringList names;
        for (const lockcore::LockName &lock : step.locks)
            names << displayText(lock);
        return QStringLiteral("multiLock(%1)").arg(names.join(QStringLiteral(", ")));
    }
    if (!step.mode)
        return displayText(step.lock);
    return displayText(step.lock)
        + (*step.mode == HoldMode::Read ? QStringLiteral(".readLock()") : QStringLiteral(".writeLock()"));
}

QString calledMethod(const Step &step)
{
    const bool isTried = step.wait.has_value();
    if (isSemaphore(step.kind) && step.act == Act::Lock)
        return isTried ? QStringLiteral("tryAcquire") : QStringLiteral("acquire");
    if (isSemaphore(step.kind) && step.act == Act::Unlock)
        return QStringLiteral("release");
    return step.act == Act::Lock && isTried ? QStringLiteral("tryLock")
                                            : QString::fromLatin1(lockcore::rowOf(ActTexts, step.act).text);
}

QStringList callArguments(const Step &step)
{
    switch (step.act) {
    case Act::Renew:
        return { writtenDuration(*step.lease) };
    case Act::SetPermits:
    case Act::SetCount:
        return { countText(step.count) };
    default:
        break;
    }
    QStringList times;
    if (step.wait && *step.wait > Millis{ 0 })
        times << writtenDuration(*step.wait);
    if (step.lease)
        times << StepText::tr("lease %1").arg(writtenDuration(*step.lease));
    return times;
}

/// What the call does not say by itself.
bool hasToNameKind(Kind kind)
{
    return kind != Kind::Reentrant && kind != Kind::ReadWrite && kind != Kind::Semaphore
        && kind != Kind::CountDownLatch;
}

QStringList aboutCall(const Step &step)
{
    QStringList parts;
    if (hasToNameKind(step.kind))
        parts << kindText(step.kind);
    if (step.variant != LockVariant::Standard)
        parts << (step.variant == LockVariant::Spin ? StepText::tr("spin lock") : StepText::tr("not re-entrant"));
    const bool isOfPermits = step.act == Act::Lock || step.act == Act::Unlock;
    if (isOfPermits && isSemaphore(step.kind) && step.count != 1)
        parts << StepText::tr("%n permits", nullptr, pluralOf(step.count));
    if (step.thread != "1")
        parts << StepText::tr("thread %1").arg(displayText(step.thread));
    if (step.retry > Millis{ 0 })
        parts << StepText::tr("tries again for %1 where it fails").arg(writtenDuration(step.retry));
    return parts;
}

QString lookText(const Expectation &expects)
{
    QStringList names;
    for (const KeyExpectation &each : expects.redis)
        names << displayText(each.key);
    for (const SeenExpectation &each : expects.seen)
        names << displayText(each.lock);
    for (const EventExpectation &each : expects.events)
        names << displayText(each.lock);
    names.removeDuplicates();
    if (names.isEmpty())
        return expects.order.empty() ? StepText::tr(lockcore::rowOf(ActTexts, Act::Check).text)
                                     : StepText::tr("look at the order");
    constexpr int Most = 3;
    const int left = static_cast<int>(names.size()) - Most;
    const QString first = names.mid(0, Most).join(QStringLiteral(", "));
    return left > 0 ? StepText::tr("look at %1 and %n more", nullptr, left).arg(first)
                    : StepText::tr("look at %1").arg(first);
}

QString serversText(const Scenario &scenario)
{
    switch (scenario.setting) {
    case Setting::Replicated:
        return StepText::tr("a master, its replica and a Sentinel");
    case Setting::Independent:
        return StepText::tr("%n independent servers", nullptr, static_cast<int>(scenario.servers));
    case Setting::Cluster:
        return StepText::tr("a cluster of three masters");
    case Setting::One:
        break;
    }
    return StepText::tr("one server");
}

} // namespace

QString writtenDuration(Millis duration)
{
    constexpr Millis Minute{ 60'000 };
    constexpr Millis Second{ 1'000 };
    if (duration >= Minute && duration % Minute == Millis{ 0 })
        return StepText::tr("%1 m").arg(duration / Minute);
    return duration >= Second && duration % Second == Millis{ 0 } ? StepText::tr("%1 s").arg(duration / Second)
                                                                  : millisText(duration);
}

QString whoText(const Step &step, const Scenario &scenario)
{
    switch (lockcore::rowOf(Acts, step.act).actor) {
    case Actor::Client:
        return displayText(step.client);
    case Actor::Administrator:
        return StepText::tr("administrator");
    case Actor::Server:
        if (step.act == Act::CutReplication)
            return StepText::tr("network");
        return scenario.servers == 1 ? StepText::tr("server") : StepText::tr("server %1").arg(step.server + 1);
    case Actor::Nobody:
        break;
    }
    return {};
}

bool isCall(const Step &step)
{
    const ActRow &act = lockcore::rowOf(Acts, step.act);
    return act.actor == Actor::Client && act.needsLock;
}

QString stepText(const Step &step)
{
    if (isCall(step)) {
        const QString call
            = QStringLiteral("%1.%2(%3)")
                  .arg(calledObject(step), calledMethod(step), callArguments(step).join(QStringLiteral(", ")));
        return (QStringList{ call } + aboutCall(step)).join(QStringLiteral(" · "));
    }
    if (step.act == Act::Check)
        return step.note.empty() ? lookText(step.expects) : displayText(step.note);
    const QString text = StepText::tr(lockcore::rowOf(ActTexts, step.act).text);
    return lockcore::rowOf(Acts, step.act).needsLock ? text.arg(displayText(step.lock)) : text;
}

QString noteText(const Step &step) { return step.act == Act::Check ? QString() : displayText(step.note); }

QString whenText(const Step &step)
{
    QStringList parts;
    if (!step.after.empty()) {
        QStringList names;
        for (const std::string &id : step.after)
            names << quotedText(id);
        parts << StepText::tr("after the end of %1").arg(names.join(QStringLiteral(", ")));
    }
    if (step.pause > Millis{ 0 })
        parts << StepText::tr("%1 later").arg(writtenDuration(step.pause));
    if (step.isMeanwhile)
        parts << StepText::tr("the next step does not wait for its end");
    return parts.join(QStringLiteral("; "));
}

QStringList expectedTexts(const Step &step)
{
    const Expectation &expects = step.expects;
    QStringList texts = answerTexts(expects);
    const QStringList world = worldTexts(expects);
    texts << world;
    if (!world.isEmpty())
        texts << StepText::tr("it becomes so within %1").arg(writtenDuration(expects.within));
    if (expects.stays)
        texts << StepText::tr("and stays so for %1").arg(writtenDuration(*expects.stays));
    return texts;
}

QString expectedInShort(const Step &step, const Scenario &scenario)
{
    constexpr qsizetype Most = 2;
    const QStringList all = answerTexts(step.expects) + worldTexts(step.expects);
    QStringList first = all.mid(0, Most);
    if (const auto left = static_cast<int>(all.size() - first.size()); left > 0)
        first << StepText::tr("and %n more", nullptr, left);
    return withClientNames(first.join(QStringLiteral("; ")), scenario);
}

QString withClientNames(QString text, const Scenario &scenario)
{
    for (const ScenarioClient &client : scenario.clients) {
        const QString name = QString::fromStdString(printable(client.name)) + QLatin1Char(':');
        text.replace(QLatin1Char('$') + name, name);
    }
    return text;
}

QString outcomeText(Outcome outcome) { return StepText::tr(lockcore::rowOf(OutcomeTexts, outcome).text); }

QString toldText(lockcore::monitor::EventKind event, lockcore::monitor::Certainty certainty)
{
    return (certainty == lockcore::monitor::Certainty::Seen ? StepText::tr("%1 (seen)") : StepText::tr("%1 (inferred)"))
        .arg(eventText(event));
}

QString leaseTextOf(const std::string &name)
{
    for (const auto &row : lockcore::monitor::Leases) {
        if (name == row.name)
            return leaseText(row.value);
    }
    return displayText(name);
}

QString suspectTextOf(const std::string &name)
{
    for (const auto &row : lockcore::monitor::SuspectKinds) {
        if (name == row.name)
            return suspectTitle(row.value);
    }
    return displayText(name);
}

namespace {

/// As exactly as the moments beside it: in thousandths of a second.
QString tookText(Millis took)
{
    constexpr Millis ShortInMillis{ 100 };
    return took < ShortInMillis ? exactDurationText(took)
                                : StepText::tr("%1 s").arg(static_cast<double>(took.count()) / 1'000, 0, 'f', 3);
}

} // namespace

QString seenText(const StepProgress &progress)
{
    if (!progress.outcome)
        return {};
    QString text = outcomeText(*progress.outcome);
    if (progress.took && *progress.outcome != Outcome::Crashed)
        text = StepText::tr("%1 after %2").arg(text, tookText(*progress.took));
    if (progress.token)
        text = StepText::tr("%1, token %2").arg(text, countText(*progress.token));
    return progress.said.isEmpty() ? text : StepText::tr("%1: %2").arg(text, progress.said);
}

std::set<std::string> redissonVersions(const Scenario &scenario)
{
    std::set<std::string> versions;
    for (const ScenarioClient &client : scenario.clients)
        if (client.program == ClientProgramKind::Redisson)
            versions.insert(client.version);
    return versions;
}

QString needsText(const Scenario &scenario)
{
    QString text = serversText(scenario);
    for (const std::string &version : redissonVersions(scenario))
        text += QStringLiteral("; ")
            + (version.empty() ? StepText::tr("Java and Redisson")
                               : StepText::tr("Java and Redisson %1").arg(QString::fromStdString(version)));
    return text;
}

QString stateText(StepState state) { return StepText::tr(lockcore::rowOf(StateTexts, state).text); }

} // namespace lockui::lab
