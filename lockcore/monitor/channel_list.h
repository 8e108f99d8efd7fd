// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/engine_io.h"
#include "lockcore/monitor/finding.h"
#include "lockcore/monitor/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockcore::monitor {

/// A channel that clients listen on though nothing keeps them from taking what they wait for.
/// `locks`: those of that name that are seen.
/// Source: Redis: PUBSUB NUMSUB; Redisson: a client subscribes to a channel while one of its threads waits, see
///         PublishSubscribe.subscribe.
std::optional<Finding> findingOf(
    const ChannelState &channel, const std::vector<const LockState *> &locks, MonoTime freeSince, MonoTime now);

/// Whether its clients are counted more often than channels are listed. Of a counter that is so where nothing but its
/// row tells of it: a semaphore that does not exist.
bool isCountedOften(const LockState &lock);

/// How long it must stay so: of many channels, each is asked for less often.
Millis channelHoldOff(std::size_t channels);

/// The same for what has a row: so many rows have their clients counted in turn.
Millis countHoldOff(std::size_t rows);

/// Has the channels of locks listed that clients are subscribed to, now and then: the more there are, the less often.
class ChannelList {
public:
    explicit ChannelList(const EngineSettings &settings)
        : m_settings(settings)
    {
    }

    void start(MonoTime now); // anew; what was listed stays until then
    void stop() { m_state = State::Stopped; }
    void hurry(MonoTime now);

    std::optional<action::ListChannels> take(MonoTime now);
    /// True: there are others than before, or other numbers.
    bool listed(const input::ChannelsListed &answer, MonoTime now);

    bool forget(); // true: there were some

    bool isAsked() const { return m_state == State::Asked; }
    std::optional<MonoTime> next() const;
    const std::shared_ptr<const std::vector<ChannelState>> &channels() const { return m_channels; } // by name
    MonoTime channelsAskedAt() const { return m_channelsAskedAt; } // not later than they were listed
    std::int64_t more() const { return m_more; }

private:
    enum class State { Stopped, Resting, Asked };

    const EngineSettings &m_settings;
    State m_state = State::Stopped;
    MonoTime m_dueAt;
    MonoTime m_askedAt;
    MonoTime m_channelsAskedAt;
    std::shared_ptr<const std::vector<ChannelState>> m_channels;
    std::unordered_map<std::string, MonoTime> m_since;
    std::int64_t m_more = 0;
};

/// How many times the shortest pause to wait after a list of so many channels.
std::int64_t pausesAfter(std::int64_t channels);

/// Whether it is a channel of locks, semaphores or latches.
bool isLockChannel(std::string_view channel);

} // namespace lockcore::monitor
