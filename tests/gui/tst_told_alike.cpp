// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/statistics.h"
#include "lockcore/synchronizers/catalog.h"
#include "sample_snapshot.h"
#include "ui/models/activity.h"
#include "ui/models/hold_times.h"
#include "ui/models/timeline.h"

#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

const LockName Lock = "it";
const WallTime Start{ Millis(1'800'000'000'000) };
const MonoTime MonoStart{ 1h };

/// The life of one lock on one server as the monitor would tell it, as chance has it.
class Story {
public:
    Story(quint32 seed, synchronizers::Kind kind, bool runsOut, bool goesOn = false)
        : m_random(seed)
        , m_kind(kind)
        , m_runsOut(runsOut)
    {
        if (goesOn)
            findThere();
    }

    std::vector<Event> told(int steps)
    {
        while (steps-- > 0) {
            m_now += Millis(below(4'000));
            if (below(12) == 0)
                loseSight();
            else if (below(20) == 0)
                emptyDatabase();
            else if (m_kind == synchronizers::Kind::Fair && below(3) == 0)
                changeQueue();
            else if (m_holders.empty() || (m_kind == synchronizers::Kind::ReadWrite && below(3) == 0))
                acquire(sureness());
            else
                goOn(m_holders[std::size_t(below(int(m_holders.size())))]);
        }
        return std::move(m_events);
    }

private:
    struct Hold {
        OwnerId owner;
        std::int64_t count = 1;
    };

    int below(int limit) { return m_random.bounded(limit); }
    OwnerId someone() { return { std::string(1, char('a' + below(4))), "1" }; }
    Certainty sureness() { return below(5) == 0 ? Certainty::Inferred : Certainty::Seen; }
    bool isQueued(const OwnerId &owner) const { return std::ranges::find(m_queue, owner) != m_queue.end(); }

    Event &tell(EventKind kind, const std::optional<OwnerId> &owner, Certainty certainty = Certainty::Seen)
    {
        Event event;
        event.at = Start + m_now;
        event.kind = kind;
        event.lock = Lock;
        event.lockKind = m_kind;
        event.owner = owner;
        event.node = "n1";
        event.certainty = certainty;
        if (m_runsOut && owner)
            event.ttl = 30s;
        return m_events.emplace_back(std::move(event));
    }

    bool isHolder(const OwnerId &owner) const
    {
        return std::ranges::find(m_holders, owner, &Hold::owner) != m_holders.end();
    }

    /// As a recording begins: since when what goes on did so may be known.
    void findThere()
    {
        const auto find = [this](EventKind kind, const OwnerId &owner) -> Event & {
            Event &found = tell(kind, owner);
            found.since = KnownSince{ found.at - Millis(below(9'000)), below(3) > 0 };
            return found;
        };
        m_holders.push_back({ someone() });
        find(EventKind::Appeared, m_holders.front().owner).count = 1;
        for (int i = 0; m_kind == synchronizers::Kind::Fair && i < 2; ++i) {
            const OwnerId who = someone();
            if (isQueued(who) || isHolder(who))
                continue;
            m_queue.push_back(who);
            find(EventKind::FoundQueued, who);
        }
    }

    void acquire(Certainty certainty)
    {
        const OwnerId owner = m_queue.empty() ? someone() : m_queue.front();
        if (isHolder(owner))
            return;
        std::erase(m_queue, owner);
        m_holders.push_back({ owner });
        tell(EventKind::Acquired, owner, certainty).count = 1;
    }

    void goOn(Hold &hold)
    {
        switch (below(8)) {
        case 0:
            tell(EventKind::Reentered, hold.owner, sureness()).count = ++hold.count;
            break;
        case 1:
            if (hold.count > 1)
                tell(EventKind::PartlyReleased, hold.owner, sureness()).count = --hold.count;
            break;
        case 2:
        case 3:
            tell(EventKind::Renewed, hold.owner, sureness()).count = hold.count;
            break;
        default:
            end(OwnerId(hold.owner), sureness());
        }
    }

    void end(const OwnerId &owner, Certainty certainty)
    {
        constexpr std::array Ends{ EventKind::Released, EventKind::Expired, EventKind::ForceReleased,
            EventKind::Deleted };
        tell(Ends.at(std::size_t(below(4))), owner, certainty);
        std::erase_if(m_holders, [&](const Hold &hold) { return hold.owner == owner; });
    }

    void changeQueue()
    {
        const OwnerId who = someone();
        if (isQueued(who)) {
            std::erase(m_queue, who);
            if (below(3) == 0)
                lineUpAgain(who);
            else if (below(2) == 0)
                tell(EventKind::WaiterTimedOut, who, Certainty::Inferred);
            else if (Event &left = tell(EventKind::Dequeued, who, sureness()); below(3) == 0)
                left.count = 0; // it was a ghost
        } else if (!isHolder(who)) {
            m_queue.push_back(who);
            tell(EventKind::Queued, who, sureness());
        }
    }

    /// Between two looks: whether its client waited on all the time, nothing tells.
    void lineUpAgain(const OwnerId &who)
    {
        tell(below(2) == 0 ? EventKind::WaiterTimedOut : EventKind::Dequeued, who, Certainty::Inferred);
        tell(EventKind::Queued, who, Certainty::Inferred);
        m_queue.push_back(who);
    }

    void emptyDatabase()
    {
        Event &emptied = tell(EventKind::DatabaseEmptied, {});
        emptied.lock.clear();
        emptied.lockKind.reset();
        for (const Hold &hold : std::exchange(m_holders, {}))
            tell(EventKind::Deleted, hold.owner);
        for (const OwnerId &waiter : std::exchange(m_queue, {}))
            tell(EventKind::Dequeued, waiter);
    }

    /// What is found after it may go on, be another's by then, or be gone.
    void loseSight()
    {
        const Millis lasted(1 + below(3'000));
        m_now += lasted;
        Event &gap = tell(EventKind::Gap, {});
        gap.lock.clear();
        gap.lockKind.reset();
        gap.ttl = lasted;
        for (const OwnerId &waiter : std::vector(m_queue)) {
            if (below(3) == 0) {
                std::erase(m_queue, waiter);
                tell(EventKind::Dequeued, waiter, Certainty::Inferred);
            }
        }
        for (const Hold &hold : std::vector(m_holders)) {
            if (below(2) == 0)
                end(hold.owner, Certainty::Inferred);
            else if (below(3) == 0) // its deadline is another one: it may have been given back and taken again
                tell(EventKind::Renewed, hold.owner, Certainty::Inferred).count = hold.count;
        }
        if (m_holders.empty() && below(2) == 0)
            acquire(Certainty::Inferred);
    }

    QRandomGenerator m_random;
    Millis m_now{ 0 };
    synchronizers::Kind m_kind;
    bool m_runsOut; // holds have a deadline
    std::vector<Hold> m_holders; // several of a read lock
    std::vector<OwnerId> m_queue;
    std::vector<Event> m_events;
};

/// How many were seen whole, and how long they took together and at most.
struct Whole {
    std::int64_t number = 0;
    Millis total{ 0 };
    Millis longest{ 0 };

    void add(Millis took)
    {
        ++number;
        total += took;
        longest = std::max(longest, took);
    }
    bool operator==(const Whole &) const = default;
};

QByteArray text(const Whole &holds, const Whole &waits)
{
    const auto one = [](const Whole &whole) -> QByteArray {
        return QByteArray::number(qlonglong(whole.number)) + " in " + QByteArray::number(qlonglong(whole.total.count()))
            + " ms, at most " + QByteArray::number(qlonglong(whole.longest.count()));
    };
    return "holds: " + one(holds) + "; waits: " + one(waits);
}

QByteArray byStatistics(const std::vector<Event> &events)
{
    StatisticsStore store;
    for (const Event &event : events)
        store.heard(event, MonoStart + (event.at - Start));
    const LockStatistics *numbers = store.of(Lock);
    if (!numbers)
        return text({}, {});
    return text({ numbers->holds, numbers->heldTotal, numbers->heldLongest },
        { numbers->waits, numbers->waitedTotal, numbers->waitedLongest });
}

QByteArray byTimeline(const std::vector<Event> &events)
{
    Timeline timeline;
    for (const Event &event : events)
        timeline.add(event);
    Whole holds;
    Whole waits;
    const auto lane = timeline.laneOf(Lock);
    const auto add = [](Whole &whole, const std::vector<TimelineRow> &rows, bool onlySeenEnds) {
        for (const TimelineRow &row : rows) {
            for (const TimelineSpan &span : row.spans) {
                const bool isSeen = !span.beginInferred && (span.endCertainty == Certainty::Seen || !onlySeenEnds);
                const bool ended = span.end != TimelineSpan::End::None && span.end != TimelineSpan::End::NotSeen;
                if (span.beginSeen && ended && isSeen)
                    whole.add(span.to - span.from);
            }
        }
    };
    if (lane) {
        add(holds, timeline.lane(*lane).holds, false);
        add(waits, timeline.lane(*lane).waits, true);
    }
    return text(holds, waits);
}

/// What happens while all keys are looked at for the first time may be told before the first picture of them comes.
struct Beginning {
    std::vector<Event> before;
    WallTime picture;
    std::vector<Event> after;

    Beginning(const std::vector<Event> &events, std::ptrdiff_t early)
        : before(events.begin(), events.begin() + early)
        , picture(early > 0 ? before.back().at + 20ms : Start)
        , after(events.begin() + early, events.end())
    {
    }
};

std::optional<WallTime> tell(EventStore &store, const Beginning &told)
{
    store.add(told.before);
    store.heardFrom(told.picture);
    store.add(told.after);
    return store.since();
}

std::optional<WallTime> tell(Activity &activity, const Beginning &told)
{
    auto first = test::makeSnapshot(
        { MonoStart + (told.picture - Start), told.picture }, { test::makeLock("other", MonoStart) });
    first->status.phase = SourcePhase::Live;
    activity.heard(told.before);
    activity.observe(*first);
    activity.heard(told.after);
    return activity.since();
}

QByteArray byEventStore(const std::vector<Event> &events, std::ptrdiff_t early)
{
    EventStore store;
    tell(store, { events, early });
    Whole holds;
    Whole waits;
    for (EventStore::Place place = store.first(); place < store.end(); ++place) {
        const Event event = store.event(place);
        const EventContext context = store.contextOf(place);
        const auto beganSeen = [&] {
            for (EventStore::Place before = place; before-- > store.first();)
                if (const Event told = store.event(before); told.owner == event.owner && told.node == event.node
                    && (told.kind == EventKind::Acquired || told.kind == EventKind::Appeared))
                    return told.kind == EventKind::Acquired && told.certainty == Certainty::Seen;
            return true;
        };
        // What was told of as it stood was not seen to begin, also where it is known since when it was so.
        const auto isWithin = [&](const SeenTime &time) { return event.at - time.time >= Start; }; // what was watched
        if (endsHold(event.kind) && context.held && context.held->sureness != SeenTime::AtLeast && beganSeen())
            holds.add(context.held->time);
        const bool endsWait = event.kind == EventKind::Acquired || (leftQueue(event.kind) && !wasGhost(event));
        if (endsWait && context.waited && context.waited->sureness == SeenTime::Exact && isWithin(*context.waited))
            waits.add(context.waited->time);
    }
    return text(holds, waits);
}

QByteArray byActivity(const std::vector<Event> &events, std::ptrdiff_t early)
{
    Activity activity;
    tell(activity, { events, early });
    const auto whole = [&](bool ofWaits) {
        const WallTime end = events.back().at + 20s;
        const auto durations = ofWaits ? activity.waitsOf(Lock, Start, end) : activity.holdsOf(Lock, Start, end);
        return Whole{ durations.histogram.total(), {}, durations.histogram.quantile(1).value_or(Millis(0)) };
    };
    return text(whole(false), whole(true));
}

/// What the histograms tell: they do not keep sums.
QByteArray withoutTotals(QByteArray text)
{
    static const QRegularExpression Total(QStringLiteral(" in [0-9]+ ms"));
    return QString::fromLatin1(text).replace(Total, QStringLiteral(" in 0 ms")).toLatin1();
}

/// The timeline draws who stood in the queue, also where nobody listened.
std::vector<Event> withLivingWaiters(std::vector<Event> events)
{
    for (Event &event : events) {
        if (wasGhost(event))
            event.count.reset();
    }
    return events;
}

} // namespace

/// How long a lock was held and waited for is concluded in four places, which have to tell the same.
class ToldAlikeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wholeHoldsAndWaits_data()
    {
        QTest::addColumn<synchronizers::Kind>("kind");
        QTest::addColumn<bool>("runsOut");
        QTest::addColumn<bool>("goesOn");
        QTest::addColumn<quint32>("seed");
        for (const auto kind : { synchronizers::Kind::Fair, synchronizers::Kind::ReadWrite }) {
            for (const bool runsOut : { false, true }) {
                for (const bool goesOn : { false, true })
                    for (quint32 seed = 1; seed <= 200; ++seed)
                        QTest::addRow("%s%s%s %u", synchronizers::nameOf(kind), runsOut ? " that runs out" : "",
                            goesOn ? ", held already" : "", seed)
                            << kind << runsOut << goesOn << seed;
            }
        }
    }
    void wholeHoldsAndWaits()
    {
        QFETCH(const synchronizers::Kind, kind);
        QFETCH(const bool, runsOut);
        QFETCH(const bool, goesOn);
        QFETCH(const quint32, seed);
        const std::vector<Event> events = Story(seed, kind, runsOut, goesOn).told(60);
        const QByteArray expected = byStatistics(events);
        const auto early = std::ptrdiff_t(seed % 4); // so many are told before the first picture
        QCOMPARE(byEventStore(events, early), expected);
        if (!runsOut && !goesOn) // else it draws a hold that goes on over a gap as two, or draws a part
            QCOMPARE(byTimeline(events), byStatistics(withLivingWaiters(events)));
        QCOMPARE(byActivity(events, early), withoutTotals(expected));
    }

    void sinceWhenItWasHeard()
    {
        for (std::ptrdiff_t early = 0; early < 4; ++early) {
            const Beginning told(Story(7, synchronizers::Kind::Fair, true).told(20), early);
            EventStore store;
            Activity activity;
            const std::optional<WallTime> since = tell(store, told);
            QCOMPARE(since, std::optional(early > 0 ? told.before.front().at : Start));
            QCOMPARE(tell(activity, told), since);
        }
    }

    void whatAServerWentThroughIsNoWordOfItsLocks()
    {
        Event restarted;
        restarted.kind = EventKind::ServerRestarted;
        restarted.at = Start - 1h;
        Event lost;
        lost.kind = EventKind::Gap;
        lost.at = Start - 30min;
        Beginning told({ restarted, lost }, 2);
        told.picture = Start;
        EventStore store;
        Activity activity;
        QCOMPARE(tell(store, told), std::optional(Start));
        QCOMPARE(tell(activity, told), std::optional(Start));
    }
};

QTEST_GUILESS_MAIN(ToldAlikeTest)
#include "tst_told_alike.moc"
