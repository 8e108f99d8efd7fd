// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/deployment.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::transport;

class EndpointTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsUrls_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<Endpoint>("expected");
        const auto add = [](const char *url, Endpoint expected) { QTest::newRow(url) << QByteArray(url) << expected; };
        const auto tcp = [](const char *host, std::uint16_t port, int database = 0) {
            Endpoint endpoint;
            endpoint.host = host;
            endpoint.port = port;
            endpoint.database = database;
            return endpoint;
        };
        const auto login = [](Endpoint endpoint, const char *user, const char *password) {
            endpoint.user = user;
            endpoint.password = password;
            return endpoint;
        };
        const auto local = [](const char *path, int database = 0) {
            Endpoint endpoint;
            endpoint.socketPath = path;
            endpoint.database = database;
            return endpoint;
        };
        Endpoint overTls = tcp("h", 6380);
        overTls.tls.enabled = true;
        add("redis://h", tcp("h", 6379));
        add("redis://h/", tcp("h", 6379));
        add("redis://h:1/15", tcp("h", 1, 15));
        add("redis://[::1]:7000/2", tcp("::1", 7000, 2));
        add("redis://[fe80::1]", tcp("fe80::1", 6379));
        add("redis://[fe80::1%25eth0]:7000", tcp("fe80::1%eth0", 7000));
        add("redis://redis_master", tcp("redis_master", 6379));
        add("redis://:%ff@h", login(tcp("h", 6379), "", "\xff"));
        add("rediss://h:6380", overTls);
        add("redis://:p@h", login(tcp("h", 6379), "", "p"));
        add("redis://u:p:q@h", login(tcp("h", 6379), "u", "p:q"));
        add("redis://u%40x:p%3A%2f%25@h", login(tcp("h", 6379), "u@x", "p:/%"));
        add("unix:///run/r.sock", local("/run/r.sock"));
        add("unix:///run/a%20b.sock?db=3", local("/run/a b.sock", 3));
        add("unix://u:p@/r.sock", login(local("/r.sock"), "u", "p"));
    }
    void readsUrls()
    {
        QFETCH(QByteArray, url);
        QFETCH(Endpoint, expected);
        const auto endpoint = parseUrl(url.toStdString());
        QVERIFY2(endpoint, endpoint ? "" : toString(endpoint.error()).c_str());
        QVERIFY(*endpoint == expected);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<QByteArray>("hint");
        const auto add = [](const char *url, const char *hint) {
            QTest::addRow("%s %s", url, hint) << QByteArray(url) << QByteArray(hint);
        };
        add("", "redis://");
        add("localhost:6379", "redis://");
        add("http://h", "rediss://");
        add("redis://", "host");
        add("redis://:6379", "host");
        add("redis://u:topsecret@:6379", "host");
        add("redis://:topsecret@h:x", "port");
        add("redis://u:topsecret", "port");
        add("redis://[::1]topsecret", "port");
        add("redis://a,b", "redis-cluster://");
        add("redis://a,b", "redis-nodes://");
        add("redis://h:", "port");
        add("http://h", "redis-sentinel://, redis-cluster:// or redis-nodes://");
        add("redis://h:0", "port");
        add("redis://h:65536", "port");
        add("redis://h:-1", "port");
        add("redis://h/x", "database");
        add("redis://h/-1", "database");
        add("redis://h/1/2", "database");
        add("redis://[::1", "]");
        add("redis://[::1]x", "]");
        add("redis://[::1]:", "port");
        add("redis://a b", "characters");
        add("redis://h/+x", "database");
        add("redis://u:topsecret%@h", "%25");
        add("redis://u:topsecret%zz@h", "%25");
        add("redis://u:topsecret/x@h", "%2F");
        add("redis://h?db=1", "?");
        add("unix://relative.sock", "absolute");
        add("unix://", "absolute");
        add("unix:///r.sock?x=1", "db");
        add("unix:///r.sock?db=x", "database");
    }
    void saysWhatIsWrong()
    {
        QFETCH(QByteArray, url);
        QFETCH(QByteArray, hint);
        const auto endpoint = parseUrl(url.toStdString());
        QVERIFY(!endpoint);
        QCOMPARE(endpoint.error().code, ErrorCode::InvalidArgument);
        const auto said = QByteArray::fromStdString(toString(endpoint.error()));
        QVERIFY2(said.contains(hint), said.constData());
        QVERIFY2(!said.contains("topsecret"), said.constData());
    }

    void displaysNoSecret()
    {
        QCOMPARE(parseUrl("redis://u:secret@h:1/2")->display(), std::string("h:1"));
        QCOMPARE(parseUrl("redis://:secret@[::1]")->display(), std::string("[::1]:6379"));
        QCOMPARE(parseUrl("unix://:secret@/r.sock?db=1")->display(), std::string("/r.sock"));
        QCOMPARE(parseUrl("redis://u:secret@h:1/2")->displayWithDatabase(), std::string("h:1/2"));
        QCOMPARE(parseUrl("unix://:secret@/r.sock?db=1")->displayWithDatabase(), std::string("/r.sock?db=1"));
        QCOMPARE(parseUrl("redis://h:1/0")->displayWithDatabase(), std::string("h:1"));
    }
};

QTEST_GUILESS_MAIN(EndpointTest)
#include "tst_endpoint.moc"
