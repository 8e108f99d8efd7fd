// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/plan.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace faults {

using lockcore::synchronizers::Kind;
using lockcore::synchronizers::LockVariant;

namespace {

struct KindOfFault {
    FaultKind kind;
    const char *name;
    int weight;
    int shortest; // ms
    int longest;
};

constexpr std::array Faults{
    KindOfFault{ FaultKind::Stall, "stall", 14, 150, 900 },
    KindOfFault{ FaultKind::StallAll, "stall-all", 5, 150, 900 },
    KindOfFault{ FaultKind::StallAnswers, "stall-answers", 6, 150, 1'100 },
    KindOfFault{ FaultKind::Delay, "delay", 6, 200, 800 },
    KindOfFault{ FaultKind::Late, "late", 3, 200, 900 },
    KindOfFault{ FaultKind::Cut, "cut", 6, 0, 0 },
    KindOfFault{ FaultKind::CutInCommand, "cut-in-command", 6, 0, 0 },
    KindOfFault{ FaultKind::CutInReply, "cut-in-reply", 8, 0, 0 },
    KindOfFault{ FaultKind::Refuse, "refuse", 4, 100, 600 },
    KindOfFault{ FaultKind::Stop, "stop", 12, 150, 1'000 },
    KindOfFault{ FaultKind::Pause, "pause", 5, 100, 800 },
    KindOfFault{ FaultKind::ScriptFlush, "script-flush", 6, 0, 0 },
    KindOfFault{ FaultKind::NoLatches, "no-latches", 5, 100, 500 },
    KindOfFault{ FaultKind::NoScripts, "no-scripts", 3, 100, 500 },
    KindOfFault{ FaultKind::NoSubscriptions, "no-subscriptions", 3, 100, 500 },
    KindOfFault{ FaultKind::KillClients, "kill-clients", 4, 0, 0 },
    KindOfFault{ FaultKind::KillSubscribers, "kill-subscribers", 5, 0, 0 },
    KindOfFault{ FaultKind::OutOfMemory, "out-of-memory", 4, 100, 500 },
    KindOfFault{ FaultKind::NoReplicas, "no-replicas", 2, 100, 500 },
    KindOfFault{ FaultKind::Busy, "busy", 4, 100, 700 },
    KindOfFault{ FaultKind::Restart, "restart", 2, 0, 0 },
    KindOfFault{ FaultKind::Failover, "failover", 8, 0, 0 },
    KindOfFault{ FaultKind::MoveSlot, "move-slot", 20, 50, 500 },
    KindOfFault{ FaultKind::Unroutable, "unroutable", 15, 300, 800 },
    KindOfFault{ FaultKind::Kill, "kill", 10, 0, 0 },
    KindOfFault{ FaultKind::StopClient, "stop-client", 10, 200, 1'200 },
    KindOfFault{ FaultKind::Close, "close", 12, 0, 0 },
    KindOfFault{ FaultKind::Destroy, "destroy", 4, 0, 0 },
};

const KindOfFault &about(FaultKind kind)
{
    return *std::find_if(Faults.begin(), Faults.end(), [kind](const KindOfFault &each) { return each.kind == kind; });
}

bool isPossible(FaultKind kind, const Plan &plan)
{
    const auto any = [&](auto matches) { return std::any_of(plan.clients.begin(), plan.clients.end(), matches); };
    switch (kind) {
    case FaultKind::Failover:
        return plan.setup == Setup::Pair;
    case FaultKind::MoveSlot:
    case FaultKind::Unroutable:
        return plan.setup == Setup::Cluster;
    case FaultKind::Restart:
        return plan.setup == Setup::Single;
    case FaultKind::Kill:
        return any([](const PlannedClient &each) { return each.isProcess && each.isMortal; });
    case FaultKind::StopClient:
        return any([](const PlannedClient &each) { return each.isProcess; });
    case FaultKind::Close:
        return any([](const PlannedClient &each) { return each.isMortal; });
    case FaultKind::Destroy:
        return any([](const PlannedClient &each) { return !each.isProcess && each.isMortal; });
    default:
        return true;
    }
}

LockTarget randomLock(Random &random, int number, bool skewed)
{
    const std::string name = "lock" + std::to_string(number);
    switch (between(random, 0, 9)) {
    case 0:
        return { name, Kind::Reentrant, {}, LockVariant::Spin };
    case 1:
        return { name, Kind::Fenced };
    case 2:
    case 3:
        return { name, Kind::ReadWrite };
    case 4:
    case 5: // kept by the clocks of the clients
        return skewed ? LockTarget{ name } : LockTarget{ name, Kind::Fair };
    case 6:
        return skewed ? LockTarget{ name } : LockTarget{ name, Kind::FasterMulti, {}, {}, { "a", "b", "c" } };
    default:
        return { name };
    }
}

} // namespace

const char *toString(FaultKind kind) { return about(kind).name; }

Plan makePlan(std::uint64_t seed, const std::string &only)
{
    Random random(seed * 0x9E3779B97F4A7C15u + 1);
    Plan plan;
    plan.seed = seed;
    const int setup = between(random, 1, 100);
    plan.setup = setup <= 4 ? Setup::Cluster : setup <= 16 ? Setup::Pair : Setup::Single;
    plan.watchdog = Millis(between(random, 6, 12) * 100);
    plan.faultTime = Millis(between(random, 1'000, 2'200));

    const int clients = between(random, 2, 3);
    for (int i = 0; i < clients; ++i)
        plan.clients.push_back({ false, i > 0 && chance(random, 30), between(random, 1, 3), 0 });
    const int processes = chance(random, 30) ? between(random, 1, 2) : 0;
    const bool skewed = processes > 0 && chance(random, 30);
    for (int i = 0; i < processes; ++i)
        plan.clients.push_back(
            { true, chance(random, 70), between(random, 1, 2), skewed ? between(random, -900, 900) : 0 });

    const int locks = between(random, 1, 3);
    for (int i = 0; i < locks; ++i)
        plan.locks.push_back(randomLock(random, i, skewed));

    std::vector<KindOfFault> possible;
    int weights = 0;
    for (const KindOfFault &each : Faults) {
        const bool isMeant = only.empty() || (',' + only + ',').find(',' + std::string(each.name) + ',') != only.npos;
        if (isMeant && isPossible(each.kind, plan)) {
            possible.push_back(each);
            weights += each.weight;
        }
    }
    const int count = between(random, 1, 5);
    for (int i = 0; i < count && weights > 0; ++i) {
        int left = between(random, 1, weights);
        const auto chosen = std::find_if(
            possible.begin(), possible.end(), [&left](const KindOfFault &each) { return (left -= each.weight) <= 0; });
        plan.faults.push_back({ Millis(between(random, 50, int(plan.faultTime.count()))), chosen->kind,
            between(random, 0, 999), Millis(between(random, chosen->shortest, chosen->longest)) });
        plan.losesData = plan.losesData || chosen->kind == FaultKind::Restart || chosen->kind == FaultKind::Failover;
    }
    std::sort(plan.faults.begin(), plan.faults.end(), [](const Fault &a, const Fault &b) { return a.at < b.at; });
    return plan;
}

std::string describe(const Plan &plan)
{
    constexpr std::array SetupNames{ "one server", "master and replica", "cluster" };
    constexpr std::array KindNames{ "reentrant", "fair", "readWrite", "fenced", "fasterMulti" };
    std::ostringstream text;
    text << "seed " << plan.seed << ": " << SetupNames.at(std::size_t(plan.setup)) << ", watchdog "
         << plan.watchdog.count() << " ms;";
    for (const LockTarget &lock : plan.locks)
        text << ' ' << (lock.variant == LockVariant::Spin ? "spin" : KindNames.at(std::size_t(lock.kind)));
    text << ';';
    for (const PlannedClient &client : plan.clients) {
        text << ' ' << client.users << (client.isProcess ? "p" : "") << (client.isMortal ? "+" : "");
        if (client.secondsAhead != 0)
            text << '(' << client.secondsAhead << " s)";
    }
    text << ';';
    for (const Fault &fault : plan.faults)
        text << ' ' << toString(fault.kind) << '@' << fault.at.count() << '+' << fault.lasts.count();
    return text.str();
}

lockcore::client::LockClientOptions clientOptions(const Plan &plan)
{
    lockcore::client::LockClientOptions options;
    options.watchdogTimeout = plan.watchdog;
    options.fairWait = plan.fairWait;
    lockcore::client::ClientTimes &times = options.times;
    times.connect = Millis(300);
    times.answer = Millis(300);
    times.keepAlive = Millis(300);
    times.reconnect = { Millis(20), Millis(100) };
    times.call = Millis(2'000);
    times.release = Millis(2'000);
    times.latch = Millis(3'000);
    times.close = Millis(1'000);
    times.releaseAgain = Millis(50);
    times.cleanUpAgain = Millis(100);
    times.renewalAgain = { Millis(20), Millis(100) };
    times.grace = Millis(100);
    times.inTrouble = Millis(50);
    times.offline = Millis(400);
    times.lookAtLocks = Millis(2'000);
    return options;
}

} // namespace faults
