// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace app {

/// SIGINT, SIGTERM and SIGHUP as a Qt signal. A second one ends the process at once, as usual.
/// One at a time: signals belong to the process.
class SignalWatch : public QObject {
    Q_OBJECT
public:
    explicit SignalWatch(QObject *parent = nullptr);
    ~SignalWatch() override;

    static const char *nameOfLast(); // `SIGTERM`

Q_SIGNALS:
    void interrupted();

private:
    int m_pipe[2];
};

} // namespace app
