// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/report.h"

#include <deque>
#include <functional>

class QCommandLineParser;

namespace lockbench {

/// How often the figures are measured, and which: those whose name has that in it.
struct Rounds {
    int rounds = 5;
    QString only;
};

/// A benchmark that goes over the same figures again and again, so that a busy moment does not hit one alone.
class BenchmarkInRounds {
protected:
    explicit BenchmarkInRounds(const Rounds &rounds);

    bool isWanted(const QString &name) const { return name.contains(m_rounds.only); }
    Row &row(const Row &form); // that of the rounds before, if there is one
    void add(const Row &form, double ours); // and says it at once, on stderr: some figures take a quarter of an hour
    std::vector<Row> measure(const std::function<void()> &round);

private:
    const Rounds m_rounds;
    std::deque<Row> m_rows; // references to them stay good
};

/// `--rounds`, `--only`, `--quick` and `--json`.
void addRoundsOptions(QCommandLineParser &options, const QString &quick);
void read(const QCommandLineParser &options, Rounds &rounds);

int atLeastOne(const QCommandLineParser &options, const QString &name);

} // namespace lockbench
