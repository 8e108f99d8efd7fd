// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/key_pattern.h"

#include <algorithm>

namespace lockcore::synchronizers {

namespace {

/// The characters of `[…]`, from after the bracket; an unclosed one reaches to the end.
bool takeSet(std::string_view &pattern, char c)
{
    const bool negated = pattern.starts_with('^');
    if (negated)
        pattern.remove_prefix(1);
    bool found = false;
    while (!pattern.empty() && pattern.front() != ']') {
        if (pattern.front() == '\\' && pattern.size() >= 2) {
            found |= pattern[1] == c;
            pattern.remove_prefix(2);
        } else if (pattern.size() >= 3 && pattern[1] == '-') {
            const auto low = static_cast<unsigned char>(std::min(pattern[0], pattern[2]));
            const auto high = static_cast<unsigned char>(std::max(pattern[0], pattern[2]));
            found |= low <= static_cast<unsigned char>(c) && static_cast<unsigned char>(c) <= high;
            pattern.remove_prefix(3);
        } else {
            found |= pattern.front() == c;
            pattern.remove_prefix(1);
        }
    }
    if (!pattern.empty())
        pattern.remove_prefix(1);
    return found != negated;
}

/// Takes one element, not a star, off the pattern; whether the character matches it.
bool takeOne(std::string_view &pattern, char c)
{
    const char first = pattern.front();
    pattern.remove_prefix(1);
    if (first == '?')
        return true;
    if (first == '[')
        return takeSet(pattern, c);
    if (first != '\\' || pattern.empty())
        return first == c;
    const bool same = pattern.front() == c;
    pattern.remove_prefix(1);
    return same;
}

} // namespace

bool matchesPattern(std::string_view pattern, std::string_view name)
{
    if (pattern.empty())
        return true;
    auto rest = name;
    std::string_view afterStar;
    std::string_view restAtStar;
    bool star = false;
    while (!rest.empty() || !pattern.empty()) {
        if (pattern.starts_with('*')) {
            pattern.remove_prefix(1);
            star = true;
            afterStar = pattern;
            restAtStar = rest;
            continue;
        }
        if (!pattern.empty() && !rest.empty() && takeOne(pattern, rest.front())) {
            rest.remove_prefix(1);
            continue;
        }
        if (!star || restAtStar.empty())
            return false;
        restAtStar.remove_prefix(1); // the star swallows one more
        pattern = afterStar;
        rest = restAtStar;
    }
    return true;
}

std::string exactPattern(std::string_view name)
{
    std::string pattern;
    for (const char c : name) {
        if (std::string_view("*?[]\\").find(c) != std::string_view::npos)
            pattern += '\\';
        pattern += c;
    }
    return pattern;
}

} // namespace lockcore::synchronizers
