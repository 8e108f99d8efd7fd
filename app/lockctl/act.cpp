// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/act.h"

#include "app/common/audit_path.h"
#include "app/common/words.h"
#include "app/lockctl/option_names.h"
#include "app/lockctl/output.h"
#include "lockcore/protocol/acl_line.h"
#include "lockcore/service/actions/audit_entry.h"
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/owner_format.h"
#include "ui/text/action_text.h"
#include "ui/text/json.h"
#include "ui/text/lock_json.h"

#include <algorithm>
#include <string_view>

namespace lockctl {

namespace json = lockui::json;
using lockui::addName;
using Json = lockui::JsonValue;

using app::shown;
using app::Words;
using lockcore::ErrorCode;
using lockcore::LockName;
using lockcore::OwnerId;
using lockcore::Result;
using lockcore::monitor::Holder;
using lockcore::monitor::LockState;
using lockcore::service::Monitor;
using lockcore::synchronizers::AdminCommand;
using lockcore::synchronizers::CommandOutcome;
using lockcore::synchronizers::ExpectedHolder;
using lockcore::synchronizers::HolderReading;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::synchronizers::lockOf;
using lockcore::synchronizers::WaiterReading;

namespace {

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
    object["action"] = nameOf(lockcore::service::auditActionOf(command));
    object["done"] = outcome.done;
    object["found"] = holdersJson(outcome.found);
    if (std::holds_alternative<lockcore::synchronizers::DropWaiter>(command))
        object["waiting"] = waitersJson(outcome.waiting);
    object["published"] = outcome.published;
    object["notAsked"] = Json::array(); // independent servers that were not seen
    for (const std::string &each : outcome.notAsked)
        object["notAsked"].push_back(json::text(each));
    return object;
}

namespace {

lockcore::service::MonitorOptions optionsFor(const ActRequest &request, const Globals &globals)
{
    auto options = monitorOptions(globals);
    options.onlyLock = lockOf(request.command);
    options.auditFile = app::preparedAuditFile(request.auditFile);
    options.auditedConnection = globals.connection;
    return options;
}

/// Of a read/write lock the guard compares the half too. A person need not name it: it is the one that is held; of one
/// who has both, or neither by now, any will do for the server to refuse it.
void addModes(std::vector<ExpectedHolder> &expected, const LockState &lock, bool readersOnly)
{
    for (ExpectedHolder &holder : expected) {
        const auto holds = [&](HoldMode mode) {
            return std::ranges::any_of(
                lock.holders, [&](const Holder &seen) { return seen.owner == holder.owner && seen.mode == mode; });
        };
        if (!holder.mode)
            holder.mode = readersOnly || !holds(HoldMode::Write) ? HoldMode::Read : HoldMode::Write;
    }
}

template <typename Action>
void adaptTo(const LockState &lock, Action &action)
{
    action.kind = lock.kind;
    // A half that was seen is gone with the kind of lock that it was seen of: the server is to say who holds it now.
    if (isExclusive(lock.kind)
        && std::ranges::any_of(action.expected, [](const ExpectedHolder &holder) { return holder.mode.has_value(); }))
        action.kind = Kind::ReadWrite;
    if (action.kind != Kind::ReadWrite)
        return;
    bool readersOnly = false;
    if constexpr (requires { action.onlyThese; })
        readersOnly = action.onlyThese;
    addModes(action.expected, lock, readersOnly);
}

/// What holders are expected of: its kind only the lock itself tells.
template <typename Action>
constexpr bool HasHolders = requires(Action action)
{
    action.expected;
};

bool hasHolders(const lockcore::synchronizers::AdminCommand &command)
{
    return std::visit([](const auto &action) { return HasHolders<std::decay_t<decltype(action)>>; }, command);
}

/// Who is meant by an owner whose client is shortened as in a table: whoever there is that it fits alone, with the
/// whole thread. Another library's tokens may well begin alike, and then it would fit who was not seen: they are given
/// as a whole, but for those that are owners of lockcore.
Result<OwnerId> wholeOwner(
    const OwnerId &given, const std::vector<OwnerId> &there, bool areTokens, const std::string &context)
{
    const std::string client(given.client);
    if (!client.ends_with(Ellipsis) || std::ranges::find(there, given) != there.end())
        return given;
    const std::string_view prefix = std::string_view(client).substr(0, client.size() - Ellipsis.size());
    if (areTokens && given.thread.empty())
        return tl::unexpected(app::complaint(ErrorCode::InvalidArgument,
            Words::tr("%1 is no whole token, and others may begin alike: lockctl show tells it as a whole")
                .arg(shown(toString(given))),
            context));
    std::vector<OwnerId> fitting;
    for (const OwnerId &each : there) {
        if (std::string(each.client).starts_with(prefix) && each.thread == given.thread
            && std::ranges::find(fitting, each) == fitting.end())
            fitting.push_back(each);
    }
    if (fitting.size() != 1) {
        const QString sentence = fitting.empty() ? Words::tr("%1 fits nobody there: lockctl show tells them as a whole")
                                                 : Words::tr("%1 fits %n of them: lockctl show tells them as a whole",
                                                     nullptr, static_cast<int>(fitting.size()));
        return tl::unexpected(app::complaint(fitting.empty() ? ErrorCode::HolderChanged : ErrorCode::InvalidArgument,
            sentence.arg(QString::fromStdString(toString(given))), context));
    }
    note(Words::tr("%1 is %2").arg(shown(toString(given)), shown(toString(fitting.front()))));
    return fitting.front();
}

template <typename Owned>
std::vector<OwnerId> ownersOf(const Owned &owned)
{
    std::vector<OwnerId> owners;
    for (const auto &each : owned)
        owners.push_back(each.owner);
    return owners;
}

/// What another program wrote into the lock may end like a half of a read/write lock, and not be in the form of an
/// owner: it is told by how it is written as a whole. A token of lockcore is an owner, and shown as short as those are.
void findAsWritten(ExpectedHolder &expected, const LockState &lock)
{
    const std::string owner = toString(expected.owner);
    if (isTokenLock(lock.kind)) { // a token may end like that, too, and whatever it is, it has no half
        const std::string half = expected.mode ? std::string(":") + nameOf(*expected.mode) : std::string();
        const OwnerId whole = lockcore::synchronizers::ownerOfToken(owner + half);
        const bool isShort = expected.owner.client.ends_with(Ellipsis) && !expected.owner.thread.empty()
            && !hasOwner(lock.holders, whole);
        expected = { isShort ? OwnerId{ expected.owner.client, expected.owner.thread + half } : whole, {} };
        return;
    }
    const auto find = [&](const std::string &text) {
        return std::ranges::find(lock.holders, text, [](const Holder &holder) { return toString(holder.owner); });
    };
    const auto written = find(expected.mode ? owner + ":" + nameOf(*expected.mode) : owner);
    if (written != lock.holders.end())
        expected = { written->owner, {} };
    else if (const auto there = find(owner); there != lock.holders.end())
        expected.owner = there->owner;
}

Result<void> completeOwners(
    lockcore::synchronizers::AdminCommand &command, const LockState &lock, const std::string &context)
{
    Result<void> done;
    const auto complete = [&](OwnerId &owner, const std::vector<OwnerId> &there) {
        if (!done)
            return;
        if (auto whole = wholeOwner(owner, there, isTokenLock(lock.kind), context))
            owner = *whole;
        else
            done = tl::unexpected(whole.error());
    };
    std::visit(
        [&](auto &action) {
            if constexpr (HasHolders<std::decay_t<decltype(action)>>) {
                for (ExpectedHolder &holder : action.expected) {
                    findAsWritten(holder, lock);
                    complete(holder.owner, ownersOf(lock.holders));
                }
            } else if constexpr (requires { action.waiter; }) {
                complete(action.waiter, ownersOf(lock.waiters));
            }
        },
        command);
    return done;
}

} // namespace

Act::Act(ActRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
    , m_sweep(optionsFor(m_request, globals), OneSweep::Until::Seen)
{
    connect(&m_sweep, &OneSweep::failed, this, &Act::fail);
    connect(
        &m_sweep, &OneSweep::done, this, [this](const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot) {
            const LockName &name = lockOf(m_request.command);
            const LockState *const lock = findLock(*snapshot, name);
            if (lock == nullptr && hasHolders(m_request.command)) {
                m_sweep.nothingFollows();
                return failNotFound(m_deployment, name, whyNotFound(*snapshot, name, context()));
            }
            if (lock == nullptr)
                m_notFound = whyNotFound(*snapshot, name, context());
            const auto complete = completeOwners(m_request.command, lock ? *lock : LockState(), context());
            if (!complete)
                return fail(complete.error());
            submit(lock);
        });
    connect(&m_sweep.monitor(), &Monitor::commandFinished, this,
        [this](lockcore::CommandId, const Result<CommandOutcome> &outcome) { report(outcome); });
}

void Act::start(const lockcore::transport::Deployment &deployment)
{
    m_deployment = deployment;
    m_server = deployment.display();
    const std::string &user = deployment.seeds.front().user;
    std::string line = lockcore::synchronizers::aclLineFor(m_request.command, user);
    // Whether messages go by shards the servers tell only when they are looked at.
    if (deployment.topology == lockcore::transport::Topology::Cluster && !deployment.plainMessages)
        lockcore::protocol::addAclRules(line, lockcore::synchronizers::aclLineFor(m_request.command, user, "SPUBLISH"));
    m_sweep.isFollowedBy(line);
    m_sweep.start(deployment);
}

std::string Act::context() const
{
    return Words::tr("%1 of %2", "an action, a lock")
        .arg(lockui::actionText(m_request.command), QString::fromStdString(lockOf(m_request.command)))
        .toStdString();
}

/// What was not sent to any server says what was tried, but not on which lock.
lockcore::Error Act::withLock(lockcore::Error error) const
{
    if (error.context == toString(lockcore::synchronizers::actionOf(m_request.command))) {
        error.context = context();
        error.tried.clear();
    }
    return error;
}

void Act::submit(const LockState *lock)
{
    std::visit(
        [&](auto &action) {
            if constexpr (HasHolders<std::decay_t<decltype(action)>>)
                adaptTo(*lock, action);
            if constexpr (requires { action.queue; })
                action.queue = lock ? lockcore::monitor::queueElsewhere(*lock) : std::nullopt;
        },
        m_request.command);
    m_sweep.monitor().setWritable(true);
    m_sweep.monitor().submit(m_request.command);
}

void Act::report(const Result<CommandOutcome> &outcome)
{
    if (!outcome && m_notFound && says(outcome.error(), lockcore::Phrase::NowhereAsSeen))
        return failNotFound(m_deployment, lockOf(m_request.command), *m_notFound);
    if (!outcome)
        return fail(withLock(outcome.error()));
    if (outcome->notRecorded)
        app::complain("lockctl",
            { ErrorCode::FileFailed, *outcome->notRecorded, Words::tr("recording the outcome").toStdString() });
    if (m_asJson)
        printLine(json::line(outcomeJson(m_request.command, *outcome, m_server)));
    const bool isWaiter = std::holds_alternative<lockcore::synchronizers::DropWaiter>(m_request.command);
    if (!outcome->done && isWaiter && m_notFound && outcome->waiting.empty())
        return failNotFound(m_deployment, lockOf(m_request.command), *m_notFound);
    if (!outcome->done)
        note(shown(context()) + QStringLiteral(": ") + lockui::refusalText(m_request.command, *outcome));
    else if (!m_asJson)
        printLine(lockui::successText(m_request.command, *outcome, m_server));
    if (!outcome->notAsked.empty())
        note(lockui::wasNotAskedText(outcome->notAsked));
    const bool isOpen = lockui::mayBeWhereNotAsked(m_request.command, *outcome);
    Q_EMIT finished(outcome->done ? app::Done : isOpen ? app::ServerError : app::AnswerIsNo);
}

} // namespace lockctl
