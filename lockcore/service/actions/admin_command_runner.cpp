// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/admin_command_runner.h"

#include <utility>

namespace lockcore {

namespace {

std::string holders(const CommandOutcome &outcome)
{
    std::string text;
    for (const HolderReading &holder : outcome.found)
        text += (text.empty() ? "" : ", ") + toString(holder.owner);
    return text.empty() ? "held by nobody" : "held by " + text;
}

void add(CommandOutcome &joined, const CommandOutcome &outcome)
{
    joined.found.insert(joined.found.end(), outcome.found.begin(), outcome.found.end());
    joined.waiting.insert(joined.waiting.end(), outcome.waiting.begin(), outcome.waiting.end());
    joined.published = joined.published || outcome.published;
    if (outcome.notRecorded)
        joined.notRecorded = outcome.notRecorded;
}

} // namespace

AdminCommandRunner::AdminCommandRunner(std::vector<AdminTarget> targets, std::string publish, Millis limit,
    AuditLog &audit, Callbacks callbacks, QObject *parent)
    : QObject(parent)
    , m_publish(std::move(publish))
    , m_limit(limit)
    , m_audit(audit)
    , m_callbacks(std::move(callbacks))
    , m_left(targets.size())
{
    for (AdminTarget &target : targets)
        m_legs.push_back({ std::move(target) });
}

void AdminCommandRunner::start()
{
    for (std::size_t number = 0; number < m_legs.size(); ++number) {
        Leg &leg = m_legs[number];
        AdminAction::Callbacks callbacks;
        callbacks.sent = [this] {
            if (!std::exchange(m_sent, true))
                m_callbacks.sent();
        };
        callbacks.moved = m_callbacks.moved;
        callbacks.finished = [this, number](const auto &result, const auto &node) { answered(number, result, node); };
        leg.action = new AdminAction(
            leg.target.endpoint, leg.target.command, m_publish, m_limit, m_audit, std::move(callbacks), this);
        leg.action->start();
    }
}

void AdminCommandRunner::cancel(const char *why)
{
    const auto legs = m_legs; // the last one ends the runner
    for (const Leg &leg : legs) {
        if (leg.action)
            leg.action->cancel(why);
    }
}

void AdminCommandRunner::answered(std::size_t number, const Result<CommandOutcome> &result, const std::string &node)
{
    Leg &leg = m_legs[number];
    leg.result = result;
    if (result && result->done)
        m_callbacks.doneAt(node, leg.target.command);
    if (--m_left > 0)
        return;
    m_callbacks.finished(joined());
    deleteLater();
}

Result<CommandOutcome> AdminCommandRunner::joined() const
{
    if (m_legs.size() == 1)
        return m_legs.front().result;
    CommandOutcome joined;
    std::string done;
    std::string notDone;
    std::optional<Error> error;
    for (const Leg &leg : m_legs) {
        const std::string node = leg.target.endpoint.display();
        if (leg.result)
            add(joined, *leg.result);
        if (leg.result && leg.result->done) {
            done += (done.empty() ? "" : ", ") + node;
            continue;
        }
        notDone += (notDone.empty() ? "" : "; ") + node + ": "
            + (leg.result ? holders(*leg.result) : leg.result.error().message);
        if (!error && !leg.result)
            error = leg.result.error();
    }
    joined.done = notDone.empty();
    if (joined.done || (done.empty() && !error))
        return joined;
    return failure(error ? error->code : ErrorCode::HolderChanged,
        (done.empty() ? std::string("done nowhere") : "done on " + done) + ", not on " + notDone,
        actionName(m_legs.front().target.command));
}

} // namespace lockcore
