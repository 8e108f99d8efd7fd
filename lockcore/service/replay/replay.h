// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/wait_count.h"
#include "lockcore/recording/recording.h"

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore::service {

/// What is in a recording, by its time line.
struct ReplayOverview {
    WallTime first;
    WallTime last;
    WallTime wallAtLast; // what the wall clock said then: it may have been set meanwhile, which the line is not
    std::int64_t events = 0;
    std::vector<std::int64_t> density; // events in each of so many equal parts
    std::vector<recording::RecordedSpan> gaps; // of which nothing was seen
};

/// What there is of events before those that are told.
enum class EarlierEvents { None, TooMany, Damaged };

/// Where in a recording we are.
struct ReplayState {
    QString file;
    std::shared_ptr<const ReplayOverview> overview; // null: still being opened
    WallTime at; // on the time line
    WallTime wall; // what the wall clock said then
    double speed = 1;
    bool playing = false;
    bool hasNextEvent = false;
};

/// Plays a recording in the place of a server. What was seen at each moment is shown by the monitor that the replay
/// belongs to, marked by `SourceStatus::recordedAt`, and nothing can be done to it. Opening one closes what the monitor
/// had open; it ends when the monitor is opened or closed.
/// Units:  moments by the recording's time line.
/// Errors: by failed(): the file's, or what is damaged in it; by warned(): what is missing of it.
/// Thread: that of the object; signals come on it.
/// Source: none; the format is Lockscope's own.
class LOCKCORE_EXPORT Replay : public QObject {
    Q_OBJECT
public:
    /// Where a recording is shown.
    struct Stage {
        std::function<void()> entered; // what was shown before is to be closed
        std::function<void()> left;
        std::function<void(std::shared_ptr<const monitor::Snapshot>)> publish; // called on a thread of the replay
        std::function<void(monitor::EventList)> report;
    };

    explicit Replay(Stage stage, QObject *parent = nullptr);
    ~Replay() override;

    /// Looks whether that is a recording that can be shown, and leaves what is open as it is. Of several that are asked
    /// for in a row the last is answered, by checked().
    void check(const QString &file);
    void open(const QString &file);
    void close(); // what is shown stays until something else is
    std::optional<ReplayState> state() const; // absent: no recording is open

    void seek(WallTime moment);
    void seekNextEvent();
    void seekPreviousEvent();
    void play(double speed); // times as fast as it was; goes on from the beginning when it is at the end
    void pause();

Q_SIGNALS:
    void checked(const QString &file, const std::optional<lockcore::Error> &whyNot); // absent: it can be shown
    void changed();
    /// Another moment is shown. The events that follow led to it: all that there were from `since` on. How many waited
    /// is told from `countedSince` on, which is later where it would be too much to be read. Of events before `since`
    /// either there are none, or there would be too many, or they are damaged.
    void jumped(lockcore::WallTime since, lockcore::WallTime countedSince, lockcore::service::EarlierEvents earlier);
    /// The first moment after a gap at which all keys of a server, or without its name of all, had been looked at; the
    /// events that follow tell of that gap, and of what was seen to have changed by then.
    void lookedAtAll(lockcore::WallTime moment, const std::string &node);
    /// How many waited for locks without a queue, by time: after a jump as it was at its `countedSince`, and all
    /// changes from there on. Right before the events of the same time.
    void waitsCounted(const lockcore::monitor::WaitCountList &counts);
    /// It is shown, but something of it is missing: all that was found of that since the last time.
    void warned(const std::vector<lockcore::Error> &about);
    void failed(const lockcore::Error &error);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::service
