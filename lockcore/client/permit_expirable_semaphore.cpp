// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/permit_expirable_semaphore.h"

#include "lockcore/client/client_parts.h"
#include "lockcore/client/request_check.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/permit_expirable_semaphore.h"

#include <algorithm>

namespace lockcore::client {

using namespace synchronizers;

namespace {

namespace scripted = permit_expirable_semaphore;
using Repeat = Calls::Repeat;

constexpr std::int64_t MostPermitsAtOnce = 1'000; // a script with more blocks the server for too long

class PermitPlan : public WaitPlan {
public:
    PermitPlan(ClientParts &parts, LockName name, std::int64_t permits, std::optional<Millis> lease,
        std::optional<Millis> wait, PermitExpirableSemaphore::AcquireHandler handler)
        : m_parts(parts)
        , m_name(std::move(name))
        , m_lease(lease)
        , m_wait(wait)
        , m_handler(std::move(handler))
    {
        m_permits.resize(static_cast<std::size_t>(permits));
        nameThem();
    }

    const LockName &name() const override { return m_name; }
    AcquireFsm::Settings settings() const override
    {
        AcquireFsm::Settings settings = waitSettings(m_parts.core.options.times, m_wait);
        settings.longestPause = m_parts.core.options.lookAgain;
        return settings;
    }
    std::string channel() const override { return key_layout::semaphoreChannel(m_name); }
    WakeOrder::Message messages() const override { return WakeOrder::Message::Permits; }
    WakeOrder::Share share() const override { return { {}, static_cast<std::int64_t>(m_permits.size()) }; }

    ScriptCall attempt() override
    {
        m_isTried = true;
        return scripted::acquire({ m_name, m_permits, m_lease, publish() });
    }
    Result<TryReply> read(const protocol::Reply &reply) override { return parseTryReply(reply); }

    // What it may have taken, or a copy of it takes, is given back, before others are asked for: whatever becomes of
    // these, none of them is another's.
    void answerLost() override
    {
        undo();
        m_parts.cleanUps.expectCopy(
            m_permits.front(), [&parts = m_parts, back = givingBack()] { parts.cleanUps.start(back); });
        nameThem();
        m_isTried = false;
    }
    void undo() override
    {
        if (m_isTried)
            m_parts.cleanUps.start(givingBack());
    }
    void finish(const Result<AcquireOutcome> &outcome) override
    {
        m_parts.tell(std::move(m_handler), outcome.map([this](const AcquireOutcome &got) {
            return PermitOutcome{ got.acquired, got.acquired ? m_permits : std::vector<PermitId>{}, got.waited };
        }));
    }

private:
    const std::string &publish() const { return m_parts.core.link->publishCommand(); }
    void nameThem() { std::generate(m_permits.begin(), m_permits.end(), randomRequestId); }
    CleanUps::Task givingBack() const { return { m_name, scripted::release(m_name, m_permits, publish()) }; }

