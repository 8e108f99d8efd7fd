// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/peer.h"
#include "tests/faults/runner.h"
#include "tests/faults/schedule.h"
#include "tests/support/redis_server.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QRandomGenerator>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace {

/// 0 if nothing was wrong. What the clients said is printed with what was, or on request.
int runOne(const faults::Plan &plan, bool verbose)
{
    faults::Schedule schedule(plan);
    if (!schedule.startServers()) {
        std::printf("the servers did not start\n");
        return faults::NotPlayed;
    }
    const auto violations = schedule.run();
    for (const std::string &violation : violations)
        std::printf("%s\n", violation.c_str());
    std::printf("%s\n", faults::describe(plan).c_str());
    if (verbose) {
        for (const std::string &line : schedule.ledger().lines())
            std::printf("    %s\n", line.c_str());
    }
    return violations.empty() ? 0 : 1;
}

int duration(const QString &text) // seconds
{
    const int number = text.chopped(1).toInt();
    return text.endsWith(u'm') ? number * 60 : text.endsWith(u's') ? number : text.toInt();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Plays faults on real servers and lock clients, and judges what comes of it."_s);
    parser.addHelpOption();
    parser.addOptions({
        { u"seed"_s, u"Play this one schedule; with --schedules or --for: begin with it."_s, u"N"_s },
        { u"schedules"_s, u"So many schedules."_s, u"N"_s },
        { u"for"_s, u"Schedules for so long: 60s, 10m."_s, u"time"_s },
        { u"fresh"_s, u"Every other schedule of a seed that no earlier run had; from which on is printed."_s },
        { u"parallel"_s, u"So many side by side (8)."_s, u"N"_s, u"8"_s },
        { u"keep-going"_s, u"Do not stop at the first violation."_s },
        { u"only"_s, u"Only these kinds of faults, separated by commas."_s, u"kinds"_s },
        { u"logs"_s, u"Keep there what the clients said in schedules with violations."_s, u"folder"_s },
        { u"verbose"_s, u"Print all that the clients of the one schedule said."_s },
        { u"peer"_s, u"Be a client of this schedule."_s, u"N"_s },
        { u"client"_s, u"With --peer: which one."_s, u"N"_s },
        { u"url"_s, u"With --peer: where the servers are."_s, u"URL"_s },
    });
    parser.process(app);
    if (!testsupport::RedisServer::available()) {
        std::printf("redis-server is not installed\n");
        return qEnvironmentVariableIntValue("REQUIRE_REDIS") == 1 ? 1 : faults::NotPlayed;
    }
    const std::string only = parser.value(u"only"_s).toStdString();
    app.setProperty("only", parser.value(u"only"_s));
    if (parser.isSet(u"peer"_s)) {
        const auto deployment = lockcore::transport::parseDeployment(parser.value(u"url"_s).toStdString());
        if (!deployment) {
            std::fprintf(stderr, "%s\n", lockcore::toString(deployment.error()).c_str());
            return 2;
        }
        return faults::runPeer(faults::makePlan(parser.value(u"peer"_s).toULongLong(), only),
            parser.value(u"client"_s).toInt(), *deployment);
    }
    const std::uint64_t seed = parser.isSet(u"seed"_s) ? parser.value(u"seed"_s).toULongLong() : 1;
    if (!parser.isSet(u"schedules"_s) && !parser.isSet(u"for"_s))
        return runOne(faults::makePlan(seed, only), parser.isSet(u"verbose"_s));
    faults::RunnerOptions options;
    options.firstSeed = seed;
    if (parser.isSet(u"fresh"_s))
        options.firstFreshSeed = 1'000'000 + QRandomGenerator::global()->generate();
    options.schedules = parser.value(u"schedules"_s).toInt();
    if (parser.isSet(u"for"_s))
        options.seconds = duration(parser.value(u"for"_s));
    options.parallel = std::max(1, parser.value(u"parallel"_s).toInt());
    options.goesOn = parser.isSet(u"keep-going"_s);
    options.logs = parser.value(u"logs"_s);
    options.only = parser.value(u"only"_s);
    return faults::runSchedules(options);
}
