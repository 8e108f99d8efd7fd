// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/redis_benchmark.h"

#include "tests/bench/bare_loop.h"

#include <QProcess>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace lockbench {

namespace {

constexpr int LimitMs = 120'000;
constexpr qint64 RequestsPerMs = 20; // roughly: what is measured is a rate

} // namespace

std::optional<double> redisBenchmarkAcquires(
    const testsupport::RedisServer &server, int connections, lockcore::Millis about)
{
    QStringList arguments{ u"-p"_s, QString::number(server.port()), u"-c"_s, QString::number(connections), u"-n"_s,
        QString::number(RequestsPerMs * about.count()), u"--csv"_s };
    for (const std::string &word : bareAcquire())
        arguments << QString::fromStdString(word);
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

} // namespace lockbench
