// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/watch/watch.h"

#include "lockcore/monitor/analysis.h"
#include "tests/interop/watch/servers.h"
#include "tests/support/monitor_watch.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <cstdio>
#include <map>
#include <mutex>
#include <random>
#include <set>

using namespace interop;
using namespace lockcore::monitor;
using namespace testsupport;

namespace crowdwatch {

namespace {

constexpr int StartLimitMs = 60'000;
constexpr int EndLimitMs = 20'000; // what waits gives up, or gets what it waits for, within that
constexpr int LookEveryMs = 50;
constexpr int MostErrorsPrinted = 5;
constexpr int QuietMs = 1'000; // after the last change: whatever is told late is told by then

Moment wallNow() { return std::chrono::duration_cast<Moment>(std::chrono::system_clock::now().time_since_epoch()); }

struct Names {
    const char *kind;
    int number;
    bool newer; // not in Redisson 3.16.8
};
constexpr std::array AllNames{ Names{ "reentrant", 12, false }, Names{ "fair", 8, false },
    Names{ "readWrite", 8, false }, Names{ "spin", 5, false }, Names{ "fenced", 4, true },
    Names{ "semaphore", 3, false } };
constexpr int Permits = 3;

QByteArray namesFor(Language language)
{
    QByteArrayList all;
    for (const Names &names : AllNames) {
        for (int i = 1; i <= names.number && (!names.newer || language == Language::Redisson4); ++i)
            all << QByteArray(names.kind) + ':' + QByteArray::number(i);
    }
    return all.join(',');
}

/// One server's commands, and what follows from them.
class TracedServer {
public:
    explicit TracedServer(const std::string &socketPath)
        : m_trace(socketPath, [this](const TracedCommand &command) { take(command); })
    {
    }

    bool isListening() const { return m_trace.isListening(); }
    bool isBroken() const { return m_trace.isBroken(); }
    std::set<std::pair<std::string, std::string>> held(Moment now)
    {
        const std::lock_guard guard(m_guardsCourses);
        return m_courses.held(now);
    }
    std::map<std::string, TrueCourse> courses() // at the end
    {
        const std::lock_guard guard(m_guardsCourses);
        m_courses.finish(wallNow());
        return m_courses.all();
    }

private:
    void take(const TracedCommand &command)
    {
        const std::lock_guard guard(m_guardsCourses);
        m_courses.take(command);
    }

    std::mutex m_guardsCourses;
    TrueCourses m_courses;
    CommandTrace m_trace; // last: it is told of from its first moment on
};

struct Member {
    Language language = Language::Redisson4;
    std::unique_ptr<PeerProcess> process;
    QByteArray work; // the tag of its work
};

class CrowdWatch {
public:
    explicit CrowdWatch(const Plan &plan)
        : m_plan(plan)
        , m_random(plan.seed)
        , m_servers(makeServers(plan.topology))
    {
    }

    std::optional<Course> run();

private:
    bool start();
    bool join(Member &member) const;
    void begin(Member &member);
    void killOne();
    void listen();
    void lookForSuspects();
    void disperse();
    void kill(Member &member);
    bool calmDown();
    void killWhoHoldsStill();
    std::set<std::pair<std::string, std::string>> held() const; // locks and owners
    Course judge();
    void write(const std::map<std::string, TrueCourse> &truth) const;

