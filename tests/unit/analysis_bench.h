// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analyst.h"
#include "tests/unit/owners.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace testsupport {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

/// What an analyst is told and says, second by second.
class AnalysisBench {
public:
    explicit AnalysisBench(AnalystSettings settings = {})
        : analyst(std::move(settings))
    {
        snapshot.status.phase = SourcePhase::Live;
        NodeStatus node;
        node.node = "n1";
        node.status.phase = SourcePhase::Live;
        node.status.feed = Feed::ClientTracking;
        snapshot.nodes.push_back(node);
    }

    Now now() const { return { mono, wall }; }
    void pass(Millis time)
    {
        mono += time;
        wall += time;
    }

    LockState held(const LockName &name, const OwnerId &owner, Kind kind = Kind::Reentrant) const
    {
        LockState lock;
        lock.name = name;
        lock.kind = kind;
        lock.node = "n1";
        Holder holder;
        holder.owner = owner;
        holder.since = { mono, true };
        holder.expiresAt = mono + Millis{ 30'000 };
        lock.holders.push_back(holder);
        lock.expiresAt = holder.expiresAt;
        lock.leaseSeen = Millis{ 30'000 };
        return lock;
    }
    Waiter waiter(const OwnerId &owner, Millis deadlineIn, bool subscribed = true) const
    {
        return { owner, wall + deadlineIn, { mono, true }, subscribed };
    }

    void show(LockState lock)
    {
        const auto shown = std::make_shared<const LockState>(std::move(lock));
        snapshot.locks.apply({ { shown->name, shown } });
    }
    void hide(const LockName &name) { snapshot.locks.apply({ { name, nullptr } }); }

    Event event(EventKind kind, const LockName &lock, const OwnerId &owner, const std::string &node = "n1") const
    {
        Event event;
        event.at = wall;
        event.kind = kind;
        event.lock = lock;
        event.owner = owner;
        event.node = node;
        return event;
    }
    void hear(EventKind kind, const LockName &lock, const OwnerId &owner) { hear(event(kind, lock, owner)); }
    void hear(const Event &event) { analyst.heard({ event }, mono); }

    const Analysis &look()
    {
        last = analyst.look(snapshot, now());
        return *last;
    }
    /// Looks once a second for so long.
    const Analysis &watch(Millis time)
    {
        for (look(); time > Millis{ 0 }; time -= Millis{ 1'000 }) {
            pass(std::min(time, Millis{ 1'000 }));
            look();
        }
        return *last;
    }

    MonoTime mono{ std::chrono::hours(1) };
    WallTime wall{ std::chrono::hours(1'000'000) };
    Snapshot snapshot;
    Analyst analyst;
    std::shared_ptr<const Analysis> last;
};

} // namespace testsupport
