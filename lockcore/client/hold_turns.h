// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace lockcore {

/// A try goes along with how often its thread is known to hold the lock, and so does what gives back holds that nobody
/// knows of. That number is right only as long as nothing is under way that changes it, another try or a release: in
/// one place, see placeOf(), one has its turn after the other, each once the answer to the one before is here.
class HoldTurns {
public:
    enum class Rank { First, Last }; // of those that wait

    /// Calls `go`, at once or when the turn comes; end() is to follow.
    void take(const std::string &place, Rank rank, std::function<void()> go);
    void end(const std::string &place);
    bool isTaken(const std::string &place) const { return m_waiting.contains(place); }

private:
    std::unordered_map<std::string, std::deque<std::function<void()>>> m_waiting; // by place, where one has its turn
};

} // namespace lockcore