    const Plan m_plan;
    std::mt19937_64 m_random;
    std::unique_ptr<Servers> m_servers;
    std::vector<std::unique_ptr<TracedServer>> m_traces;
    std::optional<MonitorWatch> m_monitor;
    std::vector<Member> m_members;
    Told m_told;
    Course m_course;
    std::map<std::string, int> m_takenBy; // clients
    std::shared_ptr<const Analysis> m_looked;
    QByteArrayList m_said; // by the peers, when it is to be written
};

bool CrowdWatch::start()
{
    if (!m_servers->start()) {
        std::fprintf(stderr, "the servers do not start\n");
        return false;
    }
    for (const std::string &socket : m_servers->masters())
        m_traces.push_back(std::make_unique<TracedServer>(socket));
    m_monitor.emplace(m_servers->deployment());
    const bool isReady = QTest::qWaitFor(
        [this] {
            return m_monitor->isLiveAndSwept()
                && std::ranges::all_of(m_traces, [](const auto &trace) { return trace->isListening(); });
        },
        StartLimitMs);
    if (!isReady) {
        std::fprintf(stderr, "the monitor does not get to see the servers\n");
        return false;
    }
    for (const Language language : m_plan.peers)
        m_members.push_back({ language, nullptr, {} });
    for (Member &member : m_members) {
        if (!join(member))
            return false;
    }
    for (int i = 1; i <= AllNames.back().number; ++i) // the semaphores
        m_members[0].process->ask("sem.set 1 semaphore:" + QByteArray::number(i) + ' ' + QByteArray::number(Permits));
    std::ranges::for_each(m_members, [this](Member &member) { begin(member); });
    return true;
}

bool CrowdWatch::join(Member &member) const
{
    member.process = std::make_unique<PeerProcess>(member.language);
    return member.process->connectTo(
        m_servers->urls(), static_cast<int>(m_plan.watchdog.count()), m_plan.topology.toLatin1().constData());
}

void CrowdWatch::begin(Member &member)
{
    m_told.leavesLatches[member.process->id().toStdString()] = member.language == Language::Redisson4;
    QByteArray command = "work - " + namesFor(member.language);
    for (const auto number : { std::int64_t{ m_plan.workers }, std::int64_t{ m_plan.longestSection.count() },
             static_cast<std::int64_t>(m_random() % 1'000'000) })
        command += ' ' + QByteArray::number(static_cast<qlonglong>(number));
    member.work = member.process->start(command);
}

void CrowdWatch::kill(Member &member)
{
    m_told.killed[member.process->id().toStdString()] = wallNow();
    member.process->kill();
}

void CrowdWatch::killOne()
{
    listen(); // what it said until now
    Member &member = m_members[m_random() % m_members.size()];
    kill(member);
    ++m_course.kills;
    if (join(member))
        begin(member);
}

void CrowdWatch::listen()
{
    for (Member &member : m_members) {
        for (const QByteArray &event : member.process->takeEvents()) {
            if (!m_plan.events.isEmpty())
                m_said << event;
            if (event.startsWith("took")) {
                ++m_course.takenByPeers;
                ++m_takenBy[member.process->id().toStdString()];
            } else if (event.startsWith("lost")) {
                ++m_course.lostByPeers;
            } else if (event.startsWith("error")) {
                ++m_course.errors;
                if (m_course.errors <= MostErrorsPrinted)
                    std::fprintf(stderr, "%s: %s\n", interop::name(member.language), event.constData());
            }
        }
    }
}

void CrowdWatch::lookForSuspects()
{
    const auto snapshot = m_monitor->service.latest();
    if (!snapshot->analysis || snapshot->analysis == m_looked)
        return;
    m_looked = snapshot->analysis;
    for (const Suspect &suspect : m_looked->suspects) {
        const bool isKnown = std::ranges::any_of(m_told.suspects, [&](const TimedSuspect &known) {
            return known.suspect.kind == suspect.kind && known.suspect.lock == suspect.lock
                && known.suspect.subject == suspect.subject && known.suspect.since == suspect.since;
        });
        if (!isKnown)
            m_told.suspects.push_back({ suspect, wallNow() });
    }
}

/// Who does not come to an end, as 3.16.8 now and then, is killed like others.
void CrowdWatch::disperse()
{
    for (Member &member : m_members)
        member.process->ask("crowd.stop -");
    for (Member &member : m_members) {
        if (!member.process->answer(member.work, EndLimitMs).startsWith("ok ")) {
            kill(member);
            ++m_course.stuck;
        }
    }
    listen();
}

/// Until the leases of the dead have run out, and what there is to tell is told.
bool CrowdWatch::calmDown()
{
    const auto isFree = [this] { return held().empty(); };
    if (!QTest::qWaitFor(isFree, static_cast<int>(2 * m_plan.watchdog.count()))) {
        killWhoHoldsStill();
        if (!QTest::qWaitFor(isFree, StartLimitMs)) {
            for (const auto &[lock, owner] : held())
                std::fprintf(stderr, "%s is held in the end by %s\n", lock.c_str(), owner.c_str());
            return false;
        }
    }
    // What happens to the server itself, as slow commands of a busy machine, may go on.
    const auto ofLocks = [this] {
        return std::ranges::count_if(m_monitor->events, [](const Event &event) { return !isOfServer(event.kind); });
    };
    QElapsedTimer quiet;
    quiet.start();
    auto events = ofLocks();
    const bool isQuiet = QTest::qWaitFor(
        [&] {
            if (const auto now = ofLocks(); now != events) {
                events = now;
                quiet.start();
            }
            return quiet.elapsed() > QuietMs;
        },
        StartLimitMs);
    if (!isQuiet)
        std::fprintf(stderr, "events go on: %s\n", sentence(m_monitor->events.back()).c_str());
    return isQuiet;
}

/// A client whose server was slow to answer may have taken a lock that none of its threads knows of,
/// and renews it for ever.
void CrowdWatch::killWhoHoldsStill()
{
    for (const auto &[lock, owner] : held()) {
        const auto member = std::ranges::find_if(
            m_members, [&](const Member &each) { return owner.starts_with(each.process->id().toStdString() + ':'); });
        if (member == m_members.end() || m_told.killed.contains(member->process->id().toStdString()))
            continue;
        std::fprintf(stderr, "%s is left held by %s, who thinks it has none\n", lock.c_str(), owner.c_str());
        kill(*member);
        ++m_course.leaving;
    }
}

std::set<std::pair<std::string, std::string>> CrowdWatch::held() const
{
    std::set<std::pair<std::string, std::string>> held;
    for (const auto &trace : m_traces)
        held.merge(trace->held(wallNow()));
    return held;
}

Course CrowdWatch::judge()
{
    std::map<std::string, TrueCourse> truth;
    for (const auto &trace : m_traces)
        truth.merge(trace->courses());
    m_told.events = m_monitor->events;
    m_course.comparison = compare(truth, m_told);
    // The two readings of what is true have to agree where both are whole.
    std::map<std::string, int> taken;
    for (const auto &[lock, course] : truth) {
        const auto count = [&](const std::string &owner) { ++taken[owner.substr(0, owner.rfind(':'))]; };
        for (const TrueHold &hold : course.holds)
            count(hold.owner);
        for (const TrueStep &step : course.reentries)
            count(step.owner);
    }
    for (const auto &[client, number] : m_takenBy) {
        if (!m_told.killed.contains(client) && taken[client] != number)
            m_course.comparison.violations.push_back("the trace is wrong: " + client + " took locks "
                + std::to_string(number) + " times, as it says, and " + std::to_string(taken[client])
                + " times, as the server says");
    }
    if (!m_plan.events.isEmpty())
        write(truth);
    return m_course;
}

/// A line each, which `sort` puts in order: microseconds, who says it, what.
void CrowdWatch::write(const std::map<std::string, TrueCourse> &truth) const
{
    QFile file(m_plan.events);
    if (!file.open(QIODevice::WriteOnly))
        return;
    const auto line = [&](Moment at, const std::string &text) {
        file.write(
            QByteArray::number(static_cast<qlonglong>(at.count())) + ' ' + QByteArray::fromStdString(text) + '\n');
    };
    for (const auto &[lock, course] : truth) {
        for (const TrueHold &hold : course.holds) {
            line(hold.begin, "true " + lock + " taken " + hold.owner + (hold.writes ? " write" : ""));
            line(hold.end, "true " + lock + ' ' + name(hold.how) + ' ' + hold.owner + (hold.ranOut ? " ran out" : ""));
        }
        for (const TrueStay &stay : course.stays) {
            line(stay.begin, "true " + lock + " queued " + stay.owner);
            line(stay.end,
                "true " + lock + " left the queue " + stay.owner + (stay.acquired ? " acquired" : "")
                    + (stay.thrownOut ? " thrown out" : ""));
        }
        for (const TrueStep &step : course.renewals)
            line(step.at, "true " + lock + " renewed " + step.owner);
        for (const TrueStep &step : course.reentries)
            line(step.at, "true " + lock + " reentered " + step.owner + ' ' + std::to_string(step.count));
        for (const TrueStep &step : course.partialReleases)
            line(step.at, "true " + lock + " partly released " + step.owner + ' ' + std::to_string(step.count));
        for (const auto &[at, number] : course.numbers)
            line(at, "true " + lock + " has " + std::to_string(number));
    }
    for (const Event &event : m_told.events)
        line(event.at.time_since_epoch(), "told " + sentence(event));
    for (const auto &[client, at] : m_told.killed)
        line(at, "killed " + client);
    for (const QByteArray &event : m_said) {
        const auto words = event.split(' ');
        file.write(words.value(1) + " said " + words.value(0) + ' ' + words.mid(2).join(' ') + '\n');
    }
}

std::optional<Course> CrowdWatch::run()
{
    if (!m_servers || !start())
        return std::nullopt;
    const QDeadlineTimer end(m_plan.duration);
    QDeadlineTimer nextKill(m_plan.killEvery);
    while (!end.hasExpired()) {
        QTest::qWait(LookEveryMs); // turns the event loop; nothing is expected at its end
        listen();
        lookForSuspects();
        if (nextKill.hasExpired()) {
            killOne();
            nextKill = QDeadlineTimer(m_plan.killEvery);
        }
    }
    disperse();
    if (!calmDown()) {
        judge(); // for what is written of it
        return std::nullopt;
    }
    if (std::ranges::any_of(m_traces, [](const auto &trace) { return trace->isBroken(); })) {
        std::fprintf(stderr, "the server stopped telling what it does\n");
        return std::nullopt;
    }
    return judge();
}

} // namespace

std::optional<Course> watchCrowd(const Plan &plan) { return CrowdWatch(plan).run(); }

} // namespace crowdwatch
