// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/garbled_replies.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace testsupport {

using lockcore::protocol::Reply;

namespace {

constexpr std::array<const char *, 16> Numbers{ "-9223372036854775808", "9223372036854775807", "9223372036854775806",
    "18446744073709551616", "4294967296", "2147483648", "-2147483649", "1e308", "-1", "-2", "0", "1", "2", "5",
    "1000000", "268435457" };

struct ToBytes {
    std::string operator()(Reply::Nil) const { return "$-1\r\n"; }
    std::string operator()(const Reply::Status &status) const { return '+' + status.text + "\r\n"; }
    std::string operator()(const Reply::ServerError &error) const { return '-' + error.text + "\r\n"; }
    std::string operator()(std::int64_t number) const { return ':' + std::to_string(number) + "\r\n"; }
    std::string operator()(const std::string &bulk) const
    {
        return '$' + std::to_string(bulk.size()) + "\r\n" + bulk + "\r\n";
    }
    std::string operator()(const Reply::Array &array) const
    {
        std::string bytes = '*' + std::to_string(array.size()) + "\r\n";
        for (const auto &element : array)
            bytes += wireBytes(element);
        return bytes;
    }
};

} // namespace

std::string wireBytes(const Reply &reply) { return std::visit(ToBytes{}, reply.value()); }

std::size_t Garbler::below(std::size_t limit) { return static_cast<std::size_t>(m_random() % limit); }

std::string Garbler::garble(std::string bytes, const std::string &elsewhere)
{
    if (below(2) == 0)
        return bytes;
    for (std::size_t times = 1 + below(4); times > 0 && !bytes.empty(); --times)
        garbleOnce(bytes, elsewhere);
    return bytes;
}

void Garbler::garbleOnce(std::string &bytes, const std::string &elsewhere)
{
    const std::size_t at = below(bytes.size());
    const std::size_t length = std::min(bytes.size() - at, 1 + below(40));
    switch (below(14)) {
    case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
    case 1:
        bytes[at] = static_cast<char>(below(256));
        break;
    case 2:
        bytes.resize(at);
        break;
    case 3:
        bytes.erase(at, length);
        break;
    case 4:
        for (std::size_t times = 1 + below(20); times > 0; --times)
            bytes.insert(at, bytes.substr(at, length));
        break;
    case 5:
        if (!elsewhere.empty())
            bytes.insert(at, elsewhere, below(elsewhere.size()), length);
        break;
    case 6:
        for (std::size_t depth = 1 + below(12); depth > 0; --depth)
            bytes.insert(0, "*1\r\n");
        break;
    default:
        replaceNumber(bytes);
    }
}

/// A length, an integer, or a number in a text.
void Garbler::replaceNumber(std::string &bytes)
{
    const auto isDigit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size()));
    const auto begin = std::find_if(from, bytes.end(), isDigit);
    const auto end = std::find_if_not(begin, bytes.end(), isDigit);
    if (begin != end)
        bytes.replace(begin, end, Numbers.at(below(Numbers.size())));
}

} // namespace testsupport
