// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockscope/recent_connections.h"
#include "tests/gui/find_widget.h"
#include "tests/support/redis_server.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/support/theme.h"
#include "ui/views/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>

using namespace lockcore::monitor;
using namespace lockui;
using namespace lockui::test;
using namespace Qt::StringLiterals;
using testsupport::RedisServer;

namespace {

constexpr int Limit = 20'000;

void type(QLineEdit &edit, const QString &text)
{
    edit.selectAll();
    edit.del();
    QTest::keyClicks(&edit, text);
}

/// The window with the settings that it has in the program.
struct Fixture {
    Fixture() { window.show(); }

    QTemporaryDir folder;
    QSettings settings{ folder.filePath(u"settings.ini"_s), QSettings::IniFormat };
    app::SecretStore secrets;
    app::RecentConnections store{ settings, secrets };
    Theme theme{ *qApp };
    lockcore::service::Monitor monitor{ {} };
    MainWindow window{ { monitor, theme, store, settings } };

    /// As it stands in the dialog.
    struct Form {
        ConnectionDialog &dialog;

        QLineEdit &field(const QString &name) { return *named<QLineEdit>(dialog, name); }
        QCheckBox &never() { return *dynamic_cast<QCheckBox *>(button(dialog, u"Never allow writing"_s)); }
        void accept()
        {
            QTest::mouseClick(button(dialog, u"Connect"_s), Qt::LeftButton);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    };

    Form typed(const QString &url)
    {
        window.askForConnection();
        Form form{ *window.findChild<ConnectionDialog *>() };
        type(form.field(u"URL"_s), url);
        return form;
    }
    bool isAt(SourcePhase phase) const { return monitor.latest() && monitor.latest()->status.phase == phase; }
    /// A server that is not there.
    QString nobody(int number) const { return u"unix://%1/nobody-%2.sock"_s.arg(folder.path()).arg(number); }
    QStringList names() const
    {
        QStringList names;
        for (const ConnectionProfile &each : store.recent())
            names << each.title();
        return names;
    }
};

} // namespace

class RecentConnectionsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"); // no keyring of the person who runs this
    }

    void whatAPersonHasNamedStaysAndWhatNeverAnsweredDoesNotCome()
    {
        Fixture f;
        auto production = f.typed(m_server.url());
        type(production.field(u"Name"_s), u"production"_s);
        QTest::keyClicks(named<QComboBox>(production.dialog, u"Environment"_s)->lineEdit(), u"PROD"_s);
        QTest::mouseClick(&production.never(), Qt::LeftButton, {}, { 8, production.never().height() / 2 });
        QVERIFY(production.never().isChecked());
        production.accept();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAt(SourcePhase::Live), Limit);
        for (int i = 0; i < 10; ++i) {
            auto other = f.typed(f.nobody(i));
            QCOMPARE(other.dialog.profile().name, QString());
            QVERIFY2(!other.never().isChecked(), "said of another server");
            other.accept();
            QTRY_VERIFY_WITH_TIMEOUT(f.isAt(SourcePhase::Failed), Limit);
        }
        QCOMPARE(f.names(), QStringList{ u"production"_s });

        auto again = f.typed(m_server.url());
        const ConnectionProfile known = again.dialog.profile();
        QCOMPARE(known.name, u"production"_s);
        QVERIFY(known.isProduction());
        QVERIFY(known.readOnlyLocked);
        again.accept();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAt(SourcePhase::Live), Limit);
        QCOMPARE(f.store.recent(), std::vector{ known });
    }

    void noTickSaysThatAPasswordIsRememberedWithoutAKeyring()
    {
        Fixture f;
        auto form = f.typed(m_server.url());
        auto *remember = button(form.dialog, u"Remember the password"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!remember->isEnabled(), Limit);
        QVERIFY(remember->toolTip().contains(u"until the program ends"_s));
        ConnectionProfile ticked = form.dialog.profile();
        ticked.name = u"shop"_s;
        ticked.rememberPassword = true; // when there was one
        form.dialog.setProfile(ticked);
        QVERIFY(!form.dialog.profile().rememberPassword);
    }

    void theTenNewestOfThoseWithoutANameStay()
    {
        Fixture f;
        auto named = f.typed(f.nobody(0));
        type(named.field(u"Name"_s), u"orders"_s);
        named.accept();
        QCOMPARE(f.names(), QStringList{ u"orders"_s }); // although nobody is there
        for (int database = 1; database <= 11; ++database) {
            f.typed(m_server.url() + u"/%1"_s.arg(database)).accept();
            QTRY_COMPARE_WITH_TIMEOUT(f.store.recent().front().deployment.seeds.front().database, database, Limit);
        }
        QCOMPARE(f.names().size(), 11);
        QCOMPARE(f.names().back(), u"orders"_s);
        QVERIFY2(f.names()[9].endsWith(u"/2"_s), qPrintable(f.names()[9]));
        f.settings.sync();
        QFile file(f.settings.fileName());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!file.readAll().contains("/1\n"), "it is gone, not only unseen");
    }

    void whatAnotherWindowHasSavedStays()
    {
        Fixture f;
        f.typed(m_server.url()).accept();
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 1, Limit);
        f.settings.sync();
        {
            QFile file(f.settings.fileName());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QByteArray text = file.readAll();
            text.replace("size=1", "size=2\n2\\name=orders\n2\\url=\"redis://10.0.0.5:7001\"");
            file.close();
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        }
        f.typed(m_server.url() + u"/3"_s).accept();
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 3, Limit);
        QVERIFY(f.names().contains(u"orders"_s));
    }

private:
    RedisServer m_server{ { .password = u"open sesame"_s } };
};

QTEST_MAIN(RecentConnectionsTest)
#include "tst_recent_connections.moc"
