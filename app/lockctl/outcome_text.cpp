// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/outcome_text.h"

#include "app/lockctl/duration_text.h"
#include "app/lockctl/json.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"

#include <algorithm>

namespace lockctl {

using lockcore::AdminCommand;
using lockcore::CommandOutcome;
using lockcore::HolderReading;
using lockcore::WaiterReading;

namespace {

/// Each once: independent servers all name the same holder.
template <typename Reading>
std::string listOf(const std::vector<Reading> &readings)
{
    std::vector<std::string> owners;
    for (const Reading &each : readings) {
        std::string owner = toString(each.owner);
        if constexpr (requires { each.mode; })
            owner += each.mode ? std::string(":") + nameOf(*each.mode) : "";
        if (std::ranges::find(owners, owner) == owners.end())
            owners.push_back(std::move(owner));
    }
    std::string text;
    for (const std::string &owner : owners)
        text += (text.empty() ? "" : ", ") + owner;
    return text.empty() ? "nobody" : text;
}

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

Json holdersJson(const std::vector<HolderReading> &holders)
{
    Json found = Json::array();
    for (const HolderReading &holder : holders) {
        found.push_back(Json{
            { "client", json::text(holder.owner.client) },
            { "thread", json::text(holder.owner.thread) },
            { "count", holder.count },
            { "mode", holder.mode ? Json(nameOf(*holder.mode)) : Json() },
        });
    }
    return found;
}

Json waitersJson(const std::vector<WaiterReading> &waiters)
{
    Json found = Json::array();
    for (const WaiterReading &waiter : waiters) {
        found.push_back(Json{
            { "client", json::text(waiter.owner.client) },
            { "thread", json::text(waiter.owner.thread) },
        });
    }
    return found;
}

struct Success {
    const CommandOutcome &outcome;
    const std::string on; // which server

    std::string operator()(const lockcore::ForceRelease &release) const
    {
        const std::string told = outcome.published ? "; the message that wakes who waits was sent" : "";
        if (!release.onlyThese)
            return "released: " + release.name + on + ", was held by " + listOf(outcome.found) + told;
        std::string readers;
        for (const lockcore::ExpectedHolder &each : release.expected)
            readers += (readers.empty() ? "" : ", ") + toString(each.owner);
        return "released: the read holds of " + readers + " on " + release.name + on + told;
    }
    std::string operator()(const lockcore::SetTtl &renewal) const
    {
        return "renewed: " + renewal.name + on + " has " + durationText(renewal.ttl) + " from now, held by "
            + listOf(outcome.found);
    }
    std::string operator()(const lockcore::DropWaiter &drop) const
    {
        return "dropped: " + toString(drop.waiter) + " from the queue of " + drop.name + on
            + (outcome.published ? "; the message that wakes the next one was sent" : "");
    }
    std::string operator()(const lockcore::ReturnPermit &giving) const
    {
        return "given back: permit " + giving.permit + " of " + giving.name + on
            + (outcome.published ? "; the message that wakes who waits was sent" : "");
    }
};

} // namespace

Json outcomeJson(const AdminCommand &command, const CommandOutcome &outcome, const std::string &server)
{
    Json object;
    addName(object, "name", lockcore::lockOf(command));
    object["endpoint"] = json::text(server);
    object["action"] = actionWord(command);
    object["done"] = outcome.done;
    object["found"] = holdersJson(outcome.found);
    if (std::holds_alternative<lockcore::DropWaiter>(command))
        object["waiting"] = waitersJson(outcome.waiting);
    object["published"] = outcome.published;
    return object;
}

std::string successText(const AdminCommand &command, const CommandOutcome &outcome, const std::string &server)
{
    return std::visit(Success{ outcome, " on " + server }, command);
}

std::string refusalText(const AdminCommand &command, const CommandOutcome &outcome)
{
    const std::string nothing = "nothing was changed: ";
    if (std::holds_alternative<lockcore::ReturnPermit>(command))
        return nothing + "nobody holds this permit";
    if (const auto *drop = std::get_if<lockcore::DropWaiter>(&command))
        return nothing + toString(drop->waiter) + " does not wait; in the queue: " + listOf(outcome.waiting);
    return nothing + "it is held by " + listOf(outcome.found);
}

} // namespace lockctl
