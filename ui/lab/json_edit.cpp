// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_edit.h"

#include "ui/lab/json_outline.h"

#include <algorithm>

namespace lockui::lab {

namespace {

std::size_t beginOf(const JsonSpan &container, std::size_t index)
{
    return container.keys.empty() ? container.values[index].begin : container.keys[index].begin;
}

/// What separates one of the values from what stands before it: a space, or a line break and an indentation.
std::string spaceBefore(std::string_view json, const JsonSpan &container, std::size_t index)
{
    const std::size_t begin = beginOf(container, index);
    const std::size_t before = json.find_last_not_of(" \t\r\n", begin - 1);
    const std::string space(json.substr(before + 1, begin - before - 1));
    return space.empty() ? " " : space;
}

/// Before the value with this index, or behind all.
TextChange insertion(std::string_view json, const JsonSpan &container, std::size_t index, const std::string &text)
{
    const std::size_t count = container.values.size();
    if (count == 0) {
        const std::string space = container.keys.empty() && json[container.begin] == '[' ? "" : " ";
        return { container.begin, container.end - container.begin,
            json[container.begin] + space + text + space + json[container.end - 1] };
    }
    if (index >= count)
        return { container.values.back().end, 0, "," + spaceBefore(json, container, count - 1) + text };
    return { beginOf(container, index), 0,
        text + "," + spaceBefore(json, container, std::max(index, std::size_t{ 1 }) % count) };
}

TextChange removal(const JsonSpan &container, std::size_t index)
{
    const std::size_t count = container.values.size();
    if (count == 1)
        return { container.begin + 1, container.end - container.begin - 2, {} };
    if (index + 1 < count) {
        const std::size_t begin = beginOf(container, index);
        return { begin, beginOf(container, index + 1) - begin, {} };
    }
    const std::size_t begin = container.values[index - 1].end;
    return { begin, container.values[index].end - begin, {} };
}

/// What stands in the text of a member or an element that comes with a value of its container.
std::string entryText(const JsonValue &container, std::size_t index)
{
    if (!container.is_object())
        return lineOf(container.at(index));
    const auto entry = std::next(container.begin(), static_cast<std::ptrdiff_t>(index));
    return json::line(entry.key()) + ": " + lineOf(entry.value());
}

/// Up to there both have the same names.
bool hasSameNames(const JsonValue &one, const JsonValue &other, std::size_t count)
{
    for (std::size_t i = 0; one.is_object() && i < count; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        if (std::next(one.begin(), at).key() != std::next(other.begin(), at).key())
            return false;
    }
    return true;
}

/// A value in the place of another. Of a list or an object in which one value differs only that one is written anew,
/// and what is new at the end comes behind the others: they stay as they are laid out.
TextChange replacement(std::string_view json, const JsonSpan &span, const JsonValue &value)
{
    TextChange whole{ span.begin, span.end - span.begin, lineOf(value) };
    const JsonValue old = JsonValue::parse(json.substr(span.begin, span.end - span.begin), nullptr, false);
    const std::size_t count = span.values.size();
    const bool isAlike = value.is_structured() && old.type() == value.type() && old.size() == count
        && value.size() >= count && hasSameNames(old, value, count);
    if (!isAlike)
        return whole;
    std::vector<std::size_t> different;
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        if (*std::next(old.begin(), at) != *std::next(value.begin(), at))
            different.push_back(i);
    }
    if (count > 0 && different.empty() && value.size() == count + 1)
        return insertion(json, span, count, entryText(value, count));
    if (different.empty() && value.size() == count)
        return { span.begin, 0, {} };
    if (different.size() != 1 || value.size() != count)
        return whole;
    return replacement(json, span.values[different.front()],
        *std::next(value.begin(), static_cast<std::ptrdiff_t>(different.front())));
}

} // namespace

std::string changed(std::string_view text, const TextChange &change)
{
    return std::string(text.substr(0, change.at)) + change.by + std::string(text.substr(change.at + change.size));
}

std::string lineOf(const JsonValue &value)
{
    if (!value.is_structured())
        return json::line(value);
    std::string inner;
    for (const auto &[name, each] : value.items()) {
        inner += inner.empty() ? "" : ", ";
        inner += value.is_object() ? json::line(name) + ": " + lineOf(each) : lineOf(each);
    }
    return value.is_array() ? "[" + inner + "]" : inner.empty() ? "{}" : "{ " + inner + " }";
}

TextChange setValue(std::string_view json, const JsonPath &path, const JsonValue &value)
{
    const JsonSpan root = outlineOf(json);
    return replacement(json, spanOf(root, path), value);
}

TextChange setMember(std::string_view json, const JsonPath &object, const std::string &name, const JsonValue &value)
{
    const JsonSpan root = outlineOf(json);
    const JsonSpan &span = spanOf(root, object);
    const auto found = std::ranges::find(span.keys, name, &JsonKey::name);
    if (found == span.keys.end())
        return insertion(json, span, span.values.size(), json::line(name) + ": " + lineOf(value));
    return replacement(json, span.values[static_cast<std::size_t>(found - span.keys.begin())], value);
}

TextChange removeMember(std::string_view json, const JsonPath &object, const std::string &name)
{
    const JsonSpan root = outlineOf(json);
    const JsonSpan &span = spanOf(root, object);
    const auto found = std::ranges::find(span.keys, name, &JsonKey::name);
    return found == span.keys.end() ? TextChange{} : removal(span, static_cast<std::size_t>(found - span.keys.begin()));
}

TextChange insertElement(std::string_view json, const JsonPath &list, std::size_t index, const std::string &text)
{
    const JsonSpan root = outlineOf(json);
    return insertion(json, spanOf(root, list), index, text);
}

TextChange removeElement(std::string_view json, const JsonPath &list, std::size_t index)
{
    const JsonSpan root = outlineOf(json);
    return removal(spanOf(root, list), index);
}

TextChange swapWithNext(std::string_view json, const JsonPath &list, std::size_t index)
{
    const JsonSpan root = outlineOf(json);
    const JsonSpan &span = spanOf(root, list);
    const JsonSpan &first = span.values[index];
    const JsonSpan &second = span.values[index + 1];
    const auto text
        = [json](std::size_t begin, std::size_t end) { return std::string(json.substr(begin, end - begin)); };
    return { first.begin, second.end - first.begin,
        text(second.begin, second.end) + text(first.end, second.begin) + text(first.begin, first.end) };
}

std::string textAt(std::string_view json, const JsonPath &path)
{
    const JsonSpan root = outlineOf(json);
    const JsonSpan &span = spanOf(root, path);
    return std::string(json.substr(span.begin, span.end - span.begin));
}

} // namespace lockui::lab
