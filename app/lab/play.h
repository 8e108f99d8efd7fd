// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/client_process.h"
#include "app/lab/expectation_check.h"
#include "app/lab/lab_servers.h"
#include "app/lab/network_cut.h"
#include "lockcore/service/monitor.h"
#include "ui/lab/play_record.h"

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace app {

struct PlayOptions {
    QString clientProgram; // lockctl
    lockcore::Millis longestStep{ 60'000 }; // a step that has not ended by then has failed
};

/// Plays one scenario on private servers with clients in processes of their own, and checks each expectation. Steps
/// begin one after the other; a step that failed does not hold up the others, so that one sees all that differs.
/// Destroyed in the middle it leaves no process, no server and no folder behind.
/// Errors: `failed` when the play cannot begin or go on: a server or a client does not start.
class Play : public QObject {
    Q_OBJECT
public:
    Play(lockui::lab::Scenario scenario, PlayOptions options, QObject *parent = nullptr);
    ~Play() override;

    void start();

    const lockui::lab::PlayRecord &record() const { return m_record; }

Q_SIGNALS:
    void begun(); // servers, clients and monitor are ready
    void stepChanged(std::size_t step);
    void finished(bool allPassed);
    void failed(const lockcore::Error &error);

private:
    struct Client {
        std::unique_ptr<NetworkCut> network; // null: it cannot be cut
        std::unique_ptr<ClientProcess> process;
        bool isReady = false;
    };

    void openMonitor();
    void startClients();
    void clientReady(const std::string &name);
    void beginWhenReady();
    void advance();
    bool mayBegin(std::size_t step) const;
    void begin(std::size_t step);
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
    std::map<std::string, Client> m_clients; // after the servers: gone first
    std::map<lockcore::CommandId, std::size_t> m_commands; // of the administrator, by step
    std::map<std::size_t, std::unique_ptr<ExpectationCheck>> m_checks;
    std::map<std::size_t, std::unique_ptr<QTimer>> m_limits;
    std::map<std::string, std::size_t> m_starting; // clients that are started again, by the step that does it
    std::optional<std::size_t> m_startingServer; // the step that starts one again
    std::size_t m_next = 0; // the step to begin
    std::optional<lockcore::MonoTime> m_mayBeginSince; // that step, but for its pause
    QTimer m_pause;
    bool m_isOver = false;
};

} // namespace app
