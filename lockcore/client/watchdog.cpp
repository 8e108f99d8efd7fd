// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/watchdog.h"

#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <map>

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

namespace {

constexpr std::size_t LocksPerScript = 100;

/// The locks of one script: of one slot, where scripts have to keep to one, and renewed in the same way.
struct Group {
    decltype(LockBehaviour::renew) renew;
    int slot;

    bool operator<(const Group &other) const
    {
        return slot != other.slot ? slot < other.slot : std::less<>()(renew, other.renew);
    }
};

/// One lock of a script can spoil it for the others.
bool isAboutOneLock(const Error &error)
{
    const auto says = [&](const char *text) { return error.message.find(text) != std::string::npos; };
    return error.code == ErrorCode::WrongType || (error.code == ErrorCode::PermissionDenied && says(" key"))
        || (error.code == ErrorCode::ServerOther && says("user_script"));
}

} // namespace

Watchdog::Watchdog(ClientCore &core)
    : m_core(core)
    , m_period(renewalPeriod(core.options))
    , m_ahead(core.options.renewEvery ? Millis(0) : m_period / 10)
{
    m_core.holds.whenToLook([this](HoldId due) { look(due); });
}

void Watchdog::leaseBegan(const HoldKey &key, Millis lease, MonoTime sent)
{
    HoldTable::Entry *entry = m_core.holds.find(key);
    if (!entry || !entry->second.isRenewed())
        return;
    entry->second.isUnconfirmed = false;
    entry->second.failures = 0;
    lookAt(*entry, sent + (lease < this->lease() ? std::min(m_period, lease / 3) : m_period));
}

void Watchdog::leaseMayHaveBegun(const HoldKey &key, Millis lease, MonoTime sent)
{
    HoldTable::Entry *entry = m_core.holds.find(key);
    if (!entry || !entry->second.isRenewed() || lastsApart(key) || sent + lease >= entry->second.sureUntil())
        return;
    m_core.holds.leaseMayBeSet(*entry, sent + lease);
    lookAt(*entry, monoNow());
}

void Watchdog::leaseWasSet(const HoldKey &key, Millis lease, MonoTime sent)
{
    HoldTable::Entry *entry = m_core.holds.find(key);
    if (!entry)
        return;
    m_core.holds.leaseSet(*entry, sent + lease);
    leaseBegan(key, lease, sent);
}

/// Tells of a hold that its lease may have run out, when it may.
void Watchdog::maybeCut(const HoldKey &key)
{
    HoldTable::Entry *entry = m_core.holds.find(key);
    if (entry && entry->second.isRenewed() && entry->second.sureUntil() < entry->second.looksAt)
        lookAt(*entry, entry->second.sureUntil());
}

void Watchdog::connected()
{
    if (!m_core.options.renewEvery)
        renew(m_core.holds.renewed());
}

void Watchdog::look(HoldId due)
{
    std::vector<HoldId> holds = m_core.holds.takeLooks(monoNow() + m_ahead);
    holds.insert(holds.begin(), due);
    renew(holds);
}

void Watchdog::renew(const std::vector<HoldId> &holds)
{
    const MonoTime now = monoNow();
    std::map<Group, std::pair<const LockBehaviour *, std::vector<HoldId>>> groups;
    for (const HoldId id : holds) {
        HoldTable::Entry &entry = *m_core.holds.find(id);
        const auto &[key, hold] = entry;
        const auto behaviour = lockBehaviour(key.target.kind, key.target.mode, key.target.variant);
        if (!hold.isRenewed() || !behaviour)
            continue;
        checkConfirmed(entry, now);
        if (hold.isAsked) {
            lookAt(entry, now < hold.sureUntil() ? hold.sureUntil() : now + m_core.options.times.renewalAgain.longest);
        } else if (!hold.staysRenewed() || !m_core.isReadyFor(key.target.name)) {
            tryAgain(entry);
        } else if (key.target.kind == Kind::FasterMulti) {
            send(**behaviour, { id });
        } else {
            const int slot = m_core.link->isSharded() ? protocol::keySlot(key.target.name) : 0;
            auto &group = groups[{ (*behaviour)->renew, slot }];
            group.first = *behaviour;
            group.second.push_back(id);
        }
    }
    for (const auto &[key, group] : groups) {
        const auto &[behaviour, members] = group;
        for (auto first = members.begin(); first != members.end();) {
            const auto last = first + std::min<std::ptrdiff_t>(LocksPerScript, members.end() - first);
            send(*behaviour, { first, last });
            first = last;
        }
    }
}

