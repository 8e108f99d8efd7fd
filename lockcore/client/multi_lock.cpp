// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/multi_lock.h"

#include "lockcore/client/client_parts.h"
#include "lockcore/client/deadline_timer.h"
#include "lockcore/client/request_check.h"
#include "lockcore/synchronizers/multi_acquire_fsm.h"
#include "lockcore/transport/clock.h"

#include <QPointer>
#include <QRandomGenerator>
#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

namespace {

using Fsm = MultiAcquireFsm;

/// A program may end when it hears that a lock is released: what is still under way then stays locked for its lease. So
/// those that answer are waited for, and a server that does not answer holds nobody up for longer than this.
constexpr Millis LongestRelease{ 1'000 };

/// One member's part of an acquire.
struct Attempt {
    AcquireId id{};
    std::uint64_t number = 0; // the one whose answer counts; 0: none
    std::int64_t heldBefore = 0;
};

struct Operation {
    std::string thread;
    MultiLock::AcquireHandler handler;
    Fsm fsm;
    std::vector<Attempt> attempts;
};

struct Held {
    std::vector<std::size_t> members; // without those lost
    std::vector<std::size_t> unconfirmed; // of them
};

struct Release {
    MultiLock::DoneHandler handler; // empty once called
    std::size_t open = 0;
    std::size_t released = 0;
    std::optional<Error> error; // of a member of which nobody knows whether it was held
    bool isLate = false;
};

} // namespace

class MultiLock::Private : public QObject {
public:
    Private(MultiLock *owner, std::vector<MultiLockMember> all, MultiLockOptions given)
        : q(owner)
        , members(std::move(all))
        , options(given)
        , deadlines([this](std::uint64_t id) {
            if (operations.contains(id))
                return feed(id, Fsm::TimerFired{});
            releases.at(id).isLate = true;
            answerRelease(id);
        })
    {
        if (options.required == 0)
            options.required = members.size();
        std::vector<LockClient *> clients;
        for (const MultiLockMember &member : members)
            clients.push_back(member.client);
        std::sort(clients.begin(), clients.end());
        clients.erase(std::unique(clients.begin(), clients.end()), clients.end());
        for (LockClient *client : clients) {
            const auto follow = [&](auto signal, auto handle) {
                QObject::connect(
                    client, signal, this, [this, client, handle](const LockTarget &target, const std::string &thread) {
                        (this->*handle)(client, target, thread);
                    });
            };
            follow(&LockClient::lockLost, &Private::lost);
            follow(&LockClient::lockUnconfirmed, &Private::unconfirmed);
            follow(&LockClient::renewed, &Private::confirmed);
        }
    }

    // Whoever has no memory left for this ends here.
    ~Private() override // NOLINT(bugprone-exception-escape)
    {
        for (auto &[id, operation] : operations)
            operation.handler = {};
        while (!operations.empty()) {
            const std::uint64_t id = operations.begin()->first;
            feed(id, Fsm::Cancel{});
            operations.erase(id);
        }
    }

    void feed(std::uint64_t id, Fsm::Input input);
    void process(std::uint64_t id, const Fsm::Input &input);
    void perform(std::uint64_t id, Operation &operation, const Fsm::Action &action);
    void acquireMember(std::uint64_t id, Operation &operation, const Fsm::AcquireMember &action);
    void releaseMember(std::uint64_t id, Operation &operation, const Fsm::ReleaseMember &action);
    void awaitMember(std::uint64_t id, const Operation &operation, std::size_t index);
    void setMemberLease(std::uint64_t id, Operation &operation, const Fsm::SetMemberLease &action);
    void finish(Operation &operation, const Fsm::Finish &end);
    std::vector<std::size_t> indexesOf(const LockClient *client, const LockTarget &target) const;
    void lost(const LockClient *client, const LockTarget &target, const std::string &thread);
    void unconfirmed(const LockClient *client, const LockTarget &target, const std::string &thread);
    void confirmed(const LockClient *client, const LockTarget &target, const std::string &thread);
    void changeHolds(const std::string &thread, const std::function<void(Held &)> &change);
    void released(std::uint64_t id, const Result<ReleaseOutcome> &outcome);
    void answerRelease(std::uint64_t id);

