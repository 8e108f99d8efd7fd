// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/outcome_json.h"

#include "app/lockctl/json.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"

namespace lockctl {

using lockcore::AdminCommand;
using lockcore::CommandOutcome;
using lockcore::HolderReading;
using lockcore::WaiterReading;

namespace {

const char *actionWord(const AdminCommand &command)
{
    struct Words {
        const char *operator()(const lockcore::ForceRelease &) const { return "forceRelease"; }
        const char *operator()(const lockcore::SetTtl &) const { return "renew"; }
        const char *operator()(const lockcore::DropWaiter &) const { return "dropWaiter"; }
        const char *operator()(const lockcore::ReturnPermit &) const { return "returnPermit"; }
    };
    return std::visit(Words(), command);
}

std::string holdersJson(const std::vector<HolderReading> &holders)
{
    std::vector<std::string> found;
    for (const HolderReading &holder : holders) {
        found.push_back(json::object({
            { "client", json::text(holder.owner.client) },
            { "thread", json::text(holder.owner.thread) },
            { "count", json::number(holder.count) },
            { "mode", holder.mode ? json::text(nameOf(*holder.mode)) : "null" },
        }));
    }
    return json::array(found);
}

std::string waitersJson(const std::vector<WaiterReading> &waiters)
{
    std::vector<std::string> found;
    for (const WaiterReading &waiter : waiters) {
        found.push_back(json::object({
            { "client", json::text(waiter.owner.client) },
            { "thread", json::text(waiter.owner.thread) },
        }));
    }
    return json::array(found);
}

} // namespace

std::string outcomeJson(const AdminCommand &command, const CommandOutcome &outcome, const std::string &server)
{
    std::vector<json::Field> fields;
    addName(fields, "name", lockcore::lockOf(command));
    fields.emplace_back("endpoint", json::text(server));
    fields.emplace_back("action", json::text(actionWord(command)));
    fields.emplace_back("done", json::boolean(outcome.done));
    fields.emplace_back("found", holdersJson(outcome.found));
    if (std::holds_alternative<lockcore::DropWaiter>(command))
        fields.emplace_back("waiting", waitersJson(outcome.waiting));
    fields.emplace_back("published", json::boolean(outcome.published));
    return json::object(fields);
}

} // namespace lockctl
