// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/fuzzy_match.h"

#include <algorithm>
#include <limits>

namespace lockui {

namespace {

constexpr qsizetype LongestTyped = 64; // more says nothing, and each letter costs

namespace points {
constexpr int Letter = 16;
constexpr int SameCase = 1;
constexpr int TextStart = 12;
constexpr int WordStart = 9;
constexpr int HumpStart = 7; // the `F` of `camelFall`
constexpr int Consecutive = 6;
constexpr int Gap = 5; // taken away for the first letter in it, and one for each other
constexpr int WholeText = 8;
constexpr int LeastOfLetter = 12; // on average: a match that is scattered more means nothing
} // namespace points

constexpr int Impossible = std::numeric_limits<int>::min() / 2;

QChar folded(QChar c) { return c.toCaseFolded(); }

int placePoints(QStringView text, qsizetype place)
{
    if (place == 0)
        return points::TextStart;
    const QChar here = text[place];
    const QChar before = text[place - 1];
    if (here.isLetterOrNumber() && !before.isLetterOrNumber())
        return points::WordStart;
    const bool isHump = (here.isUpper() && before.isLower()) || (here.isDigit() && before.isLetter());
    return isHump ? points::HumpStart : 0;
}

} // namespace

FuzzyPattern::FuzzyPattern(const QString &typed)
{
    for (const QString &word : typed.left(LongestTyped).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        QString letters = word;
        for (QChar &letter : letters)
            letter = folded(letter);
        m_words.push_back({ word, letters });
    }
}

bool FuzzyPattern::isWithin(QStringView text) const
{
    return std::ranges::all_of(m_words, [text](const Word &word) {
        qsizetype found = 0;
        for (qsizetype place = 0; place < text.size() && found < word.folded.size(); ++place)
            found += folded(text[place]) == word.folded[found] ? 1 : 0;
        return found == word.folded.size();
    });
}

std::optional<int> FuzzyPattern::scoreOf(QStringView text) const
{
    if (!isWithin(text))
        return std::nullopt;
    int score = 0;
    for (const Word &word : m_words) {
        const std::optional<int> ofWord = align(word, text, nullptr);
        if (!ofWord)
            return std::nullopt;
        score += *ofWord;
    }
    return score;
}

bool FuzzyPattern::isSaidIn(QStringView text) const
{
    constexpr qsizetype Shortest = 3; // fewer letters are in any text, unless they are a word of it
    const auto isWord = [text](QStringView word, qsizetype at) {
        const qsizetype end = at + word.size();
        return (at == 0 || !text[at - 1].isLetterOrNumber()) && (end == text.size() || !text[end].isLetterOrNumber());
    };
    return std::ranges::all_of(m_words, [&](const Word &word) {
        qsizetype at = text.indexOf(word.typed, 0, Qt::CaseInsensitive);
        while (at >= 0 && word.typed.size() < Shortest && !isWord(word.typed, at))
            at = text.indexOf(word.typed, at + 1, Qt::CaseInsensitive);
        return at >= 0;
    });
}

std::vector<int> FuzzyPattern::placesIn(QStringView text) const
{
    std::vector<int> places;
    if (!isWithin(text))
        return places;
    for (const Word &word : m_words)
        align(word, text, &places);
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

/// The best of all ways to find the letters of the word in the text that has them: row by row of a table whose rows are
/// the letters and whose columns are the places. None: even that one is too scattered.
std::optional<int> FuzzyPattern::align(const Word &word, QStringView text, std::vector<int> *places) const
{
    const auto letters = static_cast<std::size_t>(word.folded.size());
    const auto width = static_cast<std::size_t>(text.size());
    m_cells.assign(letters * width, { Impossible, -1 });
    const auto cell = [&](std::size_t letter, std::size_t place) -> Cell & { return m_cells[letter * width + place]; };
    for (std::size_t letter = 0; letter < letters; ++letter) {
        Cell beforeGap{ Impossible, -1 }; // the best way that leaves something out before this place
        for (std::size_t place = 0; place < width; ++place) {
            if (letter > 0 && place > 1) {
                --beforeGap.score;
                const int opened = cell(letter - 1, place - 2).score - points::Gap;
                if (opened > beforeGap.score)
                    beforeGap = { opened, static_cast<int>(place) - 2 };
            }
            const auto at = static_cast<qsizetype>(place);
            const auto typed = static_cast<qsizetype>(letter);
            if (folded(text[at]) != word.folded[typed])
                continue;
            Cell best{ letter == 0 ? 0 : beforeGap.score, letter == 0 ? -1 : beforeGap.from };
            if (letter > 0 && place > 0) {
                const int joined = cell(letter - 1, place - 1).score + points::Consecutive;
                if (joined > best.score)
                    best = { joined, static_cast<int>(place) - 1 };
            }
            if (best.score <= Impossible / 2)
                continue;
            best.score
                += points::Letter + placePoints(text, at) + (text[at] == word.typed[typed] ? points::SameCase : 0);
            cell(letter, place) = best;
        }
    }
    std::size_t end = 0;
    for (std::size_t place = 1; place < width; ++place)
        if (cell(letters - 1, place).score > cell(letters - 1, end).score)
            end = place;
    const int score = cell(letters - 1, end).score;
    if (score < points::LeastOfLetter * static_cast<int>(letters))
        return std::nullopt;
    if (places) {
        auto place = static_cast<int>(end);
        for (std::size_t letter = letters; letter-- > 0;) {
            places->push_back(place);
            place = cell(letter, static_cast<std::size_t>(place)).from;
        }
    }
    return score + (letters == width ? points::WholeText : 0);
}

} // namespace lockui
