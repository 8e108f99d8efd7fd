// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace lockui {

/// What a person types to find something by its text. Each word must be in the text as a subsequence: its letters in
/// their order, whatever their case, with anything between them. The score is the higher the more of them begin a word
/// or follow each other, and the fewer are left out between them; letters that are scattered all over a text are no
/// match.
class FuzzyPattern {
public:
    explicit FuzzyPattern(const QString &typed = {});

    bool isEmpty() const { return m_words.empty(); }
    std::optional<int> scoreOf(QStringView text) const; // absent: it does not match
    bool isSaidIn(QStringView text) const; // each word as it was typed, whatever its case
    std::vector<int> placesIn(QStringView text) const; // of the letters that match best, in order

private:
    struct Word {
        QString typed;
        QString folded;
    };
    struct Cell {
        int score = 0; // of the best way that ends with this letter of the word at this place
        int from = -1; // where the letter before stands then
    };

    bool isWithin(QStringView text) const;
    std::optional<int> align(const Word &word, QStringView text, std::vector<int> *places) const;

    std::vector<Word> m_words;
    mutable std::vector<Cell> m_cells; // used again for each text: very many are looked at
};

} // namespace lockui
