// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/watch/comparison.h"

#include "lockcore/monitor/names.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <set>

namespace crowdwatch {

using lockcore::monitor::Certainty;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;
using lockcore::monitor::SuspectKind;

namespace {

constexpr Moment TooEarly{ 10'000 }; // the moments of events are whole milliseconds, and no clock is exact
constexpr Moment TooLate{ 10'000'000 }; // what is told later is of something else; how late is told in figures
constexpr Moment AroundADeadline{ 50'000 }; // there release and expiry cannot be told apart
constexpr Moment StaysFree{ 1'000'000 }; // shorter than that is a hand-over
constexpr Moment SoonTold{ 1'000'000 };
constexpr double LateBelow = 0.65; // of a lease; a watchdog renews when two thirds are left

constexpr int None = -1;

/// For each moment that was told the true one that it is of, in their order: as many as can be, and the nearest.
std::vector<int> match(const std::vector<Moment> &truth, const std::vector<Moment> &told)
{
    constexpr std::int64_t Match = std::int64_t{ 1 } << 40;
    const std::size_t width = truth.size() + 1;
    std::vector<std::int64_t> best((told.size() + 1) * width, 0);
    const auto gain = [&](std::size_t i, std::size_t j) -> std::int64_t {
        if (truth[j] > told[i] + TooEarly || told[i] > truth[j] + TooLate)
            return -1;
        return Match - std::abs((told[i] - truth[j]).count());
    };
    for (std::size_t i = 0; i < told.size(); ++i) {
        for (std::size_t j = 0; j < truth.size(); ++j) {
            auto &here = best[(i + 1) * width + j + 1];
            here = std::max(best[i * width + j + 1], best[(i + 1) * width + j]);
            if (const auto gained = gain(i, j); gained >= 0)
                here = std::max(here, best[i * width + j] + gained);
        }
    }
    std::vector<int> matches(told.size(), None);
    for (std::size_t i = told.size(), j = truth.size(); i > 0 && j > 0;) {
        const auto here = best[i * width + j];
        const auto gained = gain(i - 1, j - 1);
        if (gained >= 0 && here == best[(i - 1) * width + j - 1] + gained) {
            matches[--i] = static_cast<int>(--j);
        } else if (here == best[(i - 1) * width + j]) {
            --i;
        } else {
            --j;
        }
    }
    return matches;
}

Moment momentOf(const Event &event) { return event.at.time_since_epoch(); }

std::string inMillis(Moment time)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(time.count()) / 1e3);
    return text;
}

std::string clockTime(Moment at)
{
    const auto ofDay = at.count() % (std::int64_t{ 86'400 } * 1'000'000);
    char text[40];
    std::snprintf(text, sizeof text, "%02d:%02d:%09.6f", static_cast<int>(ofDay / 3'600'000'000),
        static_cast<int>(ofDay / 60'000'000 % 60), static_cast<double>(ofDay % 60'000'000) / 1e6);
    return text;
}

bool isBeginning(EventKind kind) { return kind == EventKind::Acquired || kind == EventKind::Appeared; }

bool isEnd(EventKind kind)
{
    return kind == EventKind::Released || kind == EventKind::Expired || kind == EventKind::ForceReleased
        || kind == EventKind::Deleted;
}

End endOf(EventKind kind)
{
    switch (kind) {
    case EventKind::Released:
        return End::Released;
    case EventKind::Expired:
        return End::Expired;
    case EventKind::ForceReleased:
        return End::Forced;
    default:
        return End::Deleted;
    }
}

/// One lock.
class OneLock {
public:
    OneLock(const std::string &lock, const TrueCourse &course, const Told &told, Comparison &comparison,
        std::vector<Moment> &delays)
        : m_lock(lock)
        , m_course(course)
        , m_told(told)
        , m_comparison(comparison)
        , m_delays(delays)
    {
    }

    void compare(const std::vector<const Event *> &events);

private:
    void compareOwner(const std::string &owner, const std::vector<const Event *> &events);
    void beginnings(
        const std::string &owner, const std::vector<const TrueHold *> &holds, const std::vector<const Event *> &events);
    void ends(
        const std::string &owner, const std::vector<const TrueHold *> &holds, const std::vector<const Event *> &events);
    void steps(EventKind kind, const std::vector<TrueStep> &steps, const std::string &owner,
        const std::vector<const Event *> &events);
    void queue(const std::string &owner, const std::vector<const Event *> &events);
    void numbers(const std::vector<const Event *> &events);
    bool isRightEnd(const TrueHold &hold, const Event &event) const;
    bool isAnotherStory(const std::string &owner, const Event &event) const;
    void violation(const std::string &text) { m_comparison.violations.push_back(text); }
    void invented(const Event &event, const char *why);
    Moment deadlineBefore(Moment at) const;

    const std::string &m_lock;
    const TrueCourse &m_course;
    const Told &m_told;
    Comparison &m_comparison;
    std::vector<Moment> &m_delays;
    std::vector<const TrueHold *> m_untold; // of all owners
    std::vector<const Event *> m_unmatched; // beginnings
};

void OneLock::invented(const Event &event, const char *why)
{
    ++m_comparison.invented;
    violation("invented: " + sentence(event) + ": " + why);
}

void OneLock::compare(const std::vector<const Event *> &events)
{
    std::map<std::string, std::vector<const Event *>> byOwner;
    for (const TrueHold &hold : m_course.holds)
        byOwner[hold.owner];
    for (const Event *event : events) {
        if (event->owner)
            byOwner[toString(*event->owner)].push_back(event);
    }
    for (const auto &[owner, ofOwner] : byOwner)
        compareOwner(owner, ofOwner);
    for (const Event *event : m_unmatched) {
        const auto at = momentOf(*event);
        const bool isAnothers = std::ranges::any_of(m_untold, [&](const TrueHold *hold) {
            return hold->begin <= at + TooEarly && at <= hold->end + TooEarly && hold->owner != toString(*event->owner);
        });
        m_comparison.wrongOwners += isAnothers ? 1 : 0;
        if (isAnothers)
            violation("wrong owner: " + sentence(*event));
        else
            invented(*event, "nobody took it then");
    }
    numbers(events);
}

void OneLock::compareOwner(const std::string &owner, const std::vector<const Event *> &events)
{
    std::vector<const TrueHold *> holds;
    for (const TrueHold &hold : m_course.holds) {
        if (hold.owner == owner)
            holds.push_back(&hold);
    }
    beginnings(owner, holds, events);
    ends(owner, holds, events);
    steps(EventKind::Renewed, m_course.renewals, owner, events);
    steps(EventKind::Reentered, m_course.reentries, owner, events);
    steps(EventKind::PartlyReleased, m_course.partialReleases, owner, events);
    queue(owner, events);
}

/// Unlocks of spin locks are not published: what is taken once more and given back leaves the same latch and the same
/// lease as what is given back and taken again.
bool OneLock::isAnotherStory(const std::string &owner, const Event &event) const
{
    const auto at = momentOf(event);
    return m_lock.starts_with("spin:") && event.certainty == Certainty::Inferred
        && std::ranges::any_of(m_course.partialReleases, [&](const TrueStep &step) {
               return step.owner == owner && step.at <= at + TooEarly && at <= step.at + SoonTold;
           });
}

void OneLock::beginnings(
    const std::string &owner, const std::vector<const TrueHold *> &holds, const std::vector<const Event *> &events)
{
    std::vector<Moment> truth;
    for (const TrueHold *hold : holds)
        truth.push_back(hold->begin);
    std::vector<const Event *> told;
    std::vector<Moment> moments;
    for (const Event *event : events) {
        if (isBeginning(event->kind)) {
            told.push_back(event);
            moments.push_back(momentOf(*event));
        }
    }
    std::set<int> matched;
    const auto matches = match(truth, moments);
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (matches[i] != None) {
            matched.insert(matches[i]);
            ++m_comparison.told;
            m_comparison.appeared += told[i]->kind == EventKind::Appeared ? 1 : 0;
            m_delays.push_back(std::max(Moment{}, moments[i] - truth[static_cast<std::size_t>(matches[i])]));
            continue;
        }
        const bool isSplit = std::ranges::any_of(holds, [&](const TrueHold *hold) {
            return hold->begin + TooEarly < moments[i] && moments[i] + TooEarly < hold->end;
        });
        if (isSplit && isAnotherStory(owner, *told[i])) {
            ++m_comparison.otherStories;
        } else if (isSplit) {
            ++m_comparison.split;
            violation("split: " + sentence(*told[i]) + ": it held it already, and went on");
        } else {
            m_unmatched.push_back(told[i]);
        }
    }
    m_comparison.holds += static_cast<int>(holds.size());
    for (std::size_t i = 0; i < holds.size(); ++i) {
        if (matched.contains(static_cast<int>(i)))
            continue;
        m_untold.push_back(holds[i]);
        const auto length = holds[i]->end - holds[i]->begin;
        const auto limit = std::ranges::find_if(
            MissedHolds::Limits, [&](int millis) { return length < std::chrono::milliseconds(millis); });
        ++m_comparison.missed.numbers.at(static_cast<std::size_t>(limit - MissedHolds::Limits.begin()));
        if (length >= std::chrono::milliseconds(MissedHolds::Limits.front()))
            violation("missed: " + clockTime(holds[i]->begin) + ' ' + m_lock + ' ' + owner + " held it for "
                + inMillis(length) + ", " + name(holds[i]->how));
    }
}

Moment OneLock::deadlineBefore(Moment at) const
{
    Moment deadline{};
    for (const TrueLease &lease : m_course.leases)
        deadline = lease.at <= at ? lease.deadline : deadline;
    return deadline;
}

bool OneLock::isRightEnd(const TrueHold &hold, const Event &event) const
{
    const End end = endOf(event.kind);
    if (end == hold.how || (end == End::Expired && hold.ranOut))
        return true;
    const auto left = deadlineBefore(hold.end) - hold.end;
    if ((end == End::Expired || end == End::Released) && left < AroundADeadline
        && (hold.how == End::Expired || hold.how == End::Released))
        return true;
    // Its client's unlock would have looked the same.
    const auto client = m_told.leavesLatches.find(hold.owner.substr(0, hold.owner.rfind(':')));
    const bool leavesLatches = client != m_told.leavesLatches.end() && client->second;
    return end == End::Released && hold.how == End::Forced && event.certainty == Certainty::Inferred && !leavesLatches;
}

void OneLock::ends(
    const std::string &owner, const std::vector<const TrueHold *> &holds, const std::vector<const Event *> &events)
{
    std::vector<const TrueHold *> ended;
    std::ranges::copy_if(holds, std::back_inserter(ended), [](const TrueHold *hold) { return hold->how != End::Open; });
    std::ranges::stable_sort(ended, {}, &TrueHold::end);
    std::vector<Moment> truth;
    for (const TrueHold *hold : ended)
        truth.push_back(hold->end);
    std::vector<const Event *> told;
    std::vector<Moment> moments;
    for (const Event *event : events) {
        if (isEnd(event->kind)) {
            told.push_back(event);
            moments.push_back(momentOf(*event));
        }
    }
    const auto matches = match(truth, moments);
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (matches[i] == None) {
            if (!isAnotherStory(owner, *told[i]))
                invented(*told[i], "it did not end then");
            continue;
        }
        const TrueHold &hold = *ended[static_cast<std::size_t>(matches[i])];
        if (!isRightEnd(hold, *told[i])) {
            ++m_comparison.wrongEnds;
            violation("wrong end: " + sentence(*told[i]) + ": it was " + name(hold.how) + " at " + clockTime(hold.end)
                + ", taken at " + clockTime(hold.begin));
        }
    }
    for (std::size_t i = 0; i < ended.size(); ++i) {
        const bool isTold = std::ranges::find(matches, static_cast<int>(i)) != matches.end();
        const bool wasToldToBegin = std::ranges::find(m_untold, ended[i]) == m_untold.end();
        if (!isTold && wasToldToBegin) {
            ++m_comparison.neverEnded;
            violation("end not told: " + clockTime(ended[i]->end) + ' ' + m_lock + ' ' + ended[i]->owner + ' '
                + name(ended[i]->how) + " after " + inMillis(ended[i]->end - ended[i]->begin));
        }
    }
}

void OneLock::steps(EventKind kind, const std::vector<TrueStep> &steps, const std::string &owner,
    const std::vector<const Event *> &events)
{
    std::vector<Moment> truth;
    for (const TrueStep &step : steps) {
        if (step.owner == owner)
            truth.push_back(step.at);
    }
    std::vector<const Event *> told;
    std::vector<Moment> moments;
    for (const Event *event : events) {
        if (event->kind == kind) {
            told.push_back(event);
            moments.push_back(momentOf(*event));
        }
    }
    const auto matches = match(truth, moments);
    m_comparison.renewalsTold += kind == EventKind::Renewed ? static_cast<int>(told.size()) : 0;
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (matches[i] == None)
            invented(*told[i], "nothing like it happened then");
    }
}

void OneLock::queue(const std::string &owner, const std::vector<const Event *> &events)
{
    std::vector<const TrueStay *> stays;
    std::vector<Moment> begins;
    std::vector<const TrueStay *> left;
    std::vector<Moment> ends;
    for (const TrueStay &stay : m_course.stays) {
        if (stay.owner != owner)
            continue;
        stays.push_back(&stay);
        begins.push_back(stay.begin);
        if (stay.end != Moment{}) {
            left.push_back(&stay);
            ends.push_back(stay.end);
        }
    }
    std::vector<const Event *> came;
    std::vector<Moment> cameAt;
    std::vector<const Event *> went;
    std::vector<Moment> wentAt;
    for (const Event *event : events) {
        if (event->kind == EventKind::Queued) {
            came.push_back(event);
            cameAt.push_back(momentOf(*event));
        } else if (event->kind == EventKind::Dequeued || event->kind == EventKind::WaiterTimedOut) {
            went.push_back(event);
            wentAt.push_back(momentOf(*event));
        }
    }
    m_comparison.queuesTold += static_cast<int>(came.size() + went.size());
    const auto matches = match(begins, cameAt);
    for (std::size_t i = 0; i < came.size(); ++i) {
        if (matches[i] == None)
            invented(*came[i], "it did not enter the queue then");
    }
    const auto leaving = match(ends, wentAt);
    for (std::size_t i = 0; i < went.size(); ++i) {
        if (leaving[i] == None) {
            invented(*went[i], "it did not leave the queue then");
            continue;
        }
        const TrueStay &stay = *left[static_cast<std::size_t>(leaving[i])];
        if (went[i]->kind == EventKind::WaiterTimedOut && !stay.thrownOut && !stay.overdue) {
            ++m_comparison.wrongEnds;
            violation("wrong end: " + sentence(*went[i]) + ": it left by itself");
        }
    }
}

void OneLock::numbers(const std::vector<const Event *> &events)
{
    for (const Event *event : events) {
        if (event->kind != EventKind::PermitsChanged || !event->count)
            continue;
        ++m_comparison.numbersTold;
        const auto at = momentOf(*event);
        bool wasSo = false;
        for (std::size_t i = 0; i < m_course.numbers.size() && !wasSo; ++i) {
            const bool isLast = i + 1 == m_course.numbers.size();
            wasSo = m_course.numbers[i].second == *event->count && m_course.numbers[i].first <= at + TooEarly
                && (isLast || m_course.numbers[i + 1].first + TooLate >= at);
        }
        if (!wasSo)
            invented(*event, "it had another number then");
    }
}

/// Whether what is suspected was so: the clients are healthy but for those that were killed.
class SuspectCheck {
public:
    SuspectCheck(const std::map<std::string, TrueCourse> &truth, const Told &told)
        : m_truth(truth)
        , m_told(told)
    {
    }

