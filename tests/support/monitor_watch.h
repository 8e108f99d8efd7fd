// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/monitor.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace testsupport {

/// What is found is found by other means than sweeps.
inline lockcore::service::MonitorOptions rarelySweeping()
{
    lockcore::service::MonitorOptions options;
    options.sweepEvery = lockcore::Millis{ 600'000 };
    return options;
}

/// A monitor of a deployment, and what it reported.
struct MonitorWatch {
    explicit MonitorWatch(
        const lockcore::transport::Deployment &deployment, lockcore::service::MonitorOptions options = {})
        : service(std::move(options))
    {
        QObject::connect(&service, &lockcore::service::Monitor::eventsReported, &service,
            [this](
                const lockcore::monitor::EventList &list) { events.insert(events.end(), list->begin(), list->end()); });
        QObject::connect(&service, &lockcore::service::Monitor::snapshotReady, &service, [this] { look(); });
        QObject::connect(&service, &lockcore::service::Monitor::commandFinished, &service,
            [this](lockcore::CommandId, const lockcore::Result<lockcore::synchronizers::CommandOutcome> &result) {
                outcome = result;
            });
        service.open(deployment);
    }

    lockcore::monitor::SourceStatus status() const { return service.latest()->status; }
    bool isLive() const { return status().phase == lockcore::monitor::SourcePhase::Live; }
    bool isLiveAndSwept() const { return isLive() && status().lastSweep; } // never by a user without SCAN
    bool saysMissing(lockcore::monitor::Right right) const
    {
        const auto missing = status().missingRights;
        return std::ranges::any_of(missing, [right](const auto &each) { return each.right == right; });
    }
    bool saysObstacle(lockcore::monitor::FeedObstacle obstacle) const // to a better feed
    {
        const auto detours = status().feedReason.detours;
        return std::ranges::any_of(detours, [obstacle](const auto &each) { return each.obstacle == obstacle; });
    }
    /// The first holder of the lock goes on. Renewed out of sight it may have taken the lock anew.
    bool goesOn(const lockcore::monitor::LockState &before) const
    {
        const lockcore::monitor::Holder &was = before.holders.at(0);
        const lockcore::monitor::Holder is = lock(before.name)->holders.at(0);
        const bool mayBeAnew = !is.since.exact && is.expiresAt != was.expiresAt;
        return is.owner == was.owner && (is.since == was.since || mayBeAnew);
    }
    std::shared_ptr<const lockcore::monitor::LockState> lock(const std::string &name) const
    {
        return service.latest()->locks.find(name);
    }
    std::map<std::string, std::string> holders() const // the first of each
    {
        std::map<std::string, std::string> holders;
        const auto seen = service.latest();
        for (const auto &lock : seen->locks) {
            if (!lock->holders.empty())
                holders[lock->name] = toString(lock->holders[0].owner);
        }
        return holders;
    }
    bool isStale(const std::string &name) const
    {
        const auto state = lock(name);
        return state && lockcore::monitor::staleSince(*service.latest(), *state);
    }
    std::string nodeOf(const std::string &name) const { return lock(name) ? lock(name)->node : std::string(); }
    std::vector<lockcore::monitor::EventKind> kinds(const std::string &name) const
    {
        std::vector<lockcore::monitor::EventKind> kinds;
        for (const auto &event : events) {
            if (event.lock == name)
                kinds.push_back(event.kind);
        }
        return kinds;
    }
    std::optional<lockcore::monitor::Certainty> certainty(
        const std::string &name, lockcore::monitor::EventKind kind) const
    {
        for (const auto &event : events) {
            if (event.lock == name && event.kind == kind)
                return event.certainty;
        }
        return std::nullopt;
    }
    std::vector<lockcore::Millis> gaps() const
    {
        std::vector<lockcore::Millis> gaps;
        for (const auto &event : events) {
            if (event.kind == lockcore::monitor::EventKind::Gap)
                gaps.push_back(event.ttl.value_or(lockcore::Millis{ -1 }));
        }
        return gaps;
    }
    bool told(lockcore::monitor::EventKind kind, const std::string &node) const
    {
        return std::any_of(
            events.begin(), events.end(), [&](const auto &event) { return event.kind == kind && event.node == node; });
    }
    const lockcore::monitor::NodeStatus *node(const std::string &name)
    {
        snapshot = service.latest();
        const auto found = std::find_if(
            snapshot->nodes.begin(), snapshot->nodes.end(), [&](const auto &each) { return each.node == name; });
        return found == snapshot->nodes.end() ? nullptr : &*found;
    }
    /// What led to the newest snapshot is told already, but may still be on its way here.
    void forgetEvents()
    {
        QCoreApplication::processEvents();
        events.clear();
    }
    /// From now on each snapshot is looked at: counts those without the lock, and those with it twice.
    void keepAnEyeOn(const std::string &name)
    {
        watched = name;
        missed.clear();
        doubled = 0;
    }
    void submit(lockcore::synchronizers::AdminCommand command)
    {
        outcome.reset();
        service.setWritable(true);
        service.submit(std::move(command));
    }

    lockcore::service::Monitor service;
    std::vector<lockcore::monitor::Event> events;
    std::optional<lockcore::Result<lockcore::synchronizers::CommandOutcome>> outcome;
    std::shared_ptr<const lockcore::monitor::Snapshot> snapshot;
    std::optional<std::set<std::string>> wereSeen; // in any snapshot, once it is there
    std::string missed; // what was to be seen of the servers in those without it
    int doubled = 0;

private:
    static std::string serversOf(const lockcore::monitor::Snapshot &snapshot)
    {
        std::string text = "servers:";
        for (const lockcore::monitor::NodeStatus &node : snapshot.nodes)
            text += ' ' + node.node + " (phase " + std::to_string(static_cast<int>(node.status.phase)) + ", "
                + std::to_string(node.locks) + " locks, " + std::to_string(node.slots.size()) + " spans of slots)";
        return text + '\n';
    }
    void look()
    {
        const auto seen = service.latest();
        for (auto lock = seen->locks.begin(); wereSeen && lock != seen->locks.end(); ++lock)
            wereSeen->insert((*lock)->name);
        if (!watched)
            return;
        const auto count = std::count_if(
            seen->locks.begin(), seen->locks.end(), [this](const auto &each) { return each->name == *watched; });
        if (count == 0)
            missed += serversOf(*seen);
        doubled += count > 1 ? 1 : 0;
    }

    std::optional<std::string> watched;
};

} // namespace testsupport
