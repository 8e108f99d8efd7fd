// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/reply.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace testsupport {

/// The reply as it goes over the wire.
std::string wireBytes(const lockcore::protocol::Reply &reply);

/// Spoils bytes at random: bits flipped, pieces cut out, repeated or taken from elsewhere, huge lengths and numbers,
/// arrays in arrays. A seed always spoils alike.
class Garbler {
public:
    explicit Garbler(std::uint64_t seed)
        : m_random(seed)
    {
    }

    std::size_t below(std::size_t limit);
    template <typename Value>
    const Value &anyOf(const std::vector<Value> &values)
    {
        return values.at(below(values.size()));
    }
    /// Every other time they stay as they are: what follows is to be reached too.
    std::string garble(std::string bytes, const std::string &elsewhere);

private:
    void garbleOnce(std::string &bytes, const std::string &elsewhere);
    void replaceNumber(std::string &bytes);

    std::mt19937_64 m_random;
};

} // namespace testsupport