    bool isFalse(const TimedSuspect &each) const
    {
        switch (each.suspect.kind) {
        case SuspectKind::TwoHolders:
        case SuspectKind::NoTtl:
            return true;
        case SuspectKind::DeadWaiter:
            return !isKilled(each.suspect.subject, each.at);
        case SuspectKind::LateRenewal:
        case SuspectKind::MissedRenewal:
            return !isKilled(each.suspect.subject, each.at) && !isLate(each);
        case SuspectKind::OrphanQueue:
        case SuspectKind::FreeButWaitedFor:
            return !isFree(each);
        default:
            return false;
        }
    }

private:
    bool isKilled(const std::string &owner, Moment at) const
    {
        const auto killed = m_told.killed.find(owner.substr(0, owner.rfind(':')));
        return killed != m_told.killed.end() && killed->second <= at;
    }

    bool isLate(const TimedSuspect &each) const
    {
        const auto course = m_truth.find(each.suspect.lock);
        const TrueLease *last = nullptr;
        for (std::size_t i = 0; course != m_truth.end() && i < course->second.leases.size(); ++i) {
            if (course->second.leases[i].at <= each.at)
                last = &course->second.leases[i];
        }
        return last
            && static_cast<double>((last->deadline - each.at).count())
            < LateBelow * static_cast<double>((last->deadline - last->at).count());
    }

