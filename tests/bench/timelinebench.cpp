// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/rounds.h"
#include "ui/charts/timeline_view.h"
#include "ui/support/freshness.h"
#include "ui/text/client_names.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QImage>
#include <QSettings>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <random>

using namespace Qt::StringLiterals;
using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr Millis Hour{ 3'600'000 };
constexpr double Goal = 1'000 / 60.0; // milliseconds a frame

struct TimelinePlan : lockbench::Rounds {
    int locks = 500;
    int events = 2'000'000;
};

/// Fair locks that some clients fight for during the last hour: each hold is waited for, renewed and given back or
/// lost.
class BusyHour {
public:
    BusyHour(const TimelinePlan &plan, WallTime end)
        : m_end(end)
    {
        const int ofOne = plan.events / plan.locks;
        for (int lock = 0; lock < plan.locks; ++lock)
            m_lanes.push_back(eventsOf("order:" + std::to_string(lock), ofOne));
    }
    void tell(lockui::Timeline &timeline) const
    {
        for (const auto &lane : m_lanes)
            for (const Event &event : lane)
                timeline.add(event);
    }

private:
    static constexpr int Clients = 12;
    static constexpr int EventsOfHold = 5;

    std::vector<Event> eventsOf(const LockName &lock, int count)
    {
        std::vector<Event> events;
        events.reserve(static_cast<std::size_t>(count));
        const double step = double(Hour.count()) / count;
        for (int i = 0; i < count; ++i) {
            Event event;
            event.at = m_end - Hour + Millis(static_cast<Millis::rep>(i * step));
            event.lock = lock;
            event.lockKind = synchronizers::Kind::Fair;
            event.node = "127.0.0.1:6379";
            event.count = 1;
            const int hold = i / EventsOfHold;
            const auto owner = [&](int number) {
                return OwnerId{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a" + std::to_string(100 + number % Clients), "7" };
            };
            event.owner = owner(hold);
            switch (i % EventsOfHold) {
            case 0:
                event.kind = EventKind::Acquired;
                break;
            case 1:
            case 2:
                event.kind = EventKind::Queued;
                event.owner = owner(hold + i % EventsOfHold);
                break;
            case 3:
                event.kind = EventKind::Renewed;
                break;
            default:
                event.kind = m_random() % 50 == 0 ? EventKind::Expired : EventKind::Released;
            }
            events.push_back(event);
        }
        return events;
    }

    const WallTime m_end;
    std::mt19937 m_random{ 7 };
    std::vector<std::vector<Event>> m_lanes;
};

class TimelineBenchmark : lockbench::BenchmarkInRounds {
public:
    explicit TimelineBenchmark(const TimelinePlan &plan)
        : BenchmarkInRounds(plan)
        , m_plan(plan)
    {
        m_clock.freezeAt(m_clock.now());
        const BusyHour hour(plan, m_clock.wallAt(m_clock.now()));
        QElapsedTimer passed;
        passed.start();
        hour.tell(m_timeline);
        m_microsecondsAnEvent = double(passed.nsecsElapsed()) / 1e3 / plan.events;
        std::vector<lockui::Timeline::LaneId> lanes;
        for (lockui::Timeline::LaneId id = 0; id < m_timeline.laneCount(); ++id)
            lanes.push_back(id);
        m_view.setLanes(std::move(lanes), {});
        m_view.resize(1'920, 1'080);
        m_view.show();
    }

    std::vector<lockbench::Row> run()
    {
        return measure([this] {
            if (isWanted(u"event"_s))
                row({ .name = u"taking in an event"_s, .unit = u"µs"_s, .better = lockbench::Better::Lower })
                    .ours.push_back(m_microsecondsAnEvent);
            press(Qt::Key_Home);
            measureFrames(
                u"panned, the whole hour"_s, [this](int i) { press(i % 2 == 0 ? Qt::Key_Left : Qt::Key_Right); });
            measureFrames(
                u"zoomed, from the hour to a second and back"_s, [this](int i) { wheel(i % 80 < 40 ? 1 : -1); });
            press(Qt::Key_Home);
            for (int i = 0; i < 14; ++i)
                wheel(1);
            measureFrames(
                u"panned, some minutes"_s, [this](int i) { press(i % 2 == 0 ? Qt::Key_Left : Qt::Key_Right); });
        });
    }

private:
    template <typename Act>
    void measureFrames(const QString &name, Act act)
    {
        if (!isWanted(name))
            return;
        constexpr int Frames = 160;
        std::vector<double> times;
        for (int i = 0; i < Frames; ++i) {
            QElapsedTimer passed;
            passed.start();
            act(i);
            m_view.viewport()->render(&m_picture);
            times.push_back(double(passed.nsecsElapsed()) / 1e6);
        }
        row({ .name = name + u", median frame"_s, .unit = u"ms"_s, .better = lockbench::Better::Lower })
            .ours.push_back(lockbench::percentile(times, 0.5));
        row({ .name = name + u", p99"_s, .unit = u"ms"_s, .better = lockbench::Better::Lower, .goal = Goal })
            .ours.push_back(lockbench::percentile(times, 0.99));
    }
    void press(Qt::Key key)
    {
        QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
        QApplication::sendEvent(&m_view, &press);
    }
    void wheel(int turns)
    {
        const QPointF at(m_view.width() * 0.6, m_view.height() * 0.5);
        QWheelEvent turn(
            at, m_view.mapToGlobal(at), {}, { 0, 120 * turns }, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view.viewport(), &turn);
    }

    const TimelinePlan m_plan;
    QImage m_picture{ 1'920, 1'080, QImage::Format_ARGB32_Premultiplied };
    QTemporaryDir m_folder;
    QSettings m_settings{ m_folder.filePath(u"settings.ini"_s), QSettings::IniFormat };
    lockui::Theme m_theme{ *qApp };
    lockui::ViewClock m_clock;
    lockui::ClientNames m_names{ m_settings };
    lockui::Timeline m_timeline;
    double m_microsecondsAnEvent = 0;
    lockui::TimelineView m_view{ m_theme, m_clock, m_names, m_timeline };
};

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(u"Measures what a frame of the timeline costs while it is panned and zoomed."_s);
    options.addHelpOption();
    lockbench::addRoundsOptions(options, u"Few events: whether it runs, not how much it takes."_s);
    options.addOptions({ { u"locks"_s, u"Lanes; 500."_s, u"N"_s },
        { u"events"_s, u"In the hour that is shown, of all locks; 2000000."_s, u"N"_s } });
    options.process(app);
    TimelinePlan plan;
    lockbench::read(options, plan);
    if (options.isSet(u"quick"_s))
        plan = { { plan.rounds, plan.only }, 20, 2'000 };
    if (options.isSet(u"locks"_s))
        plan.locks = lockbench::atLeastOne(options, u"locks"_s);
    if (options.isSet(u"events"_s))
        plan.events = std::max(plan.locks, lockbench::atLeastOne(options, u"events"_s));
    return lockbench::present(TimelineBenchmark(plan).run(), plan.rounds, options.value(u"json"_s));
}
