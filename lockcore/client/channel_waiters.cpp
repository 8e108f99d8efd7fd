// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/channel_waiters.h"

#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <limits>

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

void WakeOrder::set(Waiter waiter, const Share &share, Readiness readiness)
{
    const auto place = m_groups.try_emplace(share.group).first;
    Group &group = place->second;
    if (group.asleep.erase(waiter) != 0) {
        const auto alike = group.asleepByWants.find(share.wants);
        alike->second.erase(waiter);
        if (alike->second.empty())
            group.asleepByWants.erase(alike);
    }
    group.trying.erase(waiter);
    if (readiness == Readiness::Unfit || readiness == Readiness::TryingAgain) {
        group.wants.erase(waiter);
        if (group.wants.empty())
            m_groups.erase(place);
        return;
    }
    group.wants[waiter] = share.wants;
    if (readiness == Readiness::Trying) {
        group.trying.insert(waiter);
        return;
    }
    group.asleep.insert(waiter);
    group.asleepByWants[share.wants].insert(waiter);
}

std::vector<WakeOrder::Waiter> WakeOrder::wokenBy(std::string_view payload)
{
    if (m_usedUp > 0) {
        --m_usedUp;
        return {};
    }
    m_handOvers = 0;
    if (m_message == Message::Gate || (m_message == Message::Lock && payload == "1"))
        return all();
    const std::int64_t permits = m_message == Message::Permits ? parseInteger(payload).value_or(1) : 1;
    std::vector<Waiter> woken;
    for (const auto &[name, group] : m_groups)
        take(group, permits, woken);
    return woken;
}

std::optional<WakeOrder::Waiter> WakeOrder::nextWaiter()
{
    const bool onlyOneGroup = m_message == Message::Lock && m_groups.size() == 1;
    if (!onlyOneGroup || m_groups.begin()->second.asleep.empty() || m_handOvers == MostHandOvers)
        return std::nullopt;
    ++m_handOvers;
    ++m_usedUp;
    return *m_groups.begin()->second.asleep.begin();
}

void WakeOrder::noMessage() { m_usedUp = std::max(m_usedUp - 1, 0); }

void WakeOrder::messagesMissed() { m_usedUp = 0; }

std::vector<WakeOrder::Waiter> WakeOrder::firsts() const
{
    std::vector<Waiter> first;
    for (const auto &[name, group] : m_groups) {
        if (!group.asleep.empty())
            first.push_back(*group.asleep.begin());
    }
    return first;
}

std::optional<WakeOrder::Waiter> WakeOrder::insteadOf(const Share &share) const
{
    std::vector<Waiter> woken;
    if (const auto group = m_groups.find(share.group); group != m_groups.end())
        take(group->second, 1, woken);
    return woken.empty() ? std::nullopt : std::optional(woken.front());
}

std::optional<WakeOrder::Waiter> WakeOrder::contentWithLess(const Share &share) const
{
    const auto group = m_groups.find(share.group);
    if (group == m_groups.end())
        return std::nullopt;
    const auto &byWants = group->second.asleepByWants;
    std::optional<Waiter> longest;
    for (auto alike = byWants.begin(); alike != byWants.end() && alike->first < share.wants; ++alike) {
        const Waiter waiter = *alike->second.begin();
        longest = longest ? std::min(*longest, waiter) : waiter;
    }
    return longest;
}

// Each one was refused with less than it wants: so many, and no more, can have it now.
void WakeOrder::take(const Group &group, std::int64_t permits, std::vector<Waiter> &woken)
{
    for (const auto *waiters : { &group.asleep, &group.trying }) {
        for (auto waiter = waiters->begin(); waiter != waiters->end() && permits > 0; ++waiter) {
            woken.push_back(*waiter);
            permits -= group.wants.at(*waiter);
        }
    }
}

std::vector<WakeOrder::Waiter> WakeOrder::all() const
{
    constexpr auto Everything = std::numeric_limits<std::int64_t>::max();
    std::vector<Waiter> woken;
    for (const auto &[name, group] : m_groups)
        take(group, Everything, woken);
    return woken;
}

ChannelWaiters::ChannelWaiters(Link &link, Sink sink)
    : m_link(link)
    , m_sink(std::move(sink))
    , m_holders([this](std::uint64_t number) { holderIsOver(number); })
{
}

bool ChannelWaiters::join(const std::string &channel, Waiter waiter, const WakeOrder::Share &share)
{
    Channel *known = find(channel);
    if (!known || !known->isConfirmed)
        return false;
    known->members.try_emplace(waiter, Member{ share });
    return true;
}

