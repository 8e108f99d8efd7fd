// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/engine.h"
#include "lockcore/synchronizers/key_layout.h"
#include "tests/unit/owners.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace testsupport {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

inline constexpr Millis FullLease{ 30'000 }; // of a watchdog
inline constexpr auto Seen = Certainty::Seen;
inline constexpr auto Inferred = Certainty::Inferred;
using Happened = std::vector<std::pair<EventKind, Certainty>>;

/// Of a sweep that is over with this page.
inline SweepPage lastPage() { return { .next = { { "" } }, .keysSeen = 100, .keysPassed = 100 }; }

/// A server of plain values under an engine, and a clock that is moved by hand.
class EngineBench {
public:
    explicit EngineBench(
        Feed feed = Feed::ClientTracking, bool hearsUnlocks = true, EngineSettings settings = { .server = "test:6379" })
        : m_feed(feed)
        , m_hearsUnlocks(hearsUnlocks)
        , engine(std::move(settings))
    {
    }

    void tell(const EngineInput &input)
    {
        for (auto &what : engine.handle(input, now()))
            actions.push_back(std::move(what));
        for (const auto &what : actions) {
            if (const auto *snapshot = std::get_if<action::PublishSnapshot>(&what)) {
                last = snapshot->snapshot;
                ++published;
            }
            if (const auto *report = std::get_if<action::ReportEvents>(&what))
                events.insert(events.end(), report->events.begin(), report->events.end());
            if (const auto *timer = std::get_if<action::ArmTimer>(&what))
                timerAt = timer->at;
            if (const auto *count = std::get_if<action::CountSubscribers>(&what)) {
                counted = count->channels;
                countedAt = mono;
            }
        }
        input::ClaimsAnswered claims;
        for (const auto &what : actions) {
            if (const auto *claim = std::get_if<action::ClaimLocks>(&what)) {
                for (const auto &name : claim->names)
                    claims.locks.emplace_back(name, shownElsewhere[name]);
            }
        }
        std::erase_if(actions, [](const auto &what) {
            return !std::holds_alternative<action::ReadLocks>(what) && !std::holds_alternative<action::ScanPage>(what)
                && !std::holds_alternative<action::ListChannels>(what);
        });
        if (!claims.locks.empty())
            tell(claims);
    }

    /// Answers all that is asked, with what the server holds.
    void answer()
    {
        while (!actions.empty()) {
            const auto what = actions.front();
            actions.erase(actions.begin());
            if (const auto *read = std::get_if<action::ReadLocks>(&what))
                answer(*read, mono);
            else if (std::holds_alternative<action::ListChannels>(what))
                tell(input::ChannelsListed{ channels });
            else
                answer(std::get<action::ScanPage>(what));
        }
    }
    void answer(const action::ReadLocks &read, MonoTime sentAt)
    {
        input::LocksRead result{ read.read, {}, sentAt };
        ++trips;
        for (const auto &name : read.names) {
            ++reads;
            if (elsewhere.contains(name))
                result.refused.push_back(name);
            else if (const auto reading = look(name))
                result.readings.push_back(*reading);
        }
        result.serverTime
            = ServerMoment{ WallTime(std::chrono::floor<Millis>(mono.time_since_epoch()) - heldUp), heldUp };
        tell(result);
    }
    void answer(const action::ScanPage &scan)
    {
        input::PageScanned result{ scan.scan, lastPage(), true };
        for (const auto &[name, lock] : server)
            result.page.candidates.push_back(name);
        tell(result);
    }

    void up()
    {
        tell(input::SourceUp{ runId, m_feed, m_hearsUnlocks });
        answer();
        pass(Millis{ 200 });
    }
    /// With so many locks, `order:0` and so on, that stay as they are for long.
    void upWith(int locks)
    {
        for (int i = 0; i < locks; ++i)
            take("order:" + std::to_string(i), A, Millis{ 600'000 });
        up();
        pass(Millis{ 2'000 });
    }
    void down() { tell(input::SourceDown{ { ErrorCode::ConnectionClosed, "closed", "" }, {} }); }

    /// Time passes; the timer fires whenever it is due.
    void pass(Millis duration)
    {
        const MonoTime end = mono + duration;
        while (timerAt && *timerAt <= end) {
            mono = std::max(mono, *timerAt);
            timerAt.reset();
            tell(input::TimerFired{});
            answer();
        }
        mono = end;
    }
    /// The same without an answer from the server.
    void passSilently(Millis duration) { mono += duration; }

    LockReading &take(const LockName &name, const OwnerId &owner, Millis lease)
    {
        auto &lock = server[name];
        lock.name = name;
        lock.holders = { HolderReading{ owner, 1, {}, {}, false } };
        lock.keys = { name };
        expiries[name] = mono + lease;
        return lock;
    }
    void renew(const LockName &name, Millis lease) { expiries[name] = mono + lease; }
    void changed(const std::string &key)
    {
        tell(input::KeysChanged{ { key } });
        answer();
    }
    /// As Redisson unlocks: latch and message, in one step.
    void unlock(const LockName &name, bool latch = true, bool message = true)
    {
        server.erase(name);
        if (message)
            tell(input::MessageHeard{ key_layout::lockChannel(name) });
        std::vector<std::string> keys{ name };
        if (latch)
            keys.push_back(key_layout::unlockLatch(name, std::string(31, 'a') + static_cast<char>('a' + latches++)));
        tell(input::KeysChanged{ keys });
        answer();
        pass(Millis{ 60 });
    }

    std::optional<LockReading> look(const LockName &name)
    {
        const auto lock = server.find(name);
        if (lock == server.end())
            return std::nullopt;
        auto reading = lock->second;
        if (const auto expiry = expiries.find(name); expiry != expiries.end() && !reading.holders.empty()) {
            reading.ttl = std::chrono::floor<Millis>(expiry->second - mono);
            if (*reading.ttl <= Millis{ 0 }) {
                server.erase(lock);
                return std::nullopt;
            }
        }
        return reading;
    }

    std::shared_ptr<const LockState> shown(const LockName &name) const { return last->locks.find(name); }
    /// Kinds and certainties, oldest first; forgets them.
    bool isAnythingToldOf(const LockName &name) const
    {
        return std::ranges::find(events, name, &Event::lock) != events.end();
    }
    Happened takeEvents()
    {
        Happened taken;
        for (const auto &event : std::exchange(events, {}))
            taken.emplace_back(event.kind, event.certainty);
        return taken;
    }
    Now now() const
    {
        return { mono, WallTime{ Millis{ 1'700'000'000'000 } + clockSet + std::chrono::floor<Millis>(mono - Start) } };
    }

    static constexpr MonoTime Start{ std::chrono::seconds{ 1'000 } };

private:
    Feed m_feed;
    bool m_hearsUnlocks;

public:
    Engine engine;
    MonoTime mono = Start;
    std::string runId = "first";
    std::map<LockName, LockReading> server;
    std::map<LockName, MonoTime> expiries;
    std::map<LockName, std::shared_ptr<const LockState>> shownElsewhere; // by other nodes, which are asked for it
    std::set<LockName> elsewhere; // another node of the cluster would tell
    std::vector<std::pair<std::string, std::int64_t>> channels; // with their subscribers
    std::vector<EngineAction> actions; // reads, scans and lists not answered yet
    std::vector<Event> events;
    std::vector<std::string> counted;
    MonoTime countedAt; // asked then
    std::shared_ptr<const Snapshot> last;
    std::optional<MonoTime> timerAt;
    int published = 0;
    int reads = 0; // names
    int trips = 0;
    int latches = 0;
    Millis clockSet{ 0 }; // ours
    Millis heldUp{ 0 }; // the server, between the question for its time and a look
};

} // namespace testsupport
