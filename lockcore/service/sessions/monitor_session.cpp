// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/monitor_session.h"

#include "lockcore/transport/clock.h"
#include "lockcore/transport/topology.h"

#include <QPointer>
#include <algorithm>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

EngineSettings settingsFor(const Endpoint &endpoint, const MonitorOptions &options)
{
    EngineSettings settings;
    settings.server = endpoint.display();
    settings.place = endpoint.displayWithDatabase();
    settings.keyPattern = options.keyPattern;
    settings.tokenNames = options.tokenNames;
    settings.sweepEvery = options.sweepEvery;
    settings.unattended = options.unattended;
    settings.snapshotEvery = Millis{ 1'000 / std::clamp(options.snapshotsPerSecond, 1, 1'000) };
    return settings;
}

} // namespace

MonitorSession::MonitorSession(const Endpoint &endpoint, const MonitorOptions &options, Sink sink)
    : m_sink(std::move(sink))
    , m_engine(settingsFor(endpoint, options))
    , m_feed(endpoint, { options.feed, options.keyPattern, options.plainNames }, this)
    , m_fetcher(
          m_feed.commands(), m_feed.rights(), options.keyPattern, options.tokenNames,
          [this](const std::string &channel) { return m_feed.listener().listensTo(channel); }, m_clock,
          [this](EngineInput input) { fetched(std::move(input)); }, this)
    , m_role(m_feed.commands())
    , m_server(m_feed.commands())
{
    watchServer();
    connect(&m_role, &RoleWatch::seen, this, [this](const protocol::ServerInfo &server) { tellRole(server); });
    connect(&m_role, &RoleWatch::databasesSeen, this, [this](bool others, bool haveKeys) {
        tell(input::DatabasesSeen{ others && !isOfCluster(), haveKeys && !isOfCluster() });
    });
    const auto rightIsMissing = [this] {
        m_feed.rightsWatch().somethingIsMissing();
        tellRights();
    };
    connect(&m_role, &RoleWatch::refused, this, [this, rightIsMissing] {
        m_feed.rights().add(Right::Info);
        rightIsMissing();
    });
    connect(&m_fetcher, &LockFetcher::rightMissing, this, rightIsMissing);
    if (m_sink.countElsewhere)
        m_fetcher.countElsewhereToo([this](auto answer) {
            m_sink.countElsewhere(
                [session = QPointer(this), answer = std::move(answer)](const auto &numbers, bool complete) {
                    if (session)
                        answer(numbers, complete);
                });
        });
    if (options.onlyLock)
        m_fetcher.lookOnlyAt(*options.onlyLock, m_sink.sought);
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (monoNow() < m_wakesAt)
            m_timer.start(timerFor(m_wakesAt));
        else
            hear(input::TimerFired{});
    });
    connect(&m_feed, &ServerFeed::established, this, [this] {
        m_fetcher.reset();
        const auto &server = m_feed.commands().serverInfo();
        m_isUp = true;
        changeFacts([&](ServerFacts &facts) {
            facts.version = server.version;
            facts.role = roleOf(server);
            facts.missingRights.clear();
            facts.aclLine.clear();
            addMissing(facts, m_feed.rights().missing(), m_feed.rights().aclLine());
        });
        tell(input::SourceUp{
            server.runId, m_feed.feed(), m_feed.hearsUnlocks(), feedReason(), m_feed.mayBeLimited(), server.upFor });
        m_role.start();
        m_server.start();
    });
    connect(&m_feed, &ServerFeed::changed, this, [this] {
        tell(input::FeedChanged{ m_feed.feed(), feedReason(), m_feed.hearsUnlocks(), m_feed.scope(),
            m_feed.mayBeLimited(), m_feed.missedNothing(), m_feed.deafSince() });
    });
    connect(&m_feed, &ServerFeed::rightsMissing, this, [this] { tellRights(); });
    connect(&m_feed, &ServerFeed::broken, this, [this](const Error &error, MonoTime heardAt) {
        m_isUp = false;
        m_role.stop();
        m_server.stop();
        m_fetcher.lost();
        const auto pause = m_feed.retryIn();
        tell(input::SourceDown{
            error, pause ? std::optional(monoNow() + *pause) : std::nullopt, std::max(heardAt, m_lastOfServer) });
    });
    connect(&m_feed, &ServerFeed::keysChanged, this,
        [this](const std::vector<std::string> &keys) { hear(input::KeysChanged{ keys }); });
    connect(&m_feed, &ServerFeed::timeTold, this, [this](MonoTime asked, MonoTime answered, WallTime said) {
        m_clock.answered(asked, answered, said);
        compareClocks();
    });
    connect(&m_feed, &ServerFeed::everythingChanged, this,
        [this](std::int64_t counted) { hear(input::EverythingChanged{ counted }); });
    connect(&m_feed, &ServerFeed::databasesSwapped, this, [this] { hear(input::DatabasesSwapped{}); });
    connect(&m_feed, &ServerFeed::messageHeard, this,
        [this](const std::string &channel) { hear(input::MessageHeard{ channel }); });
}

