// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/outcome_json.h"

#include "app/lockctl/json.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"

namespace lockctl {

using lockcore::synchronizers::AdminCommand;
using lockcore::synchronizers::CommandOutcome;
using lockcore::synchronizers::HolderReading;
using lockcore::synchronizers::WaiterReading;

namespace {

const char *actionWord(const AdminCommand &command)
{
    struct Words {
        const char *operator()(const lockcore::synchronizers::ForceRelease &) const { return "forceRelease"; }
        const char *operator()(const lockcore::synchronizers::SetTtl &) const { return "renew"; }
        const char *operator()(const lockcore::synchronizers::DropWaiter &) const { return "dropWaiter"; }
        const char *operator()(const lockcore::synchronizers::ReturnPermit &) const { return "returnPermit"; }
    };
    return std::visit(Words(), command);
}

Json holdersJson(const std::vector<HolderReading> &holders)
{
    Json found = Json::array();
    for (const HolderReading &holder : holders) {
        Json each = json::owner(holder.owner);
        each["count"] = holder.count;
        each["mode"] = holder.mode ? Json(nameOf(*holder.mode)) : Json();
        found.push_back(std::move(each));
    }
    return found;
}

Json waitersJson(const std::vector<WaiterReading> &waiters)
{
    Json found = Json::array();
    for (const WaiterReading &waiter : waiters)
        found.push_back(json::owner(waiter.owner));
    return found;
}

} // namespace

Json outcomeJson(const AdminCommand &command, const CommandOutcome &outcome, const std::string &server)
{
    Json object;
    addName(object, "name", lockcore::synchronizers::lockOf(command));
    object["endpoint"] = json::text(server);
    object["action"] = actionWord(command);
    object["done"] = outcome.done;
    object["found"] = holdersJson(outcome.found);
    if (std::holds_alternative<lockcore::synchronizers::DropWaiter>(command))
        object["waiting"] = waitersJson(outcome.waiting);
    object["published"] = outcome.published;
    return object;
}

} // namespace lockctl
