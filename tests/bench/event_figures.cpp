// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bare_stage.h"
#include "tests/bench/ui_plan.h"
#include "ui/views/events_page.h"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace lockbench {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr double MostStepMs = 10; // of the sixteen that a frame has
constexpr int EventsOfName = 3;

/// The page of events, of an hour in which very much happened to so many locks.
struct EventStage : BareStage {
    EventStage(int events, int locks)
    {
        const WallTime now = clock.wallAt(clock.now());
        store.heardFrom(now - std::chrono::hours(1));
        std::vector<Event> some;
        for (int i = 0; i < events; ++i) {
            Event event;
            event.at = now - std::chrono::hours(1) + Millis(qint64(i) * 3'600'000 / events);
            event.kind = i % 2 == 0 ? EventKind::Acquired : EventKind::Released;
            event.lock = "order:" + std::to_string(i / 2 % locks);
            event.lockKind = synchronizers::Kind::Reentrant;
            event.owner = OwnerId{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a100", std::to_string(i / 2 % 12) };
            some.push_back(std::move(event));
            if (some.size() == 50'000 || i + 1 == events)
                store.add(std::exchange(some, {}));
        }
        page.resize(1'920, 1'080);
        page.setConnected(true);
        page.show();
    }

    lockui::EventsPage page{ theme, clock, names, store };
};

class EventBenchmark : UiBenchmark {
public:
    using UiBenchmark::UiBenchmark;

    std::vector<Row> run()
    {
        return measure([this] {
            typing(m_plan.lanes);
            typing(std::max(m_plan.events / EventsOfName, 1));
            goingBack();
        });
    }

private:
    /// Letter by letter, faster than all are looked at; that the last of them is, is waited for.
    void typing(int locks)
    {
        const QString of = u", %1 locks"_s.arg(locks);
        const Row step{ .name = u"events: longest step while a filter is typed"_s + of,
            .unit = u"ms"_s,
            .better = Better::Lower,
            .goal = MostStepMs };
        const Row whole{ .name = u"events: until all were looked at"_s + of, .unit = u"s"_s, .better = Better::Lower };
        if (!isWanted(step.name) && !isWanted(whole.name))
            return;
        EventStage stage(m_plan.events, locks);
        const auto &tally = stage.page.events().tally();
        wait([&] { return tally.isWhole(); });
        m_frames.begin();
        const QString text = u"name:nobody -order:7"_s;
        QElapsedTimer sinceTyped;
        for (qsizetype letters = 5; letters <= text.size(); ++letters) {
            const QString typed = text.left(letters);
            bool isOver = false;
            QTimer::singleShot(0, &stage.page, [&] {
                sinceTyped.start();
                if (const auto filter = LockFilter::parse(typed.toStdString()))
                    stage.page.setFilter(*filter, typed);
            });
            QTimer::singleShot(60, &stage.page, [&] { isOver = true; });
            wait([&] { return isOver; });
        }
        wait([&] { return tally.isWhole(); });
        add(whole, double(sinceTyped.nsecsElapsed()) / 1e9);
        add(step, m_frames.frames().longest);
    }
    /// By a key of the strip above: all events are rows then.
    void goingBack()
    {
        const Row step{ .name = u"events: longest step on the way to the oldest"_s,
            .unit = u"ms"_s,
            .better = Better::Lower,
            .goal = MostStepMs };
        if (!isWanted(step.name))
            return;
        EventStage stage(m_plan.events, m_plan.lanes);
        wait([&] { return stage.page.events().tally().isWhole(); });
        m_frames.begin();
        QTimer::singleShot(0, &stage.page, [&] {
            QKeyEvent press(QEvent::KeyPress, Qt::Key_Home, Qt::NoModifier);
            QCoreApplication::sendEvent(stage.page.findChild<lockui::EventDensity *>(), &press);
        });
        wait([&] { return stage.page.events().rowCount() == m_plan.events; });
        add(step, m_frames.frames().longest);
    }
    template <typename IsOver>
    static void wait(IsOver isOver)
    {
        while (!isOver())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
};

} // namespace

std::vector<Row> eventFigures(const UiPlan &plan, FrameWatcher &frames) { return EventBenchmark(plan, frames).run(); }

} // namespace lockbench
