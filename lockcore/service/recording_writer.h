// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/recording/recorder.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

namespace lockcore {

/// Writes what comes into a queue to a file, twice a second, on a thread that nothing else waits for.
/// Thread: that of the object; so are the calls of the sink.
class RecordingWriter : public QObject {
    Q_OBJECT
public:
    struct Sink {
        std::function<void(const RecordingProgress &)> progress;
        std::function<void(const Error &)> failed; // nothing more is written
    };

    RecordingWriter(
        const QString &file, const RecordingLimits &limits, std::shared_ptr<RecordingQueue> queue, Sink sink);
    ~RecordingWriter() override; // writes what is left

private:
    bool write();
    bool writeContent(const RecordingQueue::Content &content, Now now);

    std::shared_ptr<RecordingQueue> m_queue;
    Sink m_sink;
    std::unique_ptr<Recorder> m_recorder; // null: it failed
    QTimer m_timer;
};

} // namespace lockcore
