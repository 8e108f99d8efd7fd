// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

namespace lockcore {

/// Characters that are drawn as nothing at all, or as blank, though some count as letters: two names that differ in
/// them alone look the same. All code points that have the property, those of no character yet among them. Source:
/// Unicode 15.1, DerivedCoreProperties.txt, Default_Ignorable_Code_Point; and the blank Braille pattern.
constexpr bool isDefaultIgnorable(char32_t character)
{
    struct Span {
        char32_t first;
        char32_t last;
    };
    constexpr std::array<Span, 18> Spans{ { { 0x00AD, 0x00AD }, { 0x034F, 0x034F }, { 0x061C, 0x061C },
        { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F }, { 0x200B, 0x200F }, { 0x202A, 0x202E },
        { 0x2060, 0x206F }, { 0x2800, 0x2800 }, { 0x3164, 0x3164 }, { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF },
        { 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFF8 }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF } } };
    return std::ranges::any_of(
        Spans, [character](const Span &span) { return character >= span.first && character <= span.last; });
}

} // namespace lockcore
