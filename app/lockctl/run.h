// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/play.h"
#include "app/lockctl/command.h"
#include "app/lockctl/requests.h"
#include "ui/lab/play_record.h"

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

namespace lockctl {

struct PlannedPlay {
    lockui::lab::Scenario scenario;
    QString whyNot; // it cannot be played here; empty: it can
};

/// Plays scenarios one after the other, and prints what became of each step when it has ended: TAP, or a line of JSON
/// each. The numbers of TAP go up in that order; what is at the same time may end in another than that of the scenario.
class Run : public QObject {
    Q_OBJECT
public:
    /// On private servers, unless there is a foreign one.
    Run(std::vector<PlannedPlay> plays, const RunRequest &request,
        std::optional<lockcore::transport::Deployment> foreign = {}, QObject *parent = nullptr);

    void start();
    void interrupt(); // ends in the middle; nothing is left behind

Q_SIGNALS:
    void finished(int status);

private:
    void playNext();
    void playEnded(bool allPassed);
    void skip(const PlannedPlay &play);
    void tell(std::size_t step); // where it has ended
    void tellAsTap(std::size_t step);
    void tellAsJson(std::size_t step);
    void fail(const lockcore::Error &error);
    void endPlay(const std::function<void()> &then); // once the server is clean, or cleaned without us
    void leaveCleanUp(); // it goes on by itself
    void keepForReport();
    void finish(int status);

    std::vector<PlannedPlay> m_plays;
    RunRequest m_request;
    std::optional<lockcore::transport::Deployment> m_foreign;
    std::size_t m_next = 0; // each of them as often as asked
    std::size_t m_tests = 0; // told so far
    std::size_t m_failures = 0;
    std::size_t m_leftOut = 0; // scenarios
    bool m_isSomethingLeft = false; // on a server of the person's
    bool m_isFinished = false;
    std::unique_ptr<app::CleanUpProcess> m_cleanUp; // null: there is nothing to clean up
    std::unique_ptr<app::Play> m_play; // null: none, or the clean-up of one is under way
    std::vector<lockui::lab::PlayRecord> m_played; // for the report alone
};

/// `lockctl --url URL --writable run`: on a server that is there.
class ForeignRun : public Command {
    Q_OBJECT
public:
    explicit ForeignRun(const RunRequest &request)
        : m_request(request)
    {
    }

    void start(const lockcore::transport::Deployment &deployment) override;
    void interrupt() override;

private:
    RunRequest m_request;
    std::unique_ptr<Run> m_run; // null: it could not begin
};

/// `lockctl run`, with its own event loop: no server of the person's is needed. The exit status.
int runScenarios(const RunRequest &request);

/// `lockctl scenarios`
int listScenarios(const ScenariosRequest &request);

} // namespace lockctl
