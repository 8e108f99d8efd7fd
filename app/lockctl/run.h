// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/play.h"
#include "app/lockctl/requests.h"
#include "ui/lab/play_record.h"

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

namespace lockctl {

/// Plays scenarios one after the other, and prints what became of each step: TAP, or a line of JSON each.
class Run : public QObject {
    Q_OBJECT
public:
    Run(std::vector<lockui::lab::Scenario> scenarios, const RunRequest &request, QObject *parent = nullptr);

    void start();
    void interrupt(); // ends in the middle; nothing is left behind

Q_SIGNALS:
    void finished(int status);

private:
    void playNext();
    void playEnded(bool allPassed);
    void tell(std::size_t step);
    void tellAsTap(std::size_t step);
    void tellAsJson(std::size_t step);
    void fail(const lockcore::Error &error);
    void keepForReport();
    void finish(int status);

    std::vector<lockui::lab::Scenario> m_scenarios;
    RunRequest m_request;
    std::size_t m_next = 0; // of the plays: each scenario as often as asked
    std::size_t m_tests = 0; // told so far
    std::size_t m_failures = 0;
    std::unique_ptr<app::Play> m_play;
    std::vector<lockui::lab::PlayRecord> m_played; // for the report alone
};

/// `lockctl run`, with its own event loop: no server of the person's is needed. The exit status.
int runScenarios(const RunRequest &request);

/// `lockctl scenarios`
int listScenarios(const ScenariosRequest &request);

} // namespace lockctl
