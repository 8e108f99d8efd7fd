// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/painted_frames.h"
#include "tests/bench/ui_plan.h"

#include <QCommandLineParser>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;
using namespace lockbench;

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    FrameWatcher app(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    QCommandLineParser options;
    options.setApplicationDescription(u"Measures what the window costs: its frames, its start, and its rest."_s);
    options.addHelpOption();
    addRoundsOptions(options, u"Little of everything: whether it runs, not how much it takes."_s);
    options.addOptions({ { u"lanes"_s, u"Locks of the timeline; 500."_s, u"N"_s },
        { u"events"_s, u"In the hour that the timeline shows, of all its locks; 2000000."_s, u"N"_s },
        { u"locks"_s, u"That are held all the time; 100000."_s, u"N"_s },
        { u"changes"_s, u"A second, of further locks; 1000."_s, u"N"_s },
        { u"for"_s, u"How long the window is watched while something changes; 20."_s, u"SECONDS"_s } });
    options.process(app);
    UiPlan plan;
    read(options, plan);
    if (options.isSet(u"quick"_s))
        plan = { { plan.rounds, plan.only }, 20, 2'000, 200, 100, lockcore::Millis(300), lockcore::Millis(500), false };
    const auto take = [&options](const QString &name, int &value) {
        if (options.isSet(name))
            value = atLeastOne(options, name);
    };
    take(u"lanes"_s, plan.lanes);
    take(u"events"_s, plan.events);
    take(u"locks"_s, plan.locks);
    take(u"changes"_s, plan.changes);
    if (options.isSet(u"for"_s))
        plan.watched = lockcore::Millis(1'000 * atLeastOne(options, u"for"_s));
    std::vector<Row> rows = timelineFigures(plan, app);
    for (const auto figures : { eventFigures, windowFigures })
        std::ranges::copy(figures(plan, app), std::back_inserter(rows));
    return rows.empty() ? 1 : present(rows, plan.rounds, options.value(u"json"_s));
}
