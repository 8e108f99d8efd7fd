// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/engine_io.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/service/sessions/channel_counter.h"
#include "lockcore/service/sessions/server_facts.h"
#include "lockcore/service/sessions/single_lock_search.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <functional>
#include <memory>
#include <string>

namespace lockcore::service {

/// Carries out what the engine wants to read: by script, or in pipelined commands where scripts are refused. Times that
/// stand in Redis are told by the server's clock, and answered by ours.
/// Thread: that of the object.
class LockFetcher : public QObject {
    Q_OBJECT
public:
    using Answer = std::function<void(monitor::EngineInput)>;
    using IsOurs = ChannelCounter::IsOurs;

    LockFetcher(transport::Connection &connection, MissingRights &rights, const std::string &keyPattern,
        synchronizers::TokenNames tokenNames, IsOurs isOurs, ServerClock &clock, Answer answer, QObject *parent);

    /// A sweep finds this one. With `search` it is one of a cluster, of which several nodes may have it.
    void lookOnlyAt(LockName name, std::shared_ptr<SingleLockSearch> search);
    void reset(); // a new connection may have other rights
    void lost();
    void read(monitor::action::ReadLocks read);
    void scan(monitor::action::ScanPage scan);
    void count(const monitor::action::CountSubscribers &count) { m_channels.count(count); }
    void countElsewhereToo(ChannelCounter::Elsewhere elsewhere) { m_channels.countElsewhereToo(std::move(elsewhere)); }
    void listChannels();

Q_SIGNALS:
    void rightMissing(); // another right than those known to be missing

private:
    struct Rounds;
    struct Page;
    struct Scans;

    using Seen = std::function<void(monitor::EngineInput)>; // LocksRead or WorkFailed

    WallTime serverNow() const;
    bool isInCluster() const;
    bool isSlotOwnerOfSearched() const;
    transport::Asking askingForMovingSlots();
    void look(monitor::action::ReadLocks read, Seen seen);
    void readByScript(monitor::action::ReadLocks read, Seen seen);
    void readPipelined(monitor::action::ReadLocks read, Seen seen);
    void scanOnly(const monitor::action::ScanPage &scan);
    void lookHere(const monitor::action::ScanPage &scan);
    bool isElsewhere(const monitor::EngineInput &look) const;
    void nextRound(std::shared_ptr<Rounds> rounds);
    int keysOf(const monitor::action::ScanPage &scan) const;
    void scanByScript(const monitor::action::ScanPage &scan);
    std::shared_ptr<Page> ask(synchronizers::SweepPosition from, int keys);
    void came(const std::shared_ptr<Page> &page, Result<protocol::Reply> reply);
    void answer(const Page &page, monitor::input::PageScanned scanned);
    void adaptPages(const Page &page, std::chrono::microseconds took);
    synchronizers::SweepPosition end() const;
    void scanPipelined(monitor::action::ScanPage scan);
    void came(const Scans &scans);
    bool refusesScripts(const Result<protocol::Reply> &reply);
    void missing(monitor::Right right);
    void finish(Rounds &rounds);

    transport::Connection &m_connection;
    MissingRights &m_rights;
    const std::vector<synchronizers::SweepWalk> m_walks;
    const synchronizers::TokenNames m_tokenNames;
    int m_keysOfAPage;
    std::optional<LockName> m_only;
    std::shared_ptr<SingleLockSearch> m_search;
    ServerClock &m_clock;
    Answer m_answer;
    ChannelCounter m_channels;
    bool m_byScript = true;
    bool m_asksForMovingSlots = false;
    std::shared_ptr<Page> m_ahead; // the next one of the first sweep: is asked for before the engine wants it
    std::int64_t m_keys = 0; // of the running sweep without scripts
};

} // namespace lockcore::service
