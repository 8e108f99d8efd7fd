// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_reader.h"

#include "lockcore/base/duration.h"

#include <algorithm>

namespace lockui::lab {

namespace {

/// No step of a story takes longer; a timer can wait for it.
constexpr lockcore::Millis LongestDuration = std::chrono::hours(1);

} // namespace

std::string JsonNode::text() const
{
    if (!m_value->is_string() || m_value->get_ref<const std::string &>().empty())
        fail(tr("expected a text"));
    return m_value->get<std::string>();
}

bool JsonNode::flag() const
{
    if (!m_value->is_boolean())
        fail(tr("expected true or false"));
    return m_value->get<bool>();
}

std::int64_t JsonNode::number(std::int64_t least, std::int64_t most) const
{
    const bool isWhole = m_value->is_number_integer();
    const auto number = isWhole ? m_value->get<std::int64_t>() : 0;
    if (!isWhole || number < least || number > most)
        fail(tr("expected a whole number from %1 to %2").arg(least).arg(most));
    return number;
}

lockcore::Millis JsonNode::duration() const
{
    const auto duration = m_value->is_string()
        ? lockcore::parseDuration(m_value->get_ref<const std::string &>(), { .most = LongestDuration })
        : std::nullopt;
    if (!duration)
        fail(tr("expected a duration of up to an hour, such as \"250ms\" or \"3s\""));
    return *duration;
}

std::vector<std::string> JsonNode::texts() const
{
    std::vector<std::string> texts;
    for (const JsonNode &element : elements())
        texts.push_back(element.text());
    return texts;
}

std::vector<JsonNode> JsonNode::elements() const
{
    if (!isArray())
        fail(tr("expected a list"));
    std::vector<JsonNode> elements;
    for (std::size_t i = 0; i < m_value->size(); ++i)
        elements.push_back(inner((*m_value)[i], i));
    return elements;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const
{
    if (!isObject())
        fail(tr("expected an object"));
    std::vector<std::pair<std::string, JsonNode>> members;
    for (const auto &[name, value] : m_value->items())
        members.emplace_back(name, inner(value, name));
    return members;
}

std::optional<JsonNode> JsonNode::find(const char *name) const
{
    if (!isObject())
        fail(tr("expected an object"));
    const auto found = m_value->find(name);
    if (found == m_value->end())
        return std::nullopt;
    return inner(*found, std::string(name));
}

JsonNode JsonNode::at(const char *name) const
{
    auto value = find(name);
    if (!value)
        fail(tr("\"%1\" is missing").arg(QString::fromLatin1(name)));
    return *value;
}

void JsonNode::allowOnly(const std::vector<const char *> &names) const
{
    for (const auto &[name, value] : members()) {
        if (std::ranges::find(names, name) != names.end())
            continue;
        QStringList known;
        for (const char *each : names)
            known << QString::fromLatin1(each);
        value.fail(tr("\"%1\" is not known here; expected one of %2")
                       .arg(QString::fromStdString(name), known.join(QStringLiteral(", "))));
    }
}

JsonNode JsonNode::inner(const JsonValue &value, std::variant<std::string, std::size_t> step) const
{
    JsonPath path = m_path;
    path.push_back(std::move(step));
    return { value, std::move(path) };
}

} // namespace lockui::lab
