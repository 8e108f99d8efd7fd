// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore {

/// Who of those that wait on one channel is woken by a message: the longest waiting first, and no more than can have
/// what the message tells of.
/// Source: wire format, section 8.7.
class WakeOrder {
public:
    using Waiter = std::uint64_t; // numbers that grow

    enum class Message {
        Lock, // `0`: one of each group, `1`: all
        Permits, // how many there are
        Gate, // whatever it says, all look
    };
    struct Share {
        std::string group = {}; // those of one group can only have it one after the other
        std::int64_t wants = 1; // permits
    };
    enum class Readiness {
        Asleep,
        Trying, // its answer may be older than the message
        Unfit, // gone, or woken already
    };

    explicit WakeOrder(Message message)
        : m_message(message)
    {
    }

    void set(Waiter waiter, const Share &share, Readiness readiness);
    bool isEmpty() const { return m_groups.empty(); }

    std::vector<Waiter> wokenBy(std::string_view payload);
    /// A lock with one holder is being released here: who may try at once, instead of with the message that it brings.
    /// None: nobody sleeps, or it is the turn of the waiters of other clients, who know of it only by the message.
    std::optional<Waiter> nextWaiter();
    void noMessage(); // one that nextWaiter() counted on does not come
    void messagesMissed(); // none that it counted on
    /// Who sleeps longest, one of each group: what they wait for may have ended without a word.
    std::vector<Waiter> firsts() const;
    /// Who may use a wake-up that the one it was for leaves behind unused.
    std::optional<Waiter> insteadOf(const Share &share) const;
    /// Who may be content with what was not enough for the one that was woken.
    std::optional<Waiter> contentWithLess(const Share &share) const;

private:
    struct Group {
        std::set<Waiter> asleep;
        std::set<Waiter> trying;
        std::map<std::int64_t, std::set<Waiter>> asleepByWants;
        std::map<Waiter, std::int64_t> wants;
    };
    static constexpr int MostHandOvers = 4; // one after the other

    static void take(const Group &group, std::int64_t permits, std::vector<Waiter> &woken);
    std::vector<Waiter> all() const;

    Message m_message;
    std::map<std::string, Group> m_groups;
    int m_usedUp = 0; // messages to come, whose next waiters have been woken
    int m_handOvers = 0; // since others had their turn
};

} // namespace lockcore
