// SPDX-License-Identifier: GPL-3.0-or-later
// Playing a scenario on a server of the person's, in the place of private ones.
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/scenario.h"

#include <QObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct ForeignServer {
    lockcore::transport::Deployment deployment;
    std::string prefix; // of the names of all locks; whatever has it in its name is deleted at the end
};

/// `lockscope-lab:`, sixteen random digits, and a colon.
std::string newLabPrefix();
bool isLabPrefix(std::string_view text);

/// Whether a scenario does nothing to servers, and this is a single one that its clients can log in to by themselves.
/// Errors: local/not-supported with why not.
[[nodiscard]] lockcore::Result<void> checkForeign(
    const lockui::lab::Scenario &scenario, const lockcore::transport::Deployment &deployment);

/// How a program of ours finds that server: the beginning of its command line, and its environment, which has the
/// passwords.
QStringList serverArguments(const lockcore::transport::Deployment &deployment);
QProcessEnvironment serverEnvironment(const lockcore::transport::Deployment &deployment);

/// A process that removes what a play leaves behind: when it is told to, or the program ends, however that ends.
/// Destroyed before it has ended it goes on by itself, and says on stderr what it could not delete.
class CleanUpProcess : public QObject {
    Q_OBJECT
public:
    CleanUpProcess(QString program, ForeignServer server, QObject *parent = nullptr);
    ~CleanUpProcess() override;

    void start(const std::vector<lockcore::LockName> &locks); // those whose keys there may be
    void begin(); // once the clients are gone

Q_SIGNALS:
    void ready(); // it is connected, and may delete
    void failed(const lockcore::Error &error); // it has ended before it was to begin
    void cleaned(bool isClean); // else it has said on stderr what is left

private:
    void read();
    void ended();

    QString m_program;
    ForeignServer m_server;
    std::unique_ptr<QProcess> m_process;
    QString m_why; // it has ended, as it says
    bool m_isReady = false;
    bool m_hasBegun = false;
};

} // namespace app