void ChannelWaiters::subscribe(
    const std::string &channel, Waiter waiter, const WakeOrder::Share &share, WakeOrder::Message messages)
{
    if (Channel *known = find(channel)) {
        known->members.try_emplace(waiter, Member{ share });
        if (known->isConfirmed)
            m_sink.subscribed(waiter);
        return;
    }
    const std::uint64_t number = ++m_lastNumber;
    Channel &added = m_channels.emplace(channel, Channel{ WakeOrder(messages), number }).first->second;
    added.members.emplace(waiter, Member{ share });
    m_byNumber.emplace(number, &added);
    added.subscription = m_link.subscribe(
        channel, [this](const protocol::PubSubMessage &message) { messageCame(message.channel, message.payload); },
        [this, channel, number](const Result<void> &result) { confirmed(channel, number, result); });
}

void ChannelWaiters::confirmed(const std::string &channel, std::uint64_t number, const Result<void> &result)
{
    Channel *known = find(channel);
    if (!known || known->number != number)
        return;
    known->isConfirmed = result.has_value();
    std::vector<Waiter> waiters;
    for (const auto &[waiter, member] : known->members)
        waiters.push_back(waiter);
    for (const Waiter waiter : waiters) {
        if (result)
            m_sink.subscribed(waiter);
        else
            m_sink.failed(waiter, result.error());
    }
}

void ChannelWaiters::set(const std::string &channel, Waiter waiter, Readiness readiness)
{
    Channel &known = m_channels.at(channel);
    Member &member = known.members.at(waiter);
    if (readiness == member.readiness)
        return;
    member.readiness = readiness;
    known.order.set(waiter, member.share, readiness);
}

void ChannelWaiters::passOn(const std::string &channel, Waiter waiter)
{
    const Channel &known = m_channels.at(channel);
    wake(known.order.contentWithLess(known.members.at(waiter).share));
}

void ChannelWaiters::leave(const std::string &channel, Waiter waiter, WakeUp wakeUp)
{
    Channel &known = m_channels.at(channel);
    const auto member = known.members.extract(waiter);
    known.order.set(waiter, member.mapped().share, Readiness::Unfit);
    if (wakeUp == WakeUp::Unused)
        wake(known.order.insteadOf(member.mapped().share));
    if (!known.members.empty())
        return;
    const SubscriptionId subscription = known.subscription;
    m_holders.disarm(known.number);
    m_byNumber.erase(known.number);
    m_channels.erase(channel);
    m_link.unsubscribe(subscription);
}

// A message wakes one. Of the time that the next holder has, the others know nothing but by the answer to that one.
void ChannelWaiters::holderHas(const std::string &channel, std::optional<Millis> left)
{
    const Channel *known = find(channel);
    if (!known)
        return;
    if (left)
        m_holders.arm(known->number, monoNow() + *left + Millis(1)); // the server drops the fractions
    else
        m_holders.disarm(known->number);
}

void ChannelWaiters::holderIsOver(std::uint64_t number) { m_sink.woken(m_byNumber.at(number)->order.firsts()); }

void ChannelWaiters::messageCame(const std::string &channel, const std::string &payload)
{
    if (Channel *known = find(channel))
        m_sink.woken(known->order.wokenBy(payload));
}

void ChannelWaiters::messagesMissed()
{
    for (auto &[name, channel] : m_channels)
        channel.order.messagesMissed();
}

std::optional<ChannelWaiters::HandOver> ChannelWaiters::handOver(const std::string &channel)
{
    Channel *known = find(channel);
    if (!known || !known->isConfirmed || m_link.isSharded())
        return std::nullopt;
    const auto nextWaiter = known->order.nextWaiter();
    if (!nextWaiter)
        return std::nullopt;
    wake(nextWaiter);
    return HandOver{ channel, *nextWaiter };
}

// Where the unlock went well, the next waiter's try is under way still: answers come in the order in which the server
// acted.
void ChannelWaiters::handedOver(const HandOver &handOver, bool released)
{
    Channel *known = find(handOver.channel);
    if (!known)
        return;
    if (!released)
        known->order.noMessage();
    const auto next = known->members.find(handOver.nextWaiter);
    if (next == known->members.end())
        return wake(known->order.insteadOf({}));
    const Readiness readiness = next->second.readiness;
    const bool isTrying = readiness == Readiness::Trying || readiness == Readiness::TryingAgain;
    if (!released || !isTrying)
        wake(handOver.nextWaiter);
}

bool ChannelWaiters::isListenedToByOthers(const std::string &channel, Waiter waiter) const
{
    const auto known = m_channels.find(channel);
    return known != m_channels.end() && known->second.members.size() > known->second.members.count(waiter);
}

void ChannelWaiters::wake(std::optional<Waiter> waiter)
{
    if (waiter)
        m_sink.woken({ *waiter });
}

ChannelWaiters::Channel *ChannelWaiters::find(const std::string &channel)
{
    const auto known = m_channels.find(channel);
    return known == m_channels.end() ? nullptr : &known->second;
}

} // namespace lockcore::client