void MonitorSession::open()
{
    tell(input::TimerFired{}); // the first snapshot says that we are connecting
    m_feed.open();
}

void MonitorSession::refresh() { tell(input::RefreshRequested{}); }

void MonitorSession::publishNow() { tell(input::SnapshotRequested{}); }

void MonitorSession::setFeed(std::optional<Feed> feed) { m_feed.choose(feed); }

void MonitorSession::setUnattended(bool unattended) { tell(input::AttendanceChanged{ unattended }); }

void MonitorSession::changedByUs(const input::ChangedByUs &change) { tell(change); }

void MonitorSession::keepSlots(const std::vector<SlotSpan> &slots)
{
    m_keepsSlots = !slots.empty();
    m_feed.rightsWatch().setInCluster(m_keepsSlots);
    tell(input::SlotsKept{ slots });
}

void MonitorSession::takeOver(
    std::vector<std::shared_ptr<const LockState>> locks, MonoTime unseenSince, const std::string &from)
{
    tell(input::LocksArrived{ std::move(locks), unseenSince, from });
}

void MonitorSession::isClaimed(const LockName &name) { tell(input::LockClaimed{ name }); }

void MonitorSession::tellRole(const protocol::ServerInfo &server)
{
    const NodeRole role = roleOf(server);
    std::vector<ReplicaFacts> listed;
    std::vector<Endpoint> replicas;
    for (const protocol::ReplicaInfo &replica : server.replicas) {
        replicas.push_back(endpointAt(m_feed.commands().endpoint(), { replica.host, replica.port }));
        listed.push_back({ replicas.back().display(), replica.lag });
    }
    const bool isWatchedWhole = m_keepsSlots || !isOfCluster();
    if (m_sink.replicas)
        m_sink.replicas(isWatchedWhole && role == NodeRole::Master ? std::optional(std::move(replicas)) : std::nullopt);
    changeFacts([&](ServerFacts &facts) {
        facts.role = role;
        facts.replicaLag = server.behindMaster;
        facts.replicas = std::move(listed);
    });
}

/// Where there is one database alone.
bool MonitorSession::isOfCluster() { return m_keepsSlots || m_feed.commands().serverInfo().mode == "cluster"; }

/// One node of a cluster may be watched alone; then it must not be taken for the whole.
FeedReason MonitorSession::feedReason()
{
    FeedReason reason = m_feed.reason();
    if (!m_keepsSlots && isOfCluster())
        reason.partOfCluster = m_feed.commands().endpoint().display();
    return reason;
}

void MonitorSession::compareClocks()
{
    const Millis ahead = m_clock.ahead(readClocks());
    if (m_facts.clockAhead == ahead)
        return;
    changeFacts([&](ServerFacts &facts) { facts.clockAhead = ahead; });
    tell(input::ClockChanged{});
}

void MonitorSession::watchServer()
{
    connect(&m_server, &ServerWatch::slowLogSeen, this,
        [this](SlowLogAccess access) { changeFacts([access](ServerFacts &facts) { facts.slowLog = access; }); });
    connect(&m_server, &ServerWatch::slowCommandsSeen, this, [this](std::vector<Event> events) {
        for (Event &event : events)
            event.at -= m_facts.clockAhead.value_or(Millis(0));
        reportOfServer(std::move(events));
    });
    connect(&m_server, &ServerWatch::clientsPaused, this, [this](Event event) {
        event.at = readClocks().wall;
        reportOfServer({ std::move(event) });
    });
}

