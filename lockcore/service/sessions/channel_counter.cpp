// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/channel_counter.h"

#include "lockcore/monitor/counter_hints.h"
#include "lockcore/service/feeds/subscriber_numbers.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"

#include <algorithm>
#include <utility>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

using protocol::Command;
using protocol::Reply;

namespace {

constexpr std::size_t MostCountedAtOnce = 5'000; // that are counted at each list

/// The pattern of all UUIDs.
std::string anyClient()
{
    std::string pattern(36, '?');
    for (const std::size_t dash : { 8, 13, 18, 23 })
        pattern[dash] = '-';
    return pattern;
}

} // namespace

/// Some questions whose answers belong together.
struct ChannelCounter::Questions {
    std::size_t left = 0;
    bool refused = false;
    bool lost = false; // the connection
    std::function<void()> done; // not called when they were lost
};

ChannelCounter::ChannelCounter(Connection &connection, IsOurs isOurs, Answer answer, Refused refused)
    : m_connection(connection)
    , m_isOurs(std::move(isOurs))
    , m_answer(std::move(answer))
    , m_refused(std::move(refused))
{
}

void ChannelCounter::reset()
{
    m_allowed = true;
    m_sharded = m_connection.serverInfo().mode == "cluster" && m_connection.serverInfo().atLeast(7, 0);
}

void ChannelCounter::ask(
    const std::shared_ptr<Questions> &questions, Command command, std::function<void(const Reply &)> take)
{
    ++questions->left;
    m_connection.send(std::move(command), [this, questions, take = std::move(take)](const Result<Reply> &reply) {
        questions->lost = questions->lost || !reply;
        if (reply && reply->isError())
            questions->refused = true;
        else if (reply)
            take(*reply);
        if (--questions->left > 0 || questions->lost)
            return;
        if (questions->refused && std::exchange(m_allowed, false))
            m_refused();
        std::exchange(questions->done, {})();
    });
}

void ChannelCounter::countAll(const std::vector<std::string> &channels, NumbersHandler handler)
{
    auto questions = std::make_shared<Questions>();
    auto numbers = std::make_shared<SubscriberNumbers>();
    questions->done = [this, numbers, handler = std::move(handler)] { handler(numbers->clients(m_isOurs)); };
    const auto take = [numbers](const Reply &reply) { numbers->add(reply); };
    for (std::size_t first = 0; first < channels.size(); first += SubscriberNumbers::ChannelsATime) {
        ask(questions, SubscriberNumbers::command("NUMSUB", channels, first), take);
        if (m_sharded)
            ask(questions, SubscriberNumbers::command("SHARDNUMSUB", channels, first), take);
    }
    if (channels.empty())
        questions->done();
}

void ChannelCounter::count(const action::CountSubscribers &count)
{
    if (!m_allowed)
        return;
    countAll(count.channels, [this](const Numbers &numbers) {
        if (numbers.empty())
            return;
        if (!m_elsewhere)
            return m_answer(input::SubscribersCounted{ { numbers.begin(), numbers.end() } });
        m_elsewhere([answer = m_answer, numbers](const Numbers &others, bool complete) {
            input::SubscribersCounted counted{ { numbers.begin(), numbers.end() }, complete };
            for (auto &[channel, number] : counted.channels) {
                const auto more = others.find(channel);
                number += more == others.end() ? 0 : more->second;
            }
            answer(std::move(counted));
        });
    });
}

void ChannelCounter::list() { list(std::string(key_layout::Channels), {}); }

void ChannelCounter::listOnly(const LockName &name)
{
    const auto shared = key_layout::lockChannel(name);
    // Also those of locks whose names are made of this one: their waiters may stand in the queue of this name.
    const auto ofOneWaiter
        = std::string(key_layout::LockChannels) + '*' + exactPattern(name) + "*:" + anyClient() + ":*";
    list(ofOneWaiter,
        { shared, key_layout::readWriteChannel(name), key_layout::semaphoreChannel(name),
            key_layout::latchChannel(name) });
}

void ChannelCounter::list(const std::string &pattern, std::vector<std::string> also)
{
    if (!m_allowed)
        return m_answer(input::ChannelsListed{ .refused = true });
    auto questions = std::make_shared<Questions>();
    auto channels = std::make_shared<std::vector<std::string>>(std::move(also));
    const auto take = [channels](const Reply &reply) { addLockChannels(reply, *channels); };
    questions->done = [this, channels] { listed(std::move(*channels)); };
    ask(questions, { "PUBSUB", "CHANNELS", pattern }, take);
    if (m_sharded)
        ask(questions, { "PUBSUB", "SHARDCHANNELS", pattern }, take);
}

void ChannelCounter::listed(std::vector<std::string> channels)
{
    if (!m_allowed)
        return m_answer(input::ChannelsListed{ .refused = true });
    // Nothing but their channels tells of some semaphores and latches: they come first when there are too many.
    const auto first = std::partition(
        channels.begin(), channels.end(), [](const auto &channel) { return bool(counterHintOf(channel)); });
    std::sort(channels.begin(), first);
    std::sort(first, channels.end());
    channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
    const auto counted = std::min(channels.size(), MostCountedAtOnce);
    const auto more = static_cast<std::int64_t>(channels.size() - counted);
    channels.resize(counted);
    countAll(channels, [this, more](const Numbers &numbers) {
        input::ChannelsListed answer{ .more = more, .refused = !m_allowed };
        answer.channels.assign(numbers.begin(), numbers.end());
        m_answer(std::move(answer));
    });
}

} // namespace lockcore::service
