// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <QObject>
#include <QTimer>
#include <chrono>

namespace app {

/// A time that passes once. It can be held meanwhile, and pass faster or slower.
class HeldTimer : public QObject {
    Q_OBJECT
public:
    explicit HeldTimer(QObject *parent = nullptr);

    void start(lockcore::Millis length, double speed = 1);
    void setSpeed(double speed);
    void setHeld(bool held);
    bool isOver() const; // it has passed, and is not held

Q_SIGNALS:
    void over();

private:
    using Left = std::chrono::duration<double, std::milli>;

    void go();
    void settle(); // what has passed until now
    void look();

    Left m_left{ 0 }; // at speed 1
    double m_speed = 1;
    bool m_isHeld = false;
    bool m_isTold = true; // that it has passed; also before it was started
    lockcore::MonoTime m_since; // so much was left then
    QTimer m_timer;
};

} // namespace app