void MonitorSession::reportOfServer(std::vector<Event> events)
{
    const Now now = readClocks();
    for (Event &event : events) {
        event.node = m_feed.commands().endpoint().display();
        m_lastOfServer = std::max(m_lastOfServer, std::min(now.mono, now.mono + (event.at - now.wall)));
    }
    m_sink.report(std::make_shared<const std::vector<Event>>(std::move(events)));
}

template <typename Change>
void MonitorSession::changeFacts(Change change)
{
    const ServerFacts before = m_facts;
    change(m_facts);
    if (m_facts != before)
        tell(input::FactsChanged{ isAlone(m_facts) });
}

void MonitorSession::tellRights()
{
    changeFacts(
        [this](ServerFacts &facts) { addMissing(facts, m_feed.rights().missing(), m_feed.rights().aclLine()); });
}

/// Answers tell of locks that are elsewhere, too.
void MonitorSession::fetched(EngineInput input)
{
    const auto &rights = m_feed.rights();
    if (auto *read = std::get_if<input::LocksRead>(&input);
        read && (rights.lacks(Right::ReadKeys) || rights.lacks(Right::ReadCommands))) {
        read->forWantOfRights = true;
        if (!read->refused.empty())
            m_feed.rightsWatch().askFor(read->refused.front());
    } else if (read && m_keepsSlots && !read->refused.empty()) {
        m_sink.moved();
    }
    const auto *page = std::get_if<input::PageScanned>(&input);
    const bool needlessly = page && !page->byScript && m_feed.commands().serverInfo().atLeast(7, 0);
    if (needlessly)
        m_feed.rightsWatch().somethingIsMissing();
    hear(std::move(input));
}

/// From the server, or from the clock. What has lain in a socket while this program stood still is not told, and
/// nothing is concluded from the time that has passed: all is read anew.
void MonitorSession::hear(EngineInput input)
{
    if (!m_feed.noticesPause())
        tell(std::move(input));
}

void MonitorSession::tell(EngineInput input)
{
    m_inputs.push_back(std::move(input));
    if (std::exchange(m_acting, true))
        return;
    while (!m_inputs.empty()) {
        const auto next = std::move(m_inputs.front());
        m_inputs.pop_front();
        for (auto &action : m_engine.handle(next, readClocks()))
            act(std::move(action));
    }
    m_acting = false;
}

void MonitorSession::act(EngineAction action)
{
    struct Actor {
        MonitorSession &session;
        void operator()(action::ScanPage &scan) const { session.m_fetcher.scan(std::move(scan)); }
        void operator()(action::ReadLocks &read) const { session.m_fetcher.read(std::move(read)); }
        void operator()(action::CountSubscribers &count) const { session.m_fetcher.count(count); }
        void operator()(action::ListChannels &) const { session.m_fetcher.listChannels(); }
        void operator()(action::ClaimLocks &claim) const
        {
            input::ClaimsAnswered answered;
            for (LockName &name : claim.names) {
                auto known = session.m_sink.claim(name);
                answered.locks.emplace_back(std::move(name), std::move(known));
            }
            session.tell(std::move(answered));
        }
        void operator()(action::LimitFeed &limit) const { session.m_feed.limit(std::move(limit.scope)); }
        void operator()(action::PublishSnapshot &publish) const
        {
            addFacts(*publish.snapshot, session.m_facts, session.m_isUp, session.m_keepsSlots);
            session.m_feed.follow(publish.snapshot);
            session.m_sink.publish(publish.snapshot);
        }
        void operator()(action::ReportEvents &report) const
        {
            session.m_sink.report(std::make_shared<const std::vector<Event>>(std::move(report.events)));
        }
        void operator()(action::ArmTimer &timer) const { session.armTimer(timer.at); }
    };
    std::visit(Actor{ *this }, action);
}

void MonitorSession::armTimer(MonoTime at)
{
    m_wakesAt = at;
    m_timer.start(timerFor(at));
}

} // namespace lockcore::service
