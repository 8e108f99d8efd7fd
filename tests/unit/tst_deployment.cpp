// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/deployment.h"

#include "tests/support/lock_user.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace std::string_literals;
using testsupport::LockUser;

namespace {

const LockTarget Target{ "job", Kind::Reentrant };

std::vector<std::string> servers(const Deployment &deployment)
{
    std::vector<std::string> texts;
    for (const Endpoint &seed : deployment.seeds)
        texts.push_back(seed.display());
    return texts;
}

} // namespace

class DeploymentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsOneServerAsParseUrlDoes()
    {
        for (const char *url : { "redis://u:p@h:7000/3", "rediss://h", "unix:///r.sock?db=1" }) {
            const auto deployment = parseDeployment(url);
            QVERIFY2(deployment, url);
            QCOMPARE(*deployment, Deployment(*parseUrl(url)));
            QCOMPARE(deployment->display(), parseUrl(url)->displayWithDatabase());
        }
    }

    void readsSentinels()
    {
        const auto deployment = parseDeployment("redis-sentinel://me:se%2Fcret@a,[::1]:5000,c/my%20master/2");
        QVERIFY(deployment);
        QCOMPARE(deployment->topology, Topology::Sentinel);
        QCOMPARE(servers(*deployment), (std::vector{ "a:26379"s, "[::1]:5000"s, "c:26379"s }));
        QCOMPARE(deployment->masterName, "my master"s);
        for (const Endpoint &seed : deployment->seeds) {
            QCOMPARE(seed.user, "me"s);
            QCOMPARE(seed.password, "se/cret"s);
            QCOMPARE(seed.database, 2);
            QVERIFY(!seed.tls.enabled);
        }
        QCOMPARE(deployment->display(), "redis-sentinel://a:26379,[::1]:5000,c:26379/my master/2"s);
    }

    void readsClustersAndNodes()
    {
        const auto cluster = parseDeployment("rediss-cluster://:secret@a:7000,b");
        QVERIFY(cluster);
        QCOMPARE(cluster->topology, Topology::Cluster);
        QCOMPARE(servers(*cluster), (std::vector{ "a:7000"s, "b:6379"s }));
        QVERIFY(cluster->seeds[1].tls.enabled);
        QCOMPARE(cluster->seeds[1].password, "secret"s);
        QCOMPARE(cluster->display(), "rediss-cluster://a:7000,b:6379"s);
        QVERIFY(!cluster->plainMessages);
        QVERIFY(!parseDeployment("redis-cluster://a?messages=sharded")->plainMessages);
        const auto plain = parseDeployment("redis-cluster://a:7000,b/0?messages=plain");
        QVERIFY(plain && plain->plainMessages);
        QCOMPARE(servers(*plain), (std::vector{ "a:7000"s, "b:6379"s }));

        const auto nodes = parseDeployment("redis-nodes://a,b,c/4");
        QVERIFY(nodes);
        QCOMPARE(nodes->topology, Topology::Nodes);
        QCOMPARE(servers(*nodes), (std::vector{ "a:6379"s, "b:6379"s, "c:6379"s }));
        QCOMPARE(nodes->seeds[2].database, 4);
        QCOMPARE(nodes->display(), "redis-nodes://a:6379,b:6379,c:6379/4"s);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<QByteArray>("hint");
        const auto add
            = [](const char *url, const char *hint) { QTest::newRow(url) << QByteArray(url) << QByteArray(hint); };
        add("redis-sentinel://a,b", "master");
        add("redis-sentinel://a/", "master");
        add("redis-sentinel://a//1", "master");
        add("redis-sentinel://a/m/x", "database");
        add("redis-sentinel://a/m/1/2", "database");
        add("redis-sentinel://a/%zz", "%25");
        add("redis-cluster://", "host");
        add("redis-cluster://a,,b", "host");
        add("redis-cluster://a,", "host");
        add("redis-cluster://a/1", "database 0");
        add("redis-cluster://a?messages=loud", "messages");
        add("redis-cluster://a?db=1", "messages");
        add("redis-nodes://a?messages=plain", "options");
        add("redis-cluster://a:7000,b:x", "port");
        add("redis-nodes://:topsecret@a,b:99999", "port");
        add("http-cluster://a", "unknown scheme");
        add("-cluster://a", "unknown scheme");
        add("redis-rings://a", "unknown scheme");
        add("redis-cluster", "no scheme");
    }
    void saysWhatIsWrong()
    {
        QFETCH(QByteArray, url);
        QFETCH(QByteArray, hint);
        const auto deployment = parseDeployment(url.toStdString());
        QVERIFY(!deployment);
        QCOMPARE(deployment.error().code, ErrorCode::InvalidArgument);
        const auto said = QByteArray::fromStdString(toString(deployment.error()));
        QVERIFY2(said.contains(hint), said.constData());
        QVERIFY2(!said.contains("topsecret"), said.constData());
        QVERIFY(!deployment.error().why.empty() && !deployment.error().tried.empty()); // in any language
    }

    void answersEveryRequestWithWhyThereIsNoLink_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<int>("code");
        QTest::newRow("independent nodes") << QByteArray("redis-nodes://a,b,c") << int(ErrorCode::NotSupported);
        QTest::newRow("no server") << QByteArray() << int(ErrorCode::InvalidArgument);
    }
    void answersEveryRequestWithWhyThereIsNoLink()
    {
        QFETCH(QByteArray, url);
        QFETCH(int, code);
        LockUser user(url.isEmpty() ? Deployment() : *parseDeployment(url.toStdString()));
        QVERIFY(!user.client->isReady());
        for (const auto wait : { std::optional<Millis>(), std::optional(Millis(0)), std::optional(Millis(60'000)) }) {
            const auto acquired = user.acquire({ Target, "1", {}, wait });
            QVERIFY(!acquired);
            QCOMPARE(int(acquired.error().code), code);
        }
        QCOMPARE(int(user.release(Target).error().code), code);
        QCOMPARE(int(user.renew(Target, "1", Millis(1'000)).error().code), code);
    }
};

QTEST_GUILESS_MAIN(DeploymentTest)
#include "tst_deployment.moc"
