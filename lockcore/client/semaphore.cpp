// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/semaphore.h"

#include "lockcore/client/client_parts.h"
#include "lockcore/client/request_check.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_replies.h"
#include "lockcore/synchronizers/semaphore.h"

namespace lockcore::client {

using namespace synchronizers;

namespace {

using Repeat = Calls::Repeat;

class SemaphorePlan : public WaitPlan {
public:
    SemaphorePlan(ClientParts &parts, LockName name, std::int64_t permits, std::optional<Millis> wait,
        LockClient::AcquireHandler handler)
        : m_parts(parts)
        , m_name(std::move(name))
        , m_permits(permits)
        , m_wait(wait)
        , m_handler(std::move(handler))
    {
    }

    const LockName &name() const override { return m_name; }
    AcquireFsm::Settings settings() const override
    {
        AcquireFsm::Settings settings = waitSettings(m_parts.core.options.times, m_wait);
        settings.repeatable = false;
        settings.longestPause = m_parts.core.options.lookAgain;
        return settings;
    }
    std::string channel() const override { return key_layout::semaphoreChannel(m_name); }
    WakeOrder::Message messages() const override { return WakeOrder::Message::Permits; }
    WakeOrder::Share share() const override { return { {}, m_permits }; }

    ScriptCall attempt() override { return semaphore::acquire(m_name, m_permits); }
    Result<TryReply> read(const protocol::Reply &reply) override { return parseTryReply(reply); }

    void undo() override
    {
        const std::string &publish = m_parts.core.link->publishCommand();
        m_parts.cleanUps.start({ m_name, semaphore::release(m_name, m_permits, publish), {}, false });
    }
    void finish(const Result<AcquireOutcome> &outcome) override { m_parts.tell(std::move(m_handler), outcome); }

private:
    ClientParts &m_parts;
    const LockName m_name;
    const std::int64_t m_permits;
    const std::optional<Millis> m_wait;
    LockClient::AcquireHandler m_handler;
};

} // namespace

Semaphore::Semaphore(LockClient &client, LockName name)
    : m_client(&client)
    , m_name(std::move(name))
{
}

AcquireId Semaphore::acquire(std::int64_t permits, std::optional<Millis> wait, LockClient::AcquireHandler handler)
{
    ClientParts &parts = m_client->parts();
    const auto valid = checkPermits(parts.core, m_name, permits, 1).and_then([&] { return checkWait(wait, m_name); });
    if (!valid)
        return parts.refuse(std::move(handler), valid.error());
    return parts.start(std::make_unique<SemaphorePlan>(parts, m_name, permits, wait, std::move(handler)));
}

void Semaphore::release(std::int64_t permits, DoneHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkPermits(parts.core, m_name, permits, 1),
        { semaphore::release(m_name, permits, parts.core.link->publishCommand()),
            Said{ Phrase::ReleasingPermits, { m_name } }, Repeat::Harmful, true },
        parseDone, std::move(handler));
}

void Semaphore::releaseIfExists(std::int64_t permits, AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkPermits(parts.core, m_name, permits, 1),
        { semaphore::releaseIfExists(m_name, permits, parts.core.link->publishCommand()),
            Said{ Phrase::ReleasingPermits, { m_name } }, Repeat::Harmful, true },
        parseAnswer, std::move(handler));
}

void Semaphore::trySetPermits(std::int64_t permits, std::optional<Millis> ttl, AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    const auto valid = checkPermits(parts.core, m_name, permits, 0).and_then([&] { return checkLease(ttl, m_name); });
    parts.ask(valid,
        { semaphore::trySetPermits(m_name, permits, ttl, parts.core.link->publishCommand()),
            Said{ Phrase::SettingPermits, { m_name } }, Repeat::Harmful },
        parseAnswer, std::move(handler));
}

void Semaphore::addPermits(std::int64_t permits, DoneHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkPermits(parts.core, m_name, permits, FewestPermits),
        { semaphore::addPermits(m_name, permits, parts.core.link->publishCommand()),
            Said{ Phrase::AddingPermits, { m_name } }, Repeat::Harmful },
        parseDone, std::move(handler));
}

void Semaphore::drainPermits(CountHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkSemaphore(parts.core, m_name),
        { semaphore::drainPermits(m_name), Said{ Phrase::DrainingPermits, { m_name } }, Repeat::Harmful }, parseCount,
        std::move(handler));
}

void Semaphore::availablePermits(CountHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkSemaphore(parts.core, m_name),
        { semaphore::availablePermits(m_name), Said{ Phrase::ReadingPermits, { m_name } } }, parseCount,
        std::move(handler));
}

void Semaphore::remove(AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkSemaphore(parts.core, m_name),
        { semaphore::remove(m_name), Said{ Phrase::Removing, { m_name } }, Repeat::Harmful }, parseAnswer,
        std::move(handler));
}

} // namespace lockcore::client
