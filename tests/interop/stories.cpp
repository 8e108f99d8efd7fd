// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/stories.h"

#include <algorithm>
#include <functional>

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

/// Nobody gives back a free one, see IntendedDifferences.
StoryStep fair(Random &random, const Twins &twins)
{
    for (;;) {
        const StoryStep step = lockStep(random, twins, "fair %1", 3);
        if (step.command != "unlock" || !isFree(twins.found(), twins.about(), step))
            return step;
    }
}

bool reads(const Twins &twins, const StoryStep &who)
{
    return twins.found().facts.contains(twins.about() + '[' + alias(who.client, who.thread) + ']');
}

bool writes(const Twins &twins, const StoryStep &who) { return holds(twins, who.client, who.thread, ":write"); }

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
/// it gives back no part of its reading. See IntendedDifferences.
StoryStep readWrite(Random &random, const Twins &twins)
{
    const QByteArray half = happens(random, 50) ? "read" : "write";
    const bool mayWait = half == "write" || !somebodyWrites(twins);
    StoryStep step = lockStep(random, twins, half + " %1", mayWait ? 1 : 0);
    if (step.command == "lock" && half == "read" && writes(twins, step)
        && (twins.waitingCount() > 0 || reads(twins, step)))
        step.arguments.replace("read", "write");
    return step;
}

bool isFreeToReadOrWrite(const KeyspaceDump &dump, const std::string &name, const StoryStep &wait)
{
    const auto mode = dump.facts.find(name + "[mode]");
    return mode == dump.facts.end() || (mode->second == "read" && wait.arguments.startsWith("read"));
}

} // namespace

const std::vector<StoryKind> &storyKinds()
{
    using enum Twins::Channels;
    static const std::vector<StoryKind> kinds{
        { "reentrant", Shared, isFree, reentrant },
        { "fair", PerThread, isFree, fair },
        { "read/write", Shared, isFreeToReadOrWrite, readWrite },
    };
    return kinds;
}

} // namespace interop
