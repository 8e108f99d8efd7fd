// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchmark.h"

#include <QCommandLineParser>
#include <QCoreApplication>

using namespace Qt::StringLiterals;

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(
        u"Measures lockcore against redis-benchmark and Redisson, on a private server."_s);
    options.addHelpOption();
    lockbench::addRoundsOptions(options, u"A fraction of a second for each: whether it runs, not how fast."_s);
    options.addOption({ u"without-redisson"_s, u"Needs neither Java nor the network."_s });
    options.process(app);

    lockbench::Plan plan = options.isSet(u"quick"_s) ? lockbench::quickPlan() : lockbench::Plan{};
    lockbench::read(options, plan);
    plan.redisson = !options.isSet(u"without-redisson"_s);
    const auto rows = lockbench::measure(plan);
    return rows ? lockbench::present(*rows, plan.rounds, options.value(u"json"_s)) : 1;
}
