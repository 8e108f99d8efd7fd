// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockui {

bool isUtf8(std::string_view bytes);

/// Characters that act on a terminal or on the direction of text, or that cannot be seen.
bool isHazardous(char32_t codePoint);

/// Text from strangers for one line: `\xNN` for bytes that are not UTF-8 and for control characters,
/// `\u{NNNN}` for invisible ones, those that turn the direction of text and marks that would be drawn over other lines,
/// `\\` for a backslash. Window and terminal show it so, and `lockctl --escaped` takes it back.
std::string printable(std::string_view bytes);
/// The same of the first character alone, which is taken off. `before`: the bytes in front of it.
std::string takePrintable(std::string_view &bytes, std::string_view before);
/// The bytes that are printed so; absent: a backslash stands there before something else.
std::optional<std::string> fromPrintable(std::string_view text);
/// The same as printable() of what has backslashes of its own, such as JSON.
std::string withoutControls(std::string_view text);

/// Cells that printable text takes up on a terminal.
int cellWidth(std::string_view printableText);

enum class Elide { End, Middle };

/// Cut to so many cells, with an ellipsis in place of what is missing; no escape is cut in two.
std::string elided(std::string_view printableText, int cells, Elide where = Elide::End);

} // namespace lockui
