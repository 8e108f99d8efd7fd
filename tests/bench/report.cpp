// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/report.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSysInfo>
#include <QThread>
#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace lockbench {

namespace {

/// Round by round, so that what slowed one round down slowed both.
std::optional<double> ratio(const std::vector<double> &ours, const std::vector<double> &other)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(ours.size(), other.size()); ++i)
        ratios.push_back(ours[i] / other[i]);
    return ratios.empty() ? std::nullopt : std::optional(median(ratios));
}

std::optional<bool> reached(const Row &row, std::optional<double> value, std::optional<double> goal)
{
    if (!value || !goal)
        return std::nullopt;
    return row.better == Better::Higher ? *value >= *goal : *value <= *goal;
}

QString number(double value) { return QString::number(value, 'f', value < 100 ? 2 : 0); }

QString measured(const std::vector<double> &values)
{
    if (values.empty())
        return u"–"_s;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return u"%1 (%2…%3)"_s.arg(number(median(values)), number(*low), number(*high));
}

QString judged(const Row &row, std::optional<double> value, std::optional<double> goal)
{
    if (!value)
        return u"–"_s;
    const auto good = reached(row, value, goal);
    if (!good)
        return number(*value);
    return u"%1 (%2 %3: %4)"_s.arg(
        number(*value), row.better == Better::Higher ? u"≥"_s : u"≤"_s, number(*goal), *good ? u"yes"_s : u"NO"_s);
}

QJsonObject series(const std::vector<double> &values)
{
    QJsonArray all;
    for (const double value : values)
        all.append(value);
    return { { u"median"_s, values.empty() ? QJsonValue() : QJsonValue(median(values)) }, { u"rounds"_s, all } };
}

QJsonObject comparison(const Row &row, std::optional<double> value, std::optional<double> goal)
{
    const auto good = reached(row, value, goal);
    return { { u"value"_s, value ? QJsonValue(*value) : QJsonValue() },
        { u"goal"_s, goal ? QJsonValue(*goal) : QJsonValue() },
        { u"reached"_s, good ? QJsonValue(*good) : QJsonValue() } };
}

std::optional<double> own(const Row &row) { return row.ours.empty() ? std::nullopt : std::optional(median(row.ours)); }

} // namespace

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double percentile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

QString table(const std::vector<Row> &rows)
{
    std::vector<QStringList> lines{ { u"figure"_s, u"unit"_s, u"redis-benchmark"_s, u"bare loop"_s, u"lockcore"_s,
        u"Redisson"_s, u"of redis-benchmark"_s, u"of bare loop"_s, u"of Redisson"_s } };
    for (const Row &row : rows) {
        QString ours = measured(row.ours);
        if (const auto good = reached(row, own(row), row.goal))
            ours += u" (%1 %2: %3)"_s.arg(
                row.better == Better::Higher ? u"≥"_s : u"≤"_s, number(*row.goal), *good ? u"yes"_s : u"NO"_s);
        lines.push_back({ row.name, row.unit, measured(row.limit), measured(row.bare), ours, measured(row.peer),
            judged(row, ratio(row.ours, row.limit), row.goalOfLimit),
            judged(row, ratio(row.ours, row.bare), row.goalOfBare),
            judged(row, ratio(row.ours, row.peer), row.goalOfPeer) });
    }
    QStringList text(qsizetype(lines.size()));
    for (qsizetype column = 0; column < lines.front().size(); ++column) {
        const bool isEmpty = std::all_of(
            lines.begin() + 1, lines.end(), [column](const QStringList &line) { return line.at(column) == u"–"_s; });
        if (isEmpty)
            continue;
        qsizetype width = 0;
        for (const QStringList &line : lines)
            width = std::max(width, line.at(column).size());
        for (qsizetype i = 0; i < text.size(); ++i)
            text[i] += lines[static_cast<std::size_t>(i)].at(column).leftJustified(width + 2);
    }
    return text.join(u'\n') + u'\n';
}

QJsonObject json(const std::vector<Row> &rows)
{
    QJsonArray all;
    for (const Row &row : rows) {
        all.append(QJsonObject{ { u"name"_s, row.name }, { u"unit"_s, row.unit },
            { u"better"_s, row.better == Better::Higher ? u"higher"_s : u"lower"_s }, { u"limit"_s, series(row.limit) },
            { u"bare"_s, series(row.bare) }, { u"ours"_s, series(row.ours) }, { u"peer"_s, series(row.peer) },
            { u"ofLimit"_s, comparison(row, ratio(row.ours, row.limit), row.goalOfLimit) },
            { u"ofBare"_s, comparison(row, ratio(row.ours, row.bare), row.goalOfBare) },
            { u"ofPeer"_s, comparison(row, ratio(row.ours, row.peer), row.goalOfPeer) },
            { u"itself"_s, comparison(row, own(row), row.goal) } });
    }
    return { { u"rows"_s, all } };
}

bool write(const QString &file, const QJsonObject &report)
{
    const QByteArray text = QJsonDocument(report).toJson();
    QFile target(file);
    if (target.open(QIODevice::WriteOnly) && target.write(text) == text.size())
        return true;
    std::fprintf(stderr, "%s: %s\n", qPrintable(file), qPrintable(target.errorString()));
    return false;
}

int present(const std::vector<Row> &rows, int rounds, const QString &jsonFile)
{
    std::fputs(qUtf8Printable(table(rows)), stdout);
    if (jsonFile.isEmpty())
        return 0;
    QJsonObject report = json(rows);
    report.insert(u"rounds"_s, rounds);
    report.insert(u"cores"_s, QThread::idealThreadCount());
    report.insert(u"system"_s, QString(QSysInfo::prettyProductName() + u", "_s + QSysInfo::currentCpuArchitecture()));
    return write(jsonFile, report) ? 0 : 1;
}

} // namespace lockbench
