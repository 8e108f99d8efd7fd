// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/look_alikes.h"

#include "lockcore/base/utf8.h"

#include <QChar>
#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace lockui {

namespace {

struct LookAlikes {
    Q_DECLARE_TR_FUNCTIONS(LookAlikes)
};

/// As they are drawn upright. Source: Unicode 15.1, confusables.txt, and those that differ in a serif alone.
constexpr std::u32string_view GreekLikeLatin = U"αγικνορσυχϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ";
constexpr std::u32string_view CyrillicLikeLatin = U"агекорсухѕіјһԁԛԝѵӏүАВЕЅІЈКМНОРСТУХҮҺԌԚԜѴӀ";
constexpr std::u32string_view LatinLikeThem = U"acdeghijklopqrsuvwxyABCEGHIJKMNOPQSTUVWXYZ";

struct NameLetter {
    std::size_t place;
    char32_t letter;
    QChar::Script script;

    bool isLatin() const { return script == QChar::Script_Latin; }
    bool isOther() const { return script == QChar::Script_Greek || script == QChar::Script_Cyrillic; }
    bool isLookAlike() const
    {
        switch (script) {
        case QChar::Script_Latin:
            return LatinLikeThem.find(letter) != LatinLikeThem.npos;
        case QChar::Script_Greek:
            return GreekLikeLatin.find(letter) != GreekLikeLatin.npos;
        case QChar::Script_Cyrillic:
            return CyrillicLikeLatin.find(letter) != CyrillicLikeLatin.npos;
        default:
            return false;
        }
    }
};
using NameWord = std::vector<NameLetter>;

bool isAscii(std::string_view name)
{
    return std::ranges::none_of(name, [](char byte) { return (static_cast<unsigned char>(byte) & 0x80U) != 0; });
}

/// What is no letter parts them.
std::vector<NameWord> wordsOf(std::string_view name)
{
    std::vector<NameWord> words(1);
    for (std::string_view rest = name; !rest.empty();) {
        const std::size_t place = name.size() - rest.size();
        const auto letter = lockcore::takeCodePoint(rest);
        if (letter && QChar::isLetter(*letter))
            words.back().push_back({ place, *letter, QChar::script(*letter) });
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

/// Those of the alphabet that has fewer letters in the word; of as many, those that are not Latin.
NameWord straysIn(const NameWord &word)
{
    const auto latin = std::ranges::count_if(word, &NameLetter::isLatin);
    const auto others = std::ranges::count_if(word, &NameLetter::isOther);
    NameWord strays;
    if (latin > 0 && others > 0)
        std::ranges::copy_if(word, std::back_inserter(strays),
            [&](const NameLetter &each) { return each.isLatin() == (latin < others) && each.isLookAlike(); });
    return strays;
}

QString alphabetText(QChar::Script script)
{
    return script == QChar::Script_Greek   ? LookAlikes::tr("Greek")
        : script == QChar::Script_Cyrillic ? LookAlikes::tr("Cyrillic")
                                           : LookAlikes::tr("Latin");
}

} // namespace

std::vector<std::size_t> strayLetters(std::string_view name)
{
    std::vector<std::size_t> places;
    if (isAscii(name))
        return places;
    for (const NameWord &word : wordsOf(name))
        for (const NameLetter &stray : straysIn(word))
            places.push_back(stray.place);
    return places;
}

QString lookAlikeText(std::string_view name)
{
    if (isAscii(name))
        return {};
    const std::vector<NameWord> words = wordsOf(name);
    const bool hasLatin = std::ranges::any_of(
        words, [](const NameWord &word) { return std::ranges::any_of(word, &NameLetter::isLatin); });
    QStringList letters;
    const auto tell = [&letters](const NameWord &told) {
        for (const NameLetter &each : told) {
            const QString text = LookAlikes::tr("%1 is %2 (U+%3)", "a letter, its alphabet, its number")
                                     .arg(QString::fromUcs4(&each.letter, 1), alphabetText(each.script),
                                         QString::number(each.letter, 16).toUpper().rightJustified(4, u'0'));
            if (!letters.contains(text))
                letters << text;
        }
    };
    for (const NameWord &word : words) {
        const bool readsAsLatin = hasLatin && std::ranges::none_of(word, &NameLetter::isLatin)
            && std::ranges::all_of(word, &NameLetter::isLookAlike);
        tell(readsAsLatin ? word : straysIn(word));
    }
    return letters.isEmpty() ? QString()
                             : LookAlikes::tr("Letters of several alphabets look alike in this name: %1")
                                   .arg(letters.join(QStringLiteral(", ")));
}

} // namespace lockui
