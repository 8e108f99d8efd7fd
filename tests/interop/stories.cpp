// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/stories.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace interop {

namespace {

int below(Random &random, int limit) { return int(random() % std::uint64_t(limit)); }
bool happens(Random &random, int percent) { return below(random, 100) < percent; }

bool holds(const Twins &twins, int client, int thread, const char *suffix = "")
{
    const auto &facts = twins.found().facts;
    const std::string holder = alias(client, thread);
    return std::any_of(facts.begin(), facts.end(), [&](const auto &fact) {
        const std::string &field = fact.first;
        return field.starts_with(twins.about() + '[') && field.find(holder + suffix) != std::string::npos;
    });
}

/// Somebody who does not wait; if it can be, somebody who holds.
StoryStep somebody(Random &random, const Twins &twins, bool holder)
{
    std::vector<StoryStep> idle;
    std::vector<StoryStep> holding;
    for (int client = 0; client < Twins::Clients; ++client) {
        for (int thread = 0; thread < Twins::Threads; ++thread) {
            if (twins.isWaiting(client, thread))
                continue;
            idle.push_back({ client, thread, {}, {}, false });
            if (holds(twins, client, thread))
                holding.push_back(idle.back());
        }
    }
    const auto &among = holder && !holding.empty() ? holding : idle;
    return among[std::size_t(below(random, int(among.size())))];
}

/// Far from each other and from everything else: what is computed wrongly is wrong by a second at least.
QByteArray someLease(Random &random) { return QByteArray::number(1'000'000 + 10'000 * below(random, 300)); }

/// In one story a thread gives a lease always or never, see IntendedDifferences.
QByteArray leaseOf(const StoryStep &who, Random &random, const Twins &twins)
{
    const std::size_t habits = std::hash<std::string>()(twins.about());
    const bool gives = (habits >> (who.client * Twins::Threads + who.thread)) % 2 == 0;
    return gives ? someLease(random) : QByteArray("-");
}

QByteArray randomWait(Random &random)
{
    return happens(random, 50) ? QByteArray("-") : QByteArray::number(5'000'000 + 7'000 * below(random, 300));
}

/// Takes, waits for and gives back a lock that `lock` names in the commands.
StoryStep lockStep(Random &random, const Twins &twins, const QByteArray &lock, std::size_t waitsAtMost)
{
    const bool unlocks = happens(random, 40);
    StoryStep step = somebody(random, twins, unlocks && happens(random, 80));
    step.command = unlocks ? "unlock" : "lock";
    step.arguments = lock;
    if (unlocks)
        return step;
    step.waits = twins.waitingCount() < waitsAtMost && happens(random, 40);
    const bool waitsABit = !step.waits && happens(random, 4);
    step.arguments += ' ' + leaseOf(step, random, twins) + ' '
        + (step.waits       ? randomWait(random)
                : waitsABit ? "40"
                            : "0");
    return step;
}

bool isFree(const KeyspaceDump &dump, const std::string &name, const StoryStep &)
{
    return !dump.facts.contains(name + " is a");
}

StoryStep reentrant(Random &random, const Twins &twins) { return lockStep(random, twins, "reentrant %1", 1); }
StoryStep fenced(Random &random, const Twins &twins) { return lockStep(random, twins, "fenced %1", 1); }
StoryStep nonReentrant(Random &random, const Twins &twins) { return lockStep(random, twins, "nonReentrant %1", 1); }
/// Polls: nobody could tell when a wait has begun.
StoryStep spin(Random &random, const Twins &twins) { return lockStep(random, twins, "spin %1", 0); }

/// Nobody gives back a free one, see IntendedDifferences.
StoryStep queued(Random &random, const Twins &twins, const QByteArray &kind)
{
    for (;;) {
        const StoryStep step = lockStep(random, twins, kind + " %1", 3);
        if (step.command != "unlock" || !isFree(twins.found(), twins.about(), step))
            return step;
    }
}

StoryStep fair(Random &random, const Twins &twins) { return queued(random, twins, "fair"); }
StoryStep nonReentrantFair(Random &random, const Twins &twins) { return queued(random, twins, "nonReentrantFair"); }

/// Some of three values, in one story always the same for a thread: what it gives back it holds, see
/// IntendedDifferences. Only who wants them all waits, so that it can be seen what it waits for.
StoryStep fasterMulti(Random &random, const Twins &twins)
{
    static constexpr const char *Values[] = { "a", "b,c", "c,a", "a,b,c", "a,b,c" };
    StoryStep step = lockStep(random, twins, "fasterMulti", 1);
    const std::size_t habit = std::hash<std::string>()(twins.about() + alias(step.client, step.thread));
    const QByteArray values = Values[habit % std::size(Values)];
    if (step.waits && values != "a,b,c") {
        step.waits = false;
        step.arguments = "fasterMulti " + leaseOf(step, random, twins) + " 0";
    }
    step.arguments.replace("fasterMulti", QByteArray("fasterMulti %1/" + values));
    return step;
}

/// Some of three locks, in one story always the same for a thread: that it holds all of them or none. Nobody waits: the
/// rounds of a wait show as subscriptions that come and go.
StoryStep multi(Random &random, const Twins &twins)
{
    static constexpr const char *Names[] = { "%1", "%1,%1-b", "%1-c,%1", "%1,%1-b,%1-c" };
    StoryStep step = lockStep(random, twins, "multi %1", 0);
    const std::size_t habit = std::hash<std::string>()(twins.about() + alias(step.client, step.thread));
    step.arguments.replace("%1", Names[habit % std::size(Names)]);
    if (step.arguments.endsWith(" 40")) // what is collected within a wait has another lease meanwhile
        step.arguments.replace(step.arguments.size() - 2, 2, "0");
    return step;
}

bool isGroupFree(const KeyspaceDump &dump, const std::string &name, const StoryStep &wait)
{
    constexpr std::size_t HashSize = 22;
    return std::none_of(dump.facts.begin(), dump.facts.end(), [&](const auto &fact) {
        const bool holder = fact.first.starts_with(name + '[') && fact.first.size() == name.size() + 2 + HashSize;
        return holder && fact.second != alias(wait.client, wait.thread);
    });
}

bool reads(const Twins &twins, const StoryStep &who)
{
    return twins.found().facts.contains(twins.about() + '[' + alias(who.client, who.thread) + ']');
}

bool writes(const Twins &twins, const StoryStep &who) { return holds(twins, who.client, who.thread, ":write"); }

bool writesTwice(const Twins &twins, const StoryStep &who)
{
    const auto count = twins.found().facts.find(twins.about() + '[' + alias(who.client, who.thread) + ":write]");
    return count != twins.found().facts.end() && count->second != "1";
}

bool somebodyWrites(const Twins &twins)
{
    for (int client = 0; client < Twins::Clients; ++client) {
        for (int thread = 0; thread < Twins::Threads; ++thread) {
            if (writes(twins, { client, thread, {}, {}, false }))
                return true;
        }
    }
    return false;
}

/// A writer that reads as well may give back the write half any time: nobody waits to read then. It reads once, so that
/// it gives back no part of its reading, and no longer when it gives back one of several write holds. See
/// IntendedDifferences.
StoryStep readWrite(Random &random, const Twins &twins)
{
    const QByteArray half = happens(random, 50) ? "read" : "write";
    const bool mayWait = half == "write" || !somebodyWrites(twins);
    StoryStep step = lockStep(random, twins, half + " %1", mayWait ? 1 : 0);
    if (step.command == "lock" && half == "read" && writes(twins, step)
        && (twins.waitingCount() > 0 || reads(twins, step)))
        step.arguments.replace("read", "write");
    if (step.command == "unlock" && reads(twins, step) && writesTwice(twins, step))
        step.arguments.replace("write", "read");
    return step;
}

bool isFreeToReadOrWrite(const KeyspaceDump &dump, const std::string &name, const StoryStep &wait)
{
    const auto mode = dump.facts.find(name + "[mode]");
    return mode == dump.facts.end() || (mode->second == "read" && wait.arguments.startsWith("read"));
}

std::int64_t numberOf(const KeyspaceDump &dump, const std::string &name)
{
    const auto value = dump.facts.find(name + " =");
    return value == dump.facts.end() ? 0 : std::stoll(value->second);
}

bool areEnough(const KeyspaceDump &dump, const std::string &name, const StoryStep &wait)
{
    return numberOf(dump, name) >= wait.arguments.split(' ').at(1).toLongLong();
}

QByteArray few(Random &random) { return QByteArray::number(1 + below(random, 4)); }

StoryStep semaphore(Random &random, const Twins &twins)
{
    static constexpr const char *Verbs[] = { "set", "set", "acquire", "acquire", "acquire", "acquire", "release",
        "release", "releaseIfExists", "add", "add", "drain", "available", "delete" };
    const std::string verb = Verbs[below(random, int(std::size(Verbs)))];
    StoryStep step = somebody(random, twins, false);
    step.command = "sem." + QByteArray::fromStdString(verb);
    step.arguments = "%1 " + few(random);
    if (verb == "acquire") {
        step.waits = twins.waitingCount() == 0 && happens(random, 40);
        step.arguments += step.waits ? " -" : happens(random, 10) ? " 40" : " 0";
    } else if (verb == "add" && numberOf(twins.found(), twins.about()) > 4) { // Redisson cannot read a negative message
        step.arguments.replace("%1 ", "%1 -");
    }
    return step;
}

/// As many as there are expire within no story.
StoryStep permit(Random &random, const Twins &twins)
{
    static constexpr const char *Verbs[] = { "set", "set", "acquire", "acquire", "acquire", "acquire", "release",
        "release", "release", "add", "resize", "available", "lease", "delete" };
    const int given = twins.permitsGiven();
    std::string verb = Verbs[below(random, int(std::size(Verbs)))];
    if ((verb == "release" || verb == "lease") && given == 0)
        verb = "acquire";
    StoryStep step = somebody(random, twins, false);
    step.command = "permit." + QByteArray::fromStdString(verb);
    step.arguments = "%1 " + few(random);
    if (verb == "acquire") {
        step.waits = twins.waitingCount() == 0 && happens(random, 40);
        step.arguments
            += ' ' + (happens(random, 50) ? someLease(random) : QByteArray("-")) + (step.waits ? " -" : " 0");
    } else if (verb == "release") {
        step.arguments = "%1 #" + QByteArray::number(below(random, given));
    } else if (verb == "lease") {
        step.arguments = "%1 #" + QByteArray::number(below(random, given)) + ' ' + someLease(random);
    }
    return step;
}

/// Deleted only when nobody waits, see IntendedDifferences.
StoryStep latch(Random &random, const Twins &twins)
{
    static constexpr const char *Verbs[] = { "set", "set", "down", "down", "down", "wait", "wait", "count", "delete" };
    std::string verb = Verbs[below(random, int(std::size(Verbs)))];
    if (verb == "delete" && twins.waitingCount() > 0)
        verb = "down";
    StoryStep step = somebody(random, twins, false);
    step.command = "latch." + QByteArray::fromStdString(verb);
    step.waits = verb == "wait" && twins.waitingCount() < 3;
    step.arguments = verb == "wait" ? QByteArray(step.waits ? "%1 -" : "%1 0") : QByteArray("%1 " + few(random));
    return step;
}

} // namespace

const std::vector<StoryKind> &storyKinds()
{
    using enum Twins::Channels;
    static const std::vector<StoryKind> kinds{
        { "reentrant", Shared, isFree, reentrant },
        { "fair", PerThread, isFree, fair },
        { "fenced", Shared, isFree, fenced },
        { "spin", Shared, isFree, spin },
        { "non-reentrant", Shared, isFree, nonReentrant },
        { "non-reentrant fair", PerThread, isFree, nonReentrantFair },
        { "multi-lock", Shared, isFree, multi },
        { "faster multi-lock", Shared, isGroupFree, fasterMulti },
        { "semaphore", Shared, areEnough, semaphore },
        { "permits", Shared, areEnough, permit },
        { "latch", SharedAndMayStay, isFree, latch },
        { "read/write", Shared, isFreeToReadOrWrite, readWrite },
    };
    return kinds;
}

} // namespace interop
