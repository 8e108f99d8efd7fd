// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/recording/recording.h"

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore::service {

/// A recording that is being made.
struct RecordingState {
    QString file;
    recording::RecordingProgress progress;
};

/// Writes down all that a monitor sees from the start on, twice a second, on a thread that nothing else waits for. If
/// the file is a recording already, it is continued. It ends when it is stopped, when the monitor is closed, and by
/// itself when the file cannot be written: watching then goes on.
/// Units:  sizes in bytes.
/// Errors: by failed(): the file's and the disk's; what was written until then stays.
/// Thread: that of the object; signals come on it.
/// Source: none; the format is Lockscope's own.
class LOCKCORE_EXPORT Recorder : public QObject {
    Q_OBJECT
public:
    /// Has it called before another thread puts anything, and a snapshot put then that tells of all before; false:
    /// there is nothing that could be recorded.
    using Begin = std::function<bool(std::function<void()>)>;

    explicit Recorder(Begin begin, QObject *parent = nullptr);
    ~Recorder() override; // all is on disk

    void start(const QString &file, const recording::RecordingLimits &limits = {});
    void stop(); // all is on disk when it returns
    std::optional<RecordingState> state() const; // absent: nothing is recorded
    /// Of this program's own clients: recorded with what is seen from now on.
    void setKnownWaits(std::vector<monitor::KnownWait> waits, std::vector<monitor::KnownHold> holds);

    // For the monitor, from any thread: what it has seen.
    void put(std::shared_ptr<const monitor::Snapshot> snapshot);
    void put(monitor::EventList events, Now now);

Q_SIGNALS:
    void changed(); // about once a second while something is recorded
    void failed(const lockcore::Error &error); // it has ended

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::service
