// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/judge.h"

#include "lockcore/transport/clock.h"

#include <algorithm>

namespace faults {

using lockcore::protocol::Reply;
using lockcore::synchronizers::Kind;

namespace {

std::vector<std::string> texts(const Reply &reply)
{
    std::vector<std::string> texts;
    if (const Reply::Array *array = reply.array()) {
        for (const Reply &each : *array)
            texts.push_back(each.bulk() ? *each.bulk() : std::string());
    }
    return texts;
}

/// Of a field of a lock's hash: `UUID:thread`, `UUID:thread:write`, `hash:UUID:thread:lock_count`.
std::string ownerIn(const std::string &field)
{
    constexpr std::size_t UuidSize = 36;
    for (std::size_t at = 0; at + UuidSize < field.size(); ++at) {
        const bool begins = at == 0 || field[at - 1] == ':';
        if (begins && field[at + 8] == '-' && field[at + UuidSize] == ':') {
            const auto end = field.find_first_not_of("0123456789", at + UuidSize + 1);
            return field.substr(at, end == field.npos ? end : end - at);
        }
    }
    return {};
}

bool isLatch(const std::string &key) { return key.starts_with("redisson_unlock_latch:"); }
bool isToken(const std::string &key) { return key.starts_with("redisson_lock_token:"); }
bool isQueue(const std::string &key)
{
    return key.starts_with("redisson_lock_queue:") || key.starts_with("redisson_lock_timeout:");
}

constexpr std::string_view LockCount = ":lock_count";

std::int64_t wallMillis() { return lockcore::transport::wallNow().time_since_epoch().count(); }

constexpr lockcore::Millis Surely{ 150 }; // between two looks

} // namespace

Judge::Held Judge::read(const std::string &name)
{
    Held held;
    for (const Reply &reply : m_servers.ask({ "HGETALL", name })) {
        const auto words = texts(reply);
        for (std::size_t i = 0; i + 1 < words.size(); i += 2)
            held.fields[words[i]] = words[i + 1];
    }
    for (const Reply &reply : m_servers.ask({ "LRANGE", "redisson_lock_queue:{" + name + "}", "0", "-1" })) {
        for (const std::string &waiter : texts(reply))
            held.queue.push_back(waiter);
    }
    return held;
}

std::vector<std::string> Judge::lookForClosed()
{
    std::vector<std::string> complaints;
    if (m_plan.losesData) // the leaving too
        return complaints;
    for (const auto &lock : m_plan.locks) {
        for (const std::string &waiter : read(lock.name).queue) {
            const auto user = m_ledger.closed().find(waiter);
            if (user != m_ledger.closed().end() && !user->second.doubtful.contains(lock.name))
                complaints.push_back(waiter + " stands in the queue of " + lock.name + ", and its client was closed");
        }
    }
    return complaints;
}

std::vector<std::string> Judge::lookAtStandstill()
{
    std::vector<std::string> complaints;
    for (const auto &lock : m_plan.locks) {
        const Held held = read(lock.name);
        compareCounts(lock, held, complaints);
        compareWaiters(lock, held, complaints);
    }
    return complaints;
}

void Judge::compareCounts(
    const lockcore::client::LockTarget &lock, const Held &held, std::vector<std::string> &complaints) const
{
    std::map<std::string, std::int64_t> found; // of faster locks: by owner, all values together
    for (const auto &[field, value] : held.fields) {
        if (lock.kind == Kind::FasterMulti && field.ends_with(LockCount)) {
            const auto expires = held.fields.find(field.substr(0, field.size() - LockCount.size()) + ":expire_time");
            if (expires != held.fields.end() && std::stoll(expires->second) > wallMillis())
                found[ownerIn(field)] += std::stoll(value); // others keep the hash with what has run out
        } else if (lock.kind != Kind::FasterMulti && field != "mode")
            found[field] = std::stoll(value);
    }
    const auto sure = lockcore::transport::monoNow() + Surely;
    for (const auto &[field, number] : found) {
        const std::string owner = ownerIn(field);
        if (!m_ledger.isKnown(owner))
            complaints.push_back(lock.name + " is held by a stranger: " + field);
        if (!m_ledger.isAlive(owner))
            continue;
        const UserState &user = m_ledger.users().at(owner);
        const bool isThere = user.lock == lock.name && user.counts.contains(field);
        if (!isThere && !user.doubtful.contains(lock.name) && user.phase != "releasing")
            complaints.push_back(lock.name + " has " + std::to_string(number) + " of " + field + ", who is "
                + user.phase + " and has none");
    }
    for (const auto &[owner, user] : m_ledger.users()) {
        if (user.lock != lock.name || user.phase != "holding" || user.doubtful.contains(lock.name)
            || !m_ledger.isSure(owner, sure))
            continue;
        for (const auto &[field, number] : user.counts) {
            const bool lastApart
                = lock.kind == Kind::FasterMulti || (lock.kind == Kind::ReadWrite && user.counts.size() > 1);
            const bool mayBeFewer = m_plan.losesData || lastApart; // some lost, or run out
            if (found[field] > number || (found[field] < number && !mayBeFewer))
                complaints.push_back(lock.name + " has " + std::to_string(found[field]) + " of " + field + ", who has "
                    + std::to_string(number));
        }
    }
}

void Judge::compareWaiters(
    const lockcore::client::LockTarget &lock, const Held &held, std::vector<std::string> &complaints) const
{
    for (const std::string &waiter : held.queue) {
        if (!m_ledger.isAlive(waiter))
            continue;
        const UserState &user = m_ledger.users().at(waiter);
        const bool isWaiting = user.phase == "acquiring" && user.lock == lock.name;
        if (!isWaiting && !user.doubtful.contains(lock.name))
            complaints.push_back(waiter + " stands in the queue of " + lock.name + " and is " + user.phase);
    }
    // One that was refused to leave its place, and said so, blocks the queue as a dead one does.
    const auto head = held.queue.empty() ? m_ledger.users().end() : m_ledger.users().find(held.queue.front());
    const bool isBlocked = head != m_ledger.users().end() && head->second.doubtful.contains(lock.name);
    if (!held.fields.empty() || isBlocked)
        return;
    for (const auto &[owner, user] : m_ledger.users()) {
        if (user.lock == lock.name && user.phase == "acquiring")
            complaints.push_back(owner + " waits for " + lock.name + ", which is free"
                + (held.queue.empty() ? "" : "; the queue begins with " + held.queue.front()));
    }
}

/// The hash of a faster lock lasts as long as its longest lease, with what has run out before.
bool Judge::isFaster(const std::string &key) const
{
    return std::ranges::any_of(
        m_plan.locks, [&](const auto &lock) { return lock.name == key && lock.kind == Kind::FasterMulti; });
}

std::vector<std::string> Judge::lookAtEnd()
{
    std::vector<std::string> complaints;
    for (const auto &[owner, user] : m_ledger.users()) {
        const auto isDoubtful = [&lock = user.lock](const auto &other) { return other.second.doubtful.contains(lock); };
        const bool maySleep = user.phase == "acquiring" && std::ranges::any_of(m_ledger.users(), isDoubtful);
        if (user.phase != "idle" && !maySleep) // behind a place that could not be left
            complaints.push_back(owner + " is still " + user.phase + ' ' + user.lock);
    }
    for (const Reply &reply : m_servers.ask({ "KEYS", "*" })) {
        for (const std::string &key : texts(reply)) {
            if (!isLatch(key) && !isToken(key) && !isQueue(key) && !isFaster(key))
                complaints.push_back(key + " is left");
        }
    }
    for (const auto &lock : m_plan.locks) {
        const Held held = read(lock.name);
        compareCounts(lock, held, complaints);
        compareWaiters(lock, held, complaints);
    }
    return complaints;
}

} // namespace faults
