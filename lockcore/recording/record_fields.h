// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <concepts>
#include <type_traits>

/// What each value consists of in recordings. They are in people's files: a field keeps its number and its type, a new
/// one gets the next number, and the number of one that goes is not used again. Those values that grow are taken apart,
/// so that no member is forgotten.
namespace lockcore::recording {

template <typename Given, typename Wanted>
concept Like = std::same_as<std::remove_const_t<Given>, Wanted>;

/// What fields did not have when they had no numbers yet.
void addedField(auto &archive, unsigned number, auto &value)
{
    if (archive.isNumbered())
        archive.field(number, value);
}

void fields(auto &archive, Like<OwnerId> auto &owner)
{
    archive.field(1, owner.client);
    archive.field(2, owner.thread);
}

void fields(auto &archive, Like<monitor::Since> auto &since)
{
    archive.field(1, since.at);
    archive.field(2, since.exact);
}

void fields(auto &archive, Like<monitor::Holder> auto &holder)
{
    auto &[owner, count, expiresAt, since, mode, fromPort, expired, lease] = holder;
    archive.field(1, owner);
    archive.field(2, count);
    archive.field(3, mode);
    archive.field(4, expiresAt);
    archive.field(5, since);
    archive.field(6, fromPort);
    archive.field(7, expired);
    addedField(archive, 8, lease);
}

void fields(auto &archive, Like<monitor::Waiter> auto &waiter)
{
    auto &[owner, deadline, since, subscribed, score, listenedLast] = waiter;
    archive.field(1, owner);
    archive.field(2, deadline);
    archive.field(3, since);
    archive.field(4, subscribed);
    addedField(archive, 5, score);
    addedField(archive, 6, listenedLast);
}

void fields(auto &archive, Like<monitor::KnownWait> auto &wait)
{
    auto &[owner, lock, since] = wait;
    archive.field(1, owner);
    archive.field(2, lock);
    archive.field(3, since);
}

void fields(auto &archive, Like<monitor::KnownHold> auto &hold)
{
    auto &[owner, lock] = hold;
    archive.field(1, owner);
    archive.field(2, lock);
}

void fields(auto &archive, Like<monitor::TtlCorner> auto &corner)
{
    archive.field(1, corner.at);
    archive.field(2, corner.before);
    archive.field(3, corner.after);
    archive.field(4, corner.renewal);
}

void fields(auto &archive, Like<monitor::LastChange> auto &change)
{
    archive.field(1, change.kind);
    archive.field(2, change.at);
    archive.field(3, change.certainty);
}

void fields(auto &archive, Like<monitor::Quorum> auto &quorum)
{
    archive.field(1, quorum.held);
    archive.field(2, quorum.unknown);
    archive.field(3, quorum.servers);
}

void fields(auto &archive, Like<synchronizers::PermitReading> auto &permit)
{
    archive.field(1, permit.id);
    archive.field(2, permit.deadline);
}

void fields(auto &archive, Like<synchronizers::PermitsReading> auto &permits)
{
    archive.field(1, permits.available);
    archive.field(2, permits.leased);
    archive.field(3, permits.overdue);
    archive.field(4, permits.leases);
}

void fields(auto &archive, Like<Error> auto &error)
{
    archive.field(1, error.code);
    archive.field(2, error.message);
    archive.field(3, error.context);
}

void fields(auto &archive, Like<monitor::SweepInfo> auto &sweep)
{
    archive.field(1, sweep.keysSeen);
    archive.field(2, sweep.duration);
    archive.field(3, sweep.finishedAt);
    archive.field(4, sweep.byScript);
}

void fields(auto &archive, Like<monitor::Rates> auto &rates)
{
    archive.field(1, rates.acquires);
    archive.field(2, rates.renewals);
    archive.field(3, rates.releases);
    archive.field(4, rates.expiries);
    addedField(archive, 5, rates.mayHaveMoreExpiries);
    addedField(archive, 6, rates.areUnknown);
}

void fields(auto &archive, Like<monitor::MissingRight> auto &missing)
{
    auto &[right, refusal, nodes, recorded] = missing;
    archive.field(1, right);
    archive.field(2, refusal);
    archive.field(3, nodes);
    archive.field(4, recorded);
}

void fields(auto &archive, Like<monitor::FeedDetour> auto &detour)
{
    auto &[obstacle, detail] = detour;
    archive.field(1, obstacle);
    archive.field(2, detail);
}

void fields(auto &archive, Like<monitor::FeedScope> auto &scope)
{
    auto &[extent, prefixes, trial, nonLockKeys] = scope;
    archive.field(1, extent);
    archive.field(2, prefixes);
    archive.field(3, trial);
    archive.field(4, nonLockKeys);
}

/// Without `recorded`, as with observations.
void fields(auto &archive, Like<monitor::FeedReason> auto &reason)
{
    auto &[isByHand, detours, scope, leavesChannelsOut, partOfCluster, mayMiss, node, recorded] = reason;
    archive.field(1, isByHand);
    archive.field(2, detours);
    archive.field(3, scope);
    archive.field(4, leavesChannelsOut);
    archive.field(5, partOfCluster);
    archive.field(6, mayMiss);
    archive.field(7, node);
}

void fields(auto &archive, Like<monitor::SourceStatus> auto &status)
{
    auto &[phase, error, staleSince, retryAt, server, serverVersion, feed, feedReason, feedLimited, lastSweep,
        sweepProgress, missingRights, aclLine, rates, clockAhead, recordedAt, channelsShared, slowLog]
        = status;
    std::vector<std::string> rightsInWords; // what missing rights were once
    archive.field(1, phase);
    archive.field(2, error);
    archive.field(3, staleSince);
    archive.field(4, retryAt);
    archive.field(5, server);
    archive.field(6, serverVersion);
    archive.field(7, feed);
    archive.field(8, feedReason.recorded);
    archive.field(9, lastSweep);
    archive.field(10, sweepProgress);
    archive.field(11, rightsInWords);
    archive.field(12, aclLine);
    archive.field(13, rates);
    addedField(archive, 14, missingRights);
    addedField(archive, 15, feedReason);
    addedField(archive, 16, slowLog);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(status)>>) {
        for (std::string &sentence : rightsInWords)
            missingRights.push_back({ .recorded = std::move(sentence) });
    }
}

