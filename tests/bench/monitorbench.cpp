// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/monitor_figures.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(u"Measures what seeing costs, on private servers."_s);
    options.addHelpOption();
    options.addOptions({ { u"rounds"_s, u"How often each figure is measured."_s, u"N"_s, u"5"_s },
        { u"keys"_s, u"In the database; 1000000."_s, u"N"_s }, { u"locks"_s, u"Among them; 100000."_s, u"N"_s },
        { u"json"_s, u"Writes the figures of every round there."_s, u"FILE"_s },
        { u"only"_s, u"The figures whose name has this in it."_s, u"TEXT"_s },
        { u"quick"_s, u"Few keys and a fraction of a second for each: whether it runs, not how fast."_s } });
    options.process(app);

    auto plan = options.isSet(u"quick"_s) ? lockbench::quickMonitorPlan() : lockbench::MonitorPlan{};
    plan.rounds = std::max(1, options.value(u"rounds"_s).toInt());
    plan.only = options.value(u"only"_s);
    if (options.isSet(u"keys"_s))
        plan.size.keys = options.value(u"keys"_s).toInt();
    if (options.isSet(u"locks"_s))
        plan.size.locks = options.value(u"locks"_s).toInt();
    const auto rows = lockbench::measureMonitor(plan);
    return rows ? lockbench::present(*rows, plan.rounds, options.value(u"json"_s)) : 1;
}