    ClientParts &m_parts;
    const LockName m_name;
    const std::optional<Millis> m_lease;
    const std::optional<Millis> m_wait;
    std::vector<PermitId> m_permits;
    bool m_isTried = false; // with these ids
    PermitExpirableSemaphore::AcquireHandler m_handler;
};

Result<void> checkAtOnce(std::int64_t permits, const LockName &name)
{
    if (permits > MostPermitsAtOnce)
        return failure(ErrorCode::InvalidArgument,
            { Phrase::TooManyPermits, { std::to_string(MostPermitsAtOnce), std::to_string(permits) } },
            { Phrase::Words, { name } });
    return {};
}

Result<void> checkPermits(const ClientParts &parts, const LockName &name, const std::vector<PermitId> &permits)
{
    const auto count = static_cast<std::int64_t>(permits.size());
    auto valid = checkPermits(parts.core, name, count, 1).and_then([&] { return checkAtOnce(count, name); });
    const auto wrong = std::find_if_not(permits.begin(), permits.end(), scripted::isPermitId);
    if (valid && wrong != permits.end())
        return failure(ErrorCode::InvalidArgument, { Phrase::PermitForm, { *wrong } }, { Phrase::Words, { name } });
    return valid;
}

} // namespace

PermitExpirableSemaphore::PermitExpirableSemaphore(LockClient &client, LockName name)
    : m_client(&client)
    , m_name(std::move(name))
{
}

AcquireId PermitExpirableSemaphore::acquire(
    std::int64_t permits, std::optional<Millis> lease, std::optional<Millis> wait, AcquireHandler handler)
{
    ClientParts &parts = m_client->parts();
    const auto valid = checkPermits(parts.core, m_name, permits, 1)
                           .and_then([&] { return checkAtOnce(permits, m_name); })
                           .and_then([&] { return checkLease(lease, m_name); })
                           .and_then([&] { return checkWait(wait, m_name); });
    if (!valid)
        return parts.refuse(std::move(handler), valid.error());
    return parts.start(std::make_unique<PermitPlan>(parts, m_name, permits, lease, wait, std::move(handler)));
}

void PermitExpirableSemaphore::release(std::vector<PermitId> permits, AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    const Said tried{ Phrase::ReleasingPermits, { m_name } };
    if (const auto valid = checkPermits(parts, m_name, permits); !valid)
        return parts.tell(std::move(handler), Result<bool>(tl::unexpected(valid.error())));
    parts.call({ scripted::release(m_name, permits, parts.core.link->publishCommand()), tried, Repeat::Harmless, true },
        [&parts, tried, handler = std::move(handler)](const Result<protocol::Reply> &reply, bool repeated) {
            Result<bool> answer = reply.and_then(parseAnswer);
            if (answer && !*answer && repeated) // no is no answer then: it may have been the first attempt
                answer = failure(ErrorCode::NotHeld, { Phrase::PermitGivenBack }, tried);
            parts.tell(handler, std::move(answer));
        });
}

void PermitExpirableSemaphore::updateLease(PermitId permit, std::optional<Millis> lease, AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    const auto valid = checkPermits(parts, m_name, { permit }).and_then([&] { return checkLease(lease, m_name); });
    parts.ask(valid,
        { scripted::updateLease(m_name, permit, lease, parts.core.link->publishCommand()),
            Said{ Phrase::SettingPermitLease, { m_name } } },
        parseAnswer, std::move(handler));
}

void PermitExpirableSemaphore::lease(PermitId permit, LeaseHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkPermits(parts, m_name, { permit }),
        { scripted::lease(m_name, permit), Said{ Phrase::ReadingPermitLease, { m_name } } }, parsePermitLease,
        std::move(handler));
}

void PermitExpirableSemaphore::trySetPermits(std::int64_t permits, AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkPermits(parts.core, m_name, permits, 0),
        { scripted::trySetPermits(m_name, permits, parts.core.link->publishCommand()),
            Said{ Phrase::SettingPermits, { m_name } }, Repeat::Harmful },
        parseAnswer, std::move(handler));
}

void PermitExpirableSemaphore::setPermits(std::int64_t permits, DoneHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkPermits(parts.core, m_name, permits, 0),
        { scripted::setPermits(m_name, permits, parts.core.link->publishCommand()),
            Said{ Phrase::SettingPermits, { m_name } }, Repeat::Harmful },
        parseDone, std::move(handler));
}

void PermitExpirableSemaphore::addPermits(std::int64_t permits, DoneHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkPermits(parts.core, m_name, permits, FewestPermits),
        { scripted::addPermits(m_name, permits, parts.core.link->publishCommand()),
            Said{ Phrase::AddingPermits, { m_name } }, Repeat::Harmful },
        parseDone, std::move(handler));
}

void PermitExpirableSemaphore::availablePermits(CountHandler handler)
{
    count(scripted::availablePermits(m_name), std::move(handler));
}

void PermitExpirableSemaphore::acquiredPermits(CountHandler handler)
{
    count(scripted::acquiredPermits(m_name), std::move(handler));
}

void PermitExpirableSemaphore::permits(CountHandler handler) { count(scripted::permits(m_name), std::move(handler)); }

void PermitExpirableSemaphore::count(ScriptCall call, CountHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkSemaphore(parts.core, m_name), { std::move(call), Said{ Phrase::ReadingPermits, { m_name } } },
        parseCount, std::move(handler));
}

void PermitExpirableSemaphore::remove(AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkSemaphore(parts.core, m_name),
        { scripted::remove(m_name), Said{ Phrase::Removing, { m_name } }, Repeat::Harmful }, parseAnswer,
        std::move(handler));
}

} // namespace lockcore::client