void fields(auto &archive, Like<SlotSpan> auto &span)
{
    archive.field(1, span.first);
    archive.field(2, span.last);
}

void fields(auto &archive, Like<monitor::NodeStatus> auto &node)
{
    auto &[name, role, slots, replicaLag, locks, status] = node;
    archive.field(1, name);
    archive.field(2, role);
    archive.field(3, slots);
    archive.field(4, replicaLag);
    archive.field(5, locks);
    archive.field(6, status);
}

void fields(auto &archive, Like<monitor::ChannelState> auto &channel)
{
    archive.field(1, channel.channel);
    archive.field(2, channel.node);
    archive.field(3, channel.subscribers);
    archive.field(4, channel.since);
}

/// Without `recorded`, which stands where it stood before there was anything else.
void fields(auto &archive, Like<monitor::Observation> auto &seen)
{
    auto &[what, since, left, usual, number, former, permits, waiting, isAtLeast, areClients, leavesTwinOut,
        mayBeElsewhere, recorded]
        = seen;
    archive.field(1, what);
    archive.field(2, since);
    archive.field(3, left);
    archive.field(4, usual);
    archive.field(5, number);
    archive.field(6, permits);
    archive.field(7, waiting);
    archive.field(8, isAtLeast);
    archive.field(9, areClients);
    archive.field(10, leavesTwinOut);
    archive.field(11, mayBeElsewhere);
    addedField(archive, 12, former);
}

