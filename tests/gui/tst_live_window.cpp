// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/clock.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/charts/ttl_chart.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/client_dialog.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/who_is_that_dialog.h"
#include "ui/models/client_overview.h"
#include "ui/models/holder_model.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/views/banners.h"
#include "ui/views/data_table.h"
#include "ui/views/empty_state.h"
#include "ui/views/status_strip.h"
#include "ui/views/timeline_page.h"

#include <QActionGroup>
#include <QFile>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProcess>
#include <QScreen>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::transport;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::take;
using namespace Qt::StringLiterals;

namespace {

constexpr int Limit = 20'000;

struct Fixture : test::TestWindow {
    explicit Fixture(const Endpoint &endpoint, service::MonitorOptions options = {})
        : TestWindow(std::move(options))
    {
        open(endpoint);
        window.show();
    }

    void open(const Endpoint &endpoint)
    {
        ConnectionProfile profile;
        profile.deployment = endpoint;
        profile.environment = QStringLiteral("TEST");
        window.openConnection(profile);
    }

    QToolButton *environmentPill()
    {
        for (auto *each : window.findChildren<QToolButton *>())
            if (each->text().contains(u"read-only"_s) || each->text().contains(u"writable"_s))
                return each;
        return nullptr;
    }
    bool isStale() { return window.findChild<StaleBanner *>()->isVisible(); }
    int rows() { return page().locks().rowCount(); }
    QString cell(const QByteArray &lock, LockTableModel::Column column)
    {
        const int row = page().locks().rowOf(lock.toStdString());
        return row < 0 ? QString() : page().locks().index(row, column).data().toString();
    }
    QAbstractButton *button(QWidget &parent, const QString &part)
    {
        for (auto *widget : parent.findChildren<QAbstractButton *>())
            if (widget->text().remove(QLatin1Char('&')).contains(part))
                return widget;
        return nullptr;
    }
};

QJsonArray lockctlList(const RedisServer &server)
{
    QProcess lockctl;
    lockctl.start(QStringLiteral(LOCKCTL),
        { QStringLiteral("--url"), server.url(), QStringLiteral("--json"), QStringLiteral("ls") });
    lockctl.waitForFinished(Limit);
    return QJsonDocument::fromJson(lockctl.readAllStandardOutput()).array();
}

} // namespace

class LiveWindowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Whatever answers there one day may be another server than the one that was meant.
    void isMadeWritableOnceItsServerHasAnswered()
    {
        RedisServer server;
        QVERIFY(server.start());
        const Endpoint endpoint = server.endpoint();
        server.stop();
        Fixture f(endpoint);
        QToolButton *const pill = f.environmentPill();
        QVERIFY(pill->isVisible());
        const auto asksToWrite = [&] {
            test::click(test::middleOf(*pill));
            return f.window.findChild<WritableDialog *>() != nullptr;
        };
        QVERIFY(!asksToWrite());
        QVERIFY(pill->toolTip().contains(u"once its server answers"_s));
        QVERIFY(server.restart());
        QTRY_VERIFY_WITH_TIMEOUT(!pill->toolTip().contains(u"once its server answers"_s), Limit);
        QVERIFY(asksToWrite());
    }

    /// All but one answer: that is the connection that was worked with.
    void remembersServersOfWhichOneIsNotReached()
    {
        RedisServer one, other;
        QVERIFY(one.start() && other.start());
        transport::Deployment servers = one.endpoint();
        servers.topology = Topology::Nodes;
        servers.seeds.push_back(other.endpoint());
        other.stop();
        test::TestWindow f;
        f.connectTo(servers);
        QCOMPARE(f.store.remembered, 1);
        QTRY_COMPARE_WITH_TIMEOUT(f.store.remembered, 2, Limit); // reached
    }

    /// Green would say that the connection is as it should be.
    void aTestThatDoesNotReachAllServersWarns()
    {
        RedisServer one, other;
        QVERIFY(one.start() && other.start());
        ConnectionProfile profile;
        profile.deployment = one.endpoint();
        profile.deployment.topology = Topology::Nodes;
        profile.deployment.seeds.push_back(other.endpoint());
        ConnectionDialog dialog({});
        dialog.setProfile(profile);
        const auto &headline = *test::named<QLabel>(dialog, QStringLiteral("Result of the test"));
        const auto tone = [&] { return headline.property("tone").toString(); };
        const auto lines = [&] { return dialog.findChild<BulletList *>()->text(); };
        test::button(dialog, QStringLiteral("Test"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(tone(), QStringLiteral("good"), Limit);
        QVERIFY2(lines().startsWith(QStringLiteral("2 of 2 servers answer\n")), qPrintable(lines()));
        other.stop();
        test::button(dialog, QStringLiteral("Test"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(tone(), QStringLiteral("warning"), Limit);
        QVERIFY2(
            headline.text().startsWith(QStringLiteral("1 of 2 servers answer · Redis ")), qPrintable(headline.text()));
        const QString lost = QString::fromStdString(other.endpoint().display());
        QVERIFY2(
            lines().startsWith(BulletList::warning(lost + QStringLiteral(" does not answer: "))), qPrintable(lines()));
    }

    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    /// With the window as it is: nothing was typed into another field than the one for it.
    void asksForThePasswordThatTheServerWants()
    {
        RedisServer secured({ .password = QStringLiteral("open sesame") });
        QVERIFY(secured.start());
        Endpoint endpoint = secured.endpoint();
        endpoint.password.clear();
        Fixture f(endpoint);
        const auto enter = [&] { return f.button(f.window, QStringLiteral("Enter password…")); };
        QTRY_VERIFY_WITH_TIMEOUT(enter() && enter()->isVisible(), Limit);
        const auto asks = [&] { // what comes within a double click was aimed at what stood there before
            test::click(test::middleOf(*enter()));
            return f.window.findChild<ConnectionDialog *>() != nullptr;
        };
        QTRY_VERIFY(asks());
        auto &dialog = *f.window.findChild<ConnectionDialog *>();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QCOMPARE(dialog.focusWidget(), test::named<QLineEdit>(dialog, QStringLiteral("Password")));
        test::type(dialog, "open sesame");
        test::press(dialog, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(f.monitor.latest()->status.phase, lockcore::monitor::SourcePhase::Live, Limit);
    }

    /// By the keys alone, as the window has them after the dialog.
    void leadsFromAFailedLoginToThePassword()
    {
        RedisServer secured({ .password = QStringLiteral("open sesame") });
        QVERIFY(secured.start());
        Endpoint endpoint = secured.endpoint();
        endpoint.password.clear();
        test::TestWindow f;
        f.showAt({ 1'200, 760 });
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        const auto focused = [&] {
            const auto *button = qobject_cast<QPushButton *>(f.window.focusWidget());
            return button != nullptr && button->isVisible() ? button->text() : QString();
        };
        QCOMPARE(focused(), QStringLiteral("Connect…"));
        const auto dialog = [&] { return f.window.findChild<ConnectionDialog *>(); };
        test::press(f.window, Qt::Key_Return);
        QTRY_VERIFY(dialog());
        QVERIFY(QTest::qWaitForWindowActive(dialog()));
        test::type(*dialog(), connectionUrl(endpoint).toLatin1().constData());
        test::press(*dialog(), Qt::Key_Return);
        QTRY_VERIFY(!dialog());
        QTRY_COMPARE_WITH_TIMEOUT(focused(), QStringLiteral("Enter password…"), Limit);
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        const auto asksAgain = [&] {
            test::press(f.window, Qt::Key_Enter);
            return dialog() != nullptr;
        };
        QTRY_VERIFY(asksAgain());
        QVERIFY(QTest::qWaitForWindowActive(dialog()));
        QCOMPARE(dialog()->focusWidget(), test::named<QLineEdit>(*dialog(), QStringLiteral("Password")));
        test::type(*dialog(), "open sesame");
        test::press(*dialog(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(f.monitor.latest()->status.phase, lockcore::monitor::SourcePhase::Live, Limit);
    }

    void asksForThePasswordThatWasChangedMeanwhile()
    {
        RedisServer secured({ .users = { QStringLiteral("looker on >old ~* &* +@all") } });
        QVERIFY(secured.start());
        take(secured, QStringLiteral("order"), OwnerA, 60'000);
        Endpoint endpoint = secured.endpoint();
        endpoint.user = "looker";
        endpoint.password = "old";
        Fixture f(endpoint);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        secured.cli({ u"ACL"_s, u"SETUSER"_s, u"looker"_s, u"resetpass"_s, u">new"_s });
        secured.cli({ u"CLIENT"_s, u"KILL"_s, u"USER"_s, u"looker"_s });
        auto &banner = *f.window.findChild<StaleBanner *>();
        const auto enter = [&] { return f.button(banner, QStringLiteral("Enter password…")); };
        QTRY_VERIFY_WITH_TIMEOUT(enter() && enter()->isVisible(), Limit);
        enter()->setFocus(Qt::TabFocusReason);
        const auto asks = [&] { // once it has been there for a moment
            test::press(f.window, Qt::Key_Return);
            return f.window.findChild<ConnectionDialog *>() != nullptr;
        };
        QTRY_VERIFY(asks());
        auto &dialog = *f.window.findChild<ConnectionDialog *>();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QCOMPARE(dialog.focusWidget(), test::named<QLineEdit>(dialog, QStringLiteral("Password")));
        test::type(dialog, "new");
        test::press(dialog, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(f.monitor.latest()->status.phase, lockcore::monitor::SourcePhase::Live, Limit);
        QTRY_VERIFY(!banner.isVisible());
        f.window.activateWindow();
        QTRY_VERIFY(f.page().isAncestorOf(f.window.focusWidget())); // and no button that comes next to it
    }

    /// Sentinels have a login of their own.
    void saysWhosePasswordIsMissing()
    {
        RedisServer sentinel({ .sentinel = true, .password = QStringLiteral("of the sentinels") });
        QVERIFY(sentinel.start());
        Deployment deployment = sentinel.endpoint();
        deployment.topology = Topology::Sentinel;
        deployment.masterName = "locks";
        deployment.seeds.front().password.clear();
        Fixture f(sentinel.endpoint());
        ConnectionProfile profile;
        profile.deployment = deployment;
        f.window.openConnection(profile);
        auto *empty = f.page().findChild<EmptyState *>();
        QTRY_VERIFY2_WITH_TIMEOUT(empty->accessibleDescription().contains(QStringLiteral("The sentinels' own")),
            qPrintable(empty->accessibleDescription()), Limit);
        test::press(f.window, Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(f.window.findChild<ConnectionDialog *>());
        auto &dialog = *f.window.findChild<ConnectionDialog *>();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QCOMPARE(dialog.focusWidget(), test::named<QLineEdit>(dialog, QStringLiteral("their password")));
    }

    void saysOnEveryPageThatItCannotConnect()
    {
        Fixture f(m_server.endpoint());
        test::press(f.window, Qt::Key_6, Qt::ControlModifier);
        Endpoint nobody;
        nobody.socketPath = f.folder.filePath(QStringLiteral("nobody.sock")).toStdString();
        f.open(nobody);
        QTRY_VERIFY2_WITH_TIMEOUT(f.window.windowTitle().startsWith(QStringLiteral("Cannot connect · ")),
            qPrintable(f.window.windowTitle()), Limit);
        f.open(m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.windowTitle().contains(QStringLiteral("Cannot connect")), Limit);
    }

    /// What was typed for one server would hide locks of another.
    void theFilterIsOfTheServerThatItWasTypedFor()
    {
        take(m_server, QStringLiteral("order"), OwnerA, 60'000);
        RedisServer other;
        QVERIFY(other.start());
        take(other, QStringLiteral("stock"), OwnerB, 60'000);
        test::TestWindow f;
        f.showAt({ 1'200, 760 });
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        auto &filter = *test::named<QLineEdit>(f.window, QStringLiteral("Filter"));
        const auto connectTo = [&](const Endpoint &endpoint) {
            f.connectTo(endpoint);
            const auto isThere = [&] { return f.page().locks().rowCount() == 1; };
            QVERIFY(QTest::qWaitFor(isThere, Limit));
        };
        const auto write = [&] {
            test::press(f.window, Qt::Key_K, Qt::ControlModifier);
            test::type(f.window, "order");
        };
        write(); // for what comes
        connectTo(m_server.endpoint());
        QCOMPARE(filter.text(), QStringLiteral("order"));
        Endpoint asAnother = m_server.endpoint();
        asAnother.user = "default";
        asAnother.password = "any";
        connectTo(asAnother);
        QCOMPARE(filter.text(), QStringLiteral("order"));
        connectTo(other.endpoint());
        QCOMPARE(filter.text(), QString());
        f.window.closeConnection();
        write();
        connectTo(m_server.endpoint());
        QCOMPARE(filter.text(), QStringLiteral("order"));
    }

    void saysNothingOfTheFormerConnection()
    {
        take(m_server, QStringLiteral("early"), OwnerA, 30'000);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        test::press(f.window, Qt::Key_2, Qt::ControlModifier);
        const auto range
            = [&] { return test::saying<ElidedLabel>(*f.window.findChild<TimelinePage *>(), QStringLiteral(" – ")); };
        QTRY_VERIFY_WITH_TIMEOUT(range(), Limit);
        test::press(f.window, Qt::Key_4, Qt::ControlModifier);
        const auto since = [&] { return test::saying<ElidedLabel>(f.window, QStringLiteral("counted since")); };
        QTRY_VERIFY_WITH_TIMEOUT(since(), Limit);
        Endpoint nobody;
        nobody.socketPath = f.folder.filePath(QStringLiteral("nobody.sock")).toStdString();
        f.open(nobody);
        QTRY_COMPARE_WITH_TIMEOUT(f.monitor.latest()->status.phase, lockcore::monitor::SourcePhase::Failed, Limit);
        QVERIFY(!since());
        test::press(f.window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(!range());
        f.open(m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(range(), Limit);
        test::press(f.window, Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(since(), Limit);
    }

    void showsWhatTheServerHolds()
    {
        take(m_server, QStringLiteral("early"), OwnerA, 30'000);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QCOMPARE(f.cell("early", LockTableModel::HolderColumn), QStringLiteral("7f21aa09…:7"));
        QVERIFY(f.cell("early", LockTableModel::HeldFor).startsWith(QStringLiteral("≥ ")));
        take(m_server, QStringLiteral("late"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        QVERIFY(!f.cell("late", LockTableModel::HeldFor).startsWith(QStringLiteral("≥ ")));
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("late") });
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
    }

    void agreesWithLockctlAndRedisKeyForKey()
    {
        constexpr int Locks = 300;
        testsupport::Commands commands;
        testsupport::addLocks(commands, Locks);
        testsupport::addOthers(commands, 20'000);
        testsupport::BlockingClient(m_server.socketPath().toStdString()).runAll(commands);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), Locks, Limit);
        const QJsonArray listed = lockctlList(m_server);
        QCOMPARE(listed.size(), Locks);
        for (const auto value : listed) {
            const QByteArray name = value[u"name"].toString().toUtf8();
            const QJsonValue holder = value[u"holders"][0];
            QCOMPARE(f.cell(name, LockTableModel::HolderColumn),
                QString(holder[u"client"].toString().left(8) + u'…' + u':' + holder[u"thread"].toString()));
            const QString kind = value[u"kind"].toString();
            QVERIFY2(f.cell(name, LockTableModel::KindColumn).remove(u'/').startsWith(kind, Qt::CaseInsensitive),
                name.constData());
            const QByteArray queue = m_server.cli({ QStringLiteral("LLEN"),
                QStringLiteral("redisson_lock_queue:%1")
                    .arg(name.contains('{') ? QString::fromUtf8(name)
                                            : QString(u'{' + QString::fromUtf8(name) + u'}')) });
            QCOMPARE(value[u"waiters"].toArray().size(), queue.toInt());
            if (kind == u"fair")
                QCOMPARE(f.cell(name, LockTableModel::Waiting).toUtf8(), queue);
        }
    }

    void saysStaleWhenTheServerDiesAndComesBackByItself()
    {
        take(m_server, QStringLiteral("a"), OwnerA, 30'000);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        m_server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isStale(), Limit);
        QCOMPARE(f.rows(), 1); // what was true then, in grey
        const QString then = f.cell("a", LockTableModel::Ttl);
        QVERIFY(m_server.restart()); // empty
        QCOMPARE(f.isStale() ? f.cell("a", LockTableModel::Ttl) : then, then);
        QTRY_VERIFY_WITH_TIMEOUT(!f.isStale(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 0, Limit);
        take(m_server, QStringLiteral("b"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QVERIFY(!f.cell("b", LockTableModel::Name).isEmpty());
    }

    void letsAPersonChooseHowChangesAreHeard()
    {
        Fixture f(m_server.endpoint());
        auto &button = *f.window.findChild<FeedButton *>();
        QTRY_COMPARE_WITH_TIMEOUT(button.text(), QStringLiteral("feed: client tracking"), Limit);
        const auto choose
            = [&button](int number) { button.findChild<QActionGroup *>()->actions().at(number)->trigger(); };
        choose(3);
        QTRY_COMPARE_WITH_TIMEOUT(button.text(), QStringLiteral("feed: re-reading"), Limit);
        QVERIFY2(button.toolTip().contains(QStringLiteral("chosen by hand")), qPrintable(button.toolTip()));
        choose(0);
        QTRY_COMPARE_WITH_TIMEOUT(button.text(), QStringLiteral("feed: client tracking"), Limit);
        choose(3);
        QTRY_COMPARE_WITH_TIMEOUT(button.text(), QStringLiteral("feed: re-reading"), Limit);
        f.open(m_server.endpoint()); // another connection begins with the best
        QTRY_COMPARE_WITH_TIMEOUT(button.text(), QStringLiteral("feed: client tracking"), Limit);
        QVERIFY(button.findChild<QActionGroup *>()->actions().constFirst()->isChecked());
    }

    void saysThatTheFeedIsLimitedInAFlood()
    {
        take(m_server, QStringLiteral("order:1"), OwnerA, 600'000);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        auto &button = *f.window.findChild<FeedButton *>();
        testsupport::BlockingClient client(m_server.socketPath().toStdString());
        const auto write = [&client] {
            testsupport::Commands commands;
            for (int i = 0; i < 1'000; ++i)
                commands.push_back({ "SET", "session:" + std::to_string(i), "x" });
            client.runAll(commands);
        };
        const auto limited = QStringLiteral("feed: client tracking, limited");
        QTRY_COMPARE_WITH_TIMEOUT((write(), button.text()), limited, Limit);
        QVERIFY2(button.toolTip().contains(QStringLiteral("order:")), qPrintable(button.toolTip()));
    }

    void forceReleasesWhatWasSeen()
    {
        take(m_server, QStringLiteral("stuck"), OwnerA, 30'000);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        auto *release = f.button(f.window, QStringLiteral("Force release"));
        QVERIFY(!release->isEnabled());
        f.makeWritable();
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), Limit);
        release->click();
        auto *dialog = f.window.findChild<ForceReleaseDialog *>();
        QVERIFY(dialog);
        auto *confirm = f.button(*dialog, QStringLiteral("Force release"));
        QVERIFY(!confirm->isEnabled());
        for (auto *field : dialog->findChildren<QLineEdit *>())
            field->setText(QStringLiteral("the holder's machine is gone"));
        QTRY_VERIFY_WITH_TIMEOUT(confirm->isEnabled(), Limit);
        confirm->click();
        QTRY_COMPARE_WITH_TIMEOUT(
            m_server.cli({ QStringLiteral("EXISTS"), QStringLiteral("stuck") }), QByteArray("0"), Limit);
        QFile audit(f.audit);
        QVERIFY(audit.open(QIODevice::ReadOnly));
        QTRY_VERIFY_WITH_TIMEOUT((audit.seek(0), audit.readAll().count('\n') >= 2), Limit);
        audit.seek(0);
        QVERIFY(audit.readAll().contains("the holder's machine is gone"));
    }

    void doesNotReleaseWhenTheHolderChangesMeanwhile()
    {
        take(m_server, QStringLiteral("stuck"), OwnerA, 30'000);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        f.makeWritable();
        auto *release = f.button(f.window, QStringLiteral("Force release"));
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), Limit);
        release->click();
        auto *dialog = f.window.findChild<ForceReleaseDialog *>();
        for (auto *field : dialog->findChildren<QLineEdit *>())
            field->setText(QStringLiteral("why"));
        auto *confirm = f.button(*dialog, QStringLiteral("Force release"));
        QTRY_VERIFY_WITH_TIMEOUT(confirm->isEnabled(), Limit);
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("stuck") });
        take(m_server, QStringLiteral("stuck"), OwnerB, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(!confirm->isEnabled(), Limit);
        QCOMPARE(m_server.cli({ QStringLiteral("HEXISTS"), QStringLiteral("stuck"), OwnerB }), QByteArray("1"));
    }

    void tellsHowALockThatIsGoneEnded_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("told");
        QTest::newRow("released") << QStringLiteral("release") << QStringLiteral("released by 7f21aa09…:7, at ");
        QTest::newRow("expired") << QStringLiteral("wait") << QStringLiteral("expired while 7f21aa09…:7 held it, at ");
        QTest::newRow("deleted") << QStringLiteral("DEL") << QStringLiteral("while 7f21aa09…:7 held it, at ");
    }

    void tellsHowALockThatIsGoneEnded()
    {
        QFETCH(const QString, how);
        QFETCH(const QString, told);
        take(m_server, QStringLiteral("stock"), OwnerA, how == QStringLiteral("wait") ? 4'000 : 30'000);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        auto &table = *test::named<DataTable>(f.window, QStringLiteral("Locks"));
        QTRY_VERIFY_WITH_TIMEOUT(table.isVisible(), Limit);
        for (int i = 0; i < 2; ++i) { // of a client that leaves latches an end without one is no release
            take(m_server, QStringLiteral("other"), OwnerA, 30'000);
            QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
            testsupport::release(m_server, QStringLiteral("other"));
            QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        }
        test::click(test::cellOf(table, 0, 0));
        if (how == QStringLiteral("release"))
            testsupport::release(m_server, QStringLiteral("stock"));
        else if (how == QStringLiteral("DEL"))
            m_server.cli({ QStringLiteral("DEL"), QStringLiteral("stock") });
        const auto &detail = *f.window.findChild<DetailPanel *>();
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<ElidedLabel>(detail, told), Limit);
        const auto &holders = *test::named<DataTable>(detail, QStringLiteral("Holders"))->model();
        const auto shown = [&]() -> QString {
            return holders.index(0, HolderModel::HeldFor).data().toString() + u' '
                + holders.index(0, HolderModel::Ttl).data().toString();
        };
        const QString then = shown();
        const auto *chart = f.window.findChild<TtlChart *>();
        const MonoTime start = ViewClock::steadyNow();
        QTRY_VERIFY(ViewClock::steadyNow() > start + Millis(400));
        QCOMPARE(shown(), then);
        QVERIFY2(!chart->accessibleDescription().contains(QStringLiteral("late")),
            qPrintable(chart->accessibleDescription()));
        take(m_server, QStringLiteral("stock"), OwnerB, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(!test::saying<ElidedLabel>(detail, told), Limit);
    }

    /// The server stalls before it can be told anything.
    void cancelStopsWhatIsNotSent()
    {
        Fixture f(m_server.endpoint());
        auto *dialog = askToRelease(f);
        QVERIFY(dialog);
        pause(QStringLiteral("ALL"));
        QTest::mouseClick(f.button(*dialog, QStringLiteral("Force release")), Qt::LeftButton);
        QAbstractButton *cancel = f.button(*dialog, QStringLiteral("Cancel"));
        QVERIFY(cancel && cancel->isEnabled());
        QPointer<QDialog> open(dialog);
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!open || open->isHidden(), Limit);
        QCOMPARE(
            m_server.cli({ QStringLiteral("EXISTS"), QStringLiteral("stuck") }), QByteArray("1")); // after the pause
        QTRY_VERIFY_WITH_TIMEOUT(!f.isStale(), Limit);
        QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), QStringLiteral("stuck") }), QByteArray("1"));
        QFile audit(f.audit);
        QVERIFY(audit.open(QIODevice::ReadOnly));
        const QByteArray recorded = audit.readAll(); // that it was tried
        QVERIFY2(recorded.count('\n') == 2 && recorded.contains("\"unsent\":true"), recorded.constData());
    }

    /// The server stalls with what it is to do.
    void whatIsSentCannotBeCancelledAndIsToldOfLate()
    {
        Fixture f(m_server.endpoint());
        auto *dialog = askToRelease(f);
        QVERIFY(dialog);
        pause(QStringLiteral("WRITE"));
        QTest::mouseClick(f.button(*dialog, QStringLiteral("Force release")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(f.button(*dialog, QStringLiteral("Hide")), Limit);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(dialog->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isVisible(), Limit);
        QVERIFY(test::saying<QLabel>(*dialog, QStringLiteral("Released")));
        QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), QStringLiteral("stuck") }), QByteArray("0"));
    }

    void showsAllThatIsFoundOutAboutClients()
    {
        Fixture f(m_server.endpoint());
        auto place = m_server.endpoint();
        place.clientName = "billing-service-of-the-shop/pod-7c9f";
        testsupport::LockUser one(place);
        testsupport::LockUser two(place);
        QVERIFY(one.waitReady() && two.waitReady());
        ClientNames names(f.settings);
        WhoIsThatDialog dialog(m_server.endpoint(), one.client->id(), names);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        dialog.findChild<QSpinBox *>()->setValue(2);
        QTest::mouseClick(f.button(dialog, QStringLiteral("Listen now")), Qt::LeftButton);
        const auto isHeard = [this] {
            return m_server.cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).contains("cmd=monitor");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isHeard(), Limit);
        for (auto *user : { &one, &two })
            QVERIFY(user->tryLock({ "stock" }) && user->release({ "stock" }));
        auto &found = *dialog.findChild<QTableWidget *>();
        QTRY_COMPARE_WITH_TIMEOUT(found.rowCount(), 2, Limit);
        QCOMPARE(found.item(0, 0)->data(Qt::UserRole).toByteArray().toStdString(), one.client->id());
        for (const auto *user : { &one, &two }) { // with no lock that tells of it
            const QString alive = aliveText(user->client->id(), {}, names, { ViewClock::steadyNow() });
            QVERIFY2(alive.contains(QStringLiteral("heard a command with its id")), qPrintable(alive));
        }
        QVERIFY(aliveText(one.client->id(), {}, names, { ViewClock::steadyNow() + std::chrono::minutes(1) }).isEmpty());
        const ViewClock clock;
        ClientDialog all(one.client->id(), names, clock);
        all.setSnapshot(f.monitor.latest());
        all.show();
        QTRY_VERIFY(test::saying<QLabel>(all, QStringLiteral("heard a command with its id")));
        QVERIFY(found.item(0, 0)->isSelected() && !found.item(1, 0)->isSelected());
        QVERIFY(test::saying<QLabel>(dialog, QStringLiteral("(inferred).")));
        QTRY_VERIFY(found.viewport()->height() >= 2 * found.rowHeight(0));
        for (int column = 0; column < found.columnCount(); ++column)
            QVERIFY(found.columnWidth(column) >= static_cast<QAbstractItemView &>(found).sizeHintForColumn(column));
        const QRect room = dialog.screen()->availableGeometry();
        QTRY_VERIFY(room.bottom() >= dialog.frameGeometry().bottom() || dialog.frameGeometry().top() <= room.top());
        QVERIFY(found.viewport()->width() >= found.horizontalHeader()->length()
            || dialog.frameGeometry().width() >= dialog.screen()->availableSize().width());
    }

    /// Whatever a client calls its connection, and whatever a person was made to paste as its name.
    void staysOnTheScreenWithLongNamesOfClients()
    {
        Fixture f(m_server.endpoint());
        auto place = m_server.endpoint();
        place.clientName = std::string(300, 'n');
        testsupport::LockUser user(place);
        QVERIFY(user.waitReady());
        ClientNames names(f.settings);
        const QString called = QStringLiteral("billing\u202egnp.exe");
        names.setName(user.client->id(), called);
        WhoIsThatDialog dialog(m_server.endpoint(), user.client->id(), names);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const QRect room = dialog.screen()->availableGeometry();
        dialog.move(room.right() - dialog.frameGeometry().width(), room.top());
        dialog.findChild<QSpinBox *>()->setValue(2);
        QTest::mouseClick(f.button(dialog, QStringLiteral("Listen now")), Qt::LeftButton);
        const auto isHeard = [this] {
            return m_server.cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).contains("cmd=monitor");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isHeard(), Limit);
        QVERIFY(user.tryLock({ "stock" }) && user.release({ "stock" }));
        auto &found = *dialog.findChild<QTableWidget *>();
        QTRY_COMPARE_WITH_TIMEOUT(found.rowCount(), 1, Limit);
        QTRY_VERIFY(dialog.frameGeometry().right() <= room.right());
        QVERIFY(dialog.frameGeometry().left() >= room.left());
        QCOMPARE(found.item(0, 2)->text(), QStringLiteral("billing\\u{202e}gnp.exe"));
        QTest::mouseClick(f.button(dialog, QStringLiteral("Keep the names")), Qt::LeftButton);
        QCOMPARE(names.nameOf(user.client->id()), called); // what was not touched
    }

    void saysThatTheClientWasNotHeard()
    {
        Fixture f(m_server.endpoint());
        ClientNames names(f.settings);
        WhoIsThatDialog dialog(m_server.endpoint(), "nobody", names);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        dialog.findChild<QSpinBox *>()->setValue(1);
        QTest::mouseClick(f.button(dialog, QStringLiteral("Listen now")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<QLabel>(dialog, QStringLiteral("Client nobody was not heard")), Limit);
    }

    /// Whoever records looks later.
    void sweepsLessOftenWhileNobodyLooks()
    {
        service::MonitorOptions options;
        options.sweepEvery = Millis(1'000);
        Fixture f(m_server.endpoint(), options);
        const auto sweptAt = [&] {
            const auto &sweep = f.monitor.latest()->status.lastSweep;
            return sweep ? sweep->finishedAt : MonoTime();
        };
        const auto isLongAgo = [&] { return sweptAt() != MonoTime() && monoNow() - sweptAt() > Millis(2'500); };
        f.window.hide();
        QTRY_VERIFY_WITH_TIMEOUT(isLongAgo(), Limit);
        f.window.show();
        QTRY_VERIFY_WITH_TIMEOUT(!isLongAgo(), Limit);

        f.monitor.recorder().start(f.folder.filePath(QStringLiteral("night.lockrec")));
        f.window.hide();
        const auto hiddenAt = monoNow();
        QTRY_VERIFY_WITH_TIMEOUT(sweptAt() > hiddenAt + Millis(2'500), Limit);
        const auto first = sweptAt();
        QTRY_VERIFY_WITH_TIMEOUT(sweptAt() > first, Limit);
        QVERIFY2(sweptAt() - first < Millis(3'500), "a pause of four seconds");
    }

    void saysWhyItCannotConnect()
    {
        Endpoint nowhere;
        nowhere.socketPath = "/nonexistent/redis.sock";
        Fixture f(nowhere);
        auto *empty = f.page().findChild<EmptyState *>();
        QTRY_VERIFY_WITH_TIMEOUT(empty->accessibleName().contains(QStringLiteral("/nonexistent/redis.sock")), Limit);
        QVERIFY(!empty->accessibleDescription().isEmpty());
        QVERIFY(empty->isVisible());
    }

private:
    /// A reason is given already.
    ForceReleaseDialog *askToRelease(Fixture &f)
    {
        take(m_server, QStringLiteral("stuck"), OwnerA, 60'000);
        f.makeWritable();
        auto *release = f.button(f.window, QStringLiteral("Force release"));
        if (!QTest::qWaitFor([&] { return f.rows() == 1 && release->isEnabled(); }, Limit))
            return nullptr;
        QTest::mouseClick(release, Qt::LeftButton);
        auto *dialog = f.window.findChild<ForceReleaseDialog *>();
        if (!dialog || !QTest::qWaitForWindowExposed(dialog))
            return nullptr;
        QTest::keyClicks(test::named<QLineEdit>(*dialog, QStringLiteral("Reason, for the audit log")),
            QStringLiteral("its machine is gone"));
        auto *confirm = f.button(*dialog, QStringLiteral("Force release"));
        return QTest::qWaitFor([&] { return confirm->isEnabled(); }, Limit) ? dialog : nullptr;
    }
    void pause(const QString &what) const
    {
        m_server.cli({ QStringLiteral("CLIENT"), QStringLiteral("PAUSE"), QStringLiteral("1500"), what });
    }

    RedisServer m_server;
};

QTEST_MAIN(LiveWindowTest)
#include "tst_live_window.moc"
