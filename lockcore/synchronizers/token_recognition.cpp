// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/token_recognition.h"

#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>

namespace lockcore::synchronizers {

Result<void> checkTokenNames(const TokenNames &names)
{
    constexpr std::size_t Most = 10; // for each of them a page of a sweep is scanned once more
    constexpr std::size_t Longest = 1'000;
    if (names.size() > Most)
        return failure(ErrorCode::InvalidArgument, { Phrase::TooManyPatterns, { std::to_string(Most) } });
    for (const std::string &pattern : names) {
        if (pattern.empty() || pattern.size() > Longest)
            return failure(ErrorCode::InvalidArgument, { Phrase::PatternForm, { std::to_string(Longest) } });
    }
    return {};
}

bool isTokenName(const TokenNames &names, std::string_view name)
{
    return std::ranges::any_of(names, [name](const std::string &pattern) { return matchesPattern(pattern, name); })
        && !name.starts_with(key_layout::Prefix) && key_layout::possibleParents(name).empty();
}

std::optional<LockReading> recogniseToken(const LockName &name, const std::string &token, std::int64_t pttl)
{
    constexpr std::int64_t NoKey = -2;
    if (token.empty() || std::ssize(token) > LongestElement || pttl == NoKey)
        return std::nullopt;
    LockReading reading;
    reading.name = name;
    reading.kind = Kind::Token;
    if (pttl >= 0)
        reading.ttl = reply_values::millis(pttl);
    HolderReading holder;
    holder.owner = ownerOfToken(token);
    reading.holders.push_back(std::move(holder));
    reading.keys.push_back(name);
    return reading;
}

LockReading tokenLockOf(const LockReading &number)
{
    constexpr std::int64_t Never = -1;
    return recogniseToken(
        number.name, std::to_string(number.permits->available), number.ttl.value_or(Millis(Never)).count())
        .value();
}

} // namespace lockcore::synchronizers
