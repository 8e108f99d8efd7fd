// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/prefix_learner.h"

#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <cctype>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t MostFamilies = 16; // each is compared with every key that is written

using Iterator = std::vector<LockName>::const_iterator;

std::string_view commonStart(std::string_view a, std::string_view b)
{
    const auto differs = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
    return a.substr(0, static_cast<std::size_t>(differs - a.begin()));
}

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// `order:` for `order:1093`, `job` for `job17`: where the part that varies begins, as a rule.
std::string_view family(std::string_view text)
{
    if (const auto tag = text.find('{'); tag != text.npos && tag > 0)
        return text.substr(0, tag + 1);
    auto end = text.size();
    while (end > 0 && isLetter(text[end - 1]))
        --end;
    if (end > 0)
        return text.substr(0, end);
    end = text.find_last_not_of("0123456789");
    return end == text.npos ? text : text.substr(0, end + 1);
}

/// Names that begin alike.
struct Group {
    Iterator begin;
    Iterator end;
    bool whole = false; // cannot be taken apart any further

    std::string_view start() const { return commonStart(*begin, *std::prev(end)); }
};

class Learner {
public:
    Learner(std::vector<std::string> nonLockKeys, std::size_t tolerated)
        : m_nonLockKeys(std::move(nonLockKeys))
        , m_tolerated(tolerated)
    {
        std::sort(m_nonLockKeys.begin(), m_nonLockKeys.end());
    }

    Prefixes learn(const std::vector<LockName> &locks)
    {
        m_groups = { { locks.begin(), locks.end() } };
        while (auto *group = worst())
            takeApart(*group);
        Prefixes prefixes;
        for (const auto &group : m_groups) {
            const auto start = shortened(group.start());
            if (start.empty())
                return {};
            prefixes.emplace_back(start);
            const bool anyPlain
                = std::any_of(group.begin, group.end, [](const LockName &name) { return name.find('{') == name.npos; });
            if (anyPlain)
                prefixes.push_back('{' + std::string(start));
        }
        return prefixes;
    }

private:
    std::size_t nonLockKeysWith(std::string_view start) const
    {
        const auto first = std::lower_bound(m_nonLockKeys.begin(), m_nonLockKeys.end(), start);
        const auto last = std::partition_point(
            first, m_nonLockKeys.end(), [start](const auto &nonLockKey) { return nonLockKey.starts_with(start); });
        return static_cast<std::size_t>(last - first);
    }

    Group *worst()
    {
        Group *worst = nullptr;
        std::size_t most = m_tolerated;
        for (auto &group : m_groups) {
            const auto nonLockKeys = group.whole ? 0 : nonLockKeysWith(group.start());
            if (nonLockKeys > most) {
                most = nonLockKeys;
                worst = &group;
            }
        }
        return worst;
    }

    /// By the first character in which they differ.
    void takeApart(Group &group)
    {
        const auto at = group.start().size();
        std::vector<Group> parts;
        for (auto begin = group.begin; begin != group.end && begin->size() > at;) {
            const auto end
                = std::find_if(begin, group.end, [&](const LockName &name) { return name[at] != (*begin)[at]; });
            parts.push_back({ begin, end });
            begin = end;
        }
        group.whole = parts.size() < 2 || m_groups.size() - 1 + parts.size() > MostFamilies;
        if (group.whole)
            return;
        group = parts.back();
        parts.pop_back();
        m_groups.insert(m_groups.end(), parts.begin(), parts.end());
    }

    std::string_view shortened(std::string_view start) const
    {
        const auto shorter = family(start);
        return nonLockKeysWith(shorter) == nonLockKeysWith(start) ? shorter : start;
    }

    std::vector<std::string> m_nonLockKeys;
    std::size_t m_tolerated;
    std::vector<Group> m_groups;
};

Prefixes withoutOverlaps(Prefixes prefixes)
{
    std::sort(prefixes.begin(), prefixes.end());
    Prefixes kept;
    for (auto &prefix : prefixes) {
        if (kept.empty() || !prefix.starts_with(kept.back()))
            kept.push_back(std::move(prefix));
    }
    return kept;
}

} // namespace

Prefixes learnPrefixes(const std::vector<LockName> &locks, std::vector<std::string> nonLockKeys, std::size_t tolerated)
{
    Prefixes prefixes{ std::string(key_layout::Prefix) };
    if (!locks.empty()) {
        const auto learnt = Learner(std::move(nonLockKeys), tolerated).learn(locks);
        if (learnt.empty())
            return {};
        prefixes.insert(prefixes.end(), learnt.begin(), learnt.end());
    }
    return withoutOverlaps(std::move(prefixes));
}

std::string literalStart(std::string_view pattern)
{
    return std::string(pattern.substr(0, std::min(pattern.find_first_of("*?[\\"), pattern.size())));
}

Prefixes prefixesOfPattern(std::string_view pattern)
{
    const std::string start = literalStart(pattern);
    if (start.empty())
        return {};
    return withoutOverlaps({ start, '{' + start, std::string(key_layout::Prefix) });
}

Prefixes plainPrefixesOfPattern(std::string_view pattern)
{
    const std::string start = literalStart(pattern);
    if (start.empty())
        return {};
    auto keys = key_layout::keysOf(start);
    keys.push_back(key_layout::unlockLatch(start, {}));
    Prefixes prefixes{ start };
    for (const std::string &key : keys) {
        const auto brace = key.find('{' + start);
        if (brace == key.npos)
            continue;
        prefixes.push_back(key.substr(0, brace + 1 + start.size()));
        prefixes.push_back(key.substr(0, brace) + start); // of names with a brace further on
    }
    return withoutOverlaps(std::move(prefixes));
}

std::string channelsOfPattern(std::string_view pattern)
{
    const std::string start = literalStart(pattern);
    return start.empty() ? std::string(key_layout::Channels) : std::string(key_layout::Channels) + start + '*';
}

bool covers(const Prefixes &prefixes, std::string_view key)
{
    return std::any_of(
        prefixes.begin(), prefixes.end(), [key](const std::string &prefix) { return key.starts_with(prefix); });
}

bool tellsOf(const FeedScope &scope, std::string_view key)
{
    return scope.extent == FeedScope::Extent::Everything
        || (scope.extent == FeedScope::Extent::Prefixes && covers(scope.prefixes, key));
}

} // namespace lockcore::monitor