    Result<void> check(const std::string &thread, std::optional<Millis> lease, std::optional<Millis> wait) const;
    Said acquiring() const { return several(Phrase::AcquiringOneLock, Phrase::AcquiringLocks); }
    Said releasing() const { return several(Phrase::ReleasingOneLock, Phrase::ReleasingLocks); }
    Said several(Phrase one, Phrase more) const
    {
        return members.size() == 1 ? Said{ one } : Said{ more, { std::to_string(members.size()) } };
    }

    MultiLock *q;
    const std::vector<MultiLockMember> members;
    MultiLockOptions options;
    Outbox outbox;
    DeadlineTimer deadlines;
    std::map<std::uint64_t, Operation> operations;
    std::map<std::uint64_t, Release> releases;
    std::map<std::string, std::vector<Held>> holds; // of each thread, the newest last
    std::uint64_t lastNumber = 0;
    std::deque<std::pair<std::uint64_t, Fsm::Input>> inputs;
    bool processing = false;
};

// What an action sets off comes as another input: never from inside the state machine.
void MultiLock::Private::feed(std::uint64_t id, Fsm::Input input)
{
    inputs.emplace_back(id, std::move(input));
    if (processing)
        return;
    processing = true;
    while (!inputs.empty()) {
        const auto next = std::move(inputs.front());
        inputs.pop_front();
        process(next.first, next.second);
    }
    processing = false;
}

void MultiLock::Private::process(std::uint64_t id, const Fsm::Input &input)
{
    const auto found = operations.find(id);
    if (found == operations.end())
        return;
    for (const Fsm::Action &action : found->second.fsm.handle(input, monoNow()))
        perform(id, found->second, action);
    if (found->second.fsm.isOver()) {
        deadlines.disarm(id);
        operations.erase(found);
    }
}

void MultiLock::Private::perform(std::uint64_t id, Operation &operation, const Fsm::Action &action)
{
    if (const auto *acquire = std::get_if<Fsm::AcquireMember>(&action)) {
        acquireMember(id, operation, *acquire);
    } else if (const auto *cancel = std::get_if<Fsm::CancelMember>(&action)) {
        operation.attempts[cancel->member].number = 0;
        members[cancel->member].client->cancel(operation.attempts[cancel->member].id);
    } else if (const auto *release = std::get_if<Fsm::ReleaseMember>(&action)) {
        releaseMember(id, operation, *release);
    } else if (const auto *lease = std::get_if<Fsm::SetMemberLease>(&action)) {
        setMemberLease(id, operation, *lease);
    } else if (const auto *timer = std::get_if<Fsm::ArmTimer>(&action)) {
        deadlines.arm(id, timer->at);
    } else if (const auto *end = std::get_if<Fsm::Finish>(&action)) {
        finish(operation, *end);
    }
}

void MultiLock::Private::acquireMember(std::uint64_t id, Operation &operation, const Fsm::AcquireMember &action)
{
    const MultiLockMember &member = members[action.member];
    const std::uint64_t number = ++lastNumber;
    const auto answered
        = [self = QPointer(this), id, number, index = action.member](const Result<AcquireOutcome> &outcome) {
              if (!self)
                  return;
              const auto found = self->operations.find(id);
              if (found == self->operations.end() || found->second.attempts[index].number != number)
                  return;
              if (!outcome)
                  self->feed(id, Fsm::MemberFailed{ index, outcome.error() });
              else if (outcome->acquired)
                  self->feed(id, Fsm::MemberAcquired{ index });
              else
                  self->feed(id, Fsm::MemberRefused{ index });
          };
    Attempt &attempt = operation.attempts[action.member];
    attempt.number = number;
    attempt.heldBefore = member.client->holdsKnown(member.target, operation.thread);
    attempt.id = member.client->acquire({ member.target, operation.thread, action.lease, action.wait }, answered);
}

void MultiLock::Private::releaseMember(std::uint64_t id, Operation &operation, const Fsm::ReleaseMember &action)
{
    const MultiLockMember &member = members[action.member];
    const std::int64_t heldBefore = operation.attempts[action.member].heldBefore;
    if (action.speculative && member.client->holdsKnown(member.target, operation.thread) <= heldBefore)
        return awaitMember(id, operation, action.member);
    member.client->release(member.target, operation.thread,
        [self = QPointer(this), id, index = action.member](const Result<ReleaseOutcome> &) {
            if (self)
                self->feed(id, Fsm::MemberReleased{ index });
        });
}

/// What its try may have got is given back by its client, before anything else in that place.
void MultiLock::Private::awaitMember(std::uint64_t id, const Operation &operation, std::size_t index)
{
    const MultiLockMember &member = members[index];
    HoldTurns &turns = member.client->parts().core.turns;
    const std::string place = placeOf({ member.target, operation.thread });
    turns.take(place, HoldTurns::Rank::Last, [self = QPointer(this), &turns, place, id, index] {
        if (self)
            self->feed(id, Fsm::MemberReleased{ index });
        turns.end(place);
    });
}

void MultiLock::Private::setMemberLease(std::uint64_t id, Operation &operation, const Fsm::SetMemberLease &action)
{
    const MultiLockMember &member = members[action.member];
    member.client->renew(member.target, operation.thread, action.lease,
        [self = QPointer(this), id, index = action.member](const Result<void> &done) {
            if (!self)
                return;
            if (done)
                self->feed(id, Fsm::LeaseSet{ index });
            else
                self->feed(id, Fsm::LeaseFailed{ index, done.error() });
        });
}

void MultiLock::Private::finish(Operation &operation, const Fsm::Finish &end)
{
    if (end.acquired)
        holds[operation.thread].push_back({ end.held, {} });
    if (!operation.handler)
        return;
    outbox.add([handler = std::move(operation.handler), end, tried = acquiring()] {
        if (end.error) {
            Error error = *end.error;
            addTried(error, tried);
            return handler(tl::unexpected(std::move(error)));
        }
        MultiLockOutcome outcome{ end.acquired, end.held, {}, end.waited };
        if (end.validUntil)
            outcome.validity = std::max(Millis(0), std::chrono::duration_cast<Millis>(*end.validUntil - monoNow()));
        handler(std::move(outcome));
    });
}

std::vector<std::size_t> MultiLock::Private::indexesOf(const LockClient *client, const LockTarget &target) const
{
    std::vector<std::size_t> indexes;
    for (std::size_t index = 0; index < members.size(); ++index) {
        if (members[index].client == client && members[index].target == target)
            indexes.push_back(index);
    }
    return indexes;
}

void MultiLock::Private::lost(const LockClient *client, const LockTarget &target, const std::string &thread)
{
    for (const std::size_t index : indexesOf(client, target)) {
        for (const auto &[id, operation] : operations) {
            if (operation.thread == thread)
                inputs.emplace_back(id, Fsm::MemberLost{ index });
        }
        changeHolds(thread, [index](Held &held) {
            std::erase(held.members, index);
            std::erase(held.unconfirmed, index);
        });
    }
    feed(0, Fsm::TimerFired{}); // nobody has this number
}

void MultiLock::Private::unconfirmed(const LockClient *client, const LockTarget &target, const std::string &thread)
{
    for (const std::size_t index : indexesOf(client, target)) {
        changeHolds(thread, [index](Held &held) {
            if (std::ranges::count(held.members, index) > 0)
                held.unconfirmed.push_back(index);
        });
    }
}

void MultiLock::Private::confirmed(const LockClient *client, const LockTarget &target, const std::string &thread)
{
    if (!holds.contains(thread))
        return;
    for (const std::size_t index : indexesOf(client, target))
        changeHolds(thread, [index](Held &held) { std::erase(held.unconfirmed, index); });
}

/// Tells the owner when what is left is no longer enough: once, however often the thread holds it.
void MultiLock::Private::changeHolds(const std::string &thread, const std::function<void(Held &)> &change)
{
    const auto ofThread = holds.find(thread);
    if (ofThread == holds.end())
        return;
    bool isLost = false;
    bool isUnconfirmed = false;
    for (Held &held : ofThread->second) {
        const bool wasHeld = held.members.size() >= options.required;
        const bool wasSure = held.members.size() - held.unconfirmed.size() >= options.required;
        change(held);
        const bool isHeld = held.members.size() >= options.required;
        isLost = isLost || (wasHeld && !isHeld);
        isUnconfirmed
            = isUnconfirmed || (wasSure && isHeld && held.members.size() - held.unconfirmed.size() < options.required);
    }
    if (isLost)
        outbox.add([this, thread] { Q_EMIT q->lockLost(thread); });
    else if (isUnconfirmed)
        outbox.add([this, thread] { Q_EMIT q->lockUnconfirmed(thread); });
}

void MultiLock::Private::released(std::uint64_t id, const Result<ReleaseOutcome> &outcome)
{
    Release &release = releases.at(id);
    --release.open;
    if (outcome)
        ++release.released;
    else if (outcome.error().code != ErrorCode::NotHeld)
        release.error = release.error.value_or(outcome.error());
    answerRelease(id);
}

void MultiLock::Private::answerRelease(std::uint64_t id)
{
    Release &release = releases.at(id);
    const bool isEnough = release.released >= options.required;
    if (release.handler && ((isEnough && release.isLate) || release.open == 0)) {
        Result<void> done;
        if (!isEnough && release.error) {
            addTried(*release.error, releasing());
            done = tl::unexpected(*release.error);
        } else if (!isEnough) {
            done = failure(ErrorCode::NotHeld,
                { Phrase::TooFewHeld, { std::to_string(release.released), std::to_string(options.required) } },
                releasing());
        }
        outbox.add([handler = std::exchange(release.handler, {}), done] { handler(done); });
    }
    if (release.open == 0) {
        deadlines.disarm(id);
        releases.erase(id);
    }
}

Result<void> MultiLock::Private::check(
    const std::string &thread, std::optional<Millis> lease, std::optional<Millis> wait) const
{
    if (members.empty())
        return failure(ErrorCode::InvalidArgument, { Phrase::NoMembers }, acquiring());
    if (options.required > members.size())
        return failure(ErrorCode::InvalidArgument, { Phrase::TooFewMembers }, acquiring());
    if (!(options.driftFactor >= 0 && options.driftFactor < 1))
        return failure(ErrorCode::InvalidArgument, { Phrase::DriftOutOfRange }, acquiring());
    for (const MultiLockMember &member : members) {
        if (const auto behaviour = checkAcquire({ member.target, thread, lease, wait }); !behaviour)
            return tl::unexpected(behaviour.error());
    }
    if (lease && Fsm::validity(*lease, options.driftFactor) <= Millis(0))
        return failure(ErrorCode::InvalidArgument, { Phrase::LeaseTooShort }, acquiring());
    return {};
}

MultiLock::MultiLock(std::vector<MultiLockMember> members, MultiLockOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(members), options))
{
}

