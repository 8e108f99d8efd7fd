// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scenario_writer.h"

#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/lab/json_edit.h"
#include "ui/text/json.h"

#include <algorithm>

namespace lockui::lab {

using lockcore::Millis;

namespace {

constexpr std::size_t WidestLine = 120;

JsonValue textValue(const std::string &bytes) { return json::text(bytes); }

JsonValue textValues(const std::vector<std::string> &texts)
{
    JsonValue list = JsonValue::array();
    for (const std::string &text : texts)
        list.push_back(textValue(text));
    return list;
}

JsonValue windowValue(const Window &window)
{
    return JsonValue::array({ durationWord(window.least), durationWord(window.most) });
}

template <typename Value, typename ToJson>
void addIf(JsonValue &object, const char *name, const std::optional<Value> &value, ToJson toJson)
{
    if (value)
        object[name] = toJson(*value);
}

template <typename Value>
void addIf(JsonValue &object, const char *name, const std::optional<Value> &value)
{
    if (value)
        object[name] = *value;
}

JsonValue keyValue(const KeyExpectation &expects)
{
    JsonValue key{ { expects.subscribers ? "channel" : "key", textValue(expects.key) } };
    addIf(key, "subscribers", expects.subscribers);
    if (expects.server != 0)
        key["server"] = expects.server + 1;
    addIf(key, "exists", expects.exists);
    addIf(key, "value", expects.value, textValue);
    if (expects.fields) {
        JsonValue fields = JsonValue::object();
        for (const auto &[field, value] : *expects.fields)
            fields[json::text(field)] = textValue(value);
        key["fields"] = std::move(fields);
    }
    addIf(key, "elements", expects.elements, textValues);
    addIf(key, "ttl", expects.ttl, windowValue);
    return key;
}

JsonValue seenValue(const SeenExpectation &expects)
{
    JsonValue seen{ { "lock", textValue(expects.lock) } };
    addIf(seen, "held", expects.held);
    addIf(seen, "holders", expects.holders, textValues);
    addIf(seen, "waiters", expects.waiters, textValues);
    addIf(seen, "lease", expects.lease);
    addIf(seen, "freePermits", expects.freePermits);
    addIf(seen, "count", expects.count);
    addIf(seen, "quorum", expects.quorum);
    addIf(seen, "suspect", expects.suspect);
    return seen;
}

JsonValue eventValue(const EventExpectation &expects)
{
    JsonValue event{ { "event", nameOf(expects.event) }, { "lock", textValue(expects.lock) } };
    addIf(event, "owner", expects.owner, textValue);
    addIf(event, "certainty", expects.certainty, [](auto certainty) { return nameOf(certainty); });
    return event;
}

template <typename List, typename ToJson>
void addList(JsonValue &object, const char *name, const List &list, ToJson toJson)
{
    if (list.empty())
        return;
    JsonValue values = JsonValue::array();
    for (const auto &each : list)
        values.push_back(toJson(each));
    object[name] = std::move(values);
}

JsonValue expectationValue(const Expectation &expects)
{
    JsonValue value = JsonValue::object();
    if (expects.error)
        value["error"] = *expects.error;
    else
        addIf(value, "outcome", expects.outcome, [](Outcome outcome) { return nameOf(outcome); });
    addIf(value, "took", expects.took, windowValue);
    addIf(value, "tokenAbove", expects.tokenAbove, textValue);
    addList(value, "redis", expects.redis, keyValue);
    addList(value, "seen", expects.seen, seenValue);
    addList(value, "events", expects.events, eventValue);
    addList(value, "order", expects.order, textValue);
    if (expects.within != Expectation().within)
        value["within"] = durationWord(expects.within);
    addIf(value, "stays", expects.stays, durationWord);
    return value;
}

JsonValue stepValue(const Step &step, std::size_t index)
{
    const Step usual;
    JsonValue value = JsonValue::object();
    if (!step.client.empty())
        value["client"] = step.client;
    value["do"] = nameOf(step.act);
    if (!step.lock.empty())
        value["lock"] = textValue(step.lock);
    addList(value, "locks", step.locks, textValue);
    if (step.thread != usual.thread)
        value["thread"] = std::stoll(step.thread);
    if (step.kind != usual.kind)
        value["kind"] = nameOf(step.kind);
    if (step.variant != usual.variant)
        value["variant"] = nameOf(step.variant);
    addIf(value, "mode", step.mode, [](auto mode) { return nameOf(mode); });
    if (step.server != 0)
        value["server"] = step.server + 1;
    if (step.count != usual.count)
        value["count"] = step.count;
    if (step.id != std::to_string(index + 1))
        value["id"] = textValue(step.id);
    addIf(value, "lease", step.lease, durationWord);
    addIf(value, "wait", step.wait, durationWord);
    if (step.retry != usual.retry)
        value["retry"] = durationWord(step.retry);
    if (step.isMeanwhile)
        value["meanwhile"] = true;
    if (step.after.size() == 1)
        value["after"] = textValue(step.after.front());
    else
        addList(value, "after", step.after, textValue);
    if (step.pause != usual.pause)
        value["pause"] = durationWord(step.pause);
    if (step.isScalable)
        value["scalable"] = true;
    if (JsonValue expects = expectationValue(step.expects); !expects.empty() || step.act == Act::Check)
        value["expect"] = std::move(expects);
    if (!step.note.empty())
        value["note"] = textValue(step.note);
    return value;
}

JsonValue clientValue(const ScenarioClient &client)
{
    JsonValue value{ { "name", client.name } };
    if (!client.renews)
        value["renews"] = false;
    if (client.program != ClientProgramKind::Lockcore)
        value["program"] = lockcore::rowOf(ClientProgramKinds, client.program).text;
    if (!client.version.empty())
        value["version"] = client.version;
    return value.size() == 1 ? JsonValue(client.name) : value;
}

JsonValue scenarioValue(const Scenario &scenario)
{
    const Scenario usual;
    JsonValue value{ { "$schema", "scenario.schema.json" }, { "name", textValue(scenario.name) },
        { "title", textValue(scenario.title) } };
    addIf(value, "group", scenario.group, [](Group group) { return lockcore::rowOf(Groups, group).text; });
    addList(value, "about", scenario.about, textValue);
    if (!scenario.forYourCode.empty())
        value["forYourCode"] = textValue(scenario.forYourCode);
    if (scenario.setting == Setting::Independent)
        value["servers"] = { { "independent", scenario.servers } };
    else if (scenario.setting != usual.setting)
        value["servers"] = lockcore::rowOf(Settings, scenario.setting).text;
    if (scenario.watchdog != usual.watchdog)
        value["watchdog"] = durationWord(scenario.watchdog);
    if (scenario.fairWait != usual.fairWait)
        value["fairWait"] = durationWord(scenario.fairWait);
    addList(value, "clients", scenario.clients, clientValue);
    JsonValue steps = JsonValue::array();
    for (std::size_t i = 0; i < scenario.steps.size(); ++i)
        steps.push_back(stepValue(scenario.steps[i], i));
    value["steps"] = std::move(steps);
    return value;
}

/// With the room that is left on its line; what does not fit is broken, with its parts on lines of their own.
std::string laidOut(const JsonValue &value, std::size_t indent, std::size_t room)
{
    std::string line = lineOf(value);
    if (!value.is_structured() || (line.size() <= room && indent > 0))
        return line;
    const std::string margin(indent + 2, ' ');
    std::string text;
    for (const auto &[name, inner] : value.items()) {
        const std::string label = value.is_object() ? json::line(name) + ": " : "";
        const bool isList = indent == 0 && (name == "about" || name == "steps"); // as people write them
        const std::size_t used = margin.size() + label.size() + 1;
        for (const std::string &part : { std::string(text.empty() ? "\n" : ",\n"), margin, label,
                 laidOut(inner, indent + 2, isList || used > WidestLine ? 0 : WidestLine - used) })
            text += part;
    }
    return (value.is_array() ? '[' : '{') + text + '\n' + std::string(indent, ' ') + (value.is_array() ? ']' : '}');
}

} // namespace

QByteArray scenarioText(const Scenario &scenario)
{
    return QByteArray::fromStdString(laidOut(scenarioValue(scenario), 0, WidestLine) + '\n');
}

std::string durationWord(Millis duration)
{
    constexpr std::pair<Millis, const char *> Units[]{ { Millis{ 3'600'000 }, "h" }, { Millis{ 60'000 }, "m" },
        { Millis{ 1'000 }, "s" } };
    for (const auto &[unit, word] : Units) {
        if (duration >= unit && duration % unit == Millis{ 0 })
            return std::to_string(duration / unit) + word;
    }
    return std::to_string(duration.count()) + "ms";
}

} // namespace lockui::lab
