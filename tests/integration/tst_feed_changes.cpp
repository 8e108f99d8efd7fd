// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/feeds/notification_feed.h"
#include "lockcore/service/feeds/tracking_feed.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/redis_server.h"

#include <QTest>
#include <atomic>
#include <set>
#include <thread>

using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::transport;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;
constexpr int Changes = 60;
constexpr std::size_t FarAhead = 1'000;

/// Writes one key after the other, not far ahead of whoever hears of them.
class Writer {
public:
    Writer(const RedisServer &server, const std::atomic_size_t &heard)
        : m_thread([this, &heard, path = server.socketPath().toStdString()] {
            BlockingClient client(path);
            while (!m_ended) {
                if (m_written > heard + FarAhead)
                    std::this_thread::sleep_for(std::chrono::milliseconds{ 1 });
                else
                    client.run({ "SET", "order:" + std::to_string(m_written++), "x" });
            }
        })
    {
    }
    ~Writer() { end(); }

    std::size_t end()
    {
        m_ended = true;
        if (m_thread.joinable())
            m_thread.join();
        return m_written;
    }

private:
    std::atomic_size_t m_written = 0;
    std::atomic_bool m_ended = false;
    std::thread m_thread;
};

/// Both connections, and the keys that a feed told of.
template <typename Feed>
struct Heard {
    explicit Heard(const RedisServer &server)
        : Heard(server.endpoint(), server.endpoint())
    {
    }
    Heard(const Endpoint &asking, const Endpoint &listening)
        : commands(asking, {})
        , subscriber(listening, {})
    {
        QObject::connect(&feed, &Feed::keysChanged, &feed, [this](const std::vector<std::string> &changed) {
            for (const auto &key : changed) {
                if (key.starts_with("order:"))
                    keys.insert(key);
            }
            count = keys.size();
        });
        commands.open();
        subscriber.open();
    }

    bool isReady() const
    {
        return commands.state() == Connection::State::Ready
            && subscriber.connection().state() == Connection::State::Ready;
    }
    bool begin(const Prefixes &prefixes)
    {
        std::optional<bool> good;
        const auto started = [&good](const std::optional<FeedDetour> &obstacle) { good = !obstacle; };
        feed.start(prefixes, true, started);
        return QTest::qWaitFor([&good] { return good.has_value(); }, Limit) && *good;
    }

    Connection commands;
    Subscriber subscriber;
    MissingRights rights{ "default" };
    Feed feed{ commands, subscriber, rights };
    std::set<std::string> keys;
    std::atomic_size_t count = 0; // of them
};

} // namespace

class TestFeedChanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        RedisServerOptions options;
        options.config = { QStringLiteral("notify-keyspace-events KA") };
        m_server = std::make_unique<RedisServer>(options);
        QVERIFY(m_server->start());
    }

    void trackingMissesNothingWhenItsPrefixesChange() { missesNothing<TrackingFeed>(); }
    void notificationsMissNothingWhenTheirPrefixesChange() { missesNothing<NotificationFeed>(); }

    void trackingLeavesNothingBehind()
    {
        {
            Heard<TrackingFeed> heard(*m_server);
            QTRY_VERIFY_WITH_TIMEOUT(heard.isReady(), Limit);
            for (int i = 0; i < 3; ++i)
                QVERIFY(heard.begin({ "order" + std::to_string(i) }));
            QTRY_COMPARE_WITH_TIMEOUT(trackingClients(), 1, Limit);
            heard.feed.stop();
            QTRY_COMPARE_WITH_TIMEOUT(trackingClients(), 0, Limit);
        }
    }

    void tracksAfreshWhereNoConnectionIsLeftToTakeOver()
    {
        Heard<TrackingFeed> heard(*m_server);
        QTRY_VERIFY_WITH_TIMEOUT(heard.isReady(), Limit);
        QVERIFY(heard.begin({}));
        BlockingClient other(m_server->socketPath().toStdString());
        other.run({ "CONFIG", "SET", "maxclients", "3" });
        const bool begun = heard.begin({ "order:" });
        other.run({ "CONFIG", "SET", "maxclients", "1000" });
        QVERIFY(begun);
        QVERIFY(!heard.feed.tookOver(heard.feed));
        other.run({ "SET", "order:late", "x" });
        QTRY_VERIFY_WITH_TIMEOUT(heard.keys.contains("order:late"), Limit);
    }

    void saysWhenTheConnectionThatTookOverIsCut()
    {
        Heard<TrackingFeed> heard(*m_server);
        QTRY_VERIFY_WITH_TIMEOUT(heard.isReady(), Limit);
        bool broken = false;
        QObject::connect(&heard.feed, &TrackingFeed::broken, &heard.feed, [&broken] { broken = true; });
        QVERIFY(heard.begin({}));
        QVERIFY(heard.begin({ "order:" }));
        QVERIFY(!broken);
        const auto lines = m_server->cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).split('\n');
        for (const auto &line : lines) {
            const auto flags = line.indexOf(" flags=");
            const auto id = QString::fromLatin1(line.mid(3, line.indexOf(' ') - 3));
            if (flags > 0 && line.mid(flags, line.indexOf(" db=") - flags).contains('t'))
                m_server->cli({ QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("ID"), id });
        }
        QTRY_VERIFY_WITH_TIMEOUT(broken, Limit);
    }

    void noticesThatTheServerEndedTheConnectionItRedirectsTo()
    {
        LossyProxy proxy(m_server->port());
        proxy.hideEnds();
        auto listening = m_server->endpoint();
        listening.port = proxy.port();
        Heard<TrackingFeed> heard(m_server->endpoint(), listening);
        QTRY_VERIFY_WITH_TIMEOUT(heard.isReady(), Limit);
        bool broken = false;
        QObject::connect(&heard.feed, &TrackingFeed::broken, &heard.feed, [&broken] { broken = true; });
        bool lost = false;
        QObject::connect(&heard.subscriber, &Subscriber::lost, &heard.feed, [&lost] { lost = true; });
        QVERIFY(heard.begin({}));
        const auto id = QString::number(heard.subscriber.connection().clientId());
        m_server->cli({ QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("ID"), id });
        m_server->cli(
            { QStringLiteral("SET"), QStringLiteral("order:lost"), QStringLiteral("x") }); // only now it knows
        QTRY_VERIFY_WITH_TIMEOUT(broken || lost, Limit);
        QVERIFY(broken && !lost); // nothing else tells
    }

private:
    template <typename Feed>
    void missesNothing()
    {
        Heard<Feed> heard(*m_server);
        QTRY_VERIFY_WITH_TIMEOUT(heard.isReady(), Limit);
        QVERIFY(heard.begin({}));
        Writer writer(*m_server, heard.count);
        for (int i = 0; i < Changes; ++i) {
            QVERIFY(heard.begin(i % 2 == 0 ? Prefixes{ "order", "redisson_" } : Prefixes{}));
            QVERIFY(heard.feed.tookOver(heard.feed));
        }
        const auto written = writer.end();
        QVERIFY(written > Changes);
        QTRY_COMPARE_WITH_TIMEOUT(heard.keys.size(), written, Limit);
    }

    int trackingClients()
    {
        const auto info = m_server->cli({ QStringLiteral("INFO"), QStringLiteral("clients") });
        const auto at = info.indexOf("tracking_clients:");
        return info.mid(at + 17, info.indexOf('\n', at) - at - 17).trimmed().toInt();
    }

    std::unique_ptr<RedisServer> m_server;
};

QTEST_GUILESS_MAIN(TestFeedChanges)
#include "tst_feed_changes.moc"
