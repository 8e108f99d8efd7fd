// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/admin_command_runner.h"

#include "lockcore/monitor/listeners.h"
#include "lockcore/monitor/server_sight.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/synchronizers/catalog.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

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
    command.end.reset(); // that of all together
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
    return text.empty() ? "–" : text;
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

/// With the servers behind it; what several of them have alike is told once.
std::string whoHasItWhere(const LockState &lock)
{
    std::vector<std::pair<std::string, std::string>> places;
    for (const auto &member : lock.members) {
        if (member->holders.empty())
            continue;
        const std::string holders = listOf(member->holders);
        const auto known = std::ranges::find(places, holders, &std::pair<std::string, std::string>::first);
        if (known == places.end())
            places.emplace_back(holders, member->node);
        else
            known->second += ", " + member->node;
    }
    std::string text;
    for (const auto &[holders, servers] : places)
        text.append(text.empty() ? "" : ", ").append(holders).append(" (").append(servers).append(")");
    return text;
}

Error changed(const AdminCommand &command, const LockState &lock)
{
    std::string expected;
    std::visit(
        [&](const auto &action) {
            if constexpr (requires { action.expected; })
                expected = listOf(action.expected);
        },
        command);
    const std::string held = whoHasItWhere(lock);
    return errorOf(ErrorCode::HolderChanged,
        held.empty() ? Said{ Phrase::HoldersGone, { expected } } : Said{ Phrase::HoldersDiffer, { expected, held } },
        actionOf(command));
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
        return failure(ErrorCode::NotHeld, { Phrase::NowhereAsSeen }, actionOf(command));
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
    const bool isOfHolders = std::holds_alternative<ForceRelease>(command) || std::holds_alternative<SetTtl>(command);
    if (isTokenLock(lock->kind) && !isOfHolders)
        return failure(ErrorCode::NotSupported, { Phrase::NoQueueNorPermits }, actionOf(command));
    if (auto *release = std::get_if<ForceRelease>(&command))
        release->listeners = listenersWithoutQueue(snapshot, *lock);
    if (!std::holds_alternative<DropWaiter>(command))
        return command;
    const auto others = locksListenedForInstead(snapshot, *lock);
    if (others.empty())
        return command;
    return failure(ErrorCode::HolderChanged, { Phrase::QueueOfAnother, { namesOf(others) } }, actionOf(command));
}

Result<std::vector<AdminTarget>> routeCommand(
    const AdminCommand &command, Topology topology, const std::vector<SlotOwner> &nodes, const LockState *lock)
{
    if (nodes.empty())
        return failure(ErrorCode::ConnectionClosed, { Phrase::ServersUnknown }, actionOf(command));
    if (topology == Topology::Nodes)
        return toMembers(command, nodes, lock);
    if (topology != Topology::Cluster)
        return std::vector<AdminTarget>{ { nodes.front().endpoint, command } };
    const SlotOwner *slotOwner = slotOwnerOf(protocol::keySlot(lockOf(command)), nodes);
    if (!slotOwner)
        return failure(ErrorCode::ClusterBusy, { Phrase::NobodyKeepsSlot }, actionOf(command));
    return std::vector<AdminTarget>{ { slotOwner->endpoint, command } };
}

std::vector<std::string> serversNotAsked(
    const std::vector<AdminTarget> &targets, const Snapshot &snapshot, const LockState *lock)
{
    std::vector<std::string> servers;
    for (const NodeStatus &node : snapshot.nodes) {
        const bool isAsked = std::ranges::any_of(
            targets, [&](const AdminTarget &target) { return target.endpoint.display() == node.node; });
        if (isWatched(node) && !isKnownOn(node, lock) && !isAsked)
            servers.push_back(node.node);
    }
    return servers;
}

Error withServersNotAsked(Error error, const std::vector<std::string> &servers)
{
    std::string names;
    for (const std::string &each : servers)
        names += (names.empty() ? "" : ", ") + each;
    if (!names.empty())
        lockcore::add(error, { Phrase::WereNotAsked, { names } });
    return error;
}