void Watchdog::send(const LockBehaviour &behaviour, std::vector<HoldId> holds)
{
    const MonoTime sent = monoNow();
    std::vector<HoldName> names;
    names.reserve(holds.size());
    for (const HoldId id : holds) {
        HoldTable::Entry &entry = *m_core.holds.find(id);
        entry.second.isAsked = true;
        lookAt(entry,
            sent < entry.second.sureUntil() ? entry.second.sureUntil()
                                            : sent + m_core.options.times.renewalAgain.longest);
        names.push_back({ entry.first.target.name, m_core.owner(entry.first.thread), entry.first.target.values });
    }
    m_core.send(behaviour.renew(names, lease()),
        [this, &behaviour, holds = std::move(holds), sent](
            const Result<protocol::Reply> &reply) { answered(behaviour, holds, sent, reply); });
}

// Answers come in the order in which the server acted: a hold still in the table that the server does not know is lost.
void Watchdog::answered(const LockBehaviour &behaviour, const std::vector<HoldId> &holds, MonoTime sent,
    const Result<protocol::Reply> &reply)
{
    const auto held = reply.and_then([&](const protocol::Reply &answer) -> Result<std::vector<bool>> {
        if (answer.isError())
            return tl::unexpected(protocol::toError(answer, {}));
        return parseRenewReply(answer, holds.size());
    });
    const bool isSpoilt = !held && isAboutOneLock(held.error());
    std::vector<HoldId> open;
    for (std::size_t i = 0; i < holds.size(); ++i) {
        HoldTable::Entry *entry = m_core.holds.find(holds[i]);
        if (!entry)
            continue; // released meanwhile
        entry->second.isAsked = false;
        if (!entry->second.staysRenewed() || (!held && !isSpoilt))
            tryAgain(*entry);
        else if (!held)
            open.push_back(holds[i]);
        else if ((*held)[i])
            confirmed(*entry, sent);
        else
            lose(*entry);
    }
    if (open.size() > 1) {
        for (const HoldId id : open)
            send(behaviour, { id });
    } else if (open.size() == 1 && held.error().code == ErrorCode::WrongType) {
        lose(*m_core.holds.find(open.front())); // something else stands there now
    } else if (open.size() == 1) {
        tryAgain(*m_core.holds.find(open.front()));
    }
}

void Watchdog::confirmed(HoldTable::Entry &entry, MonoTime sent)
{
    Hold &hold = entry.second;
    const MonoTime now = monoNow();
    m_core.holds.renewed(entry, lease(), sent);
    hold.failures = 0;
    if (hold.sureUntil() <= now) { // an answer from before the computer slept: what it told of is over
        checkConfirmed(entry, now);
        return lookAt(entry, now);
    }
    hold.isUnconfirmed = false;
    lookAt(entry, sent + m_period);
    m_core.events.renewed(entry.first);
}

void Watchdog::lose(const HoldTable::Entry &entry)
{
    const HoldKey key = entry.first;
    m_core.holds.forget(key);
    m_core.events.lost(key);
}

void Watchdog::tryAgain(HoldTable::Entry &entry)
{
    Hold &hold = entry.second;
    const MonoTime now = monoNow();
    const Millis pause = std::min(m_core.options.times.renewalAgain.pause(hold.failures++), m_period);
    const bool tellsFirst = !hold.isUnconfirmed && hold.sureUntil() > now;
    lookAt(entry, tellsFirst ? std::min(now + pause, hold.sureUntil()) : now + pause);
}

void Watchdog::checkConfirmed(HoldTable::Entry &entry, MonoTime now)
{
    Hold &hold = entry.second;
    if (hold.isUnconfirmed || now < hold.sureUntil())
        return;
    hold.isUnconfirmed = true;
    m_core.events.unconfirmed(entry.first);
}

} // namespace lockcore::client
