// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/renewal_load.h"

#include "lockcore/synchronizers/catalog.h"
#include "tests/bench/pair_calls.h"
#include "tests/bench/redis_benchmark.h"
#include "tests/support/blocking_client.h"

#include <algorithm>
#include <chrono>

using namespace Qt::StringLiterals;

namespace lockbench {

using namespace lockcore;
using namespace lockcore::synchronizers;

namespace {

constexpr std::size_t Digits = 12; // of what redis-benchmark puts in for __rand_int__
constexpr Millis Lease{ 3'600'000 }; // so that none runs out between two rounds
constexpr auto Tick = std::chrono::milliseconds(5);

HoldName hold(const std::string &number)
{
    return { "bench:renew:" + number, OwnerId{ "5d0e77c1-41c2-4e0b-9f55-7f21aa09a7d2", "1" } };
}

HoldName hold(std::int64_t number)
{
    const std::string digits = std::to_string(number);
    return hold(std::string(Digits - digits.size(), '0') + digits);
}

ScriptCall renewalCall(const HoldName &hold)
{
    return lockBehaviour(Kind::Reentrant, {}).value()->renew({ &hold, 1 }, Lease);
}

} // namespace

void takeRenewedLocks(const testsupport::RedisServer &server)
{
    testsupport::BlockingClient client(server.socketPath().toStdString());
    std::vector<protocol::Command> commands;
    for (std::int64_t i = 0; i < RenewedLocks; ++i) {
        commands.push_back({ "HSET", hold(i).name, toString(hold(i).owner), "1" });
        commands.push_back({ "PEXPIRE", hold(i).name, milliseconds(Lease) });
    }
    client.runAll(commands);
    client.run({ "SCRIPT", "LOAD", std::string(renewalCall(hold(std::int64_t{ 0 })).script->text) });
}

std::optional<double> redisBenchmarkRenewals(const testsupport::RedisServer &server, int requests)
{
    QStringList arguments{ u"-c"_s, u"50"_s, u"-n"_s, QString::number(requests), u"-r"_s,
        QString::number(RenewedLocks) };
    for (const std::string &word : command(renewalCall(hold("__rand_int__"))))
        arguments << QString::fromStdString(word);
    const auto run = redisBenchmark(server, arguments);
    return run ? std::optional(run->perSecond) : std::nullopt;
}

RenewalLoad::RenewalLoad(const testsupport::RedisServer &server, double perSecond, std::int64_t renewals)
    : m_thread(
        [this, path = server.socketPath().toStdString(), perSecond, renewals] { run(path, perSecond, renewals); })
{
}

void RenewalLoad::run(const std::string &socketPath, double perSecond, std::int64_t renewals)
{
    using Clock = std::chrono::steady_clock;
    testsupport::BlockingClient client(socketPath);
    const auto begin = Clock::now();
    const auto passed = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    for (std::int64_t sent = 0; sent < renewals;) {
        std::this_thread::sleep_for(Tick);
        const auto due = std::min(renewals, static_cast<std::int64_t>(passed() * perSecond));
        std::vector<protocol::Command> commands;
        for (; sent < due; ++sent)
            commands.push_back(command(renewalCall(hold(sent % RenewedLocks))));
        client.runAll(commands);
    }
    m_reached = static_cast<double>(renewals) / passed();
    m_done = true;
}

} // namespace lockbench
