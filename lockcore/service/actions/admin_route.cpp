// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/admin_route.h"

#include "lockcore/monitor/listeners.h"
#include "lockcore/protocol/key_slot.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace lockcore {

namespace {

bool isHeldBy(const LockState &member, const ExpectedHolder &expected)
{
    return std::any_of(member.holders.begin(), member.holders.end(),
        [&](const Holder &holder) { return holder.owner == expected.owner && holder.mode == expected.mode; });
}

/// For the holders that this server has; absent: it has none of them.
template <typename Command>
std::optional<AdminCommand> narrowedToHolders(Command command, const LockState &member)
{
    std::erase_if(command.expected, [&](const ExpectedHolder &holder) { return !isHeldBy(member, holder); });
    return command.expected.empty() ? std::nullopt : std::optional<AdminCommand>(std::move(command));
}

struct Narrow {
    const LockState &member;

    std::optional<AdminCommand> operator()(const ForceRelease &release) const
    {
        return narrowedToHolders(release, member);
    }
    std::optional<AdminCommand> operator()(const SetTtl &renewal) const { return narrowedToHolders(renewal, member); }
    std::optional<AdminCommand> operator()(const DropWaiter &drop) const
    {
        const bool waits = std::any_of(member.waiters.begin(), member.waiters.end(),
            [&](const Waiter &waiter) { return waiter.owner == drop.waiter; });
        return waits ? std::optional<AdminCommand>(drop) : std::nullopt;
    }
    std::optional<AdminCommand> operator()(const ReturnPermit &giving) const
    {
        return member.permits ? std::optional<AdminCommand>(giving) : std::nullopt;
    }
};

template <typename Each>
std::string listOf(const Each &holders)
{
    std::string text;
    for (const auto &holder : holders) {
        text += (text.empty() ? "" : ", ") + toString(holder.owner);
        if (holder.mode)
            text += *holder.mode == HoldMode::Write ? ":write" : ":read";
    }
    return text.empty() ? "nobody" : text;
}

/// Each server is told of the holders that it has alone: that those of all are the ones expected is to be seen before.
struct Guard {
    const LockState &lock;

    template <typename Command>
    bool operator()(const Command &command) const
    {
        if constexpr (requires { command.expected; }) {
            const std::set<ExpectedHolder> expected(command.expected.begin(), command.expected.end());
            std::set<ExpectedHolder> seen;
            for (const auto &member : lock.members) {
                for (const Holder &holder : member->holders)
                    seen.insert({ holder.owner, holder.mode });
            }
            if constexpr (requires { command.onlyThese; }) {
                if (command.onlyThese)
                    return std::ranges::includes(seen, expected);
            }
            return seen == expected;
        } else {
            return true;
        }
    }
};

Error changed(const AdminCommand &command, const LockState &lock)
{
    std::string expected;
    std::visit(
        [&](const auto &action) {
            if constexpr (requires { action.expected; })
                expected = listOf(action.expected);
        },
        command);
    std::string held;
    for (const auto &member : lock.members)
        held += (held.empty() ? "" : "; ") + member->node + " has it held by " + listOf(member->holders);
    return { ErrorCode::HolderChanged, "nothing was changed: expected was " + expected + ", and " + held,
        actionName(command) };
}

Result<std::vector<AdminTarget>> toMembers(
    const AdminCommand &command, const std::vector<SlotOwner> &nodes, const LockState *lock)
{
    if (lock && !lock->members.empty() && !std::visit(Guard{ *lock }, command))
        return tl::unexpected(changed(command, *lock));
    std::vector<AdminTarget> targets;
    for (const SlotOwner &node : nodes) {
        const std::string name = node.endpoint.display();
        for (std::size_t i = 0; lock && i < lock->members.size(); ++i) {
            const LockState &member = *lock->members[i];
            if (member.node != name)
                continue;
            if (auto narrowed = std::visit(Narrow{ member }, command))
                targets.push_back({ node.endpoint, std::move(*narrowed) });
        }
    }
    if (targets.empty())
        return failure(ErrorCode::NotHeld, "none of the servers has it as it was seen", actionName(command));
    return targets;
}

const SlotOwner *slotOwnerOf(int slot, const std::vector<SlotOwner> &nodes)
{
    const auto keeps = [slot](const SlotOwner &node) {
        return std::any_of(node.slots.begin(), node.slots.end(),
            [slot](const SlotSpan &span) { return span.first <= slot && slot <= span.last; });
    };
    const auto slotOwner = std::find_if(nodes.begin(), nodes.end(), keeps);
    return slotOwner == nodes.end() ? nullptr : &*slotOwner;
}

std::string namesOf(const std::vector<LockName> &locks)
{
    std::string text;
    for (const LockName &name : locks)
        text += (text.empty() ? "" : " and ") + name;
    return text;
}

} // namespace

Result<AdminCommand> fitToListeners(AdminCommand command, const Snapshot &snapshot)
{
    const auto lock = snapshot.locks.find(lockOf(command));
    if (!lock)
        return command;
    if (auto *release = std::get_if<ForceRelease>(&command))
        release->listeners = listenersWithoutQueue(snapshot, *lock);
    if (!std::holds_alternative<DropWaiter>(command))
        return command;
    const auto others = locksListenedForInstead(snapshot, *lock);
    if (others.empty())
        return command;
    return failure(ErrorCode::HolderChanged,
        "nothing was changed: who stands in this queue listens for " + namesOf(others)
            + ", and the next one would not be woken; drop it from the queue of that lock",
        std::string(actionName(command)) + " of " + lock->name);
}

Result<std::vector<AdminTarget>> routeCommand(
    const AdminCommand &command, Topology topology, const std::vector<SlotOwner> &nodes, const LockState *lock)
{
    if (nodes.empty())
        return failure(ErrorCode::ConnectionClosed, "which server keeps the locks is not known", actionName(command));
    if (topology == Topology::Nodes)
        return toMembers(command, nodes, lock);
    if (topology != Topology::Cluster)
        return std::vector<AdminTarget>{ { nodes.front().endpoint, command } };
    const SlotOwner *slotOwner = slotOwnerOf(protocol::keySlot(lockOf(command)), nodes);
    if (!slotOwner)
        return failure(ErrorCode::ClusterBusy, "nobody keeps the slot of this lock now", actionName(command));
    return std::vector<AdminTarget>{ { slotOwner->endpoint, command } };
}

} // namespace lockcore
