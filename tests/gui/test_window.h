// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/notice_dialog.h"
#include "ui/support/theme.h"
#include "ui/views/locks_page.h"
#include "ui/views/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <utility>

namespace lockui::test {

struct EmptyStore : ConnectionStore {
    std::vector<ConnectionProfile> recent() const override { return {}; }
    void remember(const ConnectionProfile &, bool) override { ++remembered; }
    void forget(const ConnectionProfile &) override { }

    int remembered = 0;
};

/// A window and all that it needs, with files in a folder of its own.
struct TestWindow {
    explicit TestWindow(lockcore::service::MonitorOptions options = {})
        : TestWindow(lab::LabTools(), std::move(options))
    {
    }
    explicit TestWindow(lab::LabTools tools, lockcore::service::MonitorOptions options = {})
        : labTools(within(std::move(tools), folder))
        , monitor(audited(std::move(options), audit))
    {
    }

    QTemporaryDir folder;
    lab::LabTools labTools;
    QString audit = folder.filePath(QStringLiteral("audit.jsonl"));
    QSettings settings{ folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat };
    EmptyStore store;
    Theme theme{ *qApp };
    lockcore::service::Monitor monitor;
    MainWindow window{ { monitor, theme, store, settings, audit, labTools } };

    LocksPage &page() { return *window.findChild<LocksPage *>(); }

    void connectTo(const lockcore::transport::Deployment &servers, ConnectionProfile profile = {})
    {
        profile.deployment = servers;
        window.openConnection(profile);
    }
    /// As if to a server, for tests that give the window what it shows.
    void connectToNobody(ConnectionProfile profile = {})
    {
        connectTo(nobody(), std::move(profile));
        QObject::disconnect(&monitor, nullptr, &window, nullptr);
    }
    /// The button at the top that asks whether to write, once the server has answered; null: it has not in time.
    QAbstractButton *access()
    {
        for (auto *each : window.findChildren<QAbstractButton *>()) {
            const auto canAsk = [each] { return each->toolTip() == QStringLiteral("Switch to writable…"); };
            if (each->text().contains(QStringLiteral("read-only")) && QTest::qWaitFor(canAsk, 20'000))
                return each;
        }
        return nullptr;
    }
    void makeWritable()
    {
        auto *pill = access();
        QVERIFY(pill);
        pill->click();
        auto *dialog = window.findChild<WritableDialog *>();
        for (auto *word : dialog->findChildren<QLineEdit *>())
            word->setText(QStringLiteral("PROD"));
        dialog->accept();
    }
    /// Maximised, as it comes where the screen is small, the window would keep the size of the screen.
    void showAt(QSize size)
    {
        window.setWindowState(Qt::WindowNoState);
        window.resize(size);
        window.show();
    }

private:
    lockcore::transport::Deployment nobody() const
    {
        lockcore::transport::Endpoint server;
        server.socketPath = folder.filePath(QStringLiteral("nobody.sock")).toStdString();
        return server;
    }

    static lab::LabTools within(lab::LabTools tools, const QTemporaryDir &folder)
    {
        tools.ownScenarios = folder.filePath(QStringLiteral("scenarios"));
        return tools;
    }

    static lockcore::service::MonitorOptions audited(
        lockcore::service::MonitorOptions options, const QString &auditFile)
    {
        options.auditFile = auditFile;
        return options;
    }
};

} // namespace lockui::test
