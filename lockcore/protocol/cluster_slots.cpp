// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/cluster_slots.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <set>

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

namespace {

/// What the cluster was told to announce may be unknown (`?`); the node's address then stands among further facts.
std::string furtherAddress(const Reply::Array &parts)
{
    const Reply::Array *facts = parts.size() > 3 ? parts[3].array() : nullptr;
    for (std::size_t i = 0; facts && i + 1 < facts->size(); i += 2) {
        const std::string *name = (*facts)[i].bulk();
        const std::string *value = (*facts)[i + 1].bulk();
        if (name && value && *name == "ip")
            return *value;
    }
    return {};
}

std::optional<NodeAddress> readNode(const Reply &reply, const std::string &askedHost)
{
    const Reply::Array *parts = reply.array();
    if (!parts || parts->size() < 2 || !((*parts)[0].bulk() || (*parts)[0].isNil()) || !(*parts)[1].integer())
        return std::nullopt;
    const std::int64_t port = *(*parts)[1].integer();
    if (port < 1 || port > UINT16_MAX)
        return std::nullopt;
    std::string host = (*parts)[0].bulk() ? *(*parts)[0].bulk() : std::string();
    if (host == "?")
        host = furtherAddress(*parts);
    return NodeAddress{ host.empty() ? askedHost : host, static_cast<std::uint16_t>(port) };
}

std::optional<SlotRange> readRange(const Reply &reply, const std::string &askedHost)
{
    const Reply::Array *parts = reply.array();
    if (!parts || parts->size() < 3 || !(*parts)[0].integer() || !(*parts)[1].integer())
        return std::nullopt;
    const std::int64_t first = *(*parts)[0].integer();
    const std::int64_t last = *(*parts)[1].integer();
    const auto master = readNode((*parts)[2], askedHost);
    if (first < 0 || last < first || last >= SlotCount || !master)
        return std::nullopt;
    SlotRange range{ static_cast<int>(first), static_cast<int>(last), *master, {} };
    for (std::size_t i = 3; i < parts->size(); ++i) {
        if (const auto replica = readNode((*parts)[i], askedHost)) // one that cannot be reached announces port 0
            range.replicas.push_back(*replica);
    }
    return range;
}

} // namespace

Result<std::vector<SlotRange>> parseClusterSlots(const Reply &reply, const std::string &askedHost)
{
    const Reply::Array *parts = reply.array();
    const auto malformed
        = failure(ErrorCode::MalformedReply, { Phrase::UnexpectedReply }, { Phrase::Words, { "CLUSTER SLOTS" } });
    if (!parts)
        return malformed;
    std::vector<SlotRange> ranges;
    std::set<NodeAddress> masters;
    for (const Reply &part : *parts) {
        const auto range = readRange(part, askedHost);
        if (!range)
            return malformed;
        ranges.push_back(*range);
        masters.insert(range->master);
        if (masters.size() > MostMasters) {
            return failure(ErrorCode::MalformedReply, { Phrase::TooManyMasters, { std::to_string(MostMasters) } },
                { Phrase::Words, { "CLUSTER SLOTS" } });
        }
    }
    return ranges;
}

std::optional<NodeAddress> nodeAddress(std::string_view host, std::string_view port)
{
    NodeAddress address{ std::string(host), 0 };
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (error != std::errc{} || end != port.data() + port.size() || address.port == 0)
        return std::nullopt;
    return address;
}

} // namespace lockcore::protocol
