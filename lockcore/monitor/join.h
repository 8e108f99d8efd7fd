// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/server_sight.h"
#include "lockcore/monitor/snapshot.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockcore::monitor {

/// Whether the lock would be found there: in a cluster its slot tells, of independent servers each may have it.
LOCKCORE_EXPORT bool mayKeep(const NodeStatus &node, const LockName &name);

/// Since when a part of it is stale; where all of it is, since the last of them was seen: what is shown was read until
/// then.
std::optional<MonoTime> joinStaleSince(const std::vector<NodeStatus> &nodes);

/// How all servers together are seen: the worst phase, summed rates; what concerns one of them names it.
SourceStatus joinStatus(const std::string &deployment, const std::vector<NodeStatus> &nodes);

/// Joins the locks of independent servers once more, where it was found later that more of these were not seen then:
/// what the picture has of each of them stays. Cost: that of all locks.
void joinAgain(Snapshot &picture);

/// Which of the servers of a deployment keep a lock.
enum class Sharing {
    Parts, // each lock is on one of them
    Copies, // independent servers, the members of a RedLock: as many as there are
};

/// Joins what is known of each server into one picture. What has not changed keeps its pointer, and a join costs little
/// more than a copy of the list and the names that changed.
class Join {
public:
    Join(std::string deployment, Sharing sharing);

    /// The servers from now on; those that are new have nothing to show yet.
    void setNodes(const std::map<std::string, std::vector<SlotSpan>> &slotsOfNodes);
    void put(const std::string &node, std::shared_ptr<const Snapshot> snapshot);
    /// Where the servers are to be found is not known, or no longer.
    void setTrouble(std::optional<Error> error, std::optional<MonoTime> retryAt = std::nullopt);
    /// What is refused that concerns no single server, as in SourceStatus.
    void setMissingRights(std::vector<MissingRight> missing, std::string aclLine);

    std::shared_ptr<Snapshot> join(Now now);

    std::shared_ptr<const LockState> find(const LockName &name) const
    {
        return m_locks.find(name);
    } // as of the last join; null: no such lock

private:
    using Lock = std::shared_ptr<const LockState>;
    struct Node {
        std::vector<SlotSpan> slots;
        std::shared_ptr<const Snapshot> snapshot; // never null
        LockList joined; // the locks of `snapshot` at the last join
        Sight sight = Sight::None; // at the last join
    };

    void noteChanges(Node &node);
    void noteAll(const LockList &locks);
    Lock joinedNow(const LockName &name) const;
    Lock joinedPart(const LockName &name) const;
    Lock joinedCopies(const LockName &name) const;
    void mergeChanges();
    void joinChannels(Snapshot &snapshot);
    void addMissingRights(SourceStatus &status) const;

    const std::string m_deployment;
    const Sharing m_sharing;
    std::map<std::string, Node> m_nodes;
    std::optional<Error> m_trouble;
    std::optional<MonoTime> m_retryAt;
    std::vector<MissingRight> m_missingRights;
    std::string m_aclLine;
    std::uint64_t m_revision = 0;
    LockList m_locks;
    LockList::Changes m_changes;
    std::vector<std::shared_ptr<const std::vector<ChannelState>>> m_channelLists;
    std::shared_ptr<const std::vector<ChannelState>> m_channels;
};

} // namespace lockcore::monitor
