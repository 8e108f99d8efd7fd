// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/enum_table.h"

#include <string>
#include <vector>

namespace lockui {

/// A table to be taken elsewhere. Its cells are whole, and bytes as they came, from strangers too.
struct ExportTable {
    struct Column {
        std::string key; // in JSON, the same in every language
        std::string title; // for people
    };

    /// What was exported: of which servers, of which moment.
    struct Fact {
        std::string key; // in JSON
        std::string title;
        std::string value;
    };

    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows; // a cell a column; empty: there is no such fact
    std::vector<Fact> about = {}; // CSV has no place for it
    std::vector<std::string> objects = {}; // JSON of the rows, in place of their cells; empty: it is made of these
};

enum class ExportFormat { Csv, Json, Markdown };

struct ExportFormatRow {
    ExportFormat value;
    const char *name; // for people, in every language
    const char *suffix; // of files
};
inline constexpr ExportFormatRow ExportFormats[]{
    { ExportFormat::Csv, "CSV", "csv" },
    { ExportFormat::Json, "JSON", "json" },
    { ExportFormat::Markdown, "Markdown", "md" },
};
static_assert(lockcore::hasRowForEach(ExportFormats));

/// A spreadsheet computes a cell that begins like a formula, quoted or not, and could so run what a stranger wrote into
/// the name of a lock. An apostrophe before it makes it text. A text that begins with an apostrophe gets one more, so
/// that one taken off gives the text back. Controls, which may stand before a formula, are to be escapes by then.
std::string withoutFormula(std::string text);

/// The name of a lock in a cell: a blank one of Markdown would tell nothing of an empty name.
std::string lockNameCell(const std::string &name, ExportFormat format);

/// The table as a file of this format, in UTF-8. What a stranger wrote stays text in it: it ends no cell and no line,
/// is no formula and no markup, and hides nothing. CSV and Markdown have it in the notation of printable(); JSON has
/// the text itself, and of bytes that are not UTF-8 the notation, with the bytes beside it as `keyBase64`. JSON is an
/// array of the rows; where something is to be said about it, an object of `exported` and `rows`.
std::string exported(const ExportTable &table, ExportFormat format);

} // namespace lockui
