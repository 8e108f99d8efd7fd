// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/secret_store.h"
#include "app/common/signal_watch.h"
#include "app/demo/demo.h"
#include "app/lockscope/command_line.h"
#include "app/lockscope/picture_taker.h"
#include "app/lockscope/recent_connections.h"
#include "lockcore/service/monitor.h"
#include "ui/support/theme.h"
#include "ui/views/main_window.h"

#include <QObject>
#include <QSettings>
#include <memory>

class QApplication;

namespace app {

/// The objects of the program, built and connected here and nowhere else. Members end in the opposite order.
class Composition : public QObject {
    Q_OBJECT
public:
    Composition(QApplication &application, CommandLine commandLine);
    ~Composition() override;

    void start();

private:
    void restoreTheme();
    void openServer();
    void openDemo();
    void playScenario();
    void takePicture();
    void fail(const lockcore::Error &error);

    CommandLine m_commandLine;
    std::unique_ptr<Demo> m_demo;
    std::unique_ptr<QSettings> m_settings;
    SecretStore m_secrets;
    RecentConnections m_connections;
    lockui::Theme m_theme;
    lockcore::service::Monitor m_monitor;
    lockui::MainWindow m_window;
    std::unique_ptr<PictureTaker> m_pictureTaker;
    SignalWatch m_signals;
};

} // namespace app
