// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lock_filter.h"

#include "lockcore/base/duration.h"
#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

using Term = std::function<bool(const LockState &, MonoTime)>;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
    return result;
}

/// Letters of ASCII match in both cases; `needle` is in lower case.
bool contains(std::string_view text, std::string_view needle)
{
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(), [](char a, char b) {
        return lower(a) == b;
    }) != text.end();
}

bool holderContains(const LockState &lock, std::string_view needle)
{
    return std::any_of(lock.holders.begin(), lock.holders.end(),
        [needle](const Holder &holder) { return contains(toString(holder.owner), needle); });
}

bool waiterContains(const LockState &lock, std::string_view needle)
{
    return std::any_of(lock.waiters.begin(), lock.waiters.end(),
        [needle](const Waiter &waiter) { return contains(toString(waiter.owner), needle); });
}

template <typename T, std::size_t N>
std::optional<T> oneOf(const std::array<std::pair<std::string_view, T>, N> &choices, std::string_view word)
{
    for (const auto &[name, value] : choices)
        if (name == word)
            return value;
    return std::nullopt;
}

template <typename T, std::size_t N>
std::string namesOf(const std::array<std::pair<std::string_view, T>, N> &choices)
{
    std::string names;
    for (const auto &[name, value] : choices)
        names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

enum class State { Free, Held, Waited, Late };
constexpr std::array<std::pair<std::string_view, State>, 4> States{ { { "free", State::Free }, { "held", State::Held },
    { "waited", State::Waited }, { "late", State::Late } } };

enum class Comparison { Less, LessOrEqual, Equal, GreaterOrEqual, Greater };

Comparison takeComparison(std::string_view &text)
{
    const std::array<std::pair<std::string_view, Comparison>, 5> signs{ { { "<=", Comparison::LessOrEqual },
        { ">=", Comparison::GreaterOrEqual }, { "<", Comparison::Less }, { ">", Comparison::Greater },
        { "=", Comparison::Equal } } };
    for (const auto &[sign, comparison] : signs) {
        if (text.starts_with(sign)) {
            text.remove_prefix(sign.size());
            return comparison;
        }
    }
    return Comparison::Equal;
}

bool holds(std::int64_t value, Comparison comparison, std::int64_t limit)
{
    switch (comparison) {
    case Comparison::Less:
        return value < limit;
    case Comparison::LessOrEqual:
        return value <= limit;
    case Comparison::Equal:
        return value == limit;
    case Comparison::GreaterOrEqual:
        return value >= limit;
    case Comparison::Greater:
        return value > limit;
    }
    return false;
}

std::optional<std::int64_t> takeNumber(std::string_view &text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<std::int64_t> heldMillis(const LockState &lock, MonoTime now)
{
    std::optional<std::int64_t> longest;
    for (const Holder &holder : lock.holders) {
        const auto held = std::chrono::duration_cast<Millis>(now - holder.since.at).count();
        longest = std::max(longest.value_or(held), held);
    }
    return longest;
}

Term stateTerm(State state)
{
    switch (state) {
    case State::Free:
        return [](const LockState &lock, MonoTime) { return !isHeld(lock) && !isStateUnknown(lock); };
    case State::Held:
        return [](const LockState &lock, MonoTime) { return isHeld(lock); };
    case State::Waited:
        return [](const LockState &lock, MonoTime) { return waitingCount(lock).value_or(0) > 0; };
    case State::Late:
        return [](const LockState &lock, MonoTime now) { return renewalLate(lock, now); };
    }
    return {};
}

tl::unexpected<Error> wrong(std::string_view word, Said why)
{
    Error error
        = errorOf(ErrorCode::InvalidArgument, { Phrase::FilterWrong, { std::string(word) } }, { Phrase::TheFilter });
    add(error, std::move(why));
    return tl::unexpected(std::move(error));
}

Result<Term> waitersTerm(std::string_view word, std::string_view value)
{
    const Comparison comparison = takeComparison(value);
    const auto limit = takeNumber(value);
    if (!limit || !value.empty())
        return wrong(word, { Phrase::FilterNumber });
    return Term([comparison, limit = *limit](const LockState &lock, MonoTime) {
        const auto count = waitingCount(lock);
        return count && holds(*count, comparison, limit);
    });
}

Result<Term> ttlTerm(std::string_view word, std::string_view value)
{
    if (value == "none")
        return Term([](const LockState &lock, MonoTime) { return !lock.holders.empty() && !lock.expiresAt; });
    const Comparison comparison = takeComparison(value);
    const auto limit = parseDuration(value, {});
    if (!limit || comparison == Comparison::Equal) // no time is hit to the millisecond
        return wrong(word, { Phrase::FilterTimeOrNone });
    return Term([comparison, limit = limit->count()](const LockState &lock, MonoTime now) {
        const auto ttl = ttlAt(lock, now);
        return ttl && holds(ttl->count(), comparison, limit);
    });
}

Result<Term> heldTerm(std::string_view word, std::string_view value)
{
    const Comparison comparison = takeComparison(value);
    const auto limit = parseDuration(value, {});
    if (!limit || comparison == Comparison::Equal)
        return wrong(word, { Phrase::FilterTime });
    return Term([comparison, limit = limit->count()](const LockState &lock, MonoTime now) {
        const auto held = heldMillis(lock, now);
        return held && holds(*held, comparison, limit);
    });
}

template <typename T, typename Make>
Result<Term> choiceTerm(std::string_view word, const std::optional<T> &choice, const std::string &choices, Make make)
{
    if (!choice)
        return wrong(word, { Phrase::FilterChoice, { choices } });
    return Term(make(*choice));
}

/// Such a name is shown as it is, in every notation.
bool isPlain(std::string_view name)
{
    return std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
}

/// Part of a name, as it is and as it may be shown.
struct NamePart {
    std::string plain;
    std::optional<std::string> shown; // the bytes that are shown so
    std::function<std::string(std::string_view)> write; // absent: nothing in the part looks like a notation

    bool isIn(const std::string &name) const
    {
        return contains(name, plain) || (shown && contains(name, *shown))
            || (write && !isPlain(name) && contains(write(name), plain));
    }
};

Term textTerm(NamePart part)
{
    return [part = std::move(part)](
               const LockState &lock, MonoTime) { return part.isIn(lock.name) || holderContains(lock, part.plain); };
}

constexpr const char *Keys = "name:, holder:, waiter:, client:, kind:, lease:, state:, waiters:, ttl:, held:";

/// Absent: `key` is no key of ours.
std::optional<Result<Term>> keyedTerm(std::string_view word, std::string_view key, const std::string &value)
{
    if (key == "holder")
        return Term([value](const LockState &lock, MonoTime) { return holderContains(lock, value); });
    if (key == "waiter")
        return Term([value](const LockState &lock, MonoTime) { return waiterContains(lock, value); });
    if (key == "client")
        return Term([value](const LockState &lock, MonoTime) {
            return holderContains(lock, value) || waiterContains(lock, value);
        });
    if (key == "kind")
        return choiceTerm(word, kindNamed(value), kindNames(),
            [](Kind kind) { return [kind](const LockState &lock, MonoTime) { return lock.kind == kind; }; });
    if (key == "lease")
        return choiceTerm(word, named(Leases, value), joinedNames(Leases), [](Lease lease) {
            return [lease](const LockState &lock, MonoTime) { return !lock.holders.empty() && lock.lease == lease; };
        });
    if (key == "state")
        return choiceTerm(word, oneOf(States, value), namesOf(States), stateTerm);
    if (key == "waiters")
        return waitersTerm(word, value);
    if (key == "ttl")
        return ttlTerm(word, value);
    if (key == "held")
        return heldTerm(word, value);
    return std::nullopt;
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

} // namespace

Result<LockFilter> LockFilter::parse(std::string_view text, const Notation &notation)
{
    LockFilter filter;
    std::optional<Error> wrongWords; // all of them are named
    const auto note = [&](Error error) {
        if (!wrongWords) {
            wrongWords = std::move(error);
            return;
        }
        lockcore::add(*wrongWords, { Phrase::FilterAnd });
        for (Said &why : error.why)
            lockcore::add(*wrongWords, std::move(why));
    };
    std::size_t at = 0;
    while (at < text.size()) {
        if (isSpace(text[at])) {
            ++at;
            continue;
        }
        std::string word;
        const std::size_t start = at;
        const bool minusFirst = text[at] == '-';
        const bool quotedFromStart = text[at] == '"' || (minusFirst && text.substr(at + 1).starts_with('"'));
        bool inQuotes = false;
        for (; at < text.size() && (inQuotes || !isSpace(text[at])); ++at) {
            if (text[at] == '"')
                inQuotes = !inQuotes;
            else
                word += text[at];
        }
        if (inQuotes)
            note(wrong(text.substr(start), { Phrase::FilterQuote }).value());
        else if (const auto added = filter.add(word, quotedFromStart, minusFirst && word.size() > 1, notation); !added)
            note(added.error());
    }
    if (!wrongWords)
        return filter;
    for (const std::string &word : filter.m_unknownWords)
        note(wrong(word.substr(0, word.find(':') + 1), { Phrase::FilterChoice, { Keys } }).value());
    return tl::unexpected(std::move(*wrongWords));
}

Result<void> LockFilter::add(std::string_view word, bool quoted, bool turned, const Notation &notation)
{
    const std::string_view body = turned ? word.substr(1) : word;
    const std::size_t colon = quoted ? std::string_view::npos : body.find(':');
    const auto namePart = [&](std::string text) {
        const bool isNoted = text.find_first_of("\\{}") != std::string::npos;
        NamePart part{ std::move(text), {}, isNoted ? notation.write : nullptr };
        if (const auto bytes = notation.read ? notation.read(part.plain) : std::nullopt; bytes && *bytes != part.plain)
            part.shown = lower(*bytes);
        return part;
    };
    Term term = textTerm(namePart(lower(body)));
    bool ofState = false;
    if (colon != std::string_view::npos) {
        const std::string key = lower(body.substr(0, colon));
        const std::string value = lower(body.substr(colon + 1));
        auto keyed = keyedTerm(word, key, value);
        if (key == "name")
            keyed = Term([part = namePart(value)](const LockState &lock, MonoTime) { return part.isIn(lock.name); });
        if (keyed) {
            if (!*keyed)
                return tl::unexpected(keyed->error());
            if (value.empty())
                return wrong(word, { Phrase::FilterNothing });
            term = std::move(**keyed);
            ofState = key != "name" && key != "holder" && key != "waiter" && key != "client" && key != "kind";
            if (ofState)
                m_stateWords.emplace_back(word);
            m_dependsOnTime = m_dependsOnTime || key == "ttl" || key == "held" || (key == "state" && value == "late");
        } else {
            m_unknownWords.emplace_back(body);
        }
    }
    if (turned)
        term = [term = std::move(term)](const LockState &lock, MonoTime now) { return !term(lock, now); };
    m_terms.push_back({ std::move(term), ofState });
    return {};
}

bool LockFilter::matches(const LockState &lock, MonoTime now) const
{
    return std::all_of(
        m_terms.begin(), m_terms.end(), [&](const Condition &condition) { return condition.term(lock, now); });
}

bool LockFilter::matches(const Event &event) const
{
    LockState told;
    told.name = event.lock;
    told.kind = event.lockKind.value_or(told.kind);
    if (event.owner) { // an event is of one who holds or of one who waits, and is found as either
        told.holders.emplace_back();
        told.holders.back().owner = *event.owner;
        told.waiters.emplace_back();
        told.waiters.back().owner = *event.owner;
    }
    return std::all_of(m_terms.begin(), m_terms.end(),
        [&](const Condition &condition) { return condition.ofState || condition.term(told, {}); });
}

} // namespace lockcore::monitor
