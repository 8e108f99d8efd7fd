// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/redis_benchmark.h"

#include "tests/bench/pair_calls.h"

#include <QProcess>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace lockbench {

namespace {

constexpr int LimitMs = 120'000;
constexpr qint64 RequestsPerMs = 20; // roughly: what is measured is a rate
constexpr const char *EachAnother = "00000000000000000000__rand_int__"; // an unlock with a known id changes nothing

QString text(std::string_view bytes) { return QString::fromUtf8(bytes.data(), qsizetype(bytes.size())); }

std::optional<double> rate(const testsupport::RedisServer &server, int connections, lockcore::Millis about,
    const lockcore::synchronizers::ScriptCall &call)
{
    server.cli({ u"SCRIPT"_s, u"LOAD"_s, text(call.script->text) });
    QStringList arguments{ u"-c"_s, QString::number(connections), u"-n"_s,
        QString::number(RequestsPerMs * about.count()), u"-r"_s, u"2147483647"_s };
    for (const std::string &word : command(call))
        arguments << text(word);
    const auto run = redisBenchmark(server, std::move(arguments));
    return run ? std::optional(run->perSecond) : std::nullopt;
}

} // namespace

std::optional<ForegroundRate> redisBenchmark(const testsupport::RedisServer &server, QStringList arguments)
{
    arguments = QStringList{ u"-p"_s, QString::number(server.port()), u"--csv"_s } + arguments;
    QProcess process;
    process.start(u"redis-benchmark"_s, arguments);
    process.waitForFinished(LimitMs);
    const QByteArray line = process.readAllStandardOutput().trimmed().split('\n').constLast();
    const QList<QByteArray> fields = line.split('"'); // "test","rps","avg…","min…","p50…","p95…","p99…","max…"
    bool isNumber = false;
    const double rate = fields.size() > 13 ? fields.at(3).toDouble(&isNumber) : 0;
    if (isNumber)
        return ForegroundRate{ rate, fields.at(13).toDouble() };
    std::fprintf(stderr, "redis-benchmark: %s\n", process.readAllStandardError().constData());
    return std::nullopt;
}

std::optional<double> redisBenchmarkPairs(
    const testsupport::RedisServer &server, int connections, lockcore::Millis about)
{
    const lockcore::synchronizers::ScriptCall acquire = acquireCall(holdOf(1));
    server.cli({ u"HSET"_s, text(acquire.keys.at(0)), text(acquire.arguments.at(1)), u"1000000000"_s });
    const auto acquires = rate(server, connections, about, acquire);
    const auto unlocks = rate(server, connections, about, unlockCall(holdOf(1), EachAnother));
    if (!acquires || !unlocks)
        return std::nullopt;
    return 1 / (1 / *acquires + 1 / *unlocks);
}

} // namespace lockbench
