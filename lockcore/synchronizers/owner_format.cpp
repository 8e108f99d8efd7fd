// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <charconv>

namespace lockcore::synchronizers {

namespace {

constexpr std::size_t UuidLength = 36;
constexpr std::size_t TransactionLength = 32;
constexpr std::size_t LongestThread = 19; // digits of a 64-bit number
constexpr std::string_view WriteMark = ":write";

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isUuidV4(std::string_view text)
{
    if (text.size() != UuidLength || text[14] != '4' || std::string_view("89ab").find(text[19]) == text.npos)
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !isLowerHex(text[i]))
            return false;
    }
    return true;
}

bool isThreadId(std::string_view text)
{
    if (text.starts_with('-'))
        text.remove_prefix(1);
    return !text.empty() && text.size() <= LongestThread && std::all_of(text.begin(), text.end(), isDigit);
}

/// `worker-7`, `pool-1-thread-3`: letters first, digits last, and no longer than people make names.
bool isWorkerName(std::string_view text)
{
    constexpr std::size_t Longest = 24; // shorter than any id
    constexpr std::size_t FewestLetters = 3;
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto isPart
        = [&](char c) { return isLetter(c) || isDigit(c) || c == '-' || c == '_' || c == '.' || c == '#'; };
    return text.size() > FewestLetters && text.size() <= Longest && isDigit(text.back())
        && std::all_of(text.begin(), text.begin() + FewestLetters, isLetter)
        && std::all_of(text.begin(), text.end(), isPart);
}

/// The `:` and 32 hex digits at the end, or nothing.
std::string_view transactionTail(std::string_view text)
{
    if (text.size() <= TransactionLength)
        return {};
    const auto tail = text.substr(text.size() - TransactionLength - 1);
    return tail.front() == ':' && std::all_of(tail.begin() + 1, tail.end(), isLowerHex) ? tail : std::string_view{};
}

} // namespace

// node-redisson, the port that is known to write another owner, joins two values of Node's randomUUID(): lower case and
// version 4 both; others name their workers. Nothing looser is taken, since a pair of other identifiers is an ordinary
// thing in a hash.
std::optional<ParsedOwner> parseOwner(std::string_view text)
{
    if (text.size() <= UuidLength + 1 || text[UuidLength] != ':' || !isUuidV4(text.substr(0, UuidLength)))
        return std::nullopt;

    const auto transaction = transactionTail(text.substr(UuidLength + 1));
    auto thread = text.substr(UuidLength + 1);
    thread.remove_suffix(transaction.size());
    const bool write = thread.ends_with(WriteMark);
    if (write)
        thread.remove_suffix(WriteMark.size());

    const bool fromPort = transaction.empty() && (isUuidV4(thread) || isWorkerName(thread));
    if (!fromPort && !isThreadId(thread))
        return std::nullopt;
    return ParsedOwner{ { std::string(text.substr(0, UuidLength)), std::string(thread) + std::string(transaction) },
        write, fromPort };
}

OwnerId ownerOfStrangeField(std::string_view text)
{
    const auto colon = text.rfind(':');
    if (colon == text.npos || colon == 0 || colon + 1 == text.size())
        return { std::string(text), std::string() };
    return { std::string(text.substr(0, colon)), std::string(text.substr(colon + 1)) };
}

OwnerId ownerOfToken(std::string_view token)
{
    const auto owner = parseOwner(token);
    return owner && !owner->write ? owner->owner : OwnerId{ std::string(token), std::string() };
}

bool isPlainOwner(std::string_view text)
{
    const auto owner = parseOwner(text);
    return owner && !owner->write;
}

std::string ownerField(const OwnerId &owner, bool write)
{
    if (!write)
        return toString(owner);
    const std::string thread = owner.thread;
    const auto tail = transactionTail(thread).size();
    return owner.client + ':' + thread.substr(0, thread.size() - tail) + std::string(WriteMark)
        + thread.substr(thread.size() - tail);
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || std::to_string(value) != text)
        return std::nullopt;
    return value;
}

} // namespace lockcore::synchronizers
