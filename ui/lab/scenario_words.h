// SPDX-License-Identifier: GPL-3.0-or-later
// What may stand where in the text of a scenario, as its schema has it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockui::lab {

/// Where in an unfinished text somebody writes a string.
struct WritingPlace {
    std::vector<std::string> objects; // members that lead to the innermost object: steps, expect
    std::string member; // of it, whose value is written; empty: a name of a member is
    std::size_t begin = 0; // of what stands there already, behind its quotation mark
};

/// At the end of a text; absent: no string is open there.
std::optional<WritingPlace> writingPlace(std::string_view before);

/// Names of members of such an object.
std::vector<std::string> membersOf(const std::vector<std::string> &objects);

/// The only words that a member of it can have; empty: they are not of a fixed list.
std::vector<std::string> wordsOf(const std::vector<std::string> &objects, const std::string &member);

} // namespace lockui::lab
