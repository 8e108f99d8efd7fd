// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/client_protocol.h"

#include "lockcore/base/enum_table.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/lab/json_reader.h"

#include <cstdio>
#include <limits>

namespace app {

using lockcore::ErrorCode;
using lockcore::Millis;
using lockcore::Result;
using lockui::JsonValue;
using lockui::lab::JsonNode;
using lockui::lab::Step;

namespace {

inline constexpr lockcore::TextRow<ClientNews::What> NewsNames[]{
    { ClientNews::What::Ready, "ready" },
    { ClientNews::What::Renewed, "renewed" },
    { ClientNews::What::Lost, "lockLost" },
    { ClientNews::What::Unconfirmed, "lockUnconfirmed" },
    { ClientNews::What::Disconnected, "disconnected" },
    { ClientNews::What::Reconnected, "reconnected" },
};
static_assert(lockcore::hasRowForEach(NewsNames));

constexpr std::int64_t MostNumber = std::numeric_limits<std::int64_t>::max();

/// On one line, whatever bytes are in names.
QByteArray toLine(const JsonValue &object)
{
    return QByteArray::fromStdString(object.dump(-1, ' ', true, JsonValue::error_handler_t::replace)) + '\n';
}

std::string millis(Millis time) { return std::to_string(time.count()) + "ms"; }

std::string textOr(const JsonNode &object, const char *name)
{
    const auto value = object.find(name);
    return value ? value->text() : std::string();
}

Step stepOf(const JsonNode &object)
{
    Step step;
    step.act = object.at("do").oneOf(lockui::lab::Acts);
    if (const auto thread = object.find("thread"))
        step.thread = thread->text();
    step.lock = textOr(object, "lock");
    if (const auto locks = object.find("locks"))
        step.locks = locks->texts();
    if (const auto kind = object.find("kind"))
        step.kind = kind->oneOf(lockcore::synchronizers::allKinds());
    if (const auto variant = object.find("variant"))
        step.variant = variant->oneOf(lockcore::synchronizers::LockVariants);
    if (const auto mode = object.find("mode"))
        step.mode = mode->oneOf(lockcore::synchronizers::HoldModes);
    if (const auto lease = object.find("lease"))
        step.lease = lease->duration();
    if (const auto wait = object.find("wait"))
        step.wait = wait->duration();
    if (const auto count = object.find("count"))
        step.count = count->number(0, MostNumber);
    return step;
}

ClientAnswer answerOf(const JsonNode &object)
{
    ClientAnswer answer;
    answer.number = static_cast<std::uint64_t>(object.at("number").number(0, MostNumber));
    answer.outcome = object.at("outcome").oneOf(lockui::lab::Outcomes);
    if (const auto exact = object.find("tookUs"))
        answer.took = std::chrono::microseconds(exact->number(0, MostNumber));
    else
        answer.took = Millis(object.at("tookMs").number(0, MostNumber));
    if (const auto token = object.find("token"))
        answer.token = token->number(std::numeric_limits<std::int64_t>::min(), MostNumber);
    answer.permit = textOr(object, "permit");
    answer.error = textOr(object, "error");
    answer.message = textOr(object, "message");
    return answer;
}

ClientNews newsOf(const JsonNode &object)
{
    return { object.at("news").oneOf(NewsNames), textOr(object, "client"), textOr(object, "lock"),
        textOr(object, "thread"), textOr(object, "message") };
}

template <typename Value, typename Read>
Result<Value> readLine(const QByteArray &line, Read read)
{
    constexpr const char *Context = "reading a line of JSON";
    try {
        const JsonValue root = JsonValue::parse(line.begin(), line.end());
        return read(JsonNode(root, {}));
    } catch (const JsonValue::exception &error) {
        return lockcore::failure(ErrorCode::InvalidArgument, error.what(), Context);
    } catch (const lockui::lab::JsonProblem &problem) {
        return lockcore::failure(ErrorCode::InvalidArgument, problem.message.toStdString(), Context);
    }
}

} // namespace

QByteArray lineOf(const ClientOrder &order)
{
    if (order.givesUp)
        return toLine(JsonValue{ { "number", order.number }, { "giveUp", *order.givesUp } });
    const Step &step = order.step;
    JsonValue object{ { "number", order.number }, { "do", nameOf(step.act) }, { "thread", step.thread } };
    if (!step.lock.empty())
        object["lock"] = step.lock;
    if (!step.locks.empty())
        object["locks"] = step.locks;
    object["kind"] = nameOf(step.kind);
    object["variant"] = nameOf(step.variant);
    if (step.mode)
        object["mode"] = nameOf(*step.mode);
    if (step.lease)
        object["lease"] = millis(*step.lease);
    if (step.wait)
        object["wait"] = millis(*step.wait);
    object["count"] = step.count;
    return toLine(object);
}

QByteArray lineOf(const ClientMessage &message)
{
    JsonValue object;
    const auto add = [&object](const char *name, const std::string &text) {
        if (!text.empty())
            object[name] = text;
    };
    if (const auto *answer = std::get_if<ClientAnswer>(&message)) {
        object = { { "number", answer->number }, { "outcome", nameOf(answer->outcome) },
            { "tookUs", answer->took.count() } };
        if (answer->token)
            object["token"] = *answer->token;
        add("permit", answer->permit);
        add("error", answer->error);
        add("message", answer->message);
    } else {
        const auto &news = std::get<ClientNews>(message);
        object["news"] = lockcore::rowOf(NewsNames, news.what).text;
        add("client", news.client);
        add("lock", news.lock);
        add("thread", news.thread);
        add("message", news.message);
    }
    return toLine(object);
}

void say(const ClientMessage &message)
{
    const QByteArray line = lineOf(message);
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stdout);
    std::fflush(stdout);
}

Result<ClientOrder> readOrder(const QByteArray &line)
{
    return readLine<ClientOrder>(line, [](const JsonNode &root) {
        root.allowOnly({ "number", "do", "thread", "lock", "locks", "kind", "variant", "mode", "lease", "wait", "count",
            "giveUp" });
        ClientOrder order{ .number = static_cast<std::uint64_t>(root.at("number").number(0, MostNumber)) };
        if (const auto waiting = root.find("giveUp"))
            order.givesUp = static_cast<std::uint64_t>(waiting->number(0, MostNumber));
        else
            order.step = stepOf(root);
        return order;
    });
}

Result<ClientMessage> readMessage(const QByteArray &line)
{
    return readLine<ClientMessage>(line, [](const JsonNode &root) -> ClientMessage {
        if (root.find("news"))
            return newsOf(root);
        return answerOf(root);
    });
}

} // namespace app
