// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/free_play.h"
#include "ui/lab/play_record.h"

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace lockui::lab {

/// Plays one scenario. Destroyed in the middle it leaves no process, no server and no folder behind.
/// Errors: `failed` when the play cannot begin or go on: a server or a client does not start.
class Player : public QObject {
    Q_OBJECT
public:
    static constexpr double LowestSpeed = 0.25;
    static constexpr double HighestSpeed = 10;

    using QObject::QObject;

    virtual const PlayRecord &record() const = 0;
    virtual lockcore::Now now() const = 0; // on the clocks of its record

    virtual void start() = 0;

    /// Holds back the next step, and the pause before it. What has begun goes on: locks, leases and waits of clients
    /// are real, and know nothing of it.
    virtual void setPaused(bool paused) = 0;
    virtual void step() = 0; // while it is paused: the next step begins, after its own pause

    /// For pauses that the scenario marks as scalable; from now on.
    virtual void setSpeed(double speed) = 0;

    /// Of its private servers, once it has begun; they are gone with it.
    virtual lockcore::transport::Deployment deployment() const = 0;

Q_SIGNALS:
    void begun(); // servers, clients and monitor are ready
    void stepChanged(std::size_t step);
    void recordChanged(); // its events
    void finished(bool allPassed);
    void failed(const lockcore::Error &error);
};

/// A program without which nothing can be played.
enum class LabNeed { RedisServer, Lockctl };

/// What the window needs to play.
struct LabTools {
    std::function<std::unique_ptr<Player>(Scenario)> makePlayer; // empty: nothing is played here
    std::function<std::vector<LabNeed>()> missing; // on this computer, now
    std::function<std::unique_ptr<FreePlay>()> makeFreePlay = {}; // empty: there is none here
    QString ownScenarios{}; // a folder; empty: the usual one
};

} // namespace lockui::lab
