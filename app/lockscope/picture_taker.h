// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockscope/command_line.h"
#include "lockcore/service/monitor.h"

#include <QObject>
#include <QTimer>

class QWidget;

namespace app {

/// Waits until a server is shown live, then as long as was asked, and writes a picture of the window to a file.
class PictureTaker : public QObject {
    Q_OBJECT
public:
    PictureTaker(Picture picture, QWidget &window, lockcore::service::Monitor &monitor, QObject *parent = nullptr);

    void startAtOnce(); // there is no server to wait for; where it has started already: nothing

Q_SIGNALS:
    void taken();
    void failed(const lockcore::Error &error);

private:
    void look();
    void take();
    void write();

    Picture m_picture;
    QWidget &m_window;
    lockcore::service::Monitor &m_monitor;
    QTimer m_timer;
};

} // namespace app
