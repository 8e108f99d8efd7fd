// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/painted_frames.h"

#include <QEvent>
#include <QThread>

#include <algorithm>
#include <ctime>
#include <utility>

namespace lockbench {

namespace {

double millisecondsOf(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

} // namespace

bool FrameWatcher::notify(QObject *receiver, QEvent *event)
{
    if (QThread::currentThread() != thread()) // others have their events from here, too
        return QApplication::notify(receiver, event);
    m_painted = m_painted || event->type() == QEvent::Paint;
    if (m_depth > 0)
        return QApplication::notify(receiver, event);
    const double began = millisecondsOf(CLOCK_MONOTONIC);
    const double beganBusy = millisecondsOf(CLOCK_THREAD_CPUTIME_ID);
    ++m_depth;
    const bool taken = QApplication::notify(receiver, event);
    --m_depth;
    m_passed += millisecondsOf(CLOCK_MONOTONIC) - began;
    const double busy = millisecondsOf(CLOCK_THREAD_CPUTIME_ID) - beganBusy;
    m_busy += busy;
    m_frames.longest = std::max(m_frames.longest, busy);
    if (std::exchange(m_painted, false)) {
        m_frames.milliseconds.push_back(std::exchange(m_passed, 0));
        m_frames.busy.push_back(std::exchange(m_busy, 0));
    }
    return taken;
}

void FrameWatcher::begin()
{
    m_frames = {};
    m_passed = m_busy = 0;
    m_painted = false;
}

} // namespace lockbench
