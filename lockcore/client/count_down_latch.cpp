// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/count_down_latch.h"

#include "lockcore/client/client_parts.h"
#include "lockcore/client/request_check.h"
#include "lockcore/synchronizers/count_down_latch.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_replies.h"

namespace lockcore::client {

using namespace synchronizers;

namespace {

using Repeat = Calls::Repeat;

class LatchPlan : public WaitPlan {
public:
    LatchPlan(ClientParts &parts, LockName name, std::optional<Millis> wait, LockClient::AcquireHandler handler)
        : m_parts(parts)
        , m_name(std::move(name))
        , m_wait(wait)
        , m_handler(std::move(handler))
    {
    }

    const LockName &name() const override { return m_name; }
    Said tried() const override { return { Phrase::WaitingFor, { m_name } }; }
    AcquireFsm::Settings settings() const override
    {
        AcquireFsm::Settings settings = waitSettings(m_parts.core.options.times, m_wait);
        settings.takes = false;
        settings.longestPause = m_parts.core.options.lookAgain;
        return settings;
    }
    std::string channel() const override { return key_layout::latchChannel(m_name); }
    WakeOrder::Message messages() const override { return WakeOrder::Message::Gate; }

    ScriptCall attempt() override { return count_down_latch::pass(m_name); }
    Result<TryReply> read(const protocol::Reply &reply) override { return parseTryReply(reply); }

    void undo() override { } // to look takes nothing
    void finish(const Result<AcquireOutcome> &outcome) override { m_parts.tell(std::move(m_handler), outcome); }

private:
    ClientParts &m_parts;
    const LockName m_name;
    const std::optional<Millis> m_wait;
    LockClient::AcquireHandler m_handler;
};

Result<void> checkLatch(const ClientParts &parts, const LockName &name)
{
    return checkName(name).and_then([&] { return checkSlots(parts.core, name, key_layout::latchChannel(name)); });
}

} // namespace

CountDownLatch::CountDownLatch(LockClient &client, LockName name)
    : m_client(&client)
    , m_name(std::move(name))
{
}

AcquireId CountDownLatch::wait(std::optional<Millis> wait, LockClient::AcquireHandler handler)
{
    ClientParts &parts = m_client->parts();
    const auto valid = checkLatch(parts, m_name).and_then([&] { return checkWait(wait, m_name); });
    if (!valid)
        return parts.refuse(std::move(handler), valid.error());
    return parts.start(std::make_unique<LatchPlan>(parts, m_name, wait, std::move(handler)));
}

void CountDownLatch::trySetCount(std::int64_t count, AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    const auto valid = checkLatch(parts, m_name).and_then([&] { return checkCount(count, 1, m_name); });
    parts.ask(valid,
        { count_down_latch::trySetCount(m_name, count, parts.core.link->publishCommand()),
            { Phrase::SettingCount, { m_name } }, Repeat::Harmful },
        parseAnswer, std::move(handler));
}

void CountDownLatch::countDown(DoneHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkLatch(parts, m_name),
        { count_down_latch::countDown(m_name, parts.core.link->publishCommand()), { Phrase::CountingDown, { m_name } },
            Repeat::Harmful, true },
        parseDone, std::move(handler));
}

void CountDownLatch::count(CountHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkLatch(parts, m_name), { count_down_latch::count(m_name), { Phrase::ReadingCount, { m_name } } },
        parseCount, std::move(handler));
}

void CountDownLatch::remove(AnswerHandler handler)
{
    ClientParts &parts = m_client->parts();
    parts.ask(checkLatch(parts, m_name),
        { count_down_latch::remove(m_name, parts.core.link->publishCommand()), { Phrase::Removing, { m_name } },
            Repeat::Harmful },
        parseAnswer, std::move(handler));
}

} // namespace lockcore::client
