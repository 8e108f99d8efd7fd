// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QThread>

namespace testsupport {

/// Blocks, for what servers do among themselves.
template <typename Condition>
bool waitUntil(const Condition &condition, int limitMs = 30'000)
{
    QElapsedTimer elapsed;
    elapsed.start();
    while (!condition()) {
        if (elapsed.elapsed() > limitMs)
            return false;
        QThread::msleep(20);
    }
    return true;
}

} // namespace testsupport
