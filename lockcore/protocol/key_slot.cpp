// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/key_slot.h"

#include <array>
#include <cstdint>

namespace lockcore::protocol {

namespace {

/// CRC-16/XMODEM, a byte at a time.
constexpr std::array<std::uint16_t, 256> crcTable()
{
    constexpr unsigned Polynomial = 0x1021;
    std::array<std::uint16_t, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        unsigned crc = byte << 8;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc << 1) ^ ((crc & 0x8000U) != 0 ? Polynomial : 0U);
        table[byte] = static_cast<std::uint16_t>(crc);
    }
    return table;
}

constexpr auto Table = crcTable();

std::string_view hashed(std::string_view key)
{
    const auto open = key.find('{');
    const auto close = open == key.npos ? key.npos : key.find('}', open + 1);
    return close == key.npos || close == open + 1 ? key : key.substr(open + 1, close - open - 1);
}

} // namespace

int keySlot(std::string_view key)
{
    unsigned crc = 0;
    for (const char character : hashed(key))
        crc = ((crc << 8) ^ Table[((crc >> 8) ^ static_cast<unsigned char>(character)) & 0xFFU]) & 0xFFFFU;
    return static_cast<int>(crc % SlotCount);
}

} // namespace lockcore::protocol
