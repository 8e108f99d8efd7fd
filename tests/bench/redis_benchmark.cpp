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

std::optional<double> rate(
    const testsupport::RedisServer &server, int connections, lockcore::Millis about, const lockcore::ScriptCall &call)
{
    server.cli({ u"SCRIPT"_s, u"LOAD"_s, text(call.script->text) });
    QStringList arguments{ u"-p"_s, QString::number(server.port()), u"-c"_s, QString::number(connections), u"-n"_s,
        QString::number(RequestsPerMs * about.count()), u"-r"_s, u"2147483647"_s, u"--csv"_s };
    for (const std::string &word : command(call))
        arguments << text(word);
    QProcess process;
    process.start(u"redis-benchmark"_s, arguments);
    process.waitForFinished(LimitMs);
    const QByteArray line = process.readAllStandardOutput().trimmed().split('\n').constLast();
    const QList<QByteArray> fields = line.split('"'); // "test","rps",…
    bool isNumber = false;
    const double rate = fields.size() > 3 ? fields.at(3).toDouble(&isNumber) : 0;
    if (isNumber)
        return rate;
    std::fprintf(stderr, "redis-benchmark: %s\n", process.readAllStandardError().constData());
    return std::nullopt;
}

} // namespace

std::optional<double> redisBenchmarkPairs(
    const testsupport::RedisServer &server, int connections, lockcore::Millis about)
{
    const lockcore::ScriptCall acquire = acquireCall(1);
    server.cli({ u"HSET"_s, text(acquire.keys.at(0)), text(acquire.arguments.at(1)), u"1000000000"_s });
    const auto acquires = rate(server, connections, about, acquire);
    const auto unlocks = rate(server, connections, about, unlockCall(1, EachAnother));
    if (!acquires || !unlocks)
        return std::nullopt;
    return 1 / (1 / *acquires + 1 / *unlocks);
}

} // namespace lockbench
