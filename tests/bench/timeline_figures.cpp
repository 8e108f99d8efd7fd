// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bare_stage.h"
#include "tests/bench/ui_plan.h"
#include "tests/support/heap.h"
#include "ui/charts/timeline_view.h"

#include <QElapsedTimer>
#include <QWheelEvent>

#include <memory>
#include <random>

using namespace Qt::StringLiterals;

namespace lockbench {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr Millis Hour{ 3'600'000 };
constexpr double MostMegabytes = 400;

double heapMegabytes() { return static_cast<double>(testsupport::heapBytes()) / 1e6; }

/// Fair locks that some clients fight for during an hour, told in the order of time: each hold is waited for, renewed
/// and given back or lost.
class BusyHour {
public:
    BusyHour(const UiPlan &plan, WallTime end)
        : m_plan(plan)
        , m_end(end)
    {
    }

    /// Returns the microseconds that it took to take it in.
    double tell(lockui::EventStore &store, lockui::Timeline &timeline)
    {
        qint64 taken = 0;
        for (auto events = next(); !events.empty(); events = next()) {
            QElapsedTimer passed;
            passed.start();
            store.add(events);
            timeline.catchUp(store);
            taken += passed.nsecsElapsed();
        }
        return double(taken) / 1e3;
    }

private:
    std::vector<Event> next()
    {
        constexpr int AtOnce = 50'000;
        std::vector<Event> events;
        for (int i = 0; i < AtOnce && m_told < m_plan.events; ++i, ++m_told)
            events.push_back(eventOf(m_told % m_plan.lanes, m_told / m_plan.lanes));
        return events;
    }

    static constexpr int Clients = 12;
    static constexpr int EventsOfHold = 5;

    static OwnerId owner(int number)
    {
        return { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a" + std::to_string(100 + number % Clients), "7" };
    }
    Event eventOf(int lock, int i)
    {
        const double part = double(m_told) / m_plan.events;
        Event event;
        event.at = m_end - Hour + Millis(static_cast<Millis::rep>(part * double(Hour.count())));
        event.lock = "order:" + std::to_string(lock);
        event.lockKind = synchronizers::Kind::Fair;
        event.node = "127.0.0.1:6379";
        event.count = 1;
        const int hold = i / EventsOfHold;
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
        return event;
    }

    const UiPlan m_plan;
    const WallTime m_end;
    std::mt19937 m_random{ 7 };
    int m_told = 0;
};

/// A view of that hour, and what the window keeps of it.
struct TimelineStage : BareStage {
    explicit TimelineStage(const UiPlan &plan)
    {
        clock.freezeAt(clock.now());
        const WallTime now = clock.wallAt(clock.now());
        const double before = heapMegabytes();
        microsecondsAnEvent = BusyHour(plan, now).tell(store, timeline) / plan.events;
        megabytes = heapMegabytes() - before;
        minutes = double((now - *timeline.knownFrom()).count()) / 60e3;
        std::vector<lockui::Timeline::LaneId> lanes;
        for (lockui::Timeline::LaneId id = 0; id < timeline.laneCount(); ++id)
            lanes.push_back(id);
        view.setLanes(std::move(lanes), {});
        view.resize(1'920, 1'080);
        view.show();
    }

    lockui::Timeline timeline;
    double microsecondsAnEvent = 0;
    double megabytes = 0; // of store and timeline
    double minutes = 0; // that are kept
    lockui::TimelineView view{ theme, clock, names, timeline };
};

class TimelineBenchmark : UiBenchmark {
public:
    using UiBenchmark::UiBenchmark;

    std::vector<Row> run()
    {
        return measure([this] {
            figure({ .name = u"timeline: taking in an event"_s, .unit = u"µs"_s, .better = Better::Lower },
                &TimelineStage::microsecondsAnEvent);
            figure({ .name = u"timeline: the hour in memory"_s,
                       .unit = u"MB"_s,
                       .better = Better::Lower,
                       .goal = MostMegabytes },
                &TimelineStage::megabytes);
            figure({ .name = u"timeline: shown of the hour"_s, .unit = u"minutes"_s, .goal = 59.9 },
                &TimelineStage::minutes);
            more();
            const auto pan = [this](int i) { press(i % 2 == 0 ? Qt::Key_Left : Qt::Key_Right); };
            const auto showAll = [this] { press(Qt::Key_Home); };
            measureFrames(u"timeline: the whole hour, panned"_s, showAll, pan);
            measureFrames(u"timeline: from the hour to a second and back"_s, showAll,
                [this](int i) { wheel(i % 80 < 40 ? 1 : -1); });
            const auto showMinutes = [this, showAll] {
                showAll();
                for (int i = 0; i < 14; ++i)
                    wheel(1);
            };
            measureFrames(u"timeline: some minutes, panned"_s, showMinutes, pan);
        });
    }

private:
    TimelineStage &stage()
    {
        if (!m_stage)
            m_stage = std::make_unique<TimelineStage>(m_plan);
        return *m_stage;
    }
    void figure(const Row &form, double TimelineStage::*value)
    {
        if (isWanted(form.name))
            add(form, stage().*value);
    }
    /// Further hours, of a timeline that nobody looks at: what is kept is bounded, and said to be no more than it is.
    void more()
    {
        const Row memory{ .name = u"timeline: three such hours in memory"_s,
            .unit = u"MB"_s,
            .better = Better::Lower,
            .goal = MostMegabytes };
        const Row shown{ .name = u"timeline: shown of them"_s, .unit = u"minutes"_s };
        if (!isWanted(memory.name) && !isWanted(shown.name))
            return;
        constexpr int Hours = 3;
        lockui::EventStore store;
        lockui::Timeline timeline;
        const double before = heapMegabytes();
        const WallTime begin(std::chrono::hours(500'000));
        for (int hour = 1; hour <= Hours; ++hour)
            BusyHour(m_plan, begin + hour * Hour).tell(store, timeline);
        add(memory, heapMegabytes() - before);
        add(shown, double((begin + Hours * Hour - *timeline.knownFrom()).count()) / 60e3);
    }
    template <typename Prepare, typename Act>
    void measureFrames(const QString &name, Prepare prepare, Act act)
    {
        if (!isWanted(name))
            return;
        constexpr int Frames = 160;
        stage();
        prepare();
        QCoreApplication::processEvents();
        m_frames.begin();
        for (int i = 0; i < Frames; ++i) {
            act(i);
            m_stage->view.viewport()->update(); // also where it can be zoomed no further
            const auto painted = m_frames.frames().milliseconds.size();
            while (m_frames.frames().milliseconds.size() == painted)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        addFrames(name);
    }
    void press(Qt::Key key)
    {
        QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
        QCoreApplication::sendEvent(&stage().view, &press);
    }
    void wheel(int turns)
    {
        lockui::TimelineView &view = stage().view;
        const QPointF at(view.width() * 0.6, view.height() * 0.5);
        QWheelEvent turn(
            at, view.mapToGlobal(at), {}, { 0, 120 * turns }, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view.viewport(), &turn);
    }

    std::unique_ptr<TimelineStage> m_stage; // with the first figure that needs it
};

} // namespace

std::vector<Row> timelineFigures(const UiPlan &plan, FrameWatcher &frames)
{
    return TimelineBenchmark(plan, frames).run();
}

} // namespace lockbench