    /// For a while: nobody who waits takes it. Clients of Redisson miss a message now and then, and sleep on.
    bool isFree(const TimedSuspect &each) const
    {
        const auto course = m_truth.find(each.suspect.lock);
        return course == m_truth.end() || std::ranges::none_of(course->second.holds, [&](const TrueHold &hold) {
            return hold.begin <= each.at && (hold.how == End::Open || hold.end + StaysFree > each.at);
        });
    }

    const std::map<std::string, TrueCourse> &m_truth;
    const Told &m_told;
};

} // namespace

std::string sentence(const Event &event)
{
    return clockTime(momentOf(event)) + ' ' + event.lock + ' ' + nameOf(event.kind) + ' '
        + (event.owner ? toString(*event.owner) : std::string())
        + (event.count ? " count " + std::to_string(*event.count) : "")
        + (event.certainty == Certainty::Seen ? " (seen)" : " (inferred)");
}

int MissedHolds::all() const { return std::accumulate(numbers.begin(), numbers.end(), 0); }

Comparison compare(const std::map<std::string, TrueCourse> &truth, const Told &told)
{
    Comparison comparison;
    std::vector<Moment> delays;
    std::map<std::string, std::vector<const Event *>> events;
    for (const auto &[lock, course] : truth)
        events[lock];
    for (const Event &event : told.events) {
        if (event.kind == EventKind::Gap) {
            ++comparison.gaps;
            comparison.gapsTotal += event.ttl.value_or(lockcore::Millis{});
        } else {
            events[event.lock].push_back(&event);
        }
    }
    for (const auto &[lock, ofLock] : events) {
        static const TrueCourse Nothing;
        const auto course = truth.find(lock);
        OneLock(lock, course == truth.end() ? Nothing : course->second, told, comparison, delays).compare(ofLock);
    }
    std::ranges::sort(delays);
    if (!delays.empty()) {
        comparison.delayMedian = delays[delays.size() / 2];
        comparison.delayP99 = delays[delays.size() * 99 / 100];
        comparison.delayLongest = delays.back();
    }
    const SuspectCheck check(truth, told);
    for (const TimedSuspect &each : told.suspects) {
        if (!check.isFalse(each)) {
            ++comparison.otherSuspects;
            continue;
        }
        ++comparison.falseSuspects;
        comparison.violations.push_back("false suspect: " + clockTime(each.at) + ' ' + each.suspect.lock + ' '
            + each.suspect.subject + ": " + nameOf(each.suspect.kind));
    }
    return comparison;
}

} // namespace crowdwatch
