// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/server_error.h"
#include "tests/support/asking.h"
#include "tests/support/redis_server.h"

#include <QElapsedTimer>
#include <QHostInfo>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <atomic>
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

using namespace lockcore;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

std::atomic<int> closedInVain = 0; // a descriptor that is closed twice may be another thread's the second time

} // namespace

extern "C" Q_DECL_EXPORT int close(int descriptor) // in place of the C library's, for Qt too
{
    const auto result = syscall(SYS_close, descriptor);
    closedInVain += result != 0 && errno == EBADF ? 1 : 0;
    return static_cast<int>(result);
}

namespace {

ConnectionOptions once()
{
    ConnectionOptions options;
    options.reconnect = false;
    return options;
}

Error failureOf(const Endpoint &endpoint, ConnectionOptions options = once())
{
    Connection connection(endpoint, options);
    return openAndWait(connection).value_or(Error{ ErrorCode::Cancelled, "it connected", {} });
}

bool says(const Error &error, const char *words) { return toString(error).find(words) != std::string::npos; }

} // namespace

class ConnectingTest : public QObject {
    Q_OBJECT

    RedisServer m_server{
        { .tls = true, .password = u"open sesame"_s, .users = { u"mon on >monpass ~* +get +ping"_s } }
    };
    RedisServer m_strict{ { .tls = true, .clientCertificates = true } };

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        QVERIFY(m_strict.start());
    }

    void reachesTheServer_data()
    {
        QTest::addColumn<Endpoint>("endpoint");
        Endpoint byName = m_server.tlsEndpoint();
        byName.host = "localhost";
        Endpoint named = m_server.tlsEndpoint();
        named.tls.serverName = "localhost";
        QTest::newRow("TCP") << m_server.endpoint();
        QTest::newRow("Unix socket") << m_server.socketEndpoint();
        QTest::newRow("TLS, by address") << m_server.tlsEndpoint();
        if (!QHostInfo::fromName(QStringLiteral("localhost")).addresses().isEmpty()) // a bare system has no /etc/hosts
            QTest::newRow("TLS, by name") << byName;
        QTest::newRow("TLS, with the certificate's name") << named;
    }
    void reachesTheServer()
    {
        QFETCH(Endpoint, endpoint);
        endpoint.database = 5;
        endpoint.clientName = "me";
        closedInVain = 0;
        Connection connection(endpoint, {});
        const auto failure = openAndWait(connection);
        QCOMPARE(closedInVain.load(), 0);
        QVERIFY2(!failure, failure ? toString(*failure).c_str() : "");
        QVERIFY(connection.serverInfo().atLeast(6, 0));
        QCOMPARE(connection.serverInfo().role, std::string("master"));
        const QByteArray clients = m_server.cli({ u"CLIENT"_s, u"LIST"_s });
        const QByteArray line = "id=" + QByteArray::number(qint64(connection.clientId())) + ' ';
        QVERIFY(clients.contains(line));
        const QByteArray own = clients.mid(clients.indexOf(line)).split('\n').first();
        QVERIFY2(own.contains(" name=me ") && own.contains(" db=5 "), own.constData());
    }

    void logsInAsARestrictedUser()
    {
        Endpoint endpoint = m_server.endpoint();
        endpoint.user = "mon";
        endpoint.password = "monpass";
        Connection connection(endpoint, {});
        QVERIFY(!openAndWait(connection));
        QVERIFY(ask(connection, { "GET", "k" })->isNil());
        const auto refused = ask(connection, { "HGETALL", "k" });
        QVERIFY(refused && refused->isError());
        QCOMPARE(lockcore::protocol::toError(*refused, {}).code, ErrorCode::PermissionDenied);
    }

    void saysWhyItCannotConnect_data()
    {
        QTest::addColumn<Endpoint>("endpoint");
        QTest::addColumn<ErrorCode>("code");
        const auto add = [](const char *name, Endpoint endpoint, ErrorCode code, auto change) {
            change(endpoint);
            QTest::newRow(name) << endpoint << code;
        };
        const Endpoint plain = m_server.endpoint();
        const Endpoint tls = m_server.tlsEndpoint();
        add("no server there", plain, ErrorCode::ConnectionRefused, [](Endpoint &e) { e.port = 1; });
        add("no such socket", m_server.socketEndpoint(), ErrorCode::ConnectionRefused,
            [](Endpoint &e) { e.socketPath += "x"; });
        add("wrong password", plain, ErrorCode::AuthenticationFailed, [](Endpoint &e) { e.password = "topsecret"; });
        add("no password", plain, ErrorCode::AuthenticationFailed, [](Endpoint &e) { e.password.clear(); });
        add("unknown user", plain, ErrorCode::AuthenticationFailed, [](Endpoint &e) { e.user = "nobody"; });
        add("no such database", plain, ErrorCode::ServerOther, [](Endpoint &e) { e.database = 99; });
        add("untrusted certificate", tls, ErrorCode::CertificateRejected, [](Endpoint &e) { e.tls.caFile.clear(); });
        add("certificate of another host", tls, ErrorCode::CertificateRejected,
            [](Endpoint &e) { e.tls.serverName = "other.example"; });
        add("TLS to a plain port", tls, ErrorCode::TlsFailed, [this](Endpoint &e) { e.port = m_server.port(); });
        add("plain to a TLS port", plain, ErrorCode::ConnectionClosed,
            [this](Endpoint &e) { e.port = m_server.tlsPort(); });
        add("missing CA file", tls, ErrorCode::FileFailed, [](Endpoint &e) { e.tls.caFile += "x"; });
        add("missing key file", tls, ErrorCode::FileFailed, [](Endpoint &e) { e.tls.keyFile = "/nowhere"; });
    }
    void saysWhyItCannotConnect()
    {
        QFETCH(Endpoint, endpoint);
        QFETCH(ErrorCode, code);
        const Error error = failureOf(endpoint);
        const auto said = QByteArray::fromStdString(toString(error));
        QVERIFY2(error.code == code, said.constData());
        QVERIFY2(said.contains(QByteArray::fromStdString(endpoint.display())), said.constData());
        QCOMPARE(said.contains("rediss://"), endpoint.port == m_server.tlsPort() && !endpoint.tls.enabled);
        QVERIFY(!said.contains("topsecret") && !said.contains("open sesame"));
    }

    void saysWithWhatItHasCheckedTheServer()
    {
        const QTemporaryDir folder;
        Endpoint endpoint = m_server.tlsEndpoint();
        endpoint.tls.caFile = makeCertificates(folder.path()).caFile.toStdString();
        QVERIFY(says(failureOf(endpoint), ("checked with the CA file " + endpoint.tls.caFile).c_str()));
        endpoint.tls.caFile.clear();
        QVERIFY(says(failureOf(endpoint), "no CA file was named"));
    }

    void showsItsCertificateToAServerThatWantsOne()
    {
        Connection connection(m_strict.tlsEndpoint(), once());
        const auto failure = openAndWait(connection);
        QVERIFY2(!failure, failure ? toString(*failure).c_str() : "");
        Endpoint without = m_strict.tlsEndpoint();
        without.tls.certificateFile.clear();
        without.tls.keyFile.clear();
        const Error error = failureOf(without);
        QVERIFY2(error.code == ErrorCode::ClientCertificateRejected, toString(error).c_str());
        QVERIFY2(says(error, "no certificate of this client was named"), toString(error).c_str());
    }

    void saysThatAnOldServerMayWantACertificate()
    {
        RedisServer server({ .tls = true, .clientCertificates = true, .config = { u"tls-protocols TLSv1.2"_s } });
        QVERIFY(server.start());
        Endpoint without = server.tlsEndpoint();
        without.tls.certificateFile.clear();
        without.tls.keyFile.clear();
        const Error error = failureOf(without);
        QVERIFY2(error.code == ErrorCode::TlsFailed, toString(error).c_str());
        QVERIFY2(says(error, "no certificate of this client was named"), toString(error).c_str());
        QVERIFY2(!says(error, "TLS port"), toString(error).c_str()); // it has spoken TLS
    }

    void saysWhatIsWrongWithItsCertificate_data()
    {
        QTest::addColumn<QString>("certificate"); // in the folder of others
        QTest::addColumn<QString>("key");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("of an authority that the server does not know")
            << u"client.crt"_s << u"client.key"_s << ErrorCode::ClientCertificateRejected
            << "about this client's certificate"_ba;
        QTest::newRow("the key is another one's") << u"client.crt"_s << u"server.key"_s << ErrorCode::InvalidArgument
                                                  << "does not belong to the certificate"_ba;
        QTest::newRow("both are too weak")
            << u"weak.crt"_s << u"weak.key"_s << ErrorCode::TlsFailed << "about this client's certificate in"_ba;
        QTest::newRow("the key is encrypted")
            << u"client.crt"_s << u"locked.key"_s << ErrorCode::NotSupported << "is encrypted"_ba;
        QTest::newRow("the key is none") << u"client.crt"_s << u"client.crt"_s << ErrorCode::FileFailed
                                         << "no private key"_ba;
        QTest::newRow("the certificate is none")
            << u"client.key"_s << u"client.key"_s << ErrorCode::FileFailed << "no certificate could be read"_ba;
    }
    void saysWhatIsWrongWithItsCertificate()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, key);
        QFETCH(ErrorCode, code);
        QFETCH(QByteArray, words);
        const QTemporaryDir folder;
        QVERIFY(!makeCertificates(folder.path()).clientKey.isEmpty());
        QCOMPARE(QProcess::execute(u"openssl"_s,
                     { u"pkey"_s, u"-in"_s, folder.filePath(u"client.key"_s), u"-aes128"_s, u"-passout"_s,
                         u"pass:secret"_s, u"-out"_s, folder.filePath(u"locked.key"_s) }),
            0);
        QCOMPARE(QProcess::execute(u"openssl"_s,
                     { u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:1024"_s, u"-nodes"_s, u"-subj"_s, u"/CN=weak"_s,
                         u"-keyout"_s, folder.filePath(u"weak.key"_s), u"-out"_s, folder.filePath(u"weak.crt"_s) }),
            0);
        Endpoint endpoint = m_strict.tlsEndpoint();
        endpoint.tls.certificateFile = folder.filePath(certificate).toStdString();
        endpoint.tls.keyFile = folder.filePath(key).toStdString();
        const Error error = failureOf(endpoint);
        QVERIFY2(error.code == code, toString(error).c_str());
        QVERIFY2(says(error, words.constData()), toString(error).c_str());
        QVERIFY2(!says(error, "TLS port"), toString(error).c_str());
    }

    void givesUpOnAPeerThatSaysNothing()
    {
        QTcpServer silent;
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        Endpoint endpoint;
        endpoint.port = silent.serverPort();
        ConnectionOptions options = once();
        options.connectTimeout = Millis(200);
        QCOMPARE(failureOf(endpoint, options).code, ErrorCode::ConnectTimeout);
        endpoint.tls.enabled = true;
        QCOMPARE(failureOf(endpoint, options).code, ErrorCode::TlsFailed);
    }

    void refusesAPeerThatIsNotRedis()
    {
        QTcpServer web;
        QVERIFY(web.listen(QHostAddress::LocalHost));
        connect(&web, &QTcpServer::newConnection, &web,
            [&web] { web.nextPendingConnection()->write("HTTP/1.1 400 Bad Request\r\n\r\n"); });
        Endpoint endpoint;
        endpoint.port = web.serverPort();
        QCOMPARE(failureOf(endpoint).code, ErrorCode::MalformedReply);
    }

    void pausesLongerAfterEachRefusal()
    {
        Endpoint endpoint = m_server.endpoint();
        endpoint.password = "wrong";
        ConnectionOptions options;
        options.backoff.first = Millis(100);
        Connection connection(endpoint, options);
        std::vector<qint64> at;
        QElapsedTimer clock;
        clock.start();
        connect(&connection, &Connection::lost, this, [&] { at.push_back(clock.elapsed()); });
        connection.open();
        QTRY_VERIFY_WITH_TIMEOUT(at.size() >= 4, 20'000);
        for (std::size_t i = 1; i < 4; ++i)
            QVERIFY(at[i] - at[i - 1] >= (50 << (i - 1)) - 5); // timers may be early by as much as 5 %
        connection.close();
    }
};

QTEST_GUILESS_MAIN(ConnectingTest)
#include "tst_connecting.moc"
