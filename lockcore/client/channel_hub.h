// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/link.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace lockcore {

/// Who waits on which channel: one subscription a channel, however many wait, and none when nobody does.
class ChannelHub {
public:
    struct Callbacks {
        std::function<void(std::uint64_t waiter)> subscribed;
        std::function<void(std::uint64_t waiter, const Error &error)> failed;
        std::function<void(const std::string &channel, const std::string &payload)> message;
    };

    ChannelHub(Link &link, Callbacks callbacks);

    void add(const std::string &channel, std::uint64_t waiter);
    /// Without a call of `subscribed`, where messages come already; false: they do not.
    bool join(const std::string &channel, std::uint64_t waiter);
    bool isConfirmed(const std::string &channel) const;
    void remove(const std::string &channel, std::uint64_t waiter);
    /// Longest waiting first.
    const std::set<std::uint64_t> &waiters(const std::string &channel) const;

private:
    struct Entry {
        std::set<std::uint64_t> waiters; // their numbers grow
        SubscriptionId subscription{};
        bool confirmed = false;
        std::uint64_t generation = 0;
    };
    void confirmed(const std::string &channel, std::uint64_t generation, const Result<void> &result);

    Link &m_link;
    Callbacks m_callbacks;
    std::map<std::string, Entry> m_entries;
    std::uint64_t m_generation = 0;
};

} // namespace lockcore
