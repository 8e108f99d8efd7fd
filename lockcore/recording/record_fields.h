// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <concepts>
#include <type_traits>

/// What each value consists of, in the order in which it stands in recordings. A change here is a new version of the
/// format: see RecordingDatabase. Those that grow are taken apart, so that no field is forgotten.
namespace lockcore {

template <typename Given, typename Wanted>
concept Like = std::same_as<std::remove_const_t<Given>, Wanted>;

void fields(auto &archive, Like<OwnerId> auto &owner) { archive(owner.client, owner.thread); }

void fields(auto &archive, Like<Since> auto &since) { archive(since.at, since.exact); }

void fields(auto &archive, Like<Holder> auto &holder)
{
    auto &[owner, count, expiresAt, since, mode, fromPort, expired] = holder;
    archive(owner, count, mode, expiresAt, since, fromPort, expired);
}

void fields(auto &archive, Like<Waiter> auto &waiter)
{
    auto &[owner, deadline, since, subscribed] = waiter;
    archive(owner, deadline, since, subscribed);
}

void fields(auto &archive, Like<TtlCorner> auto &corner)
{
    archive(corner.at, corner.before, corner.after, corner.renewal);
}

void fields(auto &archive, Like<LastChange> auto &change) { archive(change.kind, change.at, change.certainty); }

void fields(auto &archive, Like<Quorum> auto &quorum) { archive(quorum.held, quorum.unknown, quorum.servers); }

void fields(auto &archive, Like<PermitReading> auto &permit) { archive(permit.id, permit.deadline); }

void fields(auto &archive, Like<PermitsReading> auto &permits)
{
    archive(permits.available, permits.leased, permits.overdue, permits.leases);
}

void fields(auto &archive, Like<Error> auto &error) { archive(error.code, error.message, error.context); }

void fields(auto &archive, Like<SweepInfo> auto &sweep)
{
    archive(sweep.keysSeen, sweep.duration, sweep.finishedAt, sweep.byScript);
}

void fields(auto &archive, Like<Rates> auto &rates)
{
    archive(rates.acquires, rates.renewals, rates.releases, rates.expiries);
}

void fields(auto &archive, Like<SourceStatus> auto &status)
{
    auto &[phase, error, staleSince, retryAt, server, serverVersion, feed, feedReason, feedLimited, lastSweep,
        sweepProgress, missingRights, aclLine, rates, clockAhead, recordedAt, channelsShared]
        = status;
    archive(phase, error, staleSince, retryAt, server, serverVersion, feed, feedReason, lastSweep, sweepProgress,
        missingRights, aclLine, rates);
}

void fields(auto &archive, Like<SlotSpan> auto &span) { archive(span.first, span.last); }

void fields(auto &archive, Like<NodeStatus> auto &node)
{
    auto &[name, role, slots, replicaLag, locks, status] = node;
    archive(name, role, slots, replicaLag, locks, status);
}

void fields(auto &archive, Like<ChannelState> auto &channel)
{
    archive(channel.channel, channel.node, channel.subscribers, channel.since);
}

void fields(auto &archive, Like<Suspect> auto &suspect)
{
    archive(
        suspect.kind, suspect.lock, suspect.node, suspect.subject, suspect.evidence, suspect.certainty, suspect.since);
}

void fields(auto &archive, Like<LockStatistics> auto &of)
{
    archive(of.lock, of.acquires, of.handOvers, of.renewals, of.holds, of.heldTotal, of.heldLongest, of.heldP99,
        of.waits, of.waitedTotal, of.waitedLongest, of.blocked, of.renewalGapLongest, of.renewalGapMean);
}

void fields(auto &archive, Like<WaitEdge> auto &edge) { archive(edge.waiter, edge.lock, edge.holder); }

void fields(auto &archive, Like<WaitGraph> auto &graph) { archive(graph.edges, graph.cycles); }

/// An analysis without its graph and its statistics.
template <typename AnAnalysis>
void plainAnalysis(auto &archive, AnAnalysis &analysis)
{
    archive(analysis.at, analysis.suspects, analysis.moreSuspects, analysis.pending);
}

/// A lock without its name, its keys, its TTL's history and its members.
template <typename Lock>
void plainFields(auto &archive, Lock &lock)
{
    auto &[name, kind, mode, lease, hasMainKey, slot, node, holders, expiresAt, leaseSeen, renewals, waiters,
        subscribers, token, permits, count, otherKinds, otherKeys, quorum, members, readAt, readAtMono, lastChange,
        ttlHistory]
        = lock;
    archive(kind, mode, holders, expiresAt, leaseSeen, lease, renewals, waiters, subscribers, token, permits, count,
        otherKinds, node, slot, readAt, readAtMono, lastChange, quorum);
}

} // namespace lockcore
