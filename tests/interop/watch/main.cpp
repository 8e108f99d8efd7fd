// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/watch/watch.h"
#include "tests/support/redis_server.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <cstdio>
#include <random>
#include <sys/resource.h>

using namespace interop;
using namespace Qt::StringLiterals;

namespace {

constexpr int Skipped = 77;
constexpr int MostPrinted = 60; // violations

std::chrono::seconds duration(const QString &text)
{
    const int number = text.chopped(1).toInt();
    return std::chrono::seconds(text.endsWith(u'm') ? number * 60 : text.endsWith(u's') ? number : text.toInt());
}

double millis(crowdwatch::Moment time) { return static_cast<double>(time.count()) / 1e3; }

void print(const crowdwatch::Plan &plan, const crowdwatch::Course &course)
{
    const auto &seen = course.comparison;
    const auto row = [](const char *what, long long number) { std::printf("  %-52s %8lld\n", what, number); };
    std::printf("%s, %lld s, seed %llu\n", qPrintable(plan.topology), static_cast<long long>(plan.duration.count()),
        static_cast<unsigned long long>(plan.seed));
    row("holds", seen.holds);
    row("  told", seen.told);
    row("    without when they began", seen.appeared);
    for (std::size_t i = 0; i < seen.missed.numbers.size(); ++i) {
        const auto &limits = crowdwatch::MissedHolds::Limits;
        QByteArray text = "  missed, longer than that";
        if (i < limits.size())
            text = "  missed, shorter than " + QByteArray::number(limits[i]) + " ms";
        row(text.constData(), seen.missed.numbers[i]);
    }
    row("invented events", seen.invented);
    row("split holds", seen.split);
    row("spin locks: re-entries told as taken again", seen.otherStories);
    row("wrong ends", seen.wrongEnds);
    row("wrong owners", seen.wrongOwners);
    row("ends that were not told", seen.neverEnded);
    row("false suspects", seen.falseSuspects);
    row("other suspects", seen.otherSuspects);
    row("renewals told", seen.renewalsTold);
    row("comings and goings of waiters told", seen.queuesTold);
    row("numbers of permits told", seen.numbersTold);
    std::printf("  %-52s %8d, %.0f ms\n", "gaps", seen.gaps, millis(seen.gapsTotal));
    std::printf("  %-52s %.1f, %.1f, %.1f ms\n", "from the taking to the event: median, p99, longest",
        millis(seen.delayMedian), millis(seen.delayP99), millis(seen.delayLongest));
    row("taken, as the peers say", course.takenByPeers);
    row("lost, as the peers say", course.lostByPeers);
    row("errors of the peers", course.errors);
    row("peers killed", course.kills);
    row("peers that did not come to an end", course.stuck);
    row("peers that left a lock held", course.leaving);
    int printed = 0;
    for (const std::string &violation : seen.violations) {
        if (++printed <= MostPrinted)
            std::printf("%s\n", violation.c_str());
    }
    if (printed > MostPrinted)
        std::printf("and %d more\n", printed - MostPrinted);
    std::printf("%s\n", seen.violations.empty() ? "nothing is wrong" : "WRONG");
    std::fflush(stdout);
}

std::optional<std::vector<Language>> peersOf(const QString &text)
{
    std::vector<Language> peers;
    for (const QString &version : text.split(u',')) {
        if (version != u"3.16.8" && version != u"4.7.0")
            return std::nullopt;
        peers.push_back(version == u"3.16.8" ? Language::Redisson3 : Language::Redisson4);
    }
    return peers;
}

/// Monitor and servers before peers and whatever else this machine does: what is measured is how well the monitor sees,
/// not how little time it is given. Without the right to it, it goes without.
void hurry() { setpriority(PRIO_PROCESS, 0, -10); }

} // namespace

int main(int argc, char **argv)
{
    hurry();
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Lets processes of Redisson work with locks of all kinds, and compares what the monitor tells of it with what "
        "the servers did."_s);
    parser.addHelpOption();
    parser.addOptions({
        { u"topology"_s, u"single, cluster or sentinel; several, separated by commas, one after the other."_s,
            u"names"_s, u"single"_s },
        { u"for"_s, u"How long each: 30s, 10m."_s, u"time"_s, u"10m"_s },
        { u"peers"_s, u"A process of this version of Redisson for each."_s, u"versions"_s,
            u"3.16.8,4.7.0,3.16.8,4.7.0"_s },
        { u"workers"_s, u"Threads of each process (6)."_s, u"N"_s, u"6"_s },
        { u"seed"_s, u"What the peers do, and who is killed."_s, u"N"_s },
        { u"kill-every"_s, u"A peer is killed so often (20s)."_s, u"time"_s, u"20s"_s },
        { u"tolerate"_s, u"Of a hundred holds so many violations, for machines that are busy otherwise (0)."_s, u"N"_s,
            u"0"_s },
        { u"events"_s, u"Write all that was told, and all that is true, to this file."_s, u"file"_s },
    });
    parser.process(app);
    crowdwatch::Plan plan;
    plan.duration = duration(parser.value(u"for"_s));
    plan.killEvery = duration(parser.value(u"kill-every"_s));
    plan.workers = parser.value(u"workers"_s).toInt();
    plan.seed = parser.isSet(u"seed"_s) ? parser.value(u"seed"_s).toULongLong() : std::random_device{}();
    plan.events = parser.value(u"events"_s);
    const auto peers = peersOf(parser.value(u"peers"_s));
    if (!peers || plan.duration.count() <= 0 || plan.killEvery.count() <= 0 || plan.workers <= 0) {
        std::fprintf(stderr, "peers are 3.16.8 and 4.7.0, times are 30s or 10m, numbers are above zero\n");
        return 2;
    }
    plan.peers = *peers;
    QString missing = testsupport::RedisServer::available() ? QString() : u"redis-server is not installed"_s;
    for (const Language language : plan.peers)
        missing = missing.isEmpty() ? whyMissing(language) : missing;
    if (!missing.isEmpty()) {
        std::printf("%s\n", qPrintable(missing));
        return qEnvironmentVariableIntValue("REQUIRE_REDIS") == 1 ? 1 : Skipped;
    }
    bool isRight = true;
    for (const QString &topology : parser.value(u"topology"_s).split(u',')) {
        plan.topology = topology;
        const auto course = crowdwatch::watchCrowd(plan);
        if (!course)
            return 1;
        print(plan, *course);
        const auto tolerated = course->comparison.holds * parser.value(u"tolerate"_s).toInt() / 100;
        isRight = isRight && std::ssize(course->comparison.violations) <= tolerated;
    }
    return isRight ? 0 : 1;
}