void fields(auto &archive, Like<monitor::Suspect> auto &suspect)
{
    archive.field(1, suspect.kind);
    archive.field(2, suspect.lock);
    archive.field(3, suspect.node);
    archive.field(4, suspect.subject);
    archive.field(5, suspect.evidence.recorded);
    archive.field(6, suspect.certainty);
    archive.field(7, suspect.since);
    addedField(archive, 8, suspect.evidence);
}

void fields(auto &archive, Like<monitor::LockStatistics> auto &of)
{
    archive.field(1, of.lock);
    archive.field(2, of.acquires);
    archive.field(3, of.handOvers);
    archive.field(4, of.renewals);
    archive.field(5, of.holds);
    archive.field(6, of.heldTotal);
    archive.field(7, of.heldLongest);
    archive.field(8, of.heldP99);
    archive.field(9, of.waits);
    archive.field(10, of.waitedTotal);
    archive.field(11, of.waitedLongest);
    archive.field(12, of.blocked);
    archive.field(13, of.renewalGapLongest);
    archive.field(14, of.renewalGapMean);
    addedField(archive, 15, of.blockedUntil);
}

void fields(auto &archive, Like<monitor::WaitEdge> auto &edge)
{
    archive.field(1, edge.waiter);
    archive.field(2, edge.lock);
    archive.field(3, edge.holder);
}

void fields(auto &archive, Like<monitor::WaitGraph> auto &graph)
{
    archive.field(1, graph.edges);
    archive.field(2, graph.cycles);
}

/// An analysis without its graph and its statistics.
template <typename AnAnalysis>
void plainAnalysis(auto &archive, AnAnalysis &analysis)
{
    archive.field(1, analysis.at);
    archive.field(2, analysis.suspects);
    archive.field(3, analysis.moreSuspects);
    archive.field(4, analysis.pending);
}

enum FrameField : unsigned {
    WallOfFrame = 1,
    StatusIfChanged = 2,
    NodesIfChanged = 3,
    ChannelsIfChanged = 4,
    MoreChannels = 5,
    LocksGone = 6,
    LocksChanged = 7,
    AnalysisIfChanged = 8,
    KnownWaitsIfChanged = 9,
    KnownHoldsIfChanged = 10,
};

/// Behind those of plainAnalysis().
enum AnalysisField : unsigned { GraphIfChanged = 5, StatisticsGone = 6, StatisticsChanged = 7 };

/// The numbers of a lock's fields that take more than its own members; the others are between them.
enum LockField : unsigned {
    PlaceOfMember = 1, // members only, as is the next one
    IsSameMember = 2,
    NameOfLock = 3,
    KeysOfLock = 23,
    CornersForgotten = 24,
    CornersAdded = 25,
    MembersOfLock = 26,
    BecameSoThen = 27,
    TakenSinceCount = 28,
};

template <typename Lock>
void plainFields(auto &archive, Lock &lock)
{
    auto &[name, kind, mode, lease, hasMainKey, slot, node, holders, expiresAt, leaseSeen, renewals, waiters,
        subscribers, takenSinceCount, token, permits, count, otherKinds, otherKeys, quorum, members, readAt, readAtMono,
        becameSoThen, lastChange, ttlHistory]
        = lock;
    archive.field(4, kind);
    archive.field(5, mode);
    archive.field(6, holders);
    archive.field(7, expiresAt);
    archive.field(8, leaseSeen);
    archive.field(9, lease);
    archive.field(10, renewals);
    archive.field(11, waiters);
    archive.field(12, subscribers);
    archive.field(13, token);
    archive.field(14, permits);
    archive.field(15, count);
    archive.field(16, otherKinds);
    archive.field(17, node);
    archive.field(18, slot);
    archive.field(19, readAt);
    archive.field(20, readAtMono);
    archive.field(21, lastChange);
    archive.field(22, quorum);
}

/// Behind all others.
void laterFields(auto &archive, auto &lock)
{
    addedField(archive, BecameSoThen, lock.becameSoThen);
    addedField(archive, TakenSinceCount, lock.takenSinceCount);
}

} // namespace lockcore::recording
