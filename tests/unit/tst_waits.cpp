// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/waits.h"

#include <QTest>
#include <vector>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;

namespace {

/// Keeps what it is asked, for the test to answer when it wants.
class HeldLink : public Link {
public:
    void open() override { }
    void close() override { }
    bool isReady() const override { return true; }
    bool isReadyFor(std::string_view) const override { return true; }
    bool isDown() const override { return false; }
    void eval(const protocol::Script &, std::span<const std::string>, std::span<const std::string>,
        ReplyHandler handler) override
    {
        tries.push_back(std::move(handler));
    }
    void send(protocol::Command, std::string_view, ReplyHandler) override { }
    SubscriptionId subscribe(const std::string &channel, Subscriber::MessageHandler onMessage,
        Subscriber::ConfirmedHandler confirmed) override
    {
        release = [channel, onMessage] {
            protocol::PubSubMessage message;
            message.channel = channel;
            message.payload = "0";
            onMessage(message);
        };
        confirmed({});
        return {};
    }
    void unsubscribe(SubscriptionId) override { }

    std::vector<ReplyHandler> tries;
    std::function<void()> release; // its message
};

/// For a lock that a reply of 1 gives, and of 0 refuses until a message comes.
class Plan : public WaitPlan {
public:
    explicit Plan(bool &acquired)
        : m_acquired(acquired)
    {
    }
    const LockName &name() const override { return m_name; }
    AcquireFsm::Settings settings() const override { return {}; }
    std::string channel() const override { return "channel"; }
    WakeOrder::Message messages() const override { return WakeOrder::Message::Lock; }
    ScriptCall attempt() override { return { &m_script, { m_name }, {} }; }
    Result<TryReply> read(const protocol::Reply &reply) override { return TryReply{ *reply.integer() == 1, {}, {} }; }
    void undo() override { }
    void finish(const Result<AcquireOutcome> &outcome) override { m_acquired = outcome && outcome->acquired; }

private:
    const LockName m_name = "job";
    const protocol::Script m_script;
    bool &m_acquired;
};

} // namespace

/// Waits of one client, at a server whose answers and messages come as the test lets them.
class WaitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_core = std::make_unique<ClientCore>(Endpoint{}, LockClientOptions{});
        auto link = std::make_unique<HeldLink>();
        m_link = link.get();
        m_core->link = std::move(link);
        m_waits = std::make_unique<Waits>(*m_core);
        m_first = m_second = false;
    }
    void cleanup()
    {
        m_waits.reset();
        m_core.reset();
    }

    void aSecondMessageReachesTheOneThatTriesForTheFirst()
    {
        fallAsleep(1, m_first);
        m_link->release();
        m_link->release(); // of the one that was faster than the try
        QCOMPARE(m_link->tries.size(), std::size_t(1));
        answer(0);
        QCOMPARE(m_link->tries.size(), std::size_t(1));
        answer(1);
        QVERIFY(m_first);
    }

    void aSecondMessageReachesTheOneThatSleepsBeforeTheOneThatTries()
    {
        fallAsleep(1, m_first);
        fallAsleep(2, m_second);
        m_link->release();
        m_link->release();
        QCOMPARE(m_link->tries.size(), std::size_t(2));
        answer(0);
        answer(1);
        QVERIFY(!m_first && m_second);
        QVERIFY(m_link->tries.empty());
    }

private:
    /// Refused, once more after it has subscribed.
    void fallAsleep(std::uint64_t id, bool &acquired)
    {
        m_waits->start(id, std::make_unique<Plan>(acquired));
        while (!m_link->tries.empty())
            answer(0);
    }
    void answer(std::int64_t given)
    {
        const auto handler = std::move(m_link->tries.front());
        m_link->tries.erase(m_link->tries.begin());
        handler(protocol::Reply(given));
    }

    std::unique_ptr<ClientCore> m_core;
    HeldLink *m_link = nullptr;
    std::unique_ptr<Waits> m_waits;
    bool m_first = false;
    bool m_second = false;
};

QTEST_GUILESS_MAIN(WaitsTest)
#include "tst_waits.moc"
