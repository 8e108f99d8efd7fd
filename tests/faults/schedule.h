// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/crowd.h"
#include "tests/faults/judge.h"
#include "tests/faults/ledger.h"
#include "tests/faults/plan.h"
#include "tests/faults/servers.h"

#include <QProcess>
#include <QTemporaryDir>
#include <memory>
#include <string>
#include <vector>

namespace faults {

/// One seed from the first server to the verdict: faults for a while, then standstill, then the end.
/// Time is counted in ticks of the event loop where nothing may go wrong for want of it: a process that gets no time
/// does not run out of patience.
class Schedule : public QObject {
    Q_OBJECT
public:
    explicit Schedule(Plan plan);
    ~Schedule() override;

    bool startServers();
    /// Once they run: runs the event loop to the end. Empty: nothing was wrong.
    std::vector<std::string> run();
    const Ledger &ledger() const { return m_ledger; }

private:
    struct Client {
        std::unique_ptr<Crowd> crowd;
        std::unique_ptr<QProcess> process;
        QByteArray partOfLine;
        bool isStopped = false;
        bool isEnding = false;
    };
    void startClient(int number);
    void startProcess(int number);
    void readProcess(int number);
    void tellAll(const char *word);
    void apply(const Fault &fault);
    void end(int number, FaultKind how);
    void judgeClosed();
    void stopClient(Client &client, Millis time);
    void heal();
    template <typename Look>
    bool waitFor(const char *what, int limitTicks, Look look);
    bool isOver() const { return m_hasFailed; }

    const Plan m_plan;
    Ledger m_ledger;
    Servers m_servers;
    Judge m_judge;
    std::vector<Client> m_clients;
    QTemporaryDir m_folder; // of the clocks of the processes
    bool m_hasFailed = false;
};

} // namespace faults
