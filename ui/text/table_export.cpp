// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/table_export.h"

#include "lockcore/base/utf8.h"
#include "ui/text/display_text.h"
#include "ui/text/json.h"
#include "ui/text/printable_text.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace lockui {

std::string withoutFormula(std::string text)
{
    constexpr std::string_view Beginnings[]{ "=", "+", "-", "@", "'", "\t", "＝", "＋", "－", "＠" };
    const bool isAtRisk = std::ranges::any_of(Beginnings, [&text](auto each) { return text.starts_with(each); });
    return isAtRisk ? "'" + text : text;
}

std::string lockNameCell(const std::string &name, ExportFormat format)
{
    return name.empty() && format == ExportFormat::Markdown ? lockNameText(name).toStdString() : name;
}

namespace {

/// Always quoted: where a program takes another character for the end of a cell than we do, what stands behind it would
/// begin a cell, and might be a formula.
std::string csvCell(std::string_view bytes)
{
    std::string cell = "\"";
    for (const char c : withoutFormula(printable(bytes)))
        cell += c == '"' ? "\"\"" : std::string(1, c);
    return cell + '"';
}

/// Source: RFC 4180.
template <typename Cells, typename ToText>
void addCsvLine(std::string &text, const Cells &cells, ToText toText)
{
    std::string_view comma;
    for (const auto &cell : cells) {
        text.append(comma).append(csvCell(toText(cell)));
        comma = ",";
    }
    text += "\r\n";
}

std::string toCsv(const ExportTable &table)
{
    std::string text;
    addCsvLine(text, table.columns, [](const ExportTable::Column &column) { return column.title; });
    for (const auto &row : table.rows)
        addCsvLine(text, row, [](const std::string &cell) { return cell; });
    return text;
}

void addJsonEscape(std::string &text, unsigned unit)
{
    char escape[16];
    std::snprintf(escape, sizeof escape, "\\u%04x", unit);
    text += escape;
}

/// Pure ASCII, so that no terminal and no editor is played with.
std::string jsonString(std::string_view utf8)
{
    std::string text = "\"";
    while (!utf8.empty()) {
        const char32_t codePoint = lockcore::takeCodePoint(utf8).value_or(U'\ufffd');
        if (codePoint == U'"' || codePoint == U'\\') {
            text += { '\\', static_cast<char>(codePoint) };
        } else if (codePoint >= 0x20 && codePoint < 0x7f) {
            text += static_cast<char>(codePoint);
        } else if (codePoint < 0x10000) {
            addJsonEscape(text, codePoint);
        } else {
            addJsonEscape(text, 0xd800 + ((codePoint - 0x10000) >> 10U));
            addJsonEscape(text, 0xdc00 + ((codePoint - 0x10000) & 0x3ffU));
        }
    }
    return text + '"';
}

std::string jsonMember(const std::string &key, std::string_view bytes)
{
    if (bytes.empty())
        return jsonString(key) + ": null";
    if (isUtf8(bytes))
        return jsonString(key) + ": " + jsonString(bytes);
    return jsonString(key) + ": " + jsonString(printable(bytes)) + ", " + jsonString(key + "Base64") + ": "
        + jsonString(json::base64(bytes));
}

std::string jsonRows(const ExportTable &table)
{
    std::string text = "[";
    std::string_view before = "\n";
    const auto add = [&](const std::string &object) {
        text.append(before).append("  ").append(object);
        before = ",\n";
    };
    for (const std::string &object : table.objects)
        add(object);
    for (std::size_t row = 0; row < table.rows.size() && table.objects.empty(); ++row) {
        std::string object = "{";
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            object += (i == 0 ? "" : ", ") + jsonMember(table.columns[i].key, table.rows[row][i]);
        add(object + '}');
    }
    return text + (before == "\n" ? "]" : "\n]");
}

std::string toJson(const ExportTable &table)
{
    if (table.about.empty())
        return jsonRows(table) + '\n';
    std::string facts;
    for (const ExportTable::Fact &fact : table.about)
        facts += (facts.empty() ? "" : ", ") + jsonMember(fact.key, fact.value);
    return "{\"exported\": {" + facts + "},\n\"rows\": " + jsonRows(table) + "}\n";
}

/// In a cell of a table, of GitHub's Markdown too, which makes links of what looks like an address.
std::string markdownCell(std::string_view bytes)
{
    constexpr std::string_view Marks = "\\`*_{}[]()<>#|~&!^$";
    const std::string shown = printable(bytes);
    std::string text;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::string_view rest = std::string_view(shown).substr(i);
        const bool isAddress = rest.starts_with(":/") || (rest.front() == '.' && text.ends_with("www"));
        if (Marks.find(rest.front()) != Marks.npos || isAddress)
            text += '\\';
        text += rest.front();
    }
    return text;
}

template <typename Cells, typename ToText>
void addMarkdownLine(std::string &text, const Cells &cells, ToText toText)
{
    text += '|';
    for (const auto &cell : cells)
        text.append(" ").append(toText(cell)).append(" |");
    text += '\n';
}

std::string toMarkdown(const ExportTable &table)
{
    std::string text;
    for (const ExportTable::Fact &fact : table.about)
        text += "- " + markdownCell(fact.title) + ": " + markdownCell(fact.value) + '\n';
    if (!table.about.empty())
        text += '\n';
    addMarkdownLine(text, table.columns, [](const ExportTable::Column &column) { return markdownCell(column.title); });
    addMarkdownLine(text, table.columns, [](const ExportTable::Column &) { return "---"; });
    for (const auto &row : table.rows)
        addMarkdownLine(text, row, [](const std::string &cell) { return markdownCell(cell); });
    return text;
}

} // namespace

std::string exported(const ExportTable &table, ExportFormat format)
{
    switch (format) {
    case ExportFormat::Csv:
        return toCsv(table);
    case ExportFormat::Json:
        return toJson(table);
    case ExportFormat::Markdown:
        return toMarkdown(table);
    }
    return {};
}

} // namespace lockui
