// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/client_process.h"
#include "app/lab/expectation_check.h"
#include "app/lab/foreign_server.h"
#include "app/lab/held_timer.h"
#include "app/lab/lab_servers.h"
#include "app/lab/network_cut.h"
#include "app/lab/redisson.h"
#include "lockcore/service/monitor.h"
#include "ui/lab/player.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace app {

struct PlayOptions {
    QString clientProgram; // lockctl
    QStringList redisson = redissonPlaces();
    std::optional<ForeignServer> foreign = {}; // absent: on private ones
    CleanUpProcess *cleanUp = nullptr; // of the foreign one; it outlives the play
    lockcore::Millis longestStep{ 60'000 }; // beyond what a step says that it may last: later it has failed
};

/// Plays a scenario on private servers, or on one of the person's, with clients in processes of their own, and checks
/// each expectation. Steps begin one after the other; a step that failed does not hold up the others, so that one sees
/// all that differs. Destroyed in the middle it leaves nothing behind, but for the keys on a server that was there
/// before: these are left to a clean-up, which the play only makes ready.
class Play : public lockui::lab::Player {
    Q_OBJECT
public:
    Play(lockui::lab::Scenario scenario, PlayOptions options, QObject *parent = nullptr);
    ~Play() override;

    const lockui::lab::PlayRecord &record() const override { return m_record; }
    lockcore::Now now() const override;
    void start() override;
    void setPaused(bool paused) override;
    void step() override;
    void setSpeed(double speed) override;
    lockcore::transport::Deployment deployment() const override;

private:
    struct Client {
        std::unique_ptr<NetworkCut> network; // null: it cannot be cut
        std::unique_ptr<ClientProcess> process;
        bool isReady = false;
    };

    void openMonitor();
    void take(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot);
    void startClients();
    std::unique_ptr<ClientProcess> makeProcess(const lockui::lab::ScenarioClient &client, const NetworkCut *network);
    std::unique_ptr<ClientProcess> makeRedisson(const lockui::lab::ScenarioClient &client, const NetworkCut *network);
    void clientReady(const std::string &name);
    void beginWhenReady();
    void advance();
    bool mayBegin(std::size_t step) const;
    bool pauseIsOver(); // before the step to begin
    void holdBack();
    void begin(std::size_t step);
    lockcore::Millis limitOf(std::size_t step) const;
    void carryOut(std::size_t step);
    void order(std::size_t step);
    void forceRelease(std::size_t step);
    void actOnServer(std::size_t step);
    void done(std::size_t step);
    void answered(std::size_t step, const ClientAnswer &answer);
    void checkAnswer(std::size_t step);
    void checkOrder(std::size_t step);
    void checkWorld(std::size_t step);
    void end(std::size_t step);
    void tooLong(std::size_t step);
    void finishWhenOver();
    std::size_t indexOf(const std::string &id) const;
    bool hasEnded(std::size_t step) const;

    const lockui::lab::Step &stepAt(std::size_t step) const { return m_record.scenario.steps[step]; }

    lockui::lab::PlayRecord m_record;
    PlayOptions m_options;
    LabServers m_servers;
    LabWorld m_world;
    std::unique_ptr<lockcore::service::Monitor> m_monitor;
    std::unique_ptr<RedissonSource> m_redissonSource; // null: no client is a Redisson
    std::map<std::string, Client> m_clients; // after the servers: gone first
    std::map<lockcore::CommandId, std::size_t> m_commands; // of the administrator, by step
    std::set<std::size_t> m_retried; // steps that ended with an error once, and were begun again
    std::map<std::size_t, std::unique_ptr<ExpectationCheck>> m_checks;
    std::map<std::size_t, std::unique_ptr<HeldTimer>> m_limits;
    std::map<std::string, std::size_t> m_starting; // clients that are started again, by the step that does it
    std::size_t m_next = 0; // the step to begin
    HeldTimer m_pause; // before it
    bool m_isPausing = false; // that has begun: but for it, the step may begin
    double m_speed = 1;
    bool m_isStepping = false; // one step may begin all the same
    bool m_isOver = false;
};

} // namespace app
