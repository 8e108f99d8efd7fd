// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_server.h"
#include "ui/support/theme.h"
#include "ui/views/locks_page.h"
#include "ui/views/main_window.h"
#include "ui/views/scrub_bar.h"
#include "ui/views/stale_banner.h"

#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace std::chrono_literals;
using testsupport::RedisServer;

namespace {

constexpr int Limit = 20'000;

struct EmptyBook : ConnectionBook {
    std::vector<ConnectionProfile> recent() const override { return {}; }
    void remember(const ConnectionProfile &) override { }
};

} // namespace

class TestRecordingWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("it"),
            QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"), QStringLiteral("1") });
        m_server.cli({ QStringLiteral("PEXPIRE"), QStringLiteral("it"), QStringLiteral("60000") });
        m_window.show();
    }

    void saysThatItRecords()
    {
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        m_window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        QVERIFY(recordButton().isVisible());
        m_monitor.startRecording(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        savePicture("recording");
        recordButton().click();
        QVERIFY(!m_monitor.recording());
        QCOMPARE(recordButton().text(), QStringLiteral("Record"));
    }

    void showsARecordingAndLetsNobodyAct()
    {
        m_window.openRecording(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        QVERIFY(!recordButton().isVisible());
        const auto *act = releaseButton();
        QVERIFY(act != nullptr && !act->isEnabled());
        QVERIFY(act->toolTip().contains(QStringLiteral("recording")));
        m_monitor.play(16);
        QTRY_VERIFY_WITH_TIMEOUT(m_monitor.replay()->at == m_monitor.replay()->overview->last, Limit);
        savePicture("replay");
        Q_EMIT page().clientSearchRequested(page().selectedLock()->holders.front().owner);
        const auto box = [this] { return m_window.findChild<QMessageBox *>(); };
        QVERIFY(box() != nullptr && box()->text().contains(QStringLiteral("recording")));
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(box() == nullptr, Limit);
        m_window.closeConnection();
        QVERIFY(!scrubBar().isVisible());
        QVERIFY(!m_monitor.replay());
    }

    void saysWhyARecordingCannotBeShown()
    {
        m_window.openRecording(m_folder.filePath(QStringLiteral("nothing")));
        const auto box = [this] { return m_window.findChild<QMessageBox *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(box() != nullptr, Limit);
        QVERIFY(box()->informativeText().contains(QStringLiteral("no such file")));
        m_window.closeConnection();
    }

private:
    LocksPage &page() { return *m_window.findChild<LocksPage *>(); }
    ScrubBar &scrubBar() { return *m_window.findChild<ScrubBar *>(); }
    QToolButton &recordButton()
    {
        for (auto *each : m_window.findChildren<QToolButton *>())
            if (each->accessibleName() == QStringLiteral("Record")
                || each->accessibleName().startsWith(QStringLiteral("Recording, ")))
                return *each;
        qFatal("there is no button to record");
    }
    QAbstractButton *releaseButton()
    {
        for (auto *each : m_window.findChildren<QAbstractButton *>())
            if (each->text().startsWith(QStringLiteral("Force release")))
                return each;
        return nullptr;
    }
    void savePicture(const char *name)
    {
        if (const QString folder = qEnvironmentVariable("PICTURES"); !folder.isEmpty())
            QVERIFY(m_window.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png")));
    }

    RedisServer m_server;
    QTemporaryDir m_folder;
    QString m_file = m_folder.filePath(QStringLiteral("it.lockrec"));
    QSettings m_settings{ m_folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat };
    EmptyBook m_book;
    Theme m_theme{ *qApp };
    MonitorService m_monitor{ MonitorOptions() };
    TestClients m_testClients;
    MainWindow m_window{ { m_monitor, m_testClients, m_theme, m_book, m_settings } };
};

QTEST_MAIN(TestRecordingWindow)
#include "tst_recording_window.moc"
