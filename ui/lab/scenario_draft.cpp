// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scenario_draft.h"

#include <algorithm>

namespace lockui::lab {

namespace {

void addOnce(std::vector<std::string> &words, const std::string &word)
{
    if (!word.empty() && std::ranges::find(words, word) == words.end())
        words.push_back(word);
}

} // namespace

std::size_t ScenarioDraft::stepCount() const
{
    const JsonValue *steps = memberOf(value, "steps");
    return steps && steps->is_array() ? steps->size() : 0;
}

const JsonValue &ScenarioDraft::step(std::size_t index) const { return memberOf(value, "steps")->at(index); }

std::vector<std::string> ScenarioDraft::clients() const
{
    std::vector<std::string> names;
    const JsonValue *all = memberOf(value, "clients");
    for (std::size_t i = 0; all && all->is_array() && i < all->size(); ++i)
        addOnce(names, all->at(i).is_string() ? all->at(i).get<std::string>() : textOf(all->at(i), "name"));
    return names;
}

std::vector<std::string> ScenarioDraft::locks() const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < stepCount(); ++i)
        addOnce(names, textOf(step(i), "lock"));
    return names;
}

std::vector<std::string> ScenarioDraft::idsBefore(std::size_t before) const
{
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < std::min(before, stepCount()); ++i) {
        const std::string id = textOf(step(i), "id");
        addOnce(ids, id.empty() ? std::to_string(i + 1) : id);
    }
    return ids;
}

bool ScenarioDraft::hasSemaphore() const { return hasStepWith("kind", { "semaphore", "permitExpirableSemaphore" }); }

bool ScenarioDraft::hasLatch() const
{
    return hasStepWith("kind", { "countDownLatch" })
        || hasStepWith("do", { nameOf(Act::SetCount), nameOf(Act::CountDown), nameOf(Act::Await) });
}

bool ScenarioDraft::hasStepWith(const std::string &member, const std::vector<std::string> &words) const
{
    for (std::size_t i = 0; i < stepCount(); ++i) {
        if (std::ranges::find(words, textOf(step(i), member)) != words.end())
            return true;
    }
    return false;
}

ScenarioDraft draftOf(std::string json, std::vector<ScenarioError> errors)
{
    JsonValue value = JsonValue::parse(json, nullptr, false);
    return { std::move(json), std::move(value), std::move(errors) };
}

const JsonValue *memberOf(const JsonValue &object, const std::string &name)
{
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

std::string textOf(const JsonValue &object, const std::string &name)
{
    const JsonValue *value = memberOf(object, name);
    return value && value->is_string() ? value->get<std::string>() : std::string();
}

JsonPath inside(JsonPath path, std::variant<std::string, std::size_t> step)
{
    path.push_back(std::move(step));
    return path;
}

bool leadsInto(const JsonPath &path, const JsonPath &value)
{
    return path.size() >= value.size() && std::equal(value.begin(), value.end(), path.begin());
}

JsonPath stepPath(std::size_t step) { return { std::string("steps"), step }; }

std::optional<std::size_t> stepOf(const JsonPath &path)
{
    if (path.size() < 2 || path.front() != JsonPath::value_type(std::string("steps")))
        return std::nullopt;
    const auto *index = std::get_if<std::size_t>(&path[1]);
    return index ? std::optional(*index) : std::nullopt;
}

} // namespace lockui::lab
