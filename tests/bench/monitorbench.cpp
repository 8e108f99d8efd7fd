// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/monitor_figures.h"
#include "tests/bench/soak.h"
#include "tests/bench/soak_crowd.h"

#include <QCommandLineParser>
#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace {

/// `30m`, `90s`, `90`; zero: something else.
lockcore::Millis duration(QString text)
{
    const int seconds = text.endsWith(u'm') ? 60 : text.endsWith(u'h') ? 3'600 : 1;
    if (!text.isEmpty() && text.back().isLetter())
        text.chop(1);
    return lockcore::Millis(qint64{ 1'000 } * seconds * text.toInt());
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(u"Measures what seeing costs, on private servers."_s);
    options.addHelpOption();
    lockbench::addRoundsOptions(
        options, u"Few keys and a fraction of a second for each: whether it runs, not how fast."_s);
    options.addOptions(
        { { u"keys"_s, u"In the database; 1000000."_s, u"N"_s }, { u"locks"_s, u"Among them; 100000."_s, u"N"_s },
            { u"for"_s, u"Instead of that: watches a cluster in trouble for so long, such as 30m."_s, u"TIME"_s } });
    QCommandLineOption crowd(u"crowd"_s, {}, u"URL"_s); // a process of the crowd that is watched
    crowd.setFlags(QCommandLineOption::HiddenFromHelp);
    options.addOption(crowd);
    options.process(app);
    if (options.isSet(crowd))
        return lockbench::runCrowd(options.value(crowd).toStdString());
    if (options.isSet(u"for"_s))
        return lockbench::soak(duration(options.value(u"for"_s)));

    auto plan = options.isSet(u"quick"_s) ? lockbench::quickMonitorPlan() : lockbench::MonitorPlan{};
    lockbench::read(options, plan);
    if (options.isSet(u"keys"_s))
        plan.size.keys = options.value(u"keys"_s).toInt();
    if (options.isSet(u"locks"_s))
        plan.size.locks = options.value(u"locks"_s).toInt();
    const auto rows = lockbench::measureMonitor(plan);
    return rows ? lockbench::present(*rows, plan.rounds, options.value(u"json"_s)) : 1;
}
