// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/value_hash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <highwayhash/highwayhash.h>

namespace lockcore::synchronizers {

namespace {

constexpr std::size_t HashBytes = 16;
constexpr std::size_t HashCharacters = 22; // without the two `=` at the end

std::array<std::uint8_t, HashBytes> bigEndian(const highwayhash::HHResult128 &words)
{
    std::array<std::uint8_t, HashBytes> bytes{};
    for (std::size_t i = 0; i < HashBytes; ++i)
        bytes[i] = static_cast<std::uint8_t>(words[i / 8] >> (56 - 8 * (i % 8)));
    return bytes;
}

std::string base64(const std::array<std::uint8_t, HashBytes> &bytes)
{
    constexpr std::string_view Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t BitsPerDigit = 6;
    std::string text;
    for (std::size_t bit = 0; text.size() < HashCharacters; bit += BitsPerDigit) {
        const std::size_t at = bit / 8;
        const unsigned next = at + 1 < HashBytes ? bytes[at + 1] : 0U;
        const unsigned pair = (unsigned(bytes[at]) << 8U) | next;
        text.push_back(Digits[(pair >> (16 - BitsPerDigit - bit % 8)) & 0x3FU]);
    }
    return text;
}

} // namespace

std::string valueHash(std::string_view encodedValue)
{
    alignas(32) constexpr highwayhash::HHKey Key
        = { 0x9e3779b97f4a7c15U, 0xf39cc0605cedc834U, 0x1082276bf3a27251U, 0xf86c6a11d0c18e95U };
    highwayhash::HHStateT<HH_TARGET> state(Key);
    highwayhash::HHResult128 words = {};
    highwayhash::HighwayHashT(&state, encodedValue.data(), encodedValue.size(), &words);
    return base64(bigEndian(words));
}

} // namespace lockcore::synchronizers