namespace {

Said holders(const CommandOutcome &outcome)
{
    std::string text;
    for (const HolderReading &holder : outcome.found)
        text += (text.empty() ? "" : ", ") + toString(holder.owner);
    return text.empty() ? Said{ Phrase::HeldByNobody } : Said{ Phrase::HeldBy, { text } };
}

/// What is told of one server that did not do it.
std::vector<Said> whyNot(const Result<CommandOutcome> &result)
{
    if (result)
        return { holders(*result) };
    const Error &error = result.error();
    return error.why.empty() ? std::vector{ Said{ Phrase::Words, { error.message } } } : error.why;
}

void add(CommandOutcome &joined, const CommandOutcome &outcome)
{
    joined.found.insert(joined.found.end(), outcome.found.begin(), outcome.found.end());
    joined.waiting.insert(joined.waiting.end(), outcome.waiting.begin(), outcome.waiting.end());
    joined.published = joined.published || outcome.published;
    joined.notAsked = outcome.notAsked; // the same of each server
    if (outcome.notRecorded)
        joined.notRecorded = outcome.notRecorded;
}

} // namespace

AdminCommandRunner::AdminCommandRunner(std::vector<AdminTarget> targets, std::string publish, Millis limit,
    AuditLog &audit, Callbacks callbacks, QObject *parent)
    : QObject(parent)
    , m_publish(std::move(publish))
    , m_limit(limit)
    , m_audit(audit)
    , m_callbacks(std::move(callbacks))
    , m_left(targets.size())
{
    for (AdminTarget &target : targets)
        m_legs.push_back({ std::move(target) });
}

void AdminCommandRunner::start()
{
    for (std::size_t number = 0; number < m_legs.size(); ++number) {
        Leg &leg = m_legs[number];
        AdminAction::Callbacks callbacks;
        callbacks.sent = [this, number](const std::string &node) {
            m_legs[number].sentTo.insert(node);
            m_callbacks.progressed(node, m_legs[number].target.command, Progress::Begun);
            if (!std::exchange(m_sent, true))
                m_callbacks.sent();
        };
        callbacks.moved = m_callbacks.moved;
        callbacks.finished = [this, number](const auto &result, const auto &node) { answered(number, result, node); };
        leg.action = new AdminAction(leg.target, m_publish, m_limit, m_audit, std::move(callbacks), this);
        leg.action->start();
    }
}

void AdminCommandRunner::cancel(Phrase why)
{
    const auto legs = m_legs; // the last one ends the runner
    for (const Leg &leg : legs) {
        if (leg.action)
            leg.action->cancel(why);
    }
}

void AdminCommandRunner::answered(std::size_t number, const Result<CommandOutcome> &result, const std::string &node)
{
    Leg &leg = m_legs[number];
    leg.result = result;
    for (const std::string &each : leg.sentTo) {
        const bool isDone = result && result->done && each == node;
        m_callbacks.progressed(each, leg.target.command, isDone ? Progress::Done : Progress::NotDone);
    }
    if (--m_left > 0)
        return;
    m_callbacks.finished(joined());
    deleteLater();
}

Result<CommandOutcome> AdminCommandRunner::joined() const
{
    const std::vector<std::string> &notAsked = m_legs.front().target.notAsked; // the same of each
    if (m_legs.size() == 1)
        return m_legs.front().result.map_error(
            [&](Error error) { return withServersNotAsked(std::move(error), notAsked); });
    CommandOutcome joined;
    std::string done;
    std::vector<Said> notDone;
    std::optional<ErrorCode> code; // one that leaves it open says most
    bool isOpen = false;
    for (const Leg &leg : m_legs) {
        const std::string node = leg.target.endpoint.display();
        if (leg.result)
            add(joined, *leg.result);
        if (leg.result && leg.result->done) {
            done += (done.empty() ? "" : ", ") + node;
            continue;
        }
        const bool mayBeDone = !leg.result && mayHaveBeenDone(leg.result.error().code);
        notDone.push_back({ mayBeDone ? Phrase::PerhapsDoneOn : Phrase::NotDoneOn, { node } });
        std::ranges::copy(whyNot(leg.result), std::back_inserter(notDone));
        if (!leg.result && (!code || (mayBeDone && !isOpen)))
            code = leg.result.error().code;
        isOpen = isOpen || mayBeDone;
    }
    joined.done = notDone.empty();
    if (joined.done || (done.empty() && !code))
        return joined;
    Error error = errorOf(code.value_or(ErrorCode::HolderChanged),
        !done.empty() ? Said{ Phrase::DoneOn, { done } }
            : isOpen  ? Said{ Phrase::DoneNowhereAsKnown }
                      : Said{ Phrase::DoneNowhere },
        actionOf(m_legs.front().target.command));
    for (Said &said : notDone)
        lockcore::add(error, std::move(said));
    return tl::unexpected(withServersNotAsked(std::move(error), notAsked));
}

} // namespace lockcore::service
