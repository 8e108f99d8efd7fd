// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/cpp/locks.h"

#include "lockcore/synchronizers/kryo5_string.h"
#include "tests/interop/cpp/output.h"

namespace interop {

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;

namespace {

bool isSeveral(const Arguments &arguments) { return arguments.word(0) == "multi" || arguments.word(0) == "red"; }

} // namespace

LockTarget lockTarget(const std::string &kind, const std::string &name)
{
    if (kind == "fair")
        return { name, Kind::Fair };
    if (kind == "read")
        return { name, Kind::ReadWrite, HoldMode::Read };
    if (kind == "write")
        return { name, Kind::ReadWrite, HoldMode::Write };
    if (kind == "spin")
        return { name, Kind::Reentrant, {}, LockVariant::Spin };
    if (kind == "fenced")
        return { name, Kind::Fenced };
    if (kind == "token")
        return { name, Kind::Token };
    if (kind == "nonReentrant")
        return { name, Kind::Reentrant, {}, LockVariant::NonReentrant };
    if (kind == "nonReentrantFair")
        return { name, Kind::Fair, {}, LockVariant::NonReentrant };
    if (kind == "fasterMulti") {
        const auto groupAndValues = split(name, '/');
        return { groupAndValues.at(0), Kind::FasterMulti, {}, {}, split(groupAndValues.at(1), ',') };
    }
    return { name };
}

LockTarget Locks::target(const Arguments &arguments) const
{
    LockTarget target = lockTarget(arguments.word(0), arguments.word(1));
    if (m_defaultCodec) {
        for (std::string &value : target.values)
            value = kryo5String(value).value();
    }
    return target;
}

bool Locks::take(const Arguments &arguments)
{
    if (arguments.command() == "lock")
        acquire(arguments);
    else if (arguments.command() == "unlock")
        release(arguments);
    else if (arguments.command() == "force")
        force(arguments);
    else if (arguments.command() == "thread")
        say(arguments.tag(), "ok " + arguments.thread());
    else
        return false;
    return true;
}

bool Locks::cancel(const std::string &tag)
{
    const auto wait = m_waits.find(tag);
    if (wait == m_waits.end())
        return false;
    m_client.cancel(wait->second);
    return true;
}

void Locks::acquire(const Arguments &arguments)
{
    if (isSeveral(arguments))
        return acquireMulti(arguments);
    AcquireRequest request{ target(arguments), arguments.thread(), arguments.millis(2), arguments.millis(3) };
    const std::string tag = arguments.tag();
    m_waits[tag] = m_client.acquire(std::move(request), [this, tag](const Result<AcquireOutcome> &outcome) {
        m_waits.erase(tag);
        if (!outcome)
            return say(tag, answer(outcome.error()));
        const auto token = outcome->token ? ' ' + std::to_string(*outcome->token) : std::string();
        say(tag, outcome->acquired ? "acquired" + token : "refused");
    });
}

void Locks::release(const Arguments &arguments)
{
    const std::string tag = arguments.tag();
    if (isSeveral(arguments))
        return multiLock(arguments).release(arguments.thread(),
            [tag](const Result<void> &result) { say(tag, result ? "ok" : answer(result.error())); });
    m_client.release(target(arguments), arguments.thread(),
        [tag](const Result<ReleaseOutcome> &outcome) { say(tag, outcome ? "ok" : answer(outcome.error())); });
}

/// `multi job,other`: several names; `red job`: one name on several servers.
MultiLock &Locks::multiLock(const Arguments &arguments)
{
    auto &lock = m_multiLocks[arguments.word(0) + ' ' + arguments.word(1)];
    if (lock)
        return *lock;
    std::vector<MultiLockMember> members;
    MultiLockOptions options;
    if (arguments.word(0) == "red") {
        for (const auto &client : m_clients)
            members.push_back({ client.get(), { arguments.word(1) } });
        options = redLock(members.size());
    } else {
        for (const std::string &name : arguments.list(1))
            members.push_back({ &m_client, { name } });
    }
    lock = std::make_unique<MultiLock>(std::move(members), options);
    return *lock;
}

void Locks::acquireMulti(const Arguments &arguments)
{
    const std::string tag = arguments.tag();
    multiLock(arguments).acquire(
        arguments.thread(), arguments.millis(2), arguments.millis(3), [tag](const Result<MultiLockOutcome> &outcome) {
            say(tag, !outcome ? answer(outcome.error()) : outcome->acquired ? "acquired" : "refused");
        });
}

/// Whoever holds it: seen first, as a person would.
void Locks::force(const Arguments &arguments)
{
    const std::string tag = arguments.tag();
    m_client.state(target(arguments), [this, target = target(arguments), tag](const Result<LockReading> &reading) {
        if (!reading)
            return say(tag, answer(reading.error()));
        if (reading->holders.empty())
            return say(tag, "ok false");
        std::vector<ExpectedHolder> expected;
        for (const HolderReading &holder : reading->holders)
            expected.push_back({ holder.owner, holder.mode });
        m_client.forceRelease(target, std::move(expected), [tag](const Result<CommandOutcome> &outcome) {
            say(tag, outcome ? outcome->done ? "ok true" : "ok false" : answer(outcome.error()));
        });
    });
}

} // namespace interop
