// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/handshake.h"
#include "lockcore/protocol/server_error.h"

#include <QTest>

using namespace lockcore::protocol;
using namespace lockcore;

namespace {

Reply status(const char *text) { return Reply(Reply::Status{ text }); }
Reply error(const char *text) { return Reply(Reply::ServerError{ text }); }

const HandshakeOptions Full{ "mon", "secret", 3, "lockscope" };

/// What `Full` gets from a server that agrees to all.
std::vector<Reply> agreement()
{
    return { status("OK"),
        Reply(std::string("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\nrun_id:abc\r\n")), status("OK"),
        status("PONG"), status("OK"), Reply(std::int64_t{ 42 }), Reply(std::string("# Replication\r\nrole:master\r\n")),
        status("OK") };
}

Result<Handshake> play(const std::vector<Reply> &replies)
{
    Handshake handshake(Full);
    for (const Reply &reply : replies) {
        if (const auto taken = handshake.feed(reply); !taken)
            return tl::unexpected(taken.error());
    }
    return handshake;
}

} // namespace

class HandshakeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void logsInBeforeAllElse()
    {
        const auto commands = Handshake(Full).commands();
        QCOMPARE(commands.size(), agreement().size());
        QVERIFY(commands[0] == (Command{ "AUTH", "mon", "secret" }));
        QVERIFY(commands[1] == (Command{ "INFO", "server" }));
        QVERIFY(commands[2] == (Command{ "SELECT", "3" }));
        QVERIFY(Handshake({ {}, "p", 0, {} }).commands().front() == (Command{ "AUTH", "p" }));
        QVERIFY(Handshake({ {}, {}, 0, {} }).commands().front() == (Command{ "INFO", "server" }));
    }

    void tellsWhatTheServerIs()
    {
        const auto done = play(agreement());
        QVERIFY(done && done->done());
        QCOMPARE(done->clientId(), 42);
        QVERIFY(done->serverInfo() == (ServerInfo{ "7.0.15", 7, 0, "standalone", "master", "abc", {} }));
    }

    void asksForTheTimeLast()
    {
        HandshakeOptions options = Full;
        options.asksTime = true;
        QVERIFY(Handshake(options).commands().back() == (Command{ "TIME" }));
        const Reply time(Reply::Array{ Reply(std::string("1700000000")), Reply(std::string("5000")) });
        for (const Reply &said : { time, error("NOPERM this user has no permissions"), status("OK") }) {
            Handshake handshake(options);
            for (const Reply &reply : agreement())
                QVERIFY(handshake.feed(reply));
            QVERIFY(!handshake.done());
            QVERIFY(handshake.feed(said));
            QVERIFY(handshake.done());
            QCOMPARE(handshake.serverTime().has_value(), said == time);
        }
    }

    void isNotDoneBeforeTheLastReply()
    {
        auto replies = agreement();
        replies.pop_back();
        QVERIFY(!play(replies)->done());
    }

    void passesOverWhatTheUserMayNotDo()
    {
        auto replies = agreement();
        for (const std::size_t i : { 1, 3, 4, 5, 6, 7 }) // all but login and database
            replies[i] = error("NOPERM this user has no permissions");
        const auto done = play(replies);
        QVERIFY(done && done->done());
        QCOMPARE(done->clientId(), 0);
    }

    void passesOverWhatAnOldServerDoesNotKnow()
    {
        auto replies = agreement();
        replies.back() = error("ERR unknown subcommand 'NO-TOUCH'");
        const auto done = play(replies);
        QVERIFY(done && done->done());
    }

    void failsWithTheReason_data()
    {
        QTest::addColumn<int>("place");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("password") << 0 << QByteArray("WRONGPASS invalid") << ErrorCode::AuthenticationFailed;
        QTest::newRow("none set") << 0 << QByteArray("ERR AUTH <password> called without any password configured")
                                  << ErrorCode::AuthenticationFailed;
        QTest::newRow("database") << 2 << QByteArray("ERR DB index is out of range") << ErrorCode::ServerOther;
        QTest::newRow("loading") << 3 << QByteArray("LOADING Redis is loading") << ErrorCode::Loading;
        QTest::newRow("no login") << 4 << QByteArray("NOAUTH Authentication required.")
                                  << ErrorCode::AuthenticationFailed;
        QTest::newRow("full") << 4 << QByteArray("ERR max number of clients reached") << ErrorCode::ServerOther;
    }
    void failsWithTheReason()
    {
        QFETCH(int, place);
        QFETCH(QByteArray, said);
        QFETCH(ErrorCode, code);
        auto replies = agreement();
        replies[std::size_t(place)] = error(said.constData());
        const auto done = play(replies);
        QVERIFY(!done);
        QCOMPARE(done.error().code, code);
        QCOMPARE(done.error().message, said.toStdString());
    }

    void turnsASentinelAwayThatIsTakenForAServer()
    {
        auto replies = agreement();
        replies[1] = Reply(std::string("redis_version:7.0.15\r\nredis_mode:sentinel\r\n"));
        const auto refused = play(replies);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);

        Handshake asked({ {}, {}, 0, {}, false, true });
        QVERIFY(asked.feed(replies[1]));
    }

    void neverRepeatsThePassword()
    {
        auto replies = agreement();
        replies[0] = error("ERR unknown command 'AUTH', with args beginning with: 'mon' 'secret' ");
        const auto done = play(replies);
        QVERIFY(!done);
        QVERIFY(toString(done.error()).find("secret") == std::string::npos);
        QVERIFY(toString(done.error()).find("mon") != std::string::npos);
    }

    void readsServerErrors_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("NOPERM") << QByteArray("NOPERM no") << ErrorCode::PermissionDenied;
        QTest::newRow("NOPERM in a script")
            << QByteArray("ERR user_script:7: ERR The user executing the script can't") << ErrorCode::PermissionDenied;
        QTest::newRow("READONLY") << QByteArray("READONLY You can't write") << ErrorCode::ReadOnlyReplica;
        QTest::newRow("NOSCRIPT") << QByteArray("NOSCRIPT No matching") << ErrorCode::NoScript;
        QTest::newRow("WRONGTYPE") << QByteArray("WRONGTYPE Operation") << ErrorCode::WrongType;
        QTest::newRow("OOM") << QByteArray("OOM command not allowed") << ErrorCode::OutOfMemory;
        QTest::newRow("BUSY") << QByteArray("BUSY Redis is busy running a script") << ErrorCode::ScriptBusy;
        QTest::newRow("BUSYKEY") << QByteArray("BUSYKEY Target key name already exists.") << ErrorCode::ServerOther;
        QTest::newRow("ERR") << QByteArray("ERR syntax error") << ErrorCode::ServerOther;
    }
    void readsServerErrors()
    {
        QFETCH(QByteArray, text);
        QFETCH(ErrorCode, code);
        const lockcore::Said tried{ lockcore::Phrase::Words, { "trying" } };
        const Error read = toError(error(text.constData()), tried);
        QVERIFY(read == (Error{ code, text.toStdString(), "trying", {}, { tried } }));
    }
};

QTEST_GUILESS_MAIN(HandshakeTest)
#include "tst_handshake.moc"
