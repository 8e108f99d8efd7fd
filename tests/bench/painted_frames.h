// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

#include <vector>

namespace lockbench {

/// An application that knows what each painted frame has cost: all that its thread did since the frame before,
/// whichever events and timers asked for it, up to the end of the event in which widgets were painted.
class FrameWatcher : public QApplication {
public:
    using QApplication::QApplication;

    struct Frames {
        std::vector<double> milliseconds; // of the clock on the wall
        std::vector<double> busy; // milliseconds of the processor
        double longest = 0; // of all events and timers, painted or not: milliseconds of the processor
    };

    bool notify(QObject *receiver, QEvent *event) override;
    void begin(); // what was before does not count
    const Frames &frames() const { return m_frames; }

private:
    Frames m_frames;
    int m_depth = 0;
    bool m_painted = false;
    double m_passed = 0; // of the frame that is to come
    double m_busy = 0;
};

} // namespace lockbench
