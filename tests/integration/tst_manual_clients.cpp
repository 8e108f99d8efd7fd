// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/manual_clients.h"
#include "tests/support/server_test.h"

#include <map>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class ManualClientsTest : public ServerTest {
    Q_OBJECT

protected:
    void prepareNext() override
    {
        m_results.clear();
        m_clients = std::make_unique<ManualClients>();
        connect(m_clients.get(), &ManualClients::statesChanged, this,
            [this](const ManualClientStates &states) { m_states = *states; });
        connect(m_clients.get(), &ManualClients::finished, this,
            [this](CommandId id, const Result<ManualOutcome> &outcome) { m_results.emplace(id, outcome); });
        m_clients->open(m_server.endpoint(), { "A", "B" });
        QTRY_VERIFY(m_states.size() == 2 && m_states[0].connected && m_states[1].connected);
    }

private Q_SLOTS:
    void cleanup() { m_clients.reset(); }

    void takeReenterAndReleaseALock()
    {
        QVERIFY(isDone(m_clients->acquire("A", { Job, "1", {}, 0ms })));
        QVERIFY(isDone(m_clients->acquire("A", { Job, "1", {}, 0ms })));
        QTRY_VERIFY(m_states[0].locks.size() == 1 && m_states[0].locks[0].count == 2);
        QCOMPARE(holder().left(36), QByteArray::fromStdString(m_states[0].id));

        const CommandId waiting = m_clients->acquire("B", { Job, "1", {}, {} });
        QTRY_VERIFY(m_states[1].locks.size() == 1 && m_states[1].locks[0].count == 0);
        QVERIFY(isDone(m_clients->release("A", Job, "1")));
        QVERIFY(m_results.find(waiting) == m_results.end());
        QVERIFY(isDone(m_clients->release("A", Job, "1")));
        QVERIFY(isDone(waiting));
        QTRY_VERIFY(m_states[0].locks.empty() && m_states[1].locks[0].count == 1);
        QVERIFY(!isDone(m_clients->release("A", Job, "1")));
    }

    void showNoHoldWhoseLeaseIsOver()
    {
        QVERIFY(isDone(m_clients->acquire("A", { Job, "1", 500ms, 0ms })));
        QTRY_COMPARE(m_states[0].locks.size(), std::size_t(1));
        QTRY_VERIFY(m_states[0].locks.empty());
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void renewALock()
    {
        QVERIFY(isDone(m_clients->acquire("A", { Job, "1", 5s, 0ms })));
        QVERIFY(isDone(m_clients->renew("A", Job, "1", 90s)));
        QVERIFY(m_server.cli({ u"pttl"_s, u"job"_s }).toInt() > 80'000);
        QVERIFY(!isDone(m_clients->renew("B", Job, "1", 90s)));
    }

    void giveBackWhatTheyHoldWhenTheyClose_data()
    {
        QTest::addColumn<bool>("destroyed");
        QTest::newRow("closed") << false;
        QTest::newRow("destroyed") << true;
    }
    void giveBackWhatTheyHoldWhenTheyClose()
    {
        QFETCH(bool, destroyed);
        const LockTarget fair{ "fair", Kind::Fair };
        QVERIFY(isDone(m_clients->acquire("A", { Job, "1", {}, 0ms })));
        QVERIFY(isDone(m_clients->acquire("A", { Job, "1", {}, 0ms })));
        QVERIFY(isDone(m_clients->acquire("A", { fair, "1", {}, 0ms })));
        m_clients->acquire("B", { fair, "1", {}, {} });
        QTRY_COMPARE(m_server.cli({ u"llen"_s, u"redisson_lock_queue:{fair}"_s }), "1");
        if (destroyed)
            m_clients.reset();
        else
            m_clients->close();
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"*"_s }), QByteArray());
    }

    void saysThatThereIsNoSuchClient() { QVERIFY(!isDone(m_clients->acquire("Z", { Job, "1", {}, 0ms }))); }

private:
    bool isDone(CommandId id)
    {
        return QTest::qWaitFor([&] { return m_results.count(id) > 0; }, 20'000) && m_results.at(id).has_value();
    }
    QByteArray holder() const { return m_server.cli({ u"hkeys"_s, u"job"_s }); }

    const LockTarget Job{ "job" };
    std::unique_ptr<ManualClients> m_clients;
    std::vector<ManualClientState> m_states;
    std::map<CommandId, Result<ManualOutcome>> m_results;
};

QTEST_GUILESS_MAIN(ManualClientsTest)
#include "tst_manual_clients.moc"
