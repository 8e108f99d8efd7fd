// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/asking.h"
#include "tests/support/server_test.h"

#include <QCryptographicHash>
#include <QFile>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>

using namespace lockcore::protocol;
using namespace lockcore::transport;
using namespace lockcore;
using namespace testsupport;
using namespace Qt::StringLiterals;
using State = Connection::State;

namespace {

ConnectionOptions impatient()
{
    ConnectionOptions options;
    options.readOnly = false;
    options.replyTimeout = Millis(300);
    options.backoff = { Millis(20), Millis(200) };
    return options;
}

ConnectionOptions writable()
{
    ConnectionOptions options;
    options.readOnly = false;
    return options;
}

/// On this machine, in any state.
int connectionsTo(quint16 port)
{
    QFile table(u"/proc/net/tcp"_s);
    if (!table.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray there = ':' + QByteArray::number(port, 16).toUpper().rightJustified(4, '0');
    int count = 0;
    for (const QByteArray &line : table.readAll().split('\n')) {
        const QList<QByteArray> fields = line.simplified().split(' ');
        count += fields.size() > 2 && fields[2].endsWith(there) ? 1 : 0;
    }
    return count;
}

Reply text(const char *bytes) { return Reply(std::string(bytes)); }

/// Answers the handshake of a default endpoint like a server, and everything after it as told.
class FakePeer {
public:
    explicit FakePeer(QByteArray afterHandshake)
    {
        m_server.listen(QHostAddress::LocalHost);
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this, afterHandshake] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            socket->write("+PONG\r\n+OK\r\n:1\r\n$0\r\n\r\n$0\r\n\r\n+OK\r\n");
            QObject::connect(socket, &QIODevice::readyRead, socket, [socket, afterHandshake] {
                if (socket->readAll().contains("ECHO"))
                    socket->write(afterHandshake);
            });
        });
    }
    Endpoint endpoint() const
    {
        Endpoint endpoint;
        endpoint.port = m_server.serverPort();
        endpoint.clientName = "test"; // one reply of the handshake is for that
        return endpoint;
    }

private:
    QTcpServer m_server;
};

} // namespace

class ConnectionTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void waitsLongerEachTimeAfterRepliesThatAreTooLarge()
    {
        FakePeer peer("$99999999999\r\n");
        ConnectionOptions options = impatient();
        options.backoffAfterTooMuch = { Millis(100), Millis(60'000) };
        Connection connection(peer.endpoint(), options);
        QVERIFY(!openAndWait(connection));
        for (const int atLeast : { 50, 100, 200, 400 }) { // half of the full pause
            const auto reply = ask(connection, { "ECHO", "1" });
            QCOMPARE(reply.error().code, ErrorCode::ReplyTooLarge);
            QVERIFY(connection.retryIn().value() >= Millis(atLeast - 20));
            QTRY_COMPARE(connection.state(), State::Ready);
        }
    }

    void keepsReplyOrderWhenRequestIsAbandoned()
    {
        Connection connection(m_server.endpoint(), {});
        QVERIFY(!openAndWait(connection));
        std::vector<Reply> replies;
        const auto keep = [&](Result<Reply> reply) { replies.push_back(reply.value()); };
        connection.send({ "ECHO", "1" }, keep);
        const RequestId abandoned = connection.send({ "ECHO", "2" }, keep);
        connection.send({ "ECHO", "3" }, keep);
        connection.abandon(abandoned);
        connection.send({ "ECHO", "4" }, keep);
        QTRY_COMPARE(replies.size(), 3U);
        QVERIFY(replies == (std::vector{ text("1"), text("3"), text("4") }));
    }

    void carriesAnyBytesOfAnySize()
    {
        Connection connection(m_server.endpoint(), writable());
        QVERIFY(!openAndWait(connection));
        std::string value;
        value.resize(20'000'000, 'x');
        for (std::size_t i = 0; i < value.size(); i += 97)
            value[i] = static_cast<char>(i);
        QVERIFY(ask(connection, { "SET", "k", value })->status());
        const auto read = ask(connection, { "GET", "k" });
        QVERIFY(read && *read == Reply(value));
    }

    void sendsNothingThatWritesWhenReadOnly()
    {
        m_server.cli({ u"SET"_s, u"k"_s, u"v"_s });
        Connection connection(m_server.endpoint(), {});
        QVERIFY(!openAndWait(connection));
        for (const Command &command :
            { Command{ "DEL", "k" }, Command{ "eval", "return redis.call('del','k')", "0" } }) {
            const auto refused = ask(connection, command);
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::ReadOnlyMode);
        }
        const auto inScript = ask(connection, { "EVAL_RO", "return redis.call('del', KEYS[1])", "1", "k" });
        QVERIFY(inScript && inScript->isError());
        QVERIFY(ask(connection, { "GET", "k" }) == Result<Reply>(text("v")));
    }

    void neverCallsAHandlerFromInsideSend()
    {
        Connection connection(m_server.endpoint(), {});
        std::vector<ErrorCode> codes;
        const auto keep = [&](const Result<Reply> &reply) { codes.push_back(reply.error().code); };
        connection.send({ "PING" }, keep);
        connection.send({ "PING" }, {});
        QVERIFY(codes.empty());
        QTRY_COMPARE(codes.size(), 1U);
        QVERIFY(!openAndWait(connection));
        connection.send({ "DEL", "k" }, keep);
        QCOMPARE(codes.size(), 1U);
        QTRY_COMPARE(codes.size(), 2U);
        QCOMPARE(codes[0], ErrorCode::ConnectionClosed);
        QCOMPARE(codes[1], ErrorCode::ReadOnlyMode);
    }

    void breaksOffAConnectionThatDoesNotAnswer_data()
    {
        QTest::addColumn<bool>("tls");
        QTest::newRow("plain") << false;
        QTest::newRow("TLS") << true;
    }
    /// The system would go on sending what is asked for anew on another one.
    void breaksOffAConnectionThatDoesNotAnswer()
    {
        QFETCH(const bool, tls);
        RedisServer server({ .tls = tls });
        QVERIFY(server.start());
        Connection connection(tls ? server.tlsEndpoint() : server.endpoint(),
            { .readOnly = false, .replyTimeout = Millis(200), .reconnect = false });
        QVERIFY(!openAndWait(connection));
        const quint16 port = tls ? server.tlsPort() : server.port();
        QTRY_COMPARE(connectionsTo(port), 1); // that of who looked whether it has started goes
        server.pause();
        const auto answer = ask(connection, { "INCR", "k" });
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, ErrorCode::ReplyTimeout);
        QTRY_COMPARE(connectionsTo(port), 0); // one that was closed in order would wait for the server's end of it
        server.resume();
    }

    void tellsWhoeverWaitsWhenClosed()
    {
        Connection connection(m_server.endpoint(), {});
        QVERIFY(!openAndWait(connection));
        std::vector<ErrorCode> codes;
        for (int i = 0; i < 3; ++i)
            connection.send({ "PING" }, [&](const Result<Reply> &reply) {
                codes.push_back(reply ? ErrorCode::ServerOther : reply.error().code);
            });
        connection.close();
        QTRY_COMPARE(codes.size(), 3U);
        QVERIFY(codes == std::vector(3, ErrorCode::Cancelled));
        QVERIFY(connection.state() == State::Closed);
        QVERIFY(!openAndWait(connection));
        QVERIFY(ask(connection, { "PING" }));
        QCOMPARE(codes.size(), 3U);
    }

    void sendsAScriptsTextWhenTheServerForgotIt_data()
    {
        QTest::addColumn<bool>("readOnly");
        QTest::newRow("read-only") << true;
        QTest::newRow("writing") << false;
    }
    void sendsAScriptsTextWhenTheServerForgotIt()
    {
        QFETCH(bool, readOnly);
        constexpr std::string_view Text = "return {KEYS[1], ARGV[1]}";
        const auto sha1
            = QCryptographicHash::hash(QByteArray(Text.data(), qsizetype(Text.size())), QCryptographicHash::Sha1)
                  .toHex();
        const Script script{ "test", Text, { sha1.constData(), std::size_t(sha1.size()) }, readOnly };
        const std::vector<std::string> keys{ "k" };
        const std::vector<std::string> arguments{ "a" };
        ConnectionOptions options;
        options.readOnly = readOnly;
        Connection connection(m_server.endpoint(), options);
        QVERIFY(!openAndWait(connection));
        for (int round = 0; round < 2; ++round) {
            m_server.cli({ u"SCRIPT"_s, u"FLUSH"_s });
            m_server.cli({ u"CONFIG"_s, u"RESETSTAT"_s });
            for (int call = 0; call < 2; ++call) {
                std::vector<Result<Reply>> replies;
                connection.eval(script, keys, arguments, [&](Result<Reply> reply) { replies.push_back(reply); });
                QTRY_VERIFY(!replies.empty());
                QVERIFY(replies.front() == Result<Reply>(Reply(std::vector{ text("k"), text("a") })));
            }
            const QByteArray calls = m_server.cli({ u"INFO"_s, u"commandstats"_s });
            const QByteArray suffix = readOnly ? "_ro:calls=" : ":calls=";
            QVERIFY2(calls.contains(QByteArray("cmdstat_eval" + suffix + "1,")), calls.constData());
            QVERIFY2(calls.contains(QByteArray("cmdstat_evalsha" + suffix + "2,")), calls.constData());
        }
    }

    void dropsTheHandlerOfAnAbandonedScript()
    {
        constexpr std::string_view Text = "return 1";
        const Script unknown{ "test", Text, "0123456789012345678901234567890123456789", true };
        Connection connection(m_server.endpoint(), {});
        QVERIFY(!openAndWait(connection));
        bool called = false;
        const RequestId request = connection.eval(unknown, {}, {}, [&](const Result<Reply> &) { called = true; });
        connection.abandon(request);
        QVERIFY(ask(connection, { "PING" }) && ask(connection, { "PING" }));
        QVERIFY(!called);
    }

    /// From a server that sends faster than we read, everything else would have to wait for its end.
    void leavesTurnsToOthersUnderAFlood()
    {
        constexpr std::size_t Size = 16'384;
        constexpr int Replies = 4'000;
        constexpr int MostInATurn = 4 * 65'536 / int(Size); // a notice and a timer may come in the same one
        Connection connection(m_server.endpoint(), {});
        QVERIFY(!openAndWait(connection));
        m_server.cli({ u"SET"_s, u"large"_s, QString(qsizetype(Size), QLatin1Char('x')) });
        int inThisTurn = 0;
        int most = 0;
        int all = 0;
        std::function<void()> nextTurn = [&] {
            most = std::max(most, std::exchange(inThisTurn, 0));
            if (all < Replies)
                QMetaObject::invokeMethod(&connection, nextTurn, Qt::QueuedConnection);
        };
        nextTurn();
        for (int i = 0; i < Replies; ++i)
            connection.send({ "GET", "large" }, [&](const Result<Reply> &) { ++inThisTurn, ++all; });
        QTRY_COMPARE_WITH_TIMEOUT(all, Replies, 60'000);
        QVERIFY2(most > 0 && most <= MostInATurn, std::to_string(most).c_str());
    }

    void comesBackAfterTheServerWasKilled()
    {
        RedisServer server;
        QVERIFY(server.start());
        Connection connection(server.endpoint(), impatient());
        QVERIFY(!openAndWait(connection));
        const auto firstRun = connection.serverInfo().runId;
        QSignalSpy lost(&connection, &Connection::lost);
        QSignalSpy ready(&connection, &Connection::ready);
        int told = 0;
        server.pause();
        connection.send({ "PING" }, [&](const Result<Reply> &reply) { told += reply ? 100 : 1; });
        server.kill();
        QTRY_VERIFY(lost.count() >= 1);
        QCOMPARE(told, 1);
        QVERIFY(connection.state() == State::WaitingToReconnect || connection.state() == State::Connecting);
        QVERIFY(server.restart());
        QVERIFY(ready.count() > 0 || ready.wait(10'000));
        QVERIFY(connection.serverInfo().runId != firstRun);
        QVERIFY(ask(connection, { "PING" }));
        QCOMPARE(told, 1);
    }

    void dropsAServerThatStopsAnswering()
    {
        RedisServer server;
        QVERIFY(server.start());
        Connection connection(server.endpoint(), impatient());
        QVERIFY(!openAndWait(connection));
        QSignalSpy ready(&connection, &Connection::ready);
        server.pause();
        const auto reply = ask(connection, { "PING" });
        QVERIFY(!reply);
        QCOMPARE(reply.error().code, ErrorCode::ReplyTimeout);
        server.resume();
        QVERIFY(ready.count() > 0 || ready.wait(10'000));
    }

    void noticesASilentServerWithoutBeingAsked()
    {
        RedisServer server;
        QVERIFY(server.start());
        ConnectionOptions options = impatient();
        options.keepAlive = Millis(200);
        Connection connection(server.endpoint(), options);
        QVERIFY(!openAndWait(connection));
        QSignalSpy lost(&connection, &Connection::lost);
        const auto pings = [&] {
            return server.cli({ u"INFO"_s, u"commandstats"_s }).contains("cmdstat_ping:calls=5,");
        };
        QTRY_VERIFY_WITH_TIMEOUT(pings(), 20'000); // two come from the start and the handshake
        QCOMPARE(lost.count(), 0);
        server.pause();
        QVERIFY(lost.wait(10'000));
        QCOMPARE(lost.front().front().value<Error>().code, ErrorCode::ReplyTimeout);
    }

    void closesOnAGarbledStream_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("no reply at all") << QByteArray("\x01garbage\r\n");
        QTest::newRow("a reply too many") << QByteArray("+OK\r\n+OK\r\n");
        QTest::newRow("too long") << QByteArray("$9999999999\r\n");
    }
    void closesOnAGarbledStream()
    {
        QFETCH(QByteArray, bytes);
        FakePeer peer(bytes);
        Connection connection(peer.endpoint(), impatient());
        QVERIFY(!openAndWait(connection));
        QSignalSpy lost(&connection, &Connection::lost);
        int told = 0;
        connection.send({ "ECHO", "x" }, [&](const Result<Reply> &) { ++told; });
        QVERIFY(lost.wait(10'000));
        const auto error = lost.front().front().value<Error>();
        QVERIFY2(
            error.code == ErrorCode::MalformedReply || error.code == ErrorCode::ReplyTooLarge, toString(error).c_str());
        QVERIFY(toString(error).find(peer.endpoint().display()) != std::string::npos);
        QCOMPARE(told, 1);
    }
};

QTEST_GUILESS_MAIN(ConnectionTest)
#include "tst_connection.moc"
