// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/recording/player.h"
#include "lockcore/service/replay/replay.h"
#include "lockcore/service/replay/replay_figures.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

namespace lockcore::service {

/// A recording that is played: publishes what was seen at the moment it is at.
/// Thread: that of the object; so are the calls of the sink.
class ReplaySession : public QObject {
    Q_OBJECT
public:
    struct Sink {
        std::function<void(std::shared_ptr<const monitor::Snapshot>)> publish;
        std::function<void(monitor::EventList)> report;
        /// Before the events that led to another moment are reported, all since then.
        std::function<void(WallTime since)> jumped;
        std::function<void(const ReplayState &)> changed;
        std::function<void(const Error &)> warned; // it is shown all the same
        std::function<void(const Error &)> failed;
    };

    ReplaySession(const QString &file, Sink sink);

    void seek(MonoTime moment); // of many in a row the last
    void seekNextEvent();
    void seekPreviousEvent();
    void play(double speed);
    void pause();

private:
    void open(const QString &file);
    void seekTo(const Result<std::optional<MonoTime>> &moment);
    void jump();
    void advance();
    bool show(MonoTime moment, MonoTime eventsAfter);
    bool publish(MonoTime moment, const Result<std::vector<monitor::Event>> &events);
    std::vector<monitor::Event> gapsBetween(MonoTime after, MonoTime to) const;
    void setPlaying(bool playing);
    void fail(const Error &error);

    Sink m_sink;
    std::unique_ptr<recording::Player> m_player; // null: it could not be opened
    ReplayFigures m_figures;
    ReplayState m_state;
    MonoTime m_at;
    std::optional<MonoTime> m_wanted;
    QElapsedTimer m_sinceShown; // m_at; nothing is played while the computer sleeps
    QTimer m_jumpTimer;
    QTimer m_playTimer;
};

} // namespace lockcore::service
