// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/rounds.h"

#include <QCommandLineParser>
#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace lockbench {

BenchmarkInRounds::BenchmarkInRounds(const Rounds &rounds)
    : m_rounds(rounds)
{
}

Row &BenchmarkInRounds::row(const Row &form)
{
    const auto known
        = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return row.name == form.name; });
    return known == m_rows.end() ? m_rows.emplace_back(form) : *known;
}

void BenchmarkInRounds::add(const Row &form, double ours)
{
    row(form).ours.push_back(ours);
    std::fprintf(stderr, "  %s: %.2f %s\n", qPrintable(form.name), ours, qPrintable(form.unit));
}

std::vector<Row> BenchmarkInRounds::measure(const std::function<void()> &round)
{
    for (int number = 1; number <= m_rounds.rounds; ++number) {
        std::fprintf(stderr, "round %d of %d\n", number, m_rounds.rounds);
        round();
    }
    return { m_rows.begin(), m_rows.end() };
}

void addRoundsOptions(QCommandLineParser &options, const QString &quick)
{
    options.addOptions({ { u"rounds"_s, u"How often each figure is measured."_s, u"N"_s, u"5"_s },
        { u"json"_s, u"Writes the figures of every round there."_s, u"FILE"_s },
        { u"only"_s, u"The figures whose name has this in it."_s, u"TEXT"_s }, { u"quick"_s, quick } });
}

void read(const QCommandLineParser &options, Rounds &rounds)
{
    rounds.rounds = atLeastOne(options, u"rounds"_s);
    rounds.only = options.value(u"only"_s);
}

int atLeastOne(const QCommandLineParser &options, const QString &name)
{
    return std::max(1, options.value(name).toInt());
}

} // namespace lockbench
