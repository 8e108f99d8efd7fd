// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scenario_words.h"

#include "ui/lab/scenario_library.h"
#include "ui/text/json.h"

namespace lockui::lab {

namespace {

/// An object or a list that is open where somebody writes.
struct OpenBracket {
    bool isObject = false;
    std::string key{}; // of an object: the last one
    bool isBehindColon = false;
};

const JsonValue &schema()
{
    static const JsonValue value = JsonValue::parse(schemaText().toStdString());
    return value;
}

/// A node and all that it may be instead, whether by reference, as one of several or as an element of a list.
std::vector<const JsonValue *> alternatives(const JsonValue &node)
{
    std::vector<const JsonValue *> all{ &node };
    const auto add = [&all](const JsonValue &more) {
        const auto inner = alternatives(more);
        all.insert(all.end(), inner.begin(), inner.end());
    };
    if (const auto reference = node.find("$ref"); reference != node.end())
        add(schema().at(JsonValue::json_pointer(reference->get<std::string>().substr(1))));
    if (const auto several = node.find("oneOf"); several != node.end()) {
        for (const JsonValue &each : *several)
            add(each);
    }
    if (const auto items = node.find("items"); items != node.end())
        add(*items);
    return all;
}

std::vector<const JsonValue *> membersNamed(const std::vector<const JsonValue *> &objects, const std::string &name)
{
    std::vector<const JsonValue *> members;
    for (const JsonValue *object : objects) {
        const auto properties = object->find("properties");
        if (properties == object->end() || !properties->contains(name))
            continue;
        const auto all = alternatives(properties->at(name));
        members.insert(members.end(), all.begin(), all.end());
    }
    return members;
}

std::vector<const JsonValue *> nodesAt(const std::vector<std::string> &objects)
{
    auto nodes = alternatives(schema());
    for (const std::string &name : objects)
        nodes = membersNamed(nodes, name);
    return nodes;
}

} // namespace

std::optional<WritingPlace> writingPlace(std::string_view before)
{
    std::vector<OpenBracket> open;
    std::optional<std::size_t> string; // begins there
    for (std::size_t i = 0; i < before.size(); ++i) {
        const char letter = before[i];
        if (string) {
            if (letter == '\\') {
                ++i;
            } else if (letter == '"') {
                if (!open.empty() && open.back().isObject && !open.back().isBehindColon)
                    open.back().key = before.substr(*string, i - *string);
                string.reset();
            } else if (letter == '\n') {
                string.reset(); // it was never closed: what follows is no part of it
            }
        } else if (letter == '"') {
            string = i + 1;
        } else if (letter == '{' || letter == '[') {
            open.push_back({ .isObject = letter == '{' });
        } else if ((letter == '}' || letter == ']') && !open.empty()) {
            open.pop_back();
        } else if (!open.empty() && (letter == ':' || letter == ',')) {
            open.back().isBehindColon = letter == ':';
        }
    }
    while (!open.empty() && !open.back().isObject)
        open.pop_back();
    if (!string || open.empty())
        return std::nullopt;
    WritingPlace place;
    place.begin = *string;
    if (open.back().isBehindColon)
        place.member = open.back().key;
    open.pop_back();
    for (const OpenBracket &each : open) {
        if (each.isObject)
            place.objects.push_back(each.key);
    }
    return place;
}

std::vector<std::string> membersOf(const std::vector<std::string> &objects)
{
    std::vector<std::string> names;
    for (const JsonValue *node : nodesAt(objects)) {
        if (const auto properties = node->find("properties"); properties != node->end()) {
            for (const auto &member : properties->items())
                names.push_back(member.key());
        }
    }
    return names;
}

std::vector<std::string> wordsOf(const std::vector<std::string> &objects, const std::string &member)
{
    std::vector<std::string> words;
    for (const JsonValue *node : membersNamed(nodesAt(objects), member)) {
        if (const auto fixed = node->find("enum"); fixed != node->end()) {
            for (const JsonValue &word : *fixed)
                words.push_back(word.get<std::string>());
        }
    }
    return words;
}

} // namespace lockui::lab
