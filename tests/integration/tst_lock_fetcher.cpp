// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/sessions/lock_fetcher.h"
#include "tests/support/asking.h"
#include "tests/support/blocking_client.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/server_test.h"

#include <QScopeGuard>
#include <set>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int Limit = 30'000;
constexpr int Locks = 2'000;
constexpr const char *Owner = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7";

/// What the engine would be, for sweeps.
class Sweeper {
public:
    explicit Sweeper(const RedisServer &server)
        : connection(server.endpoint(), {})
        , fetcher(
              connection, rights, {}, {}, [](const std::string &) { return false; }, clock,
              [this](EngineInput input) { answered(std::move(input)); }, nullptr)
    {
    }

    bool open()
    {
        const bool isOpen = !openAndWait(connection);
        fetcher.reset();
        return isOpen;
    }
    void ask(SweepPosition from, bool atOnce = true)
    {
        page.reset();
        failed = false;
        fetcher.scan({ WorkId{ ++m_ids }, std::move(from), atOnce });
    }
    bool waitForPage()
    {
        return QTest::qWaitFor([this] { return page || failed; }, Limit) && page && page->scan == WorkId{ m_ids };
    }
    void note()
    {
        ++pages;
        keysPassed += page->page.keysPassed;
        found.insert(page->page.candidates.begin(), page->page.candidates.end());
        for (const auto &reading : page->page.readings)
            found.insert(reading.name);
    }
    /// All that is left of a sweep; true: it has come to an end.
    bool finish(bool atOnce = true)
    {
        note();
        while (page && !page->page.next.isAtEnd()) {
            ask(SweepPosition(page->page.next), atOnce);
            if (!waitForPage())
                return false;
            note();
        }
        return page.has_value();
    }

    MissingRights rights{ {} };
    Connection connection;
    ServerClock clock;
    LockFetcher fetcher;
    std::optional<input::PageScanned> page;
    bool failed = false;
    std::set<LockName> found;
    std::int64_t keysPassed = 0;
    int pages = 0;

private:
    void answered(EngineInput input)
    {
        if (auto *scanned = std::get_if<input::PageScanned>(&input))
            page = std::move(*scanned);
        failed = failed || std::holds_alternative<input::WorkFailed>(input);
    }

    std::uint64_t m_ids = 0;
};

} // namespace

class TestLockFetcher : public ServerTest {
    Q_OBJECT
    void prepareNext() override
    {
        Commands commands;
        for (int i = 0; i < Locks; ++i)
            addHold(commands, "order:" + std::to_string(i), Owner, 600'000);
        BlockingClient client(m_server.socketPath().toStdString());
        client.runAll(commands);
        client.eval(sweepPageScript(), {}, sweepPageArguments(sweepWalks(), {}, 1)); // is known from now on
        forgetCalls(m_server);
    }
    int pagesAsked() const { return commandCalls(m_server, "evalsha_ro"); }

private Q_SLOTS:
    void asksForTheNextPageBeforeItIsWanted()
    {
        Sweeper sweeper(m_server);
        QVERIFY(sweeper.open());
        sweeper.ask({});
        QVERIFY(sweeper.waitForPage());
        QTRY_COMPARE_WITH_TIMEOUT(pagesAsked(), 2, Limit);
        QVERIFY(testsupport::ask(sweeper.connection, { "PING" }));
        QCOMPARE(pagesAsked(), 2); // and no further
        QVERIFY(sweeper.finish());
        QCOMPARE(sweeper.found.size(), std::size_t{ Locks });
        QVERIFY(sweeper.keysPassed >= Locks / 2); // as many as it asked for: a page has some more, or less
    }

    /// What was seen on a page before it was wanted may be older than what is known otherwise.
    void takesNoLookFromAPageThatWaited()
    {
        Sweeper sweeper(m_server);
        QVERIFY(sweeper.open());
        sweeper.ask({});
        QVERIFY(sweeper.waitForPage());
        QVERIFY(!sweeper.page->page.readings.empty());
        QVERIFY(testsupport::ask(sweeper.connection, { "PING" }));
        sweeper.ask(SweepPosition(sweeper.page->page.next));
        QVERIFY(sweeper.page && sweeper.page->page.readings.empty());
        QVERIFY(!sweeper.page->page.candidates.empty());
    }

    void goesOnWithoutScriptsWhenTheyAreRefusedMeanwhile()
    {
        Sweeper sweeper(m_server);
        QVERIFY(sweeper.open());
        sweeper.ask({});
        QVERIFY(sweeper.waitForPage());
        sweeper.note();
        const auto onward = sweeper.page->page.next;
        QVERIFY(testsupport::ask(sweeper.connection, { "PING" }));
        const auto allow = qScopeGuard([this] { m_server.cli({ u"ACL"_s, u"SETUSER"_s, u"default"_s, u"+@all"_s }); });
        m_server.cli({ u"ACL"_s, u"SETUSER"_s, u"default"_s, u"-evalsha_ro"_s, u"-eval_ro"_s });
        sweeper.ask(onward); // which came already
        sweeper.note();
        sweeper.ask(SweepPosition(sweeper.page->page.next));
        QVERIFY(sweeper.waitForPage());
        QVERIFY(!sweeper.page->byScript);
        QVERIFY(sweeper.finish());
        QCOMPARE(sweeper.found.size(), std::size_t{ Locks });
    }

    void asksForSmallPagesAndNothingAheadInTheBackground()
    {
        Sweeper sweeper(m_server);
        QVERIFY(sweeper.open());
        sweeper.ask({}, false);
        QVERIFY(sweeper.waitForPage());
        QVERIFY(testsupport::ask(sweeper.connection, { "PING" }));
        QCOMPARE(pagesAsked(), 1);
        QVERIFY(sweeper.finish(false));
        QCOMPARE(sweeper.found.size(), std::size_t{ Locks });
        QVERIFY(sweeper.pages > Locks / 150);
    }
};

QTEST_GUILESS_MAIN(TestLockFetcher)
#include "tst_lock_fetcher.moc"
