// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lockui {

/// Where in a name a letter stands, in bytes, that looks like one of the alphabet of its word and is of another one:
/// the Greek letter of `nightly-repοrt`. In order. Two names that differ in such letters cannot be told apart.
std::vector<std::size_t> strayLetters(std::string_view name);

/// What is to be known of such letters, and of whole words that could be read as Latin ones beside others that are
/// Latin; empty: nothing.
QString lookAlikeText(std::string_view name);

} // namespace lockui
