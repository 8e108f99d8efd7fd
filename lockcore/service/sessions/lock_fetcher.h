// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/engine_io.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/service/sessions/channel_counter.h"
#include "lockcore/service/sessions/server_clock.h"
#include "lockcore/service/sessions/single_lock_search.h"
#include "lockcore/service/sessions/sweep_walks.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace lockcore {

/// Carries out what the engine wants to read: by script, or in pipelined commands where scripts are refused. Times that
/// stand in Redis are told by the server's clock, and answered by ours.
/// Thread: that of the object.
class LockFetcher : public QObject {
    Q_OBJECT
public:
    using Answer = std::function<void(EngineInput)>;
    using IsOurs = ChannelCounter::IsOurs;

    struct Options {
        std::string keyPattern; // empty: all keys
        TokenNames tokenNames;
        int sweepCount; // COUNT of one step
    };

    LockFetcher(Connection &connection, MissingRights &rights, Options options, IsOurs isOurs, ServerClock &clock,
        Answer answer, QObject *parent);

    /// A sweep finds this one. With `search` it is one of a cluster, of which several nodes may have it.
    void lookOnlyAt(LockName name, std::shared_ptr<SingleLockSearch> search);
    void reset(); // a new connection may have other rights
    void lost();
    void read(action::ReadLocks read);
    void scan(action::ScanPage scan);
    void count(const action::CountSubscribers &count) { m_channels.count(count); }
    void countElsewhereToo(ChannelCounter::Elsewhere elsewhere) { m_channels.countElsewhereToo(std::move(elsewhere)); }
    void listChannels();

private:
    struct Rounds;
    struct Page;

    using Seen = std::function<void(EngineInput)>; // LocksRead or WorkFailed

    WallTime serverNow() const;
    bool isInCluster() const;
    bool isSlotOwnerOfSearched() const;
    Connection::ReplyHandler hearAsking();
    void eval(const protocol::Script &script, std::span<const std::string> keys, std::span<const std::string> arguments,
        Connection::ReplyHandler handler);
    void look(action::ReadLocks read, Seen seen);
    void readByScript(action::ReadLocks read, Seen seen);
    void readPipelined(action::ReadLocks read, Seen seen);
    void scanOnly(const action::ScanPage &scan);
    void lookHere(const action::ScanPage &scan);
    bool isElsewhere(const EngineInput &look) const;
    void nextRound(std::shared_ptr<Rounds> rounds);
    int keysOf(const action::ScanPage &scan) const;
    const std::string &patternOf(const action::ScanPage &scan) const;
    void scanByScript(const action::ScanPage &scan);
    void giveUpWalks();
    bool askAhead(const std::optional<SweepWalks::Step> &step);
    void askFor(Page page);
    void came(const Page &page, const Result<protocol::Reply> &reply);
    void cameAhead(const Page &page, const Result<protocol::Reply> &reply);
    void deliver(input::PageScanned page);
    void scanPipelined(action::ScanPage scan);
    bool refusesScripts(const Result<protocol::Reply> &reply);
    void missing(Right right);
    void finish(Rounds &rounds);

    Connection &m_connection;
    MissingRights &m_rights;
    const Options m_options;
    std::optional<LockName> m_only;
    std::shared_ptr<SingleLockSearch> m_search;
    ServerClock &m_clock;
    Answer m_answer;
    ChannelCounter m_channels;
    bool m_byScript = true;
    bool m_asksForMovingSlots = false;
    std::shared_ptr<SweepWalks> m_walks; // of the first sweep
    std::deque<input::PageScanned> m_ahead; // came before the engine wants them
    std::optional<action::ScanPage> m_wanted; // by the engine, and may be any of the walks
    std::int64_t m_keys = 0; // of the running sweep without scripts
};

} // namespace lockcore
