// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_server.h"

using namespace Qt::StringLiterals;
using testsupport::RedisServer;

class RedisServerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void answersOnThePortThatItNames()
    {
        RedisServer server({ .password = u"p w"_s, .users = { u"mon on >m +ping"_s } });
        QVERIFY(server.start());
        QVERIFY(server.port() != 0 && server.port() != 6379);
        QCOMPARE(server.cli({ u"CONFIG"_s, u"GET"_s, u"port"_s }), "port\n" + QByteArray::number(server.port()));
        QVERIFY(server.cli({ u"ACL"_s, u"LIST"_s }).contains("user mon on"));
    }

    void comesBackEmptyOnTheSamePort()
    {
        RedisServer server;
        QVERIFY(server.start());
        const quint16 port = server.port();
        server.cli({ u"SET"_s, u"k"_s, u"v"_s });
        server.kill();
        QVERIFY(server.cli({ u"PING"_s }) != "PONG");
        QVERIFY(server.restart());
        QCOMPARE(server.port(), port);
        QCOMPARE(server.cli({ u"DBSIZE"_s }), "0");
    }

    void speaksTlsWithItsOwnAuthority()
    {
        RedisServer server({ .tls = true });
        QVERIFY(server.start());
        QProcess client;
        client.start(u"redis-cli"_s,
            { u"-p"_s, QString::number(server.tlsPort()), u"--tls"_s, u"--cacert"_s, server.certificates().caFile,
                u"PING"_s });
        QVERIFY(client.waitForFinished());
        QCOMPARE(client.readAllStandardOutput(), "PONG\n");
    }
};

QTEST_GUILESS_MAIN(RedisServerTest)
#include "tst_redis_server.moc"