MultiLock::~MultiLock() = default;

AcquireId MultiLock::acquire(
    std::string thread, std::optional<Millis> lease, std::optional<Millis> wait, AcquireHandler handler)
{
    const std::uint64_t id = ++d->lastNumber;
    if (const auto checked = d->check(thread, lease, wait); !checked) {
        d->outbox.add([handler = std::move(handler), error = checked.error()] { handler(tl::unexpected(error)); });
        return AcquireId(id);
    }
    Fsm::Settings settings;
    settings.members = d->members.size();
    settings.required = d->options.required;
    settings.lease = lease;
    settings.wait = wait;
    settings.driftFactor = d->options.driftFactor;
    settings.seed = QRandomGenerator::global()->generate();
    settings.longestAnswer = Millis(0); // the slowest one's
    for (const MultiLockMember &member : d->members)
        settings.longestAnswer = std::max(settings.longestAnswer, member.client->parts().core.options.times.answer);
    d->operations.emplace(
        id, Operation{ std::move(thread), std::move(handler), Fsm(settings), std::vector<Attempt>(settings.members) });
    d->feed(id, Fsm::Start{});
    return AcquireId(id);
}

void MultiLock::cancel(AcquireId acquire) { d->feed(std::uint64_t(acquire), Fsm::Cancel{}); }

void MultiLock::release(std::string thread, DoneHandler handler)
{
    const auto held = d->holds.find(thread);
    if (held == d->holds.end()) {
        const Error error = errorOf(ErrorCode::NotHeld, { Phrase::NotHeldByThread }, d->releasing());
        return d->outbox.add([handler = std::move(handler), error] { handler(tl::unexpected(error)); });
    }
    const std::vector<std::size_t> left = std::move(held->second.back().members);
    held->second.pop_back();
    if (held->second.empty())
        d->holds.erase(held);
    const std::uint64_t id = ++d->lastNumber;
    d->releases.emplace(id, Release{ std::move(handler), left.size() + 1, 0, {} });
    d->deadlines.arm(id, monoNow() + LongestRelease);
    for (const std::size_t index : left) {
        d->members[index].client->release(
            d->members[index].target, thread, [self = QPointer(d.get()), id](const Result<ReleaseOutcome> &outcome) {
                if (self)
                    self->released(id, outcome);
            });
    }
    d->released(
        id, failure(ErrorCode::NotHeld, std::string())); // stands for those lost: done even if there are no others
}

} // namespace lockcore::client
