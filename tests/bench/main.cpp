// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchmark.h"
#include "tests/bench/report.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(
        u"Measures lockcore against redis-benchmark and Redisson, on a private server."_s);
    options.addHelpOption();
    options.addOptions({ { u"rounds"_s, u"How often each figure is measured."_s, u"N"_s, u"5"_s },
        { u"json"_s, u"Writes the figures of every round there."_s, u"FILE"_s },
        { u"only"_s, u"The figures whose name has this in it."_s, u"TEXT"_s },
        { u"quick"_s, u"A fraction of a second for each: whether it runs, not how fast."_s },
        { u"without-redisson"_s, u"Needs neither Java nor the network."_s } });
    options.process(app);

    lockbench::Plan plan = options.isSet(u"quick"_s) ? lockbench::quickPlan() : lockbench::Plan{};
    plan.rounds = std::max(1, options.value(u"rounds"_s).toInt());
    plan.only = options.value(u"only"_s);
    plan.redisson = !options.isSet(u"without-redisson"_s);
    const auto rows = lockbench::measure(plan);
    if (!rows)
        return 1;
    return lockbench::present(*rows, plan.rounds, options.value(u"json"_s));
}
